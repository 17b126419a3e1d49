#include "webhook/kube_api/event.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "common/json/decode.h"

namespace toposeg::webhook::kube_api {

namespace {

using json::Document;

// What the API server takes, in bytes.
constexpr std::size_t kLongestNote = 1024;
constexpr std::size_t kLongestWord = 128;
constexpr std::size_t kLongestName = 253;  // of any object

// Cut before a character, with a sign that it is.
std::string cut(std::string_view text, std::size_t bytes) {
  constexpr std::string_view kMore = "…";
  if (text.size() <= bytes) return std::string(text);
  std::size_t size = 0;
  for (;;) {
    const std::size_t next = std::max<std::size_t>(1, character_bytes(text.substr(size)));
    if (size + next > bytes - kMore.size()) break;
    size += next;
  }
  return std::string(text.substr(0, size)) + std::string(kMore);
}

Document series(WallTime time, std::uint64_t count) {
  return {{"count", count}, {"lastObservedTime", micro_time(time)}};
}

Document reference(const ObjectReference& object) {
  Document out = {{"apiVersion", object.api_version}, {"kind", object.kind}, {"name", object.name}};
  if (!object.namespace_.empty()) out["namespace"] = object.namespace_;
  if (!object.uid.empty()) out["uid"] = object.uid;
  return out;
}

// Notes may repeat what users wrote, so that bytes that are no UTF-8 are possible.
std::string dumped(const Document& document) {
  return document.dump(-1, ' ', false, Document::error_handler_t::replace);
}

}  // namespace

std::string namespace_of(const Event& event) {
  return event.regarding.namespace_.empty() ? "default" : event.regarding.namespace_;
}

std::string event_name(const Event& event, WallTime time) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  const std::string suffix = fmt::format(".{:016x}", since);
  std::string name = event.regarding.name.substr(0, kLongestName - suffix.size());
  while (!name.empty() && (name.back() == '.' || name.back() == '-')) name.pop_back();
  return name + suffix;
}

std::string micro_time(WallTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto fraction = std::chrono::floor<std::chrono::microseconds>(time - seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06d}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), fraction.count());
}

std::string event_text(const Event& event, const Reporter& reporter, const std::string& name, WallTime time,
                       std::uint64_t count) {
  Document object = {{"apiVersion", "events.k8s.io/v1"},
                     {"kind", "Event"},
                     {"metadata", {{"name", name}, {"namespace", namespace_of(event)}}},
                     {"eventTime", micro_time(time)},
                     {"reportingController", reporter.controller},
                     {"reportingInstance", cut(reporter.instance, kLongestWord)},
                     {"type", event.is_warning ? "Warning" : "Normal"},
                     {"reason", cut(event.reason, kLongestWord)},
                     {"action", cut(event.action, kLongestWord)},
                     {"note", cut(event.note, kLongestNote)},
                     {"regarding", reference(event.regarding)}};
  if (count > 1) object["series"] = series(time, count);
  return dumped(object);
}

std::string series_patch(WallTime time, std::uint64_t count) {
  return dumped({{"series", series(time, count)}});
}

}  // namespace toposeg::webhook::kube_api
