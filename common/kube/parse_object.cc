#include "common/kube/parse_object.h"

#include <fmt/format.h>

#include <exception>
#include <optional>

#include "common/base/text.h"
#include "common/kube/document_builder.h"
#include "common/kube/json_events.h"
#include "common/kube/prune.h"

namespace toposeg::kube {

namespace {

constexpr std::size_t kDeepest = 128;

}  // namespace

Result<json::Document> parse_object(std::string_view text, Filter filter, const std::string& name) {
  // A text that cannot be pruned has a fault, of which the parser knows more.
  std::string kept;
  const bool is_pruned = prune(text, filter, kDeepest, kept);
  if (is_pruned) text = kept;
  const DocumentBuilder::Options options{.depth = kDeepest,
                                         .duplicate_keys = true,
                                         .drop_unread = !is_pruned && filter == Filter::kRecords,
                                         .drop_managed = !is_pruned && filter == Filter::kWhole};
  DocumentBuilder builder(options, name, [] { return std::size_t{1}; }, {});
  JsonEvents events(builder);
  try {
    if (!json::Document::sax_parse(text.data(), text.data() + text.size(), &events)) {
      if (builder.fault()) return fail(builder.fault()->code, builder.fault()->message, name);
      return fail(Code::kInternal, "the JSON parser stopped without a reason", name);
    }
  } catch (const std::exception& error) {
    return fail(Code::kInternal, fmt::format("the JSON parser failed: {}", quote(error.what())), name);
  }
  json::Document object = builder.take();
  if (object.is_object()) return object;
  return fail(Code::kInvalid, fmt::format("a {} stands where an object should", object.type_name()), name);
}

}  // namespace toposeg::kube
