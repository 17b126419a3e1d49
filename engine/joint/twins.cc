#include "engine/joint/twins.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace toposeg::engine {

namespace {

std::uint64_t spread_bits(std::uint64_t value) {
  value ^= value >> 30U;
  value *= 0xbf58476d1ce4e5b9U;
  value ^= value >> 27U;
  value *= 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

// Vertices that are like no other.
std::vector<bool> singular(const Tree& tree, const JointProblem& problem) {
  std::vector<bool> marks(tree.size(), false);
  const auto mark = [&](Vertex v) {
    for (; v != kRoot && !marks[v]; v = tree.parent(v)) marks[v] = true;
  };
  for (const JointGroup& group : problem.groups) {
    mark(group.within);
    std::for_each(group.in_use.begin(), group.in_use.end(), mark);
  }
  for (const JointItem& item : problem.items) {
    mark(item.within);
    mark(item.home);
  }
  return marks;
}

std::vector<Vertex> like_siblings(const Tree& tree, const JointProblem& problem, const Stock& stock) {
  const std::vector<bool> alone = singular(tree, problem);
  std::vector<std::uint64_t> sign(tree.size(), 0);
  for (int level = tree.levels(); level >= 0; --level) {
    const VertexRange range = tree.at_level(level);
    for (Vertex v = range.begin; v < range.end; ++v) {
      // Children were summed up by the level below.
      sign[v] = level == tree.levels() ? stock.signature(v)
                                       : spread_bits(sign[v] + static_cast<std::uint64_t>(level) + 1);
      if (alone[v]) sign[v] = spread_bits(sign[v] ^ (static_cast<std::uint64_t>(v) << 20U));
      if (level > 0) sign[tree.parent(v)] += spread_bits(sign[v]);
    }
  }
  std::vector<Vertex> before(tree.size(), kRoot);
  std::unordered_map<std::uint64_t, Vertex> last;
  for (int level = 0; level <= tree.levels(); ++level) {
    const VertexRange range = tree.at_level(level);
    for (Vertex v = range.begin; v < range.end; ++v) {
      if (v == range.begin || tree.parent(v) != tree.parent(v - 1)) last.clear();
      Vertex& latest = last[sign[v]];
      before[v] = latest;
      latest = v;
    }
  }
  return before;
}

bool alike(const JointItem& a, const JointItem& b) {
  JointItem moved = b;
  moved.group = a.group;
  return moved == a;
}

}  // namespace

Twins find_twins(const Tree& tree, const JointProblem& problem, const Stock& stock) {
  Twins twins{like_siblings(tree, problem, stock), {}, {}};
  std::vector<std::vector<int>> of_group(problem.groups.size());
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    std::vector<int>& own = of_group[static_cast<std::size_t>(problem.items[i].group)];
    const auto twin = std::find_if(own.rbegin(), own.rend(), [&](int other) {
      return problem.items[static_cast<std::size_t>(other)] == problem.items[i];
    });
    twins.item.push_back(twin == own.rend() ? -1 : *twin);
    own.push_back(static_cast<int>(i));
  }
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    int twin = -1;
    for (std::size_t other = g; other-- > 0 && twin < 0;) {
      const bool same =
          problem.groups[other] == problem.groups[g] && problem.groups[g].in_use.empty() &&
          of_group[other].size() == of_group[g].size() &&
          std::equal(of_group[g].begin(), of_group[g].end(), of_group[other].begin(), [&](int a, int b) {
            return b < a && alike(problem.items[static_cast<std::size_t>(a)],
                                  problem.items[static_cast<std::size_t>(b)]);
          });
      if (same) twin = static_cast<int>(other);
    }
    twins.group.push_back(twin);
  }
  return twins;
}

}  // namespace toposeg::engine
