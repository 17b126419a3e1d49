#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/text.h"
#include "common/kube/parse_text.h"
#include "common/kube/yaml_faults.h"
#include "common/kube/yaml_scalar.h"

namespace toposeg::kube {

namespace {

using json::Document;

// Leaves yaml-cpp once the builder holds a fault: the parser has no other way out of an event.
struct Stop {};

// What a value costs of the limit: its text, and one for each value and key.
std::size_t cost(const Document& value) {
  if (const auto* text = value.get_ptr<const std::string*>()) return 1 + text->size();
  std::size_t sum = 1;
  if (const auto* object = value.get_ptr<const Document::object_t*>()) {
    for (const auto& [key, member] : *object) sum += 1 + key.size() + cost(member);
  } else if (const auto* array = value.get_ptr<const Document::array_t*>()) {
    for (const Document& element : *array) sum += cost(element);
  }
  return sum;
}

std::size_t height(const Document& value) {
  if (!value.is_structured()) return 0;
  std::size_t most = 0;
  for (const Document& member : value) most = std::max(most, height(member));
  return most + 1;
}

// Nothing is dropped: an alias may need it.
DocumentBuilder::Options kept_whole(DocumentBuilder::Options options) {
  options.drop_unread = false;
  return options;
}

class Events final : public YAML::EventHandler {
 public:
  Events(TextSource& source, const ParseRequest& request)
      : limits_(request.limits),
        builder_(
            kept_whole(request.options), request.name, [this] { return line_; },
            [this, &source, &request](Document item, const Document& list, std::size_t line) {
              source.mark();
              spent_ = 0;
              return request.on_item(std::move(item), list, line);
            }) {}

  [[nodiscard]] DocumentBuilder& builder() { return builder_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    progress_.document_starts(mark);
    at(mark);
    anchors_.clear();
    open_anchors_.clear();
    spent_ = kept_ = 0;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { scalar(mark, "?", anchor, ""); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    scalar(mark, tag, anchor, text);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    at(mark);
    if (anchor >= anchors_.size() || !anchors_[anchor].is_complete) {
      refuse(Code::kInvalid, "an alias stands inside the value that it names");
    }
    const Anchor& named = anchors_[anchor];
    if (builder_.wants_key()) {
      if (!named.value.is_string()) refuse(Code::kInvalid, "a key is an alias of a value that is no text");
      check(builder_.key(named.value.get<std::string>()));
      return;
    }
    spend(spent_, named.cost);
    if (builder_.depth() + named.height > limits_.depth) {
      refuse(Code::kTooLarge, fmt::format("nested deeper than {} levels by an alias", limits_.depth));
    }
    check(builder_.value(named.value));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, "seq", anchor, Document::value_t::array);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, "map", anchor, Document::value_t::object);
  }
  void OnMapEnd() override {
    check(builder_.apply_merge());
    close();
  }

 private:
  struct Anchor {
    Document value;
    std::size_t cost = 0;
    std::size_t height = 0;
    bool is_complete = false;
  };

  void at(const YAML::Mark& mark) { line_ = mark.line < 0 ? line_ : static_cast<std::size_t>(mark.line) + 1; }

  static void check(bool is_fine) {
    if (!is_fine) throw Stop{};
  }
  [[noreturn]] void refuse(Code code, const std::string& message) {
    builder_.refuse(code, message);
    throw Stop{};
  }

  void spend(std::size_t& account, std::size_t amount) {
    account += amount;
    if (account > limits_.bytes) {
      refuse(Code::kTooLarge,
             fmt::format("the document grows over {} bytes as its aliases are expanded", limits_.bytes));
    }
  }

  void remember(YAML::anchor_t anchor, const Document& value) {
    if (anchor == YAML::NullAnchor) return;
    const std::size_t size = cost(value);
    spend(kept_, size);
    if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
    anchors_[anchor] = {value, size, height(value), true};
  }

  void scalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
              const std::string& text) {
    at(mark);
    spend(spent_, 1 + text.size());
    auto value = yaml_scalar(tag, text);
    if (!builder_.wants_key()) {
      if (!value) refuse(value.error().code, value.error().message);
      remember(anchor, *value);
      check(builder_.value(*std::move(value)));
      return;
    }
    if (tag == "?" && text == "<<") {
      check(builder_.merge_key());
      return;
    }
    // A key is text whatever it looks like, as the API server's own decoder has it.
    auto as_text = yaml_scalar("!", text);
    if (!as_text) refuse(as_text.error().code, as_text.error().message);
    if (value && value->is_null()) refuse(Code::kInvalid, "a key is null; quote it if text is meant");
    remember(anchor, *as_text);
    check(builder_.key(text));
  }

  void open(const YAML::Mark& mark, const std::string& tag, std::string_view type, YAML::anchor_t anchor,
            Document::value_t container) {
    at(mark);
    if (builder_.wants_key()) refuse(Code::kInvalid, "a key is a map or a list; only text can be a key");
    if (!tag.empty() && tag != "?" && tag != "!" && tag != fmt::format("tag:yaml.org,2002:{}", type)) {
      refuse(Code::kInvalid, fmt::format("tag {} is not read on a {}", quote(tag), type));
    }
    spend(spent_, 1);
    check(builder_.open(container, anchor == YAML::NullAnchor));
    open_anchors_.push_back(anchor);
  }

  void close() {
    if (open_anchors_.back() != YAML::NullAnchor) remember(open_anchors_.back(), builder_.top());
    open_anchors_.pop_back();
    check(builder_.close());
  }

  const json::Limits& limits_;
  std::vector<Anchor> anchors_;
  std::vector<YAML::anchor_t> open_anchors_;  // one a container in work
  std::size_t spent_ = 0;
  std::size_t kept_ = 0;  // by anchors
  std::size_t line_ = 1;
  YamlProgress progress_;
  DocumentBuilder builder_;
};

std::unexpected<Error> failure(const ParseRequest& request, Code code, std::string message,
                               std::size_t line) {
  return fail(code, std::move(message), fmt::format("{}:{}", request.name, line));
}

}  // namespace

Result<void> parse_yaml(TextSource& source, const ParseRequest& request) {
  Events events(source, request);
  DocumentBuilder& builder = events.builder();
  std::istream stream(&source);
  try {
    YAML::Parser parser(stream);
    for (bool has_more = true; has_more;) {
      has_more = parser.HandleNextDocument(events);
      Document document = builder.take();
      source.mark();
      if (source.fault()) break;
      if (document.is_null()) continue;
      if (auto done = request.on_document(std::move(document), builder.root_line()); !done) return done;
    }
  } catch (const Stop&) {
    return std::unexpected(*builder.fault());
  } catch (const YAML::Exception& error) {
    if (!source.fault()) {
      const auto line = error.mark.line < 0 ? 1 : static_cast<std::size_t>(error.mark.line) + 1;
      return failure(request, Code::kInvalid, not_valid_yaml(error), line);
    }
  } catch (const std::exception& error) {
    return failure(request, Code::kInternal, fmt::format("the YAML parser failed: {}", quote(error.what())),
                   1);
  }
  if (!source.fault()) return {};
  return failure(request, source.fault()->code, source.fault()->message, source.line());
}

}  // namespace toposeg::kube
