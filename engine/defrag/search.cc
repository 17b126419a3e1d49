// Branch and bound over sequences of moves. For every number of slots gained the fewest pods are kept; a
// sequence goes on only while the bound says that it can beat one of them.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/defrag/bound.h"
#include "engine/defrag/problem.h"
#include "engine/defrag/settle.h"
#include "engine/defrag/turns.h"
#include "engine/defrag/twins.h"

namespace toposeg::engine::defrag {
namespace {

class Search {
 public:
  explicit Search(const Problem& problem)
      : problem_(problem),
        field_(problem),
        bound_(field_),
        twins_(problem),
        turns_(problem),
        before_(field_.slots()),
        work_left_(problem.work),
        moved_(problem.segments.size(), false) {
    at_most_ = bound_.gain(field_, moved_, problem.moves);
    best_.resize(static_cast<std::size_t>(at_most_) + 1);
  }

  Advice run() {
    Advice advice;
    advice.slots = before_;
    advice.at_most = at_most_;
    for (int depth = 1; depth <= problem_.moves && !out_of_work(); ++depth) {
      if (bound_.gain(field_, moved_, depth) > 0) extend(depth, 0);
      if (!out_of_work()) advice.proven_moves = depth;
      climb();
    }
    advice.options = options();
    if (advice.proven_moves == problem_.moves) {
      advice.at_most = advice.options.empty() ? 0 : advice.options.back().gained;
    }
    return advice;
  }

 private:
  [[nodiscard]] bool out_of_work() const { return work_left_ <= 0; }
  [[nodiscard]] std::int64_t gained() const { return field_.slots() - before_; }

  // Whether some sequence of `pods` pods in at least `moves` moves that gains up to `most` beats what is
  // known.
  [[nodiscard]] bool may_beat(std::int64_t most, std::int64_t pods, std::size_t moves) const {
    for (std::int64_t gain = std::max<std::int64_t>(1, gained() + 1); gain <= std::min(most, at_most_);
         ++gain) {
      const auto& known = best_[static_cast<std::size_t>(gain)];
      if (!known || std::pair(pods, moves) < std::pair(known->pods, known->moves.size())) return true;
    }
    return false;
  }

  // The best so far and one move more, again and again: good answers for many moves, long before all
  // sequences of that length are tried.
  void climb() {
    climbing_ = true;
    for (std::int64_t reached = 0; !out_of_work();) {
      const std::vector<Option> known = options();
      if (known.empty() || known.back().gained == reached) break;
      const Option& best = known.back();
      reached = best.gained;
      if (best.moves.size() == static_cast<std::size_t>(problem_.moves)) break;
      for (const Move& move : best.moves) make(move);
      extend(1, best.pods);
      while (!path_.empty()) take_back();
    }
    climbing_ = false;
  }

  void make(const Move& move) {
    const Segment& segment = problem_.segments[move.segment];
    field_.lift(problem_.shapes[segment.shape], segment.hosts);
    field_.put(problem_.shapes[segment.shape], move.hosts);
    moved_[move.segment] = true;
    path_.push_back(move);
  }

  void take_back() {
    const Move& move = path_.back();
    const Segment& segment = problem_.segments[move.segment];
    field_.lift(problem_.shapes[segment.shape], move.hosts);
    field_.put(problem_.shapes[segment.shape], segment.hosts);
    moved_[move.segment] = false;
    path_.pop_back();
  }

  // Every further move, `left` of them at most. Only the last one has to gain by itself: an earlier one may
  // make room.
  void extend(int left, std::int64_t pods) {
    const std::int64_t any = left > 1 ? gain_bound(left) : 0;
    for (const std::size_t segment : promising_first()) {
      if (out_of_work()) return;
      const auto size = static_cast<std::int64_t>(problem_.segments[segment].hosts.size());
      const std::int64_t most = left > 1 ? any : bound_.gain_alone(field_, segment);
      if (may_beat(gained() + most, pods + size, path_.size() + 1)) move(segment, left, pods);
    }
  }

  std::int64_t gain_bound(int left) {
    work_left_ -= bound_.cost(field_, left);
    return bound_.gain(field_, moved_, left);
  }

  [[nodiscard]] std::vector<std::size_t> promising_first() const {
    std::vector<std::pair<std::int64_t, std::size_t>> order;  // less what it may gain alone, segment
    for (std::size_t segment = 0; segment < moved_.size(); ++segment) {
      if (!moved_[segment]) order.emplace_back(-bound_.gain_alone(field_, segment), segment);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> segments;
    segments.reserve(order.size());
    for (const auto& [gain, segment] : order) segments.push_back(segment);
    return segments;
  }

  void move(std::size_t number, int left, std::int64_t pods) {
    const Segment& segment = problem_.segments[number];
    const Shape& shape = problem_.shapes[segment.shape];
    field_.lift(shape, segment.hosts);
    moved_[number] = true;
    Twins::Seen seen;
    const VertexRange targets = problem_.tree->under(segment.within, segment.level);
    for (Vertex to = targets.begin; to < targets.end && !out_of_work(); ++to) {
      if (twins_.repeats(to, path_, seen)) continue;
      if (!climbing_ && turns_.out_of_turn(number, to, path_)) continue;
      const auto [first, last] = field_.hosts(to);
      work_left_ -= last - first;
      std::vector<Leaf> hosts = settle(field_, shape, segment.hosts.size(), to);
      if (hosts.empty()) continue;
      path_.push_back({number, to, std::move(hosts)});
      arrived(left - 1, pods + static_cast<std::int64_t>(segment.hosts.size()));
      field_.lift(shape, path_.back().hosts);
      path_.pop_back();
    }
    moved_[number] = false;
    field_.put(shape, segment.hosts);
  }

  void arrived(int left, std::int64_t pods) {
    note(pods);
    if (left == 0) return;
    const std::int64_t most = gained() + gain_bound(left);
    if (may_beat(most, pods + 1, path_.size() + 1)) extend(left, pods);
  }

  // The sequence so far, as the answer for every gain up to its own that it is cheapest for.
  void note(std::int64_t pods) {
    std::optional<Option> option;
    for (std::int64_t gain = gained(); gain > 0; --gain) {
      std::optional<Option>& known = best_[static_cast<std::size_t>(gain)];
      if (known && std::pair(known->pods, known->moves.size()) <= std::pair(pods, path_.size())) break;
      if (!option) option = Option{path_, gained(), pods};
      known = option;
    }
  }

  // Those that are not beaten by one that gains more.
  [[nodiscard]] std::vector<Option> options() const {
    std::vector<Option> options;
    for (const std::optional<Option>& best : best_) {
      const bool repeats = best && !options.empty() && options.back().gained == best->gained;
      if (best && !repeats) options.push_back(*best);
    }
    return options;
  }

  const Problem& problem_;
  Field field_;
  Bound bound_;
  Twins twins_;
  Turns turns_;
  std::int64_t before_;
  std::int64_t work_left_;
  std::int64_t at_most_ = 0;
  std::vector<bool> moved_;
  std::vector<Move> path_;
  bool climbing_ = false;
  std::vector<std::optional<Option>> best_;  // by slots gained, at least so many
};

}  // namespace

Advice advise(const Problem& problem) { return Search(problem).run(); }

}  // namespace toposeg::engine::defrag
