#include "engine/joint/bound.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "engine/joint/crowd.h"

namespace toposeg::engine {

namespace {

// What a unit costs alone.
struct Alone {
  std::vector<bool> placed;  // of Unit::items()
  std::int64_t climbed = 0;
  std::vector<std::int64_t> used;      // whole, then domains: comparable between units of a group
  std::vector<std::int64_t> together;  // entries of a row from first_shared() on
};

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
      const CapacityView& view = *views_[static_cast<std::size_t>(part.shape)];
      // The node on which the view shows such a pod need not be the one below v.
      const Vertex open =
          view.picks_nodes() ? tree_.ancestor(v, std::min(tree_.level(v), view.alone_at())) : v;
      return view.capacity(open) >= part.pods;
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
    bound_.together.assign(layout_.size(), 0);
    bound_.placed.assign(problem_.items.size(), false);
    std::vector<bool> told(problem_.items.size(), false);
    for (const Unit& unit : units_) {
      for (const int item : unit.items()) told[static_cast<std::size_t>(item)] = true;
      add(unit);
    }
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (!told[i]) add_unasked(static_cast<int>(i));
    }
    ask_crowd();
    sum_together();
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
    bound_.placed[static_cast<std::size_t>(index)] = true;
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
    const auto used = row.begin() + static_cast<std::ptrdiff_t>(layout_.whole());
    const std::vector<std::int64_t> before(used, used + static_cast<std::ptrdiff_t>(alone->used.size()));
    if (before < alone->used) std::copy(alone->used.begin(), alone->used.end(), used);
    const int measure = problem_.groups[static_cast<std::size_t>(unit.group)].measure;
    if (unit.shape != measure) return;
    std::vector<std::int64_t>& together = together_[measure];
    together = std::max(together, alone->together);
  }

  // None when the planner could not finish.
  std::optional<Alone> ask(const Unit& unit) {
    const auto known = std::find_if(asked_.begin(), asked_.end(), [&](const auto& entry) {
      const Unit& other = *entry.first;
      const JointGroup& a = problem_.groups[static_cast<std::size_t>(other.group)];
      const JointGroup& b = problem_.groups[static_cast<std::size_t>(unit.group)];
      return same_question(other, unit) && a.whole_preferred == b.whole_preferred &&
             (other.home == kRoot || item(other.items()[0]).goal == item(unit.items()[0]).goal);
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
    alone.used.push_back(wish ? std::max(0, group.whole_preferred - tree_.level(*common)) : 0);
    alone.used.insert(alone.used.end(), solution.cost.domains.begin(), solution.cost.domains.end());
    alone.together = together_of(solution, group.in_use.empty());
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
  // Domains and their room, as a planner's answer has them. Where the groups stand already, domains may hold
  // less than is placed and the rest is cut off.
  [[nodiscard]] std::vector<std::int64_t> together_of(const Solution& solution, bool fresh) const {
    std::vector<std::int64_t> row(solution.cost.domains.begin(), solution.cost.domains.end());
    const auto placed = static_cast<std::int64_t>(solution.hosts.size());
    for (int level = tree_.levels(); level >= 0; --level) {
      const std::int64_t left = solution.cost.leftover[static_cast<std::size_t>(level)];
      row.push_back(left > 0 || fresh ? left + placed : 0);
    }
    return row;
  }

  void ask_crowd() {
    const std::optional<Crowd> crowd = find_crowd(problem_, bound_, layout_);
    if (!crowd || climbs()) return;
    const auto view = views_(problem_.shapes[static_cast<std::size_t>(crowd->shape)], std::nullopt);
    const Solution& solution = planner_.solve(*view, crowd->problem, deadline_);
    if (!solution.proven || solution.needed_placed < crowd->problem.full) return;
    std::vector<std::int64_t>& together = crowd_[crowd->shape];
    together = together_of(solution, crowd->problem.in_use.empty());
  }
  // Without a climb, the answers that meet the bound close every segment at the level it reaches.
  [[nodiscard]] bool climbs() const {
    return std::any_of(bound_.groups.begin(), bound_.groups.end(),
                       [&](const JointRow& row) { return row[layout_.climbed()] > 0; });
  }

  void sum_together() {
    for (auto& [measure, together] : together_) {
      if (shares_ground(measure)) std::fill(together.begin(), together.end(), 0);
    }
    for (const auto& [measure, together] : crowd_)
      together_[measure] = std::max(together_[measure], together);
    const auto first = layout_.first_shared();
    for (const auto& [measure, together] : together_) {
      for (std::size_t i = 0; i < together.size(); ++i) bound_.together[first + i] += together[i];
    }
    // The domains used hold at least what is placed in them.
    JointRow sure(layout_.size() - first, 0);
    const auto half = static_cast<std::ptrdiff_t>(sure.size() / 2);
    std::fill(sure.begin() + half, sure.end(), volume_of_placed());
    const std::span<std::int64_t> entries = std::span(bound_.together).subspan(first);
    merge_bounds(sure, entries, entries);
  }
  [[nodiscard]] std::int64_t volume_of_placed() const {
    std::int64_t volume = 0;
    std::map<int, bool> stands;
    for (const JointGroup& group : problem_.groups) stands[group.measure] |= !group.in_use.empty();
    for (int index = 0; index < std::ssize(problem_.items); ++index) {
      if (!bound_.placed[static_cast<std::size_t>(index)]) continue;
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
  std::map<int, std::vector<std::int64_t>> together_;  // by measure
  std::map<int, std::vector<std::int64_t>> crowd_;     // by measure
};

}  // namespace

JointRow JointBound::total() const {
  JointRow sum = together;
  for (const JointRow& group : groups) {
    for (std::size_t i = 0; i < group.size(); ++i) sum[i] += group[i];
  }
  return sum;
}

void merge_bounds(std::span<const std::int64_t> sure, std::span<const std::int64_t> lexical,
                  std::span<std::int64_t> into) {
  bool both = true;
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::int64_t larger = both ? std::max(sure[i], lexical[i]) : sure[i];
    both = both && lexical[i] == larger;
    into[i] = larger;
  }
}

JointBound bound_of(const Tree& tree, const JointProblem& problem, const std::vector<Unit>& units,
                    const ViewSource& views, Planner& planner, const Deadline& deadline) {
  return Bounder(tree, problem, units, views, planner, deadline).find();
}

}  // namespace toposeg::engine
