// Any bytes as the stream of a watch in both of its forms and as the text of a list, cut at places that the
// input chooses: how they are cut changes nothing, and what is dropped while parsing makes no good object
// bad.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/decode.h"
#include "common/kube/read.h"
#include "webhook/kube_api/api_error.h"
#include "webhook/kube_api/frame_framer.h"
#include "webhook/kube_api/line_framer.h"
#include "webhook/kube_api/list_framer.h"
#include "webhook/kube_api/object_text.h"

namespace {

namespace json = toposeg::json;
namespace kube = toposeg::kube;
using namespace toposeg::webhook::kube_api;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kLargest = 4096;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

struct Framed {
  std::vector<std::string> pieces;
  bool is_whole = true;  // no fault
  bool is_complete = false;
  std::string envelope;

  friend bool operator==(const Framed&, const Framed&) = default;
};

// Feeds `text` in pieces of the sizes that `cuts` names in turn; all at once without any.
template <typename Framer>
Framed frame(std::string_view text, std::string_view cuts) {
  Framer framer(kLargest);
  Framed framed;
  const auto take = [&](std::string_view piece) {
    framed.pieces.emplace_back(piece);
    return true;
  };
  for (std::size_t at = 0, turn = 0; at < text.size() && framed.is_whole; ++turn) {
    const std::size_t size =
        cuts.empty() ? text.size() : 1 + static_cast<unsigned char>(cuts[turn % cuts.size()]);
    framed.is_whole = framer.feed(text.substr(at, size), take).has_value();
    at += size;
  }
  if constexpr (requires { framer.envelope(); }) {
    framed.is_complete = framer.complete();
    if (framed.is_whole) framed.envelope = framer.envelope();
  }
  return framed;
}

void check_object(const std::string& text) {
  static const Resource resource{.version = "v1", .plural = "pods", .kind = "Pod"};
  const auto plain = json::decode(text, {.depth = 128, .duplicate_keys = true});
  for (const auto filter : {kube::Filter::kRecords, kube::Filter::kWhole}) {
    const auto filtered = kube::parse_object(text, filter, "fuzz");
    if (plain && plain->is_object()) demand(filtered.has_value(), "a good object is refused");
    if (!filtered) continue;
    (void)identity_of(*filtered);
    const auto event = parse_watch_event(text, filter, resource);
    if (!event) continue;
    (void)ends_initial_events(event->object);
    if (event->type == EventType::kError) (void)refused(event->object, "fuzz").text();
  }
}

void check_frame(const std::string& bytes) {
  static const Resource resource{.version = "v1", .plural = "pods", .kind = "Pod"};
  const auto event = parse_watch_frame(bytes, resource);
  if (!event) return;
  (void)identity_of(event->object);
  (void)ends_initial_events(event->object);
  (void)kube::read_pod(event->object);
  (void)kube::read_node(event->object);
  if (event->type == EventType::kError) (void)refused(event->object, "fuzz").text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cuts_size = input.empty() ? 0 : static_cast<unsigned char>(input.front()) % 8;
  const std::string_view cuts = input.substr(std::min<std::size_t>(1, size), cuts_size);
  const std::string_view text = input.substr(std::min(size, 1 + cuts.size()));
  const Framed lines = frame<LineFramer>(text, {});
  demand(lines == frame<LineFramer>(text, cuts), "cuts change the lines");
  const Framed items = frame<ListFramer>(text, {});
  demand(items == frame<ListFramer>(text, cuts), "cuts change the items");
  const Framed frames = frame<FrameFramer>(text, {});
  demand(frames == frame<FrameFramer>(text, cuts), "cuts change the frames");
  for (const std::string& line : lines.pieces) check_object(line);
  for (const std::string& item : items.pieces) check_object(item);
  for (const std::string& bytes : frames.pieces) check_frame(bytes);
  return 0;
}
