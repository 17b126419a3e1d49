#include "engine/joint/units.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace toposeg::engine {

namespace {

// A lone pod of another shape before workers.
bool has_leader(const JointItem& item) { return item.parts.size() == 2 && item.parts[0].pods == 1; }

bool alone(const JointItem& item) {
  return item.home != kRoot || item.parts.size() > 2 || (item.parts.size() == 2 && !has_leader(item));
}

// Collects the items of one group into units.
class Cutter {
 public:
  Cutter(const Tree& tree, const JointProblem& problem, int group)
      : tree_(tree), problem_(problem), group_(group) {}

  void add(int index) {
    const JointItem& item = at(index);
    if (item.rank == JointItem::Rank::kApart) {
      apart_.push_back(index);
    } else if (alone(item)) {
      units_.push_back(single(index));
    } else {
      segments_.push_back(index);
    }
  }

  std::vector<Unit> finish() {
    while (!segments_.empty()) units_.push_back(gather());
    for (const int index : apart_) join_apart(index);
    for (Unit& unit : units_) pose(unit);
    return std::move(units_);
  }

 private:
  [[nodiscard]] const JointItem& at(int index) const {
    return problem_.items[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] Unit single(int index) const {
    const JointItem& item = at(index);
    Unit unit;
    unit.group = group_;
    unit.home = item.home;
    unit.shape = item.parts.back().shape;
    if (has_leader(item)) {
      unit.extra = item.parts[0].shape;
      unit.first = index;
    } else {
      unit.full.push_back(index);
    }
    return unit;
  }

  // The size of which there are most segments, the closest to the front of equals.
  [[nodiscard]] JointPart usual_part() const {
    std::map<std::pair<int, int>, int> counts;
    JointPart best = at(segments_.front()).parts.back();
    int most = 0;
    for (const int index : segments_) {
      const JointItem& item = at(index);
      if (item.parts.size() != 1) continue;
      const JointPart& part = item.parts[0];
      const int count = ++counts[{part.shape, part.pods}];
      if (count > most) best = part;
      most = std::max(most, count);
    }
    return best;
  }

  // One unit out of the front of the segments and all that go with it.
  Unit gather() {
    const JointPart usual = usual_part();
    Unit unit;
    unit.group = group_;
    unit.shape = usual.shape;
    const JointItem* like = nullptr;
    const auto fits = [&](int index) {
      const JointItem& item = at(index);
      const JointPart& part = item.parts.back();
      if (part.shape != usual.shape) return false;
      const bool same = like == nullptr || (like->required == item.required && like->goal == item.goal &&
                                            like->within == item.within);
      // The planner takes them in this order: the first one, full ones, the partial one; optional ones last.
      const bool in_turn = like == nullptr || like->rank <= item.rank;
      if (!same || !in_turn || unit.partial >= 0) return false;
      if (has_leader(item) || part.pods > usual.pods) {
        if (unit.first >= 0 || !unit.full.empty()) return false;
        unit.first = index;
        if (has_leader(item)) unit.extra = item.parts[0].shape;
      } else if (part.pods == usual.pods) {
        unit.full.push_back(index);
      } else {
        unit.partial = index;
      }
      like = &item;
      return true;
    };
    std::vector<int> rest;
    for (const int index : segments_) {
      if (!fits(index)) rest.push_back(index);
    }
    segments_ = std::move(rest);
    size_[units_.size()] = usual.pods;
    return unit;
  }

  // The first pod apart goes with the first unit that has no other extra pod.
  void join_apart(int index) {
    const JointItem& item = at(index);
    const auto unit = std::find_if(units_.begin(), units_.end(), [&](const Unit& u) {
      const int some = u.items().front();
      return u.home == kRoot && u.extra < 0 && !u.full.empty() && at(some).within == item.within &&
             at(some).rank != JointItem::Rank::kApart;
    });
    if (unit == units_.end()) {
      units_.push_back(single(index));
      return;
    }
    unit->apart = index;
    unit->extra = item.parts[0].shape;
  }

  void pose(Unit& unit) const {
    Problem& p = unit.problem;
    const std::vector<int> items = unit.items();
    const JointItem& item = at(items.front() == unit.apart && items.size() > 1 ? items[1] : items.front());
    const JointGroup& group = problem_.groups[static_cast<std::size_t>(unit.group)];
    const auto size = size_.find(static_cast<std::size_t>(&unit - units_.data()));
    p.size = !unit.full.empty() ? at(unit.full[0]).parts[0].pods : size != size_.end() ? size->second : 1;
    p.full = static_cast<int>(unit.full.size());
    if (unit.first >= 0) p.first = at(unit.first).parts.back().pods;
    p.extra_in_first = unit.first >= 0 && unit.extra >= 0 && unit.apart < 0;
    if (unit.partial >= 0) p.partial = at(unit.partial).parts[0].pods;
    p.extra_apart = unit.apart >= 0;
    p.segment_required = item.required;
    p.segment_preferred = item.goal > item.required ? item.goal : kAnywhere;
    p.whole_required = group.whole_required;
    const bool deeper = tree_.level(item.within) > tree_.level(group.within);
    p.within = deeper ? item.within : group.within;
    p.in_use = group.in_use;
    for (const int index : items) {
      if (at(index).rank == JointItem::Rank::kNeeded) ++p.needed;
    }
  }

  const Tree& tree_;
  const JointProblem& problem_;
  int group_;
  std::vector<Unit> units_;
  std::vector<int> segments_;
  std::vector<int> apart_;
  std::map<std::size_t, int> size_;  // of full segments, by unit
};

void write_segments(const JointProblem& problem, const Unit& unit, const Solution& solution,
                    JointPods& pods) {
  std::size_t full = 0;
  for (const SegmentPlace& place : solution.segments) {
    const int index = place.kind == SegmentPlace::Kind::kFirst  ? unit.first
                      : place.kind == SegmentPlace::Kind::kFull ? unit.full[full++]
                                                                : unit.partial;
    std::vector<Vertex>& leaves = pods[static_cast<std::size_t>(index)];
    leaves.clear();
    if (has_leader(problem.items[static_cast<std::size_t>(index)])) leaves.push_back(solution.extra_host);
    leaves.insert(leaves.end(), solution.hosts.begin() + place.hosts_begin,
                  solution.hosts.begin() + place.hosts_end);
  }
  if (unit.apart >= 0 && solution.extra_placed)
    pods[static_cast<std::size_t>(unit.apart)] = {solution.extra_host};
}

}  // namespace

std::vector<int> Unit::items() const {
  std::vector<int> all = full;
  for (const int index : {first, partial, apart}) {
    if (index >= 0) all.push_back(index);
  }
  std::sort(all.begin(), all.end());
  return all;
}

bool same_question(const Unit& a, const Unit& b) {
  const auto parts = [](const Unit& unit) {
    const Problem& p = unit.problem;
    return std::tie(unit.shape, unit.extra, unit.home, p.size, p.full, p.partial, p.first, p.extra_in_first,
                    p.extra_apart, p.segment_required, p.segment_preferred, p.whole_required, p.needed,
                    p.within, p.in_use);
  };
  return parts(a) == parts(b);
}

std::vector<Unit> cut_into_units(const Tree& tree, const JointProblem& problem) {
  std::map<int, Cutter> groups;
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const JointItem& item = problem.items[i];
    if (alone(item) && item.parts.size() > 1 && !has_leader(item)) continue;
    groups.try_emplace(item.group, tree, problem, item.group).first->second.add(static_cast<int>(i));
  }
  std::vector<Unit> units;
  for (auto& [group, cutter] : groups) {
    std::vector<Unit> some = cutter.finish();
    std::move(some.begin(), some.end(), std::back_inserter(units));
  }
  // What completes a segment comes first.
  const auto turn = [](const Unit& unit) {
    return std::tuple(unit.home == kRoot, unit.group, unit.items().front());
  };
  std::sort(units.begin(), units.end(), [&](const Unit& a, const Unit& b) { return turn(a) < turn(b); });
  return units;
}

Unit unit_of(const Tree& tree, const JointProblem& problem, int item) {
  Cutter cutter(tree, problem, problem.items[static_cast<std::size_t>(item)].group);
  cutter.add(item);
  return cutter.finish().front();
}

const Solution& solve_unit(const Tree& tree, const JointProblem& problem, const Unit& unit,
                           const std::vector<Vertex>& in_use, const ViewSource& views, Planner& planner,
                           const Deadline& deadline, JointPods& pods) {
  std::optional<kube::PodSpec> extra;
  if (unit.extra >= 0) extra = problem.shapes[static_cast<std::size_t>(unit.extra)];
  const auto view = views(problem.shapes[static_cast<std::size_t>(unit.shape)], extra);
  Problem question = unit.problem;
  question.in_use.insert(question.in_use.end(), in_use.begin(), in_use.end());
  if (unit.home == kRoot) {
    const Solution& solution = planner.solve(*view, question, deadline);
    write_segments(problem, unit, solution, pods);
    return solution;
  }
  const int widest = std::max(question.segment_required, tree.level(question.within));
  question.segment_required = kAnywhere;
  question.segment_preferred = kAnywhere;
  for (int level = tree.level(unit.home);; --level) {
    question.within = tree.ancestor(unit.home, level);
    const Solution& solution = planner.solve(*view, question, deadline);
    if (!solution.segments.empty() || level <= widest) {
      write_segments(problem, unit, solution, pods);
      return solution;
    }
  }
}

}  // namespace toposeg::engine
