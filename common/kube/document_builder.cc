#include "common/kube/document_builder.h"

#include <fmt/format.h>

#include <utility>

#include "common/base/text.h"
#include "common/json/pointer.h"
#include "common/kube/unread.h"

namespace toposeg::kube {

using json::Document;

bool is_list_kind(std::string_view kind) { return kind.ends_with("List"); }

DocumentBuilder::DocumentBuilder(Options options, std::string name, Line line, ItemSink sink)
    : options_(options), name_(std::move(name)), line_(std::move(line)), sink_(std::move(sink)) {}

bool DocumentBuilder::refuse(Code code, const std::string& message) {
  if (!fault_) fault_ = Error{code, message, fmt::format("{}:{}", name_, line_())};
  return false;
}

bool DocumentBuilder::wants_key() const {
  return !frames_.empty() && frames_.back().value.is_object() && !frames_.back().has_key;
}

bool DocumentBuilder::streams(Document::value_t type) const {
  if (!options_.stream_items || stream_depth_ != 0 || type != Document::value_t::array) return false;
  if (frames_.empty()) return true;
  const Frame& root = frames_.front();
  if (frames_.size() != 1 || !root.value.is_object() || root.merges_next || root.key != "items") return false;
  const std::string* kind = json::text(json::member(&root.value, "kind"));
  return kind == nullptr || is_list_kind(*kind);
}

bool DocumentBuilder::drops(std::string_view key) const {
  if (options_.drop_managed && key == "managedFields" && frames_.size() > 1 &&
      frames_[frames_.size() - 2].key == "metadata") {
    return true;
  }
  return options_.drop_unread && is_unread(key, frames_.back().free_keys);
}

bool DocumentBuilder::open(Document::value_t type, bool may_stream) {
  if (frames_.size() + skipped_depth_ >= options_.depth) {
    return refuse(Code::kTooLarge, fmt::format("nested deeper than {} levels", options_.depth));
  }
  if (skipping_) {
    ++skipped_depth_;
    return true;
  }
  if (frames_.empty()) root_line_ = line_();
  const bool is_item = stream_depth_ != 0 && frames_.size() == stream_depth_;
  if (is_item) item_line_ = line_();
  const bool starts_stream = may_stream && streams(type);
  Frame& frame = frames_.emplace_back();
  frame.value = Document(type);
  if (frames_.size() > 1) {
    const Frame& parent = frames_[frames_.size() - 2];
    frame.free_keys = parent.has_key && has_free_keys(parent.key);
  }
  if (starts_stream) stream_depth_ = frames_.size();
  return true;
}

bool DocumentBuilder::key(const std::string& name) {
  if (skipping_) return true;
  Frame& frame = frames_.back();
  if (!options_.duplicate_keys && frame.value.contains(name)) {
    return refuse(Code::kInvalid, fmt::format("key {} appears twice in one object", quote(name)));
  }
  if (drops(name)) {
    skipping_ = true;
    return true;
  }
  frame.key = name;
  frame.has_key = true;
  return true;
}

bool DocumentBuilder::merge_key() {
  Frame& frame = frames_.back();
  if (frame.has_merge) {
    return refuse(Code::kInvalid, "the merge key << appears twice in one map; give it a list of maps");
  }
  frame.has_key = frame.has_merge = frame.merges_next = true;
  frame.key = "<<";
  return true;
}

bool DocumentBuilder::value(Document value) {
  if (skipping_) {
    if (skipped_depth_ == 0) skipping_ = false;
    return true;
  }
  if (frames_.empty()) root_line_ = line_();
  if (stream_depth_ != 0 && frames_.size() == stream_depth_) item_line_ = line_();
  return attach(std::move(value));
}

bool DocumentBuilder::attach(Document value) {
  if (frames_.empty()) {
    root_ = std::move(value);
    return true;
  }
  if (frames_.size() == stream_depth_) return hand_on(std::move(value));
  Frame& frame = frames_.back();
  if (auto* array = frame.value.get_ptr<Document::array_t*>()) {
    array->push_back(std::move(value));
    return true;
  }
  frame.has_key = false;
  if (frame.merges_next) {
    frame.merges_next = false;
    frame.merge = std::move(value);
    return true;
  }
  frame.value.get_ptr<Document::object_t*>()->insert_or_assign(frame.key, std::move(value));
  return true;
}

bool DocumentBuilder::hand_on(Document item) {
  ++items_;
  static const Document kNoList;
  const Document& list = stream_depth_ == 1 ? kNoList : frames_.front().value;
  auto done = sink_(std::move(item), list, item_line_);
  if (!done && !fault_) fault_ = std::move(done.error());
  return !fault_;
}

bool DocumentBuilder::apply_merge() {
  Frame& frame = frames_.back();
  if (!frame.has_merge) return true;
  auto* object = frame.value.get_ptr<Document::object_t*>();
  const auto add = [object](const Document& map) {
    for (const auto& [key, member] : map.items()) object->try_emplace(key, member);
  };
  constexpr const char* kWanted = "the merge key << takes a map or a list of maps, most often an alias";
  if (frame.merge.is_object()) {
    add(frame.merge);
    return true;
  }
  if (!frame.merge.is_array()) return refuse(Code::kInvalid, kWanted);
  for (const Document& map : frame.merge) {
    if (!map.is_object()) return refuse(Code::kInvalid, kWanted);
    add(map);
  }
  return true;
}

bool DocumentBuilder::close() {
  if (skipping_) {
    if (--skipped_depth_ == 0) skipping_ = false;
    return true;
  }
  if (frames_.size() == stream_depth_) stream_depth_ = 0;
  Document done = std::move(frames_.back().value);
  frames_.pop_back();
  return attach(std::move(done));
}

Document DocumentBuilder::take() {
  frames_.clear();
  stream_depth_ = 0;
  return std::exchange(root_, Document());
}

}  // namespace toposeg::kube
