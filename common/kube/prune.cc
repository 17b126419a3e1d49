#include "common/kube/prune.h"

#include <vector>

#include "common/kube/unread.h"

namespace toposeg::kube {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Pruner {
 public:
  Pruner(std::string_view text, Filter filter, std::size_t deepest, std::string& kept)
      : at_(text.data()),
        end_(at_ + text.size()),
        uncopied_(at_),
        filter_(filter),
        deepest_(deepest),
        kept_(kept) {
    frames_.reserve(16);
  }

  bool run() {
    while (at_ != end_) {
      if (!step()) return false;
    }
    copy_to(end_);
    return frames_.empty();
  }

 private:
  struct Frame {
    bool is_object = false;
    bool free_keys = false;
    bool is_metadata = false;
    bool wants_key = false;
    const char* comma = nullptr;  // before the member in work; none where no member before it is kept
  };

  bool step() {
    switch (*at_) {
      case '{':
      case '[':
        return open();
      case '}':
      case ']':
        return close();
      case ',':
        return separate();
      case '"':
        return !frames_.empty() && frames_.back().wants_key ? member() : pass_string();
      default:
        ++at_;
        return true;
    }
  }

  bool open() {
    if (frames_.size() == deepest_) return false;
    const bool is_object = *at_ == '{';
    Frame frame{.is_object = is_object, .wants_key = is_object};
    if (is_object) {
      frame.free_keys = has_free_keys(key_);
      frame.is_metadata = key_ == "metadata";
    }
    key_ = {};
    frames_.push_back(frame);
    ++at_;
    return true;
  }

  bool close() {
    if (frames_.empty() || frames_.back().is_object != (*at_ == '}')) return false;
    frames_.pop_back();
    ++at_;
    return true;
  }

  bool separate() {
    if (frames_.empty()) return false;
    Frame& frame = frames_.back();
    if (frame.wants_key) return false;
    frame.wants_key = frame.is_object;
    frame.comma = at_;
    key_ = {};
    ++at_;
    return true;
  }

  // From its key to its colon; to its end when it is dropped.
  bool member() {
    const char* const begin = at_;
    if (!pass_string()) return false;
    const std::string_view key(begin + 1, static_cast<std::size_t>(at_ - begin) - 2);
    pass_space();
    if (at_ == end_ || *at_ != ':') return false;
    ++at_;
    frames_.back().wants_key = false;
    if (!drops(key)) {
      key_ = key;
      return true;
    }
    return drop(begin);
  }

  [[nodiscard]] bool drops(std::string_view key) const {
    const Frame& frame = frames_.back();
    return filter_ == Filter::kRecords ? is_unread(key, frame.free_keys)
                                       : frame.is_metadata && key == "managedFields";
  }

  // With the comma before it, or with the one behind it where nothing is kept before it.
  bool drop(const char* begin) {
    Frame& frame = frames_.back();
    copy_to(frame.comma != nullptr ? frame.comma : begin);
    pass_space();
    if (!pass_value()) return false;
    pass_space();
    if (at_ == end_ || (*at_ != ',' && *at_ != '}')) return false;
    if (*at_ == ',' && frame.comma == nullptr) {
      ++at_;
      pass_space();
      if (at_ == end_ || *at_ != '"') return false;
      frame.wants_key = true;
    }
    uncopied_ = at_;
    return true;
  }

  bool pass_value() {
    if (at_ == end_) return false;
    if (*at_ == '"') return pass_string();
    if (*at_ == '{' || *at_ == '[') return pass_container();
    const char* const begin = at_;
    while (at_ != end_ && *at_ != ',' && *at_ != '}' && *at_ != ']' && !is_space(*at_)) ++at_;
    return at_ != begin;
  }

  bool pass_container() {
    open_.clear();
    do {
      if (at_ == end_) return false;
      const char c = *at_;
      if (c == '"') {
        if (!pass_string()) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') {
        open_ += c == '{' ? '}' : ']';
        if (frames_.size() + open_.size() > deepest_) return false;
      } else if (c == '}' || c == ']') {
        if (open_.back() != c) return false;
        open_.pop_back();
      }
    } while (!open_.empty());
    return true;
  }

  bool pass_string() {
    for (++at_; at_ != end_; ++at_) {
      if (*at_ == '"') {
        ++at_;
        return true;
      }
      if (*at_ != '\\') continue;
      ++at_;  // what is escaped
      if (at_ == end_) return false;
    }
    return false;
  }

  void pass_space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }

  void copy_to(const char* to) {
    kept_.append(uncopied_, to);
    uncopied_ = to;
  }

  const char* at_;
  const char* end_;
  const char* uncopied_;  // from here on, what was passed is to be kept
  Filter filter_;
  std::size_t deepest_;
  std::string& kept_;
  std::string_view key_;  // whose value comes next, empty in an array
  std::vector<Frame> frames_;
  std::string open_;  // brackets that are to come within what is dropped
};

}  // namespace

bool prune(std::string_view text, Filter filter, std::size_t deepest, std::string& kept) {
  kept.clear();
  kept.reserve(text.size() / 2);
  return Pruner(text, filter, deepest, kept).run();
}

}  // namespace toposeg::kube
