// Names in the ledger: whose space it is, and for which pod. The ledger knows no kinds of workloads; callers
// translate.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace toposeg::engine {

// One workload by name. The same name may come back with another uid; the ledger keeps one at a time.
struct Owner {
  std::string namespace_;
  std::string kind;  // `api group/Kind`
  std::string name;
  friend bool operator==(const Owner&, const Owner&) = default;
  friend auto operator<=>(const Owner&, const Owner&) = default;
};

// Workers and the leader of a group share one numbering; Masters have their own.
enum class Part : std::uint8_t { kMember, kMaster };

struct Seat {
  int group = 0;
  Part part = Part::kMember;
  int index = 0;
  friend bool operator==(const Seat&, const Seat&) = default;
  friend auto operator<=>(const Seat&, const Seat&) = default;
};

}  // namespace toposeg::engine
