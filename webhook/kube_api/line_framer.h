// Bytes in pieces of any size to lines. A watch sends one event a line, but an event can span many reads, and
// a read can hold many events.
//
//   LineFramer framer(kLargestEvent);
//   … for each chunk: framer.feed(chunk, [&](std::string_view line) { return handle(line); });
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::webhook::kube_api {

// One thread at a time.
class LineFramer {
 public:
  // Called for every line that is not empty, without its line end (\n or \r\n); the text lives for the call.
  // False stops.
  using Sink = std::function<bool(std::string_view line)>;

  explicit LineFramer(std::size_t largest_line) : largest_(largest_line) {}

  // True when all of the chunk was taken, false when the sink stopped: what is left of the chunk is dropped
  // and the framer is not to be used again. kTooLarge for a line over the limit, told as soon as it is.
  // Linear in the bytes over all calls; a line that lies within one chunk is not copied.
  [[nodiscard]] Result<bool> feed(std::string_view chunk, const Sink& sink);

  // Bytes of a line that has not ended yet.
  [[nodiscard]] std::size_t pending() const { return pending_.size(); }

 private:
  [[nodiscard]] std::unexpected<Error> too_large() const;

  std::size_t largest_;
  std::string pending_;
};

}  // namespace toposeg::webhook::kube_api
