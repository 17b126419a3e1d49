#include "engine/cli/dot.h"

#include <cstddef>
#include <ostream>

namespace toposeg::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::vector<std::size_t> parents_of(const engine::TopologyView& view) {
  std::vector<std::size_t> parents(view.domains.size(), 0);
  std::vector<std::size_t> last_at_level(view.levels.size() + 1, 0);
  for (std::size_t i = 0; i < view.domains.size(); ++i) {
    const auto level = static_cast<std::size_t>(view.domains[i].level);
    last_at_level[level] = i;
    parents[i] = level == 0 ? i : last_at_level[level - 1];
  }
  return parents;
}

bool repeats_parent(const engine::TopologyView& view, std::size_t at) {
  const engine::DomainView& node = view.domains[at];
  if (static_cast<std::size_t>(node.level) < view.levels.size() || at == 0) return false;
  const engine::DomainView& above = view.domains[at - 1];
  return above.level == node.level - 1 && above.nodes == 1 && !above.path.empty() &&
         above.path.back() == node.node;
}

void write_dot(std::ostream& out, const engine::TopologyView& view,
               const std::map<std::size_t, std::string>& labels) {
  const std::vector<std::size_t> parents = parents_of(view);
  out << "digraph " << quoted(view.topology) << " {\n  rankdir=LR;\n  node [shape=box];\n";
  out << "  root [label=" << quoted(view.topology) << "];\n";
  for (const auto& [at, label] : labels) {
    out << "  d" << at << " [label=" << quoted(label) << "];\n";
    const bool top = parents[at] == at;
    out << "  " << (top ? std::string("root") : "d" + std::to_string(parents[at])) << " -> d" << at << ";\n";
  }
  out << "}\n";
}

}  // namespace toposeg::cli
