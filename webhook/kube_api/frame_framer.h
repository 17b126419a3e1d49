// Bytes in pieces of any size to frames: four bytes of length, the most significant first, then as many
// bytes. So a watch in protobuf form sends its events.
//
//   FrameFramer framer(kLargestEvent);
//   … for each chunk: framer.feed(chunk, [&](std::string_view frame) { return handle(frame); });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::webhook::kube_api {

// One thread at a time.
class FrameFramer {
 public:
  // Called for every frame, also an empty one, without its length; the bytes live for the call. False stops.
  using Sink = std::function<bool(std::string_view frame)>;

  explicit FrameFramer(std::size_t largest_frame) : largest_(largest_frame) {}

  // True when all of the chunk was taken, false when the sink stopped: what is left of the chunk is dropped
  // and the framer is not to be used again. kTooLarge for a frame over the limit, told as soon as its length
  // is known. Linear in the bytes over all calls; a frame that lies within one chunk is not copied.
  [[nodiscard]] Result<bool> feed(std::string_view chunk, const Sink& sink);

 private:
  std::size_t largest_;
  std::string pending_;  // a frame that has not ended yet, with its length
};

}  // namespace toposeg::webhook::kube_api
