#include "engine/joint/bound.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace toposeg::engine {

namespace {

// What a unit costs alone.
struct Alone {
  std::vector<bool> placed;  // of Unit::items()
  std::int64_t climbed = 0;
  std::vector<std::int64_t> shared;    // whole, then domains: comparable between units of a group
  std::vector<std::int64_t> leftover;  // nodes first, top level last
};

bool same_problem(const Problem& a, const Problem& b) {
  return std::tie(a.size, a.full, a.partial, a.first, a.extra_in_first, a.extra_apart, a.segment_required,
                  a.segment_preferred, a.whole_required, a.needed, a.within, a.in_use) ==
         std::tie(b.size, b.full, b.partial, b.first, b.extra_in_first, b.extra_apart, b.segment_required,
                  b.segment_preferred, b.whole_required, b.needed, b.within, b.in_use);
}

// Whether a domain can hold the item, looking at each of its shapes alone.
class Reach {
 public:
  Reach(const Tree& tree, const JointProblem& problem, const ViewSource& views)
      : tree_(tree), problem_(problem) {
    for (const kube::PodSpec& shape : problem.shapes) views_.push_back(views(shape, std::nullopt));
  }

  // The fewest levels it climbs; -1 = it fits nowhere.
  int climb(const JointItem& item) {
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const auto& entry) {
      JointItem like = *entry.first;
      like.group = item.group;
      like.rank = item.rank;
      return like == item && limits(*entry.first) == limits(item);
    });
    if (known != known_.end()) return known->second;
    const int climb = look(item);
    known_.emplace_back(&item, climb);
    return climb;
  }

 private:
  [[nodiscard]] Vertex limits(const JointItem& item) const {
    const Vertex own = problem_.groups[static_cast<std::size_t>(item.group)].within;
    return tree_.level(own) > tree_.level(item.within) ? own : item.within;
  }
  [[nodiscard]] int look(const JointItem& item) const {
    const Vertex within = limits(item);
    const int least = std::max(item.required, tree_.level(within));
    for (int level = std::max(item.goal, least); level >= least; --level) {
      if (item.home != kRoot && level > tree_.level(item.home)) continue;
      const VertexRange range =
          item.home != kRoot ? only(tree_.ancestor(item.home, level)) : tree_.under(within, level);
      for (Vertex v = range.begin; v < range.end; ++v) {
        if (holds(v, item)) return std::max(0, item.goal - level);
      }
    }
    return -1;
  }
  static VertexRange only(Vertex v) { return {v, v + 1}; }
  [[nodiscard]] bool holds(Vertex v, const JointItem& item) const {
    return std::all_of(item.parts.begin(), item.parts.end(), [&](const JointPart& part) {
      return views_[static_cast<std::size_t>(part.shape)]->capacity(v) >= part.pods;
    });
  }

  const Tree& tree_;
  const JointProblem& problem_;
  std::vector<std::shared_ptr<const CapacityView>> views_;
  std::vector<std::pair<const JointItem*, int>> known_;
};

class Bounder {
 public:
  Bounder(const Tree& tree, const JointProblem& problem, const std::vector<Unit>& units,
          const ViewSource& views, Planner& planner, const Deadline& deadline)
      : tree_(tree),
        problem_(problem),
        units_(units),
        views_(views),
        planner_(planner),
        deadline_(deadline),
        layout_(problem.items.size(), tree.levels()) {}

  JointBound find() {
    Reach reach(tree_, problem_, views_);
    for (const JointItem& item : problem_.items) bound_.climb.push_back(reach.climb(item));
    bound_.groups.assign(problem_.groups.size(), JointRow(layout_.size(), 0));
    bound_.leftover.assign(layout_.size(), 0);
    std::vector<bool> told(problem_.items.size(), false);
    for (const Unit& unit : units_) {
      for (const int item : unit.items()) told[static_cast<std::size_t>(item)] = true;
      add(unit);
    }
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (!told[i]) add_unasked(static_cast<int>(i));
    }
    sum_leftover();
    return std::move(bound_);
  }

 private:
  [[nodiscard]] const JointItem& item(int index) const {
    return problem_.items[static_cast<std::size_t>(index)];
  }
  JointRow& row_of(int group) { return bound_.groups[static_cast<std::size_t>(group)]; }

  // An item of which only its reach is known.
  void add_unasked(int index) {
    const int climb = bound_.climb[static_cast<std::size_t>(index)];
    if (climb < 0) return;
    place(index);
    row_of(item(index).group)[layout_.climbed()] += climb;
  }
  void place(int index) {
    JointRow& row = row_of(item(index).group);
    placed_.push_back(index);
    --row[layout_.placed(item(index).rank)];
    row[layout_.pattern(static_cast<std::size_t>(index))] -=
        JointLayout::bit(static_cast<std::size_t>(index));
  }

  void add(const Unit& unit) {
    const std::optional<Alone> alone = ask(unit);
    const std::vector<int> items = unit.items();
    if (!alone) {
      for (const int index : items) add_unasked(index);
      return;
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (alone->placed[i]) place(items[i]);
    }
    JointRow& row = row_of(unit.group);
    row[layout_.climbed()] += alone->climbed;
    const auto shared = row.begin() + static_cast<std::ptrdiff_t>(layout_.whole());
    const std::vector<std::int64_t> before(shared,
                                           shared + static_cast<std::ptrdiff_t>(alone->shared.size()));
    if (before < alone->shared) std::copy(alone->shared.begin(), alone->shared.end(), shared);
    const int measure = problem_.groups[static_cast<std::size_t>(unit.group)].measure;
    if (unit.shape != measure) return;
    std::vector<std::int64_t>& leftover = leftover_[measure];
    leftover = std::max(leftover, alone->leftover);
  }

  // None when the planner could not finish.
  std::optional<Alone> ask(const Unit& unit) {
    const auto known = std::find_if(asked_.begin(), asked_.end(), [&](const auto& entry) {
      const Unit& other = *entry.first;
      const JointGroup& a = problem_.groups[static_cast<std::size_t>(other.group)];
      const JointGroup& b = problem_.groups[static_cast<std::size_t>(unit.group)];
      return other.shape == unit.shape && other.extra == unit.extra && other.home == unit.home &&
             (other.home == kRoot || item(other.items()[0]).goal == item(unit.items()[0]).goal) &&
             same_problem(other.problem, unit.problem) && a.whole_preferred == b.whole_preferred;
    });
    if (known != asked_.end()) return known->second;
    std::optional<Alone> alone = ask_anew(unit);
    asked_.emplace_back(&unit, alone);
    return alone;
  }
  std::optional<Alone> ask_anew(const Unit& unit) {
    JointPods pods(problem_.items.size());
    const Solution& solution = solve_unit(tree_, problem_, unit, {}, views_, planner_, deadline_, pods);
    if (!solution.proven) return std::nullopt;
    Alone alone;
    std::optional<Vertex> common;
    const JointGroup& group = problem_.groups[static_cast<std::size_t>(unit.group)];
    for (const Vertex node : group.in_use) common = common ? common_domain(tree_, *common, node) : node;
    bool any = false;
    for (const int index : unit.items()) {
      const std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(index)];
      alone.placed.push_back(!leaves.empty());
      if (leaves.empty()) continue;
      any = true;
      Vertex own = unit.home != kRoot ? unit.home : leaves.front();
      for (const Vertex leaf : leaves) {
        own = common_domain(tree_, own, leaf);
        common = common ? common_domain(tree_, *common, leaf) : leaf;
      }
      alone.climbed += climb_of(tree_, item(index), own);
    }
    const bool wish = any && group.whole_preferred != kAnywhere;
    alone.shared.push_back(wish ? std::max(0, group.whole_preferred - tree_.level(*common)) : 0);
    const auto placed = static_cast<std::int64_t>(solution.hosts.size());
    for (int level = 0; level <= tree_.levels(); ++level) {
      alone.shared.push_back(solution.cost.domains[static_cast<std::size_t>(level)]);
      const std::int64_t left = solution.cost.leftover[static_cast<std::size_t>(level)];
      alone.leftover.insert(alone.leftover.begin(), left > 0 ? left + placed : 0);
    }
    return alone;
  }

  // Whether domains of this measure may be free of cost to one group because another one stands there.
  [[nodiscard]] bool shares_ground(int measure) const {
    int groups = 0;
    bool stands = false;
    for (const JointGroup& group : problem_.groups) {
      if (group.measure != measure) continue;
      ++groups;
      stands = stands || !group.in_use.empty();
    }
    return groups > 1 && stands;
  }
  void sum_leftover() {
    for (const auto& [measure, leftover] : leftover_) {
      if (shares_ground(measure)) continue;
      for (std::size_t i = 0; i < leftover.size(); ++i)
        bound_.leftover[layout_.first_leftover() + i] += leftover[i];
    }
    // The domains used hold at least what is placed in them.
    const auto first = bound_.leftover.begin() + static_cast<std::ptrdiff_t>(layout_.first_leftover());
    const JointRow volume(layout_.size() - layout_.first_leftover(), volume_of_placed());
    if (std::lexicographical_compare(first, bound_.leftover.end(), volume.begin(), volume.end()))
      std::copy(volume.begin(), volume.end(), first);
  }
  [[nodiscard]] std::int64_t volume_of_placed() const {
    std::int64_t volume = 0;
    std::map<int, bool> stands;
    for (const JointGroup& group : problem_.groups) stands[group.measure] |= !group.in_use.empty();
    for (const int index : placed_) {
      const int measure = problem_.groups[static_cast<std::size_t>(item(index).group)].measure;
      if (stands[measure]) continue;
      for (const JointPart& part : item(index).parts) volume += part.shape == measure ? part.pods : 0;
    }
    return volume;
  }

  const Tree& tree_;
  const JointProblem& problem_;
  const std::vector<Unit>& units_;
  const ViewSource& views_;
  Planner& planner_;
  const Deadline& deadline_;
  JointLayout layout_;
  JointBound bound_;
  std::vector<std::pair<const Unit*, std::optional<Alone>>> asked_;
  std::map<int, std::vector<std::int64_t>> leftover_;  // by measure
  std::vector<int> placed_;
};

}  // namespace

JointRow JointBound::total() const {
  JointRow sum = leftover;
  for (const JointRow& group : groups) {
    for (std::size_t i = 0; i < group.size(); ++i) sum[i] += group[i];
  }
  return sum;
}

JointBound bound_of(const Tree& tree, const JointProblem& problem, const std::vector<Unit>& units,
                    const ViewSource& views, Planner& planner, const Deadline& deadline) {
  return Bounder(tree, problem, units, views, planner, deadline).find();
}

}  // namespace toposeg::engine
