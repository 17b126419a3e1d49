#include "engine/joint/crowd.h"

#include <algorithm>
#include <map>
#include <utility>

namespace toposeg::engine {

namespace {

using ByGroup = std::map<int, std::vector<int>>;

int workers(const JointProblem& problem, const std::vector<int>& items) {
  int pods = 0;
  for (const int item : items) pods += problem.items[static_cast<std::size_t>(item)].parts.back().pods;
  return pods;
}

bool same_size(const JointProblem& problem, const std::vector<std::vector<int>>& lots) {
  return std::all_of(lots.begin(), lots.end(), [&](const std::vector<int>& lot) {
    return workers(problem, lot) == workers(problem, lots.front());
  });
}

// Items by group, for each shape and level.
std::map<std::pair<int, int>, ByGroup> candidates(const JointProblem& problem, const JointBound& bound) {
  std::map<std::pair<int, int>, ByGroup> found;
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const JointItem& item = problem.items[i];
    const int measure = problem.groups[static_cast<std::size_t>(item.group)].measure;
    const bool counts =
        bound.placed[i] && bound.climb[i] == 0 && item.home == kRoot && item.goal != kAnywhere;
    if (counts && item.parts.back().shape == measure)
      found[{measure, item.goal}][item.group].push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<std::vector<int>> lots_of(const JointProblem& problem, const JointBound& bound,
                                      const JointLayout& layout, const ByGroup& groups, int level) {
  std::vector<std::vector<int>> lots;
  bool compact = true;
  for (const auto& [group, items] : groups) {
    const bool fresh = problem.groups[static_cast<std::size_t>(group)].in_use.empty();
    compact = compact && fresh && bound.groups[static_cast<std::size_t>(group)][layout.domains(level)] == 1;
    lots.push_back(items);
  }
  if (compact && same_size(problem, lots)) return lots;
  lots.clear();
  for (const auto& [group, items] : groups) {
    for (const int item : items) lots.push_back({item});
  }
  if (!same_size(problem, lots)) lots.clear();
  return lots;
}

}  // namespace

std::optional<Crowd> find_crowd(const JointProblem& problem, const JointBound& bound,
                                const JointLayout& layout) {
  std::optional<Crowd> best;
  for (const auto& [key, groups] : candidates(problem, bound)) {
    const auto [measure, level] = key;
    if (groups.size() < 2) continue;
    std::vector<std::vector<int>> lots = lots_of(problem, bound, layout, groups, level);
    if (lots.empty() || (best && best->lots.size() >= lots.size())) continue;
    Crowd crowd;
    crowd.shape = measure;
    crowd.problem.size = workers(problem, lots.front());
    crowd.problem.full = crowd.problem.needed = static_cast<int>(lots.size());
    crowd.problem.segment_required = level;
    for (const JointGroup& group : problem.groups) {
      if (group.measure == measure)
        crowd.problem.in_use.insert(crowd.problem.in_use.end(), group.in_use.begin(), group.in_use.end());
    }
    crowd.lots = std::move(lots);
    best = std::move(crowd);
  }
  return best;
}

}  // namespace toposeg::engine
