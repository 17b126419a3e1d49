#include "webhook/kube_api/frame_framer.h"

#include <fmt/format.h>

#include <algorithm>

#include "webhook/kube_api/pending.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::size_t kHead = 4;

// Of a frame and its head; the head alone where not even that is complete.
std::size_t whole_size(std::string_view begin) {
  if (begin.size() < kHead) return kHead;
  std::size_t length = 0;
  for (const char byte : begin.substr(0, kHead)) length = length << 8U | static_cast<unsigned char>(byte);
  return kHead + length;
}

}  // namespace

Result<bool> FrameFramer::feed(std::string_view chunk, const Sink& sink) {
  while (!chunk.empty()) {
    if (!pending_.empty() || chunk.size() < kHead) {
      const std::size_t missing = whole_size(pending_) - pending_.size();
      pending_ += chunk.substr(0, missing);
      chunk.remove_prefix(std::min(missing, chunk.size()));
      if (pending_.size() < kHead) return true;
    }
    const bool is_apart = !pending_.empty();  // begun in an earlier chunk
    const std::size_t size = whole_size(is_apart ? pending_ : chunk);
    if (size > kHead + largest_) {
      return fail(Code::kTooLarge, fmt::format("a frame has more than {} bytes", largest_));
    }
    if (is_apart && pending_.size() < size) continue;  // of its head it is known only now how much is missing
    if (!is_apart && chunk.size() < size) {
      pending_ = chunk;
      return true;
    }
    const bool goes_on = sink((is_apart ? std::string_view(pending_) : chunk).substr(kHead, size - kHead));
    if (is_apart) {
      clear_pending(pending_);
    } else {
      chunk.remove_prefix(size);
    }
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace toposeg::webhook::kube_api
