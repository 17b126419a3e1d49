#include "engine/cli/topology_tree.h"

#include <fmt/format.h>

#include <cstddef>
#include <ostream>

#include "engine/cli/dot.h"
#include "engine/cli/table.h"

namespace toposeg::cli {
namespace {

constexpr std::size_t kFoldFrom = 3;

class TreeRows {
 public:
  TreeRows(const engine::TopologyView& view, const TreeNumbers& numbers, bool unfolded, Table& table)
      : view_(view), numbers_(numbers), unfolded_(unfolded), table_(table), children_(view.domains.size()) {
    const std::vector<std::size_t> parents = parents_of(view);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (parents[i] == i) {
        tops_.push_back(i);
      } else if (!repeats_parent(view, i)) {
        children_[parents[i]].push_back(i);
      }
    }
    looks_.resize(view.domains.size());
    for (std::size_t i = view.domains.size(); i-- > 0;) looks_[i] = look(i);
  }

  void print() { print_siblings(tops_, 0); }

 private:
  // Everything about a domain but the names in it.
  [[nodiscard]] std::string look(std::size_t at) const {
    const engine::DomainView& domain = view_.domains[at];
    std::string text = fmt::format("{} {} {} {} {}(", domain.nodes, domain.idle, domain.healthy, domain.free,
                                   numbers_.total[at]);
    for (const std::size_t child : children_[at]) text += looks_[child];
    return text + ")";
  }

  void print_siblings(const std::vector<std::size_t>& siblings, std::size_t depth) {
    for (std::size_t begin = 0; begin < siblings.size();) {
      std::size_t end = begin + 1;
      while (end < siblings.size() && looks_[siblings[end]] == looks_[siblings[begin]]) ++end;
      const bool fold = !unfolded_ && end - begin >= kFoldFrom;
      if (fold) {
        print_row(siblings[begin], depth, name(siblings[begin]) + ".." + name(siblings[end - 1]),
                  end - begin);
      }
      for (std::size_t i = begin; !fold && i < end; ++i) {
        print_row(siblings[i], depth, name(siblings[i]), 1);
        print_siblings(children_[siblings[i]], depth + 1);
      }
      begin = end;
    }
  }

  [[nodiscard]] const std::string& name(std::size_t at) const {
    const engine::DomainView& domain = view_.domains[at];
    return domain.node.empty() ? domain.path.back() : domain.node;
  }

  void print_row(std::size_t at, std::size_t depth, const std::string& text, std::size_t alike) {
    const engine::DomainView& domain = view_.domains[at];
    const auto times = static_cast<std::int64_t>(alike);
    const int unhealthy = domain.nodes - domain.healthy;
    std::string shown = std::string(depth * 2, ' ') + text;
    if (alike > 1) shown += fmt::format(" ({} alike)", alike);
    table_.add({{std::move(shown)},
                {std::to_string(domain.nodes * times)},
                {std::to_string(domain.idle * times)},
                {std::to_string(unhealthy * times), unhealthy > 0 ? Paint::kBad : Paint::kPlain},
                {std::to_string(domain.free * times), domain.free == 0 ? Paint::kDoubtful : Paint::kPlain},
                {std::to_string(numbers_.total[at] * times)}});
  }

  const engine::TopologyView& view_;
  const TreeNumbers& numbers_;
  bool unfolded_;
  Table& table_;
  std::vector<std::size_t> tops_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::string> looks_;
};

}  // namespace

void print_topology_tree(std::ostream& out, const engine::TopologyView& view, const TreeNumbers& numbers,
                         bool unfolded, bool colour) {
  Table table(
      {{"NAME"}, {"NODES", true}, {"IDLE", true}, {"UNHEALTHY", true}, {"FREE", true}, {"TOTAL", true}});
  TreeRows(view, numbers, unfolded, table).print();
  table.print(out, colour);
}

}  // namespace toposeg::cli
