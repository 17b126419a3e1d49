// A list's JSON text, in pieces of any size, to the texts of its items, one at a time: a list of fifty
// thousand pods is never in memory as a whole.
//
//   ListFramer framer(kLargestObject);
//   … for each chunk: framer.feed(chunk, [&](std::string_view item) { return handle(item); });
//   if (framer.complete()) decode(framer.envelope());    // {"kind":"PodList",…,"metadata":{…},"items":[]}
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::webhook::kube_api {

// Looks only for quotes, brackets and commas; whoever parses the items and the envelope finds other faults.
// One thread at a time.
class ListFramer {
 public:
  // The text of one element of the root's `items`; it lives for the call. False stops.
  using Sink = std::function<bool(std::string_view item)>;

  // `largest` bounds an item, and the envelope.
  explicit ListFramer(std::size_t largest) : largest_(largest) {}

  // True when all of the chunk was taken; false when the sink stopped, after which nothing more is taken.
  // kTooLarge for an item or an envelope over the limit; kInvalid when the text is no object, its brackets do
  // not match, or something follows it. Linear in the bytes over all calls.
  [[nodiscard]] Result<bool> feed(std::string_view chunk, const Sink& sink);

  // Whether the object has ended.
  [[nodiscard]] bool complete() const { return started_ && open_.empty(); }
  // The list without its items.
  [[nodiscard]] const std::string& envelope() const { return envelope_; }

 private:
  [[nodiscard]] Result<std::size_t> take_inside(std::string_view chunk);
  [[nodiscard]] Result<bool> take(char c, const Sink& sink);
  [[nodiscard]] Result<bool> take_in_string(char c);
  [[nodiscard]] Result<bool> open(char c);
  [[nodiscard]] Result<bool> close(char c, const Sink& sink);
  [[nodiscard]] std::size_t plain_bytes(std::string_view chunk) const;
  [[nodiscard]] Result<bool> append(std::string_view text);
  [[nodiscard]] bool between_items() const { return in_items_ && open_.size() == 2; }
  [[nodiscard]] bool hand_on(const Sink& sink);

  std::size_t largest_;
  std::string envelope_;
  std::string item_;
  std::string open_;  // the brackets that are open
  std::string
      name_;  // the last string directly in the root, behind its quote: the key, where an array begins
  bool started_ = false;
  bool in_string_ = false;
  bool escaped_ = false;   // the byte before was a backslash within a string
  bool in_items_ = false;  // within the root's items, whose own brackets belong to the envelope
};

}  // namespace toposeg::webhook::kube_api
