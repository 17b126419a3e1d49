#include "engine/joint/conflicts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace toposeg::engine {

ConflictSearch::ConflictSearch(const Tree& tree, const JointProblem& problem, const std::vector<Unit>& units,
                               const Room& room, Stock& stock, const ViewSource& views, Planner& planner)
    : tree_(tree),
      problem_(problem),
      units_(units),
      room_(room),
      views_(views),
      planner_(planner),
      stock_(stock) {}

bool ConflictSearch::applies() const {
  std::set<int> groups;
  std::set<int> measures;
  std::size_t items = 0;
  if (any_repel(tree_, problem_.shapes)) return false;
  for (const Unit& unit : units_) {
    const JointGroup& group = problem_.groups[static_cast<std::size_t>(unit.group)];
    if (unit.home != kRoot || unit.shape != group.measure) return false;
    if (group.whole_preferred != kAnywhere && !group.in_use.empty()) return false;
    groups.insert(unit.group);
    measures.insert(group.measure);
    items += unit.items().size();
  }
  // A group without items may stand where domains cost those of its measure nothing.
  return groups.size() == problem_.groups.size() && groups.size() == units_.size() &&
         measures.size() == units_.size() && units_.size() > 1 && items == problem_.items.size();
}

std::optional<ConflictSearch::Outcome> ConflictSearch::run(const JointRow& best, std::size_t most,
                                                           const Deadline& deadline) {
  std::vector<Case> cases;
  std::set<std::pair<JointRow, std::size_t>> open;  // of the cases; equals in the order they came
  const auto add = [&](Case added) {
    added.row = cost_of(tree_, problem_, room_, added.pods);
    open.emplace(added.row, cases.size());
    cases.push_back(std::move(added));
  };
  Case root;
  root.pods.resize(problem_.items.size());
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    if (!answer(unit, deadline, root)) return std::nullopt;
  }
  add(std::move(root));
  for (std::size_t split = 0;; ++split) {
    const auto [row, index] = *open.begin();
    const Case cheapest = std::move(cases[index]);
    if (row >= best) return Outcome{row, std::nullopt};
    const std::optional<Conflict> conflict = find_conflict(cheapest);
    if (!conflict) return Outcome{row, cheapest.pods};
    if (split == most) return Outcome{row, std::nullopt};
    open.erase(open.begin());
    for (const Limit& limit : ways_out(*conflict)) {
      Case next = cheapest;
      next.limits.push_back(limit);
      if (!answer(limit.unit, deadline, next)) return Outcome{row, std::nullopt};
      add(std::move(next));
    }
  }
}

// The unit alone, within its limits; false when the planner could not finish.
bool ConflictSearch::answer(std::size_t unit, const Deadline& deadline, Case& open) {
  const ViewSource limited = [&](const kube::PodSpec& shape, const std::optional<kube::PodSpec>& extra) {
    const std::shared_ptr<const CapacityView> whole = views_(shape, extra);
    std::shared_ptr<CapacityView> part;
    for (const Limit& limit : open.limits) {
      if (limit.unit != unit) continue;
      if (!part) part = std::make_shared<CapacityView>(*whole);
      part->limit(limit.leaf, limit.pods, limit.extra);
    }
    return part ? std::shared_ptr<const CapacityView>(std::move(part)) : whole;
  };
  for (const int item : units_[unit].items()) open.pods[static_cast<std::size_t>(item)].clear();
  return solve_unit(tree_, problem_, units_[unit], {}, limited, planner_, deadline, open.pods).proven;
}

// The domain in which the unit's segment on this leaf tries to close.
Vertex ConflictSearch::ground(std::size_t unit, Vertex leaf) const {
  const Problem& problem = units_[unit].problem;
  return tree_.ancestor(leaf, std::max({problem.segment_required, problem.segment_preferred, 0}));
}

// The conflict in which the units have least room to get out of each other's way: there the cases cost more.
std::optional<ConflictSearch::Conflict> ConflictSearch::find_conflict(const Case& open) {
  std::map<Vertex, std::vector<Load>> loads;
  std::vector<std::map<Vertex, int>> taken(units_.size());
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    for (const int index : units_[unit].items()) {
      const JointItem& item = problem_.items[static_cast<std::size_t>(index)];
      each_part(item, open.pods[static_cast<std::size_t>(index)], [&](int shape, auto leaves) {
        const bool extra = shape != units_[unit].shape;
        for (const Vertex leaf : leaves) {
          std::vector<Load>& here = loads[leaf];
          if (here.empty() || here.back().unit != unit) here.push_back({unit, 0, 0});
          ++(extra ? here.back().extras : here.back().pods);
          if (!extra) ++taken[unit][ground(unit, leaf)];
        }
      });
    }
  }
  std::optional<Conflict> tightest;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const auto& [leaf, here] : loads) {
    if (here.size() < 2 || fit(leaf, here)) continue;
    Conflict conflict{leaf, here};
    reduce(conflict);
    std::int64_t slack = 0;
    for (const Load& load : conflict.loads) {
      const Vertex v = ground(load.unit, leaf);
      const std::int64_t room = room_[static_cast<std::size_t>(units_[load.unit].shape)][v];
      slack = std::max(slack, room - taken[load.unit][v]);
    }
    if (slack >= least) continue;
    least = slack;
    tightest = std::move(conflict);
  }
  return tightest;
}

bool ConflictSearch::fit(Vertex leaf, const std::vector<Load>& loads) {
  std::vector<std::pair<int, int>> put;
  bool all = true;
  const auto try_put = [&](int shape, int pods) {
    if (!all || pods == 0) return;
    all = stock_.room(shape, leaf) >= pods;
    if (!all) return;
    stock_.put(shape, leaf, pods);
    put.emplace_back(shape, pods);
  };
  for (const Load& load : loads) {
    try_put(units_[load.unit].shape, load.pods);
    try_put(units_[load.unit].extra, load.extras);
  }
  for (const auto& [shape, pods] : put) stock_.put(shape, leaf, -pods);
  return all;
}

void ConflictSearch::reduce(Conflict& conflict) {
  for (std::size_t i = conflict.loads.size(); i-- > 0;) {
    std::vector<Load> others = conflict.loads;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (!fit(conflict.leaf, others)) conflict.loads = std::move(others);
  }
}

// One of the loads is smaller in every answer.
std::vector<ConflictSearch::Limit> ConflictSearch::ways_out(const Conflict& conflict) {
  std::vector<Limit> ways;
  for (const Load& load : conflict.loads) {
    if (load.pods > 0) ways.push_back({load.unit, conflict.leaf, load.pods - 1, true});
    if (load.extras > 0) ways.push_back({load.unit, conflict.leaf, std::numeric_limits<int>::max(), false});
  }
  return ways;
}

}  // namespace toposeg::engine
