#include "webhook/kube_api/line_framer.h"

#include <fmt/format.h>

#include "webhook/kube_api/pending.h"

namespace toposeg::webhook::kube_api {

namespace {

bool hand_on(std::string_view line, const LineFramer::Sink& sink) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.empty() || sink(line);
}

}  // namespace

Result<bool> LineFramer::feed(std::string_view chunk, const Sink& sink) {
  while (!chunk.empty()) {
    const auto end = chunk.find('\n');
    const std::string_view piece = chunk.substr(0, end);
    if (pending_.size() + piece.size() > largest_) return too_large();
    if (end == std::string_view::npos) {
      pending_ += piece;
      return true;
    }
    chunk.remove_prefix(end + 1);
    if (pending_.empty()) {
      if (!hand_on(piece, sink)) return false;
      continue;
    }
    pending_ += piece;
    const bool goes_on = hand_on(pending_, sink);
    clear_pending(pending_);
    if (!goes_on) return false;
  }
  return true;
}

std::unexpected<Error> LineFramer::too_large() const {
  return fail(Code::kTooLarge, fmt::format("a line has more than {} bytes", largest_));
}

}  // namespace toposeg::webhook::kube_api
