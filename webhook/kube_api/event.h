// An Event of events.k8s.io/v1: what happened to an object, told to people who describe it.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/clock.h"

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

struct ObjectReference {
  std::string api_version{};
  std::string kind{};
  std::string namespace_{};  // empty for what has none
  std::string name{};
  std::string uid{};  // may be empty

  friend auto operator<=>(const ObjectReference&, const ObjectReference&) = default;
};

// Reason and action are constants in CamelCase; what varies stands in the note, which is cut at 1024
// characters.
struct Event {
  ObjectReference regarding{};
  bool is_warning = false;
  std::string reason{};  // why: Placed
  std::string action{};  // what was done: Plan
  std::string note{};

  friend auto operator<=>(const Event&, const Event&) = default;
};

// Who tells.
struct Reporter {
  std::string controller = "toposeg.io/webhook";  // with a domain
  std::string instance = "toposeg";               // the pod's name; not empty
};

// The namespace in which an Event stands: its object's, or `default`.
[[nodiscard]] std::string namespace_of(const Event& event);

// Unique among the object's Events: its name and the time in hexadecimal digits.
[[nodiscard]] std::string event_name(const Event& event, WallTime time);

// 2026-11-29T20:15:42.123456Z, the form of MicroTime.
[[nodiscard]] std::string micro_time(WallTime time);

// The object to create. `count` > 1 = it happened so often until `time`.
[[nodiscard]] std::string event_text(const Event& event, const Reporter& reporter, const std::string& name,
                                     WallTime time, std::uint64_t count);

// The merge patch by which an Event becomes a series, or one longer.
[[nodiscard]] std::string series_patch(WallTime time, std::uint64_t count);

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
