#include "webhook/admission/node_affinity.h"

#include <algorithm>

namespace toposeg::webhook {
namespace {

using json::Document;
using json::Path;

constexpr std::string_view kHostLabel = "kubernetes.io/hostname";
constexpr int kHostWeight = 100;

Path node_affinity_path() { return {"spec", "affinity", "nodeAffinity"}; }

Path below(Path path, std::initializer_list<std::string> rest) {
  path.insert(path.end(), rest);
  return path;
}

Document expression(const std::string& key, const std::string& value) {
  return {{"key", key}, {"operator", "In"}, {"values", Document::array({value})}};
}

Document expressions(std::span<const std::string> levels, std::span<const std::string> path) {
  Document result = Document::array();
  for (std::size_t i = 0; i < path.size(); ++i) result.push_back(expression(levels[i], path[i]));
  return result;
}

bool holds(const Document* list, const Document& item) {
  return list != nullptr && list->is_array() && std::find(list->begin(), list->end(), item) != list->end();
}

bool is_empty_list(const Document* list) { return list == nullptr || !list->is_array() || list->empty(); }

bool extend_term(json::Edit& edit, const Path& term_path, const Document& wanted) {
  const Document* term = json::at(edit.document(), term_path);
  if (term == nullptr || !term->is_object()) return false;
  if (is_empty_list(json::member(term, "matchExpressions")) &&
      is_empty_list(json::member(term, "matchFields"))) {
    return true;  // matches no node; an expression would make it match some
  }
  const Path list_path = below(term_path, {"matchExpressions"});
  for (const Document& one : wanted) {
    if (holds(json::at(edit.document(), list_path), one)) continue;
    if (!edit.append(list_path, one)) return false;
  }
  return true;
}

bool append_preference(json::Edit& edit, int weight, Document wanted) {
  const Path list_path = below(node_affinity_path(), {"preferredDuringSchedulingIgnoredDuringExecution"});
  const Document term{{"weight", weight}, {"preference", {{"matchExpressions", std::move(wanted)}}}};
  return holds(json::at(edit.document(), list_path), term) || edit.append(list_path, term);
}

}  // namespace

bool require_domain(json::Edit& edit, std::span<const std::string> levels,
                    std::span<const std::string> path) {
  if (path.empty()) return true;
  const Document wanted = expressions(levels, path);
  const Path block_path = below(node_affinity_path(), {"requiredDuringSchedulingIgnoredDuringExecution"});
  const Path terms_path = below(block_path, {"nodeSelectorTerms"});
  const Document* block = json::at(edit.document(), block_path);
  if (block == nullptr || block->is_null()) return edit.append(terms_path, {{"matchExpressions", wanted}});
  if (!block->is_object()) return false;
  const Document* terms = json::at(edit.document(), terms_path);
  if (terms == nullptr || terms->is_null()) return true;  // a block without terms: the API server refuses it
  if (!terms->is_array()) return false;
  const std::size_t count = terms->size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!extend_term(edit, below(terms_path, {std::to_string(i)}), wanted)) return false;
  }
  return true;
}

bool prefer_domain(json::Edit& edit, std::span<const std::string> levels, std::span<const std::string> path,
                   std::size_t required, const std::string& host_label) {
  int weight = kHostWeight;
  const bool path_ends_at_host = !path.empty() && levels[path.size() - 1] == kHostLabel;
  if (!path_ends_at_host) {
    if (!host_label.empty() &&
        !append_preference(edit, weight,
                           Document::array({expression(std::string(kHostLabel), host_label)}))) {
      return false;
    }
    weight /= 2;
  }
  for (std::size_t length = path.size(); length > required; --length) {
    if (!append_preference(edit, weight, expressions(levels, path.first(length)))) return false;
    weight = std::max(1, weight / 2);
  }
  return true;
}

}  // namespace toposeg::webhook
