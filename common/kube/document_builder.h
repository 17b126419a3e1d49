// Parser events to documents. Of a List only one item is held at a time: each is handed on when it is
// complete, and what no record needs can be dropped while it is parsed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/decode.h"

namespace toposeg::kube {

// True for `List` and `PodList`: a list's kind, not an object's.
[[nodiscard]] bool is_list_kind(std::string_view kind);

class DocumentBuilder {
 public:
  struct Options {
    std::size_t depth = 64;
    bool duplicate_keys = false;  // true = the last one wins
    bool stream_items = false;    // hand on the items of a List, and the elements of a top-level array
    bool drop_unread = false;     // drop what is large in nodes and pods and never read
    bool drop_managed = false;    // drop metadata.managedFields
  };
  // Where the parser is: `name:line` of an error, and the line at which an item starts.
  using Line = std::function<std::size_t()>;
  // `list` = the members of the List read so far, null for a top-level array.
  using ItemSink =
      std::function<Result<void>(json::Document item, const json::Document& list, std::size_t line)>;

  DocumentBuilder(Options options, std::string name, Line line, ItemSink sink);

  // Each returns false on a fault, which is final. An object takes key() and one value in turn.
  bool open(json::Document::value_t type, bool may_stream = true);
  bool key(const std::string& name);
  bool merge_key();  // YAML's <<: the next value's members are added where the object has none of its own
  bool value(json::Document value);
  bool close();
  bool refuse(Code code, const std::string& message);

  // Adds the members of the merged maps to the object in work. To be called before close(), in YAML only.
  bool apply_merge();

  [[nodiscard]] bool wants_key() const;
  [[nodiscard]] bool skips() const { return skipping_; }  // the value to come is dropped
  [[nodiscard]] std::size_t depth() const { return frames_.size(); }
  [[nodiscard]] std::size_t items() const { return items_; }  // handed on so far
  [[nodiscard]] const json::Document& top() const { return frames_.back().value; }
  [[nodiscard]] const std::optional<Error>& fault() const { return fault_; }

  // The finished document, null when only elements of an array were handed on; then ready for the next one.
  [[nodiscard]] json::Document take();
  // The line at which the document in work, or the last one, began.
  [[nodiscard]] std::size_t root_line() const { return root_line_; }

 private:
  struct Frame {
    json::Document value;
    std::string key;
    bool has_key = false;
    bool has_merge = false;
    bool merges_next = false;
    bool free_keys = false;  // its keys are people's words (labels): never dropped
    json::Document merge;
  };

  [[nodiscard]] bool streams(json::Document::value_t type) const;
  [[nodiscard]] bool drops(std::string_view key) const;
  bool attach(json::Document value);
  bool hand_on(json::Document item);

  Options options_;
  std::string name_;
  Line line_;
  ItemSink sink_;
  std::vector<Frame> frames_;
  json::Document root_;
  std::size_t stream_depth_ = 0;  // frames around an item; 0 = not streaming
  std::size_t item_line_ = 0;
  std::size_t root_line_ = 0;
  std::size_t items_ = 0;
  bool skipping_ = false;
  std::size_t skipped_depth_ = 0;
  std::optional<Error> fault_;
};

}  // namespace toposeg::kube
