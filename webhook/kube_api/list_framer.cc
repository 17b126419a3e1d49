#include "webhook/kube_api/list_framer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/base/text.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::array<bool, 256> bytes_of(std::string_view text) {
  std::array<bool, 256> in{};
  for (const char c : text) in[static_cast<unsigned char>(c)] = true;
  return in;
}

constexpr auto kStructure = bytes_of("\"{}[],");
constexpr auto kStringEnds = bytes_of("\"\\");
constexpr auto kSpace = bytes_of(" \t\r\n");

bool in(const std::array<bool, 256>& set, char c) { return set[static_cast<unsigned char>(c)]; }

char opening(char closing) { return closing == '}' ? '{' : '['; }

std::unexpected<Error> misplaced(char c, std::string_view wanted) {
  return fail(Code::kInvalid,
              fmt::format("the list is not valid JSON: {} where {}", quote(std::string_view(&c, 1)), wanted));
}

}  // namespace

Result<bool> ListFramer::feed(std::string_view chunk, const Sink& sink) {
  while (!chunk.empty()) {
    if (in_items_ && open_.size() > 2) {
      const auto inside = take_inside(chunk);
      if (!inside) return std::unexpected(inside.error());
      chunk.remove_prefix(*inside);
      continue;
    }
    const std::size_t plain = plain_bytes(chunk);
    const auto taken = plain > 0 ? append(chunk.substr(0, plain)) : take(chunk.front(), sink);
    if (!taken || !*taken) return taken;
    chunk.remove_prefix(std::max<std::size_t>(plain, 1));
  }
  return true;
}

// The bytes of an item up to its last bracket, or all of them; most of a list comes this way.
Result<std::size_t> ListFramer::take_inside(std::string_view chunk) {
  std::size_t at = 0;
  while (at < chunk.size() && open_.size() > 2) {
    const char c = chunk[at++];
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      open_ += c;
    } else if (c == '}' || c == ']') {
      if (open_.back() != opening(c)) return misplaced(c, fmt::format("'{}' is to be closed", open_.back()));
      open_.pop_back();
    }
  }
  const auto appended = append(chunk.substr(0, at));
  if (!appended) return std::unexpected(appended.error());
  return at;
}

// How many bytes change nothing but where they are put.
std::size_t ListFramer::plain_bytes(std::string_view chunk) const {
  if (escaped_ || open_.empty()) return 0;
  const auto& ends = in_string_ ? kStringEnds : kStructure;
  const auto end = std::find_if(chunk.begin(), chunk.end(), [&ends](char c) { return in(ends, c); });
  return static_cast<std::size_t>(end - chunk.begin());
}

Result<bool> ListFramer::take(char c, const Sink& sink) {
  if (open_.empty()) {
    if (in(kSpace, c)) return true;
    if (started_) return misplaced(c, "the text should have ended");
    if (c != '{') return misplaced(c, "an object should begin");
  }
  if (in_string_) return take_in_string(c);
  switch (c) {
    case '"':
      in_string_ = true;
      if (open_.size() == 1) name_.clear();
      return append({&c, 1});
    case '{':
    case '[':
      return open(c);
    case '}':
    case ']':
      return close(c, sink);
    default:
      // A comma.
      return between_items() ? Result<bool>(hand_on(sink)) : append({&c, 1});
  }
}

Result<bool> ListFramer::take_in_string(char c) {
  if (escaped_) {
    escaped_ = false;
  } else if (c == '\\') {
    escaped_ = true;
  } else {
    in_string_ = false;
  }
  return append({&c, 1});
}

Result<bool> ListFramer::open(char c) {
  const bool starts_items = c == '[' && open_.size() == 1 && name_ == "\"items";
  started_ = true;
  auto appended = append({&c, 1});
  open_ += c;
  if (starts_items) in_items_ = true;
  return appended;
}

Result<bool> ListFramer::close(char c, const Sink& sink) {
  if (open_.back() != opening(c)) return misplaced(c, fmt::format("'{}' is to be closed", open_.back()));
  if (between_items()) {
    in_items_ = false;
    if (!hand_on(sink)) return false;
  }
  open_.pop_back();
  return append({&c, 1});
}

Result<bool> ListFramer::append(std::string_view text) {
  std::string& target = in_items_ ? item_ : envelope_;
  if (target.size() + text.size() > largest_) {
    return fail(Code::kTooLarge,
                fmt::format("{} has more than {} bytes",
                            in_items_ ? "an item of the list" : "the list without its items", largest_));
  }
  target += text;
  if (in_string_ && open_.size() == 1) name_ += text;
  return true;
}

bool ListFramer::hand_on(const Sink& sink) {
  const bool is_blank = std::all_of(item_.begin(), item_.end(), [](char c) { return in(kSpace, c); });
  const bool goes_on = is_blank || sink(item_);
  item_.clear();
  return goes_on;
}

}  // namespace toposeg::webhook::kube_api
