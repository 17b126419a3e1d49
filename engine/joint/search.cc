#include "engine/joint/search.h"

#include <algorithm>

namespace toposeg::engine {

JointSearch::JointSearch(const Tree& tree, const JointProblem& problem, const Room& room,
                         const JointBound& bound, const Stock& stock)
    : tree_(tree),
      problem_(problem),
      room_(room),
      bound_(bound),
      stock_(stock),
      twins_(find_twins(tree, problem, stock)),
      layout_(problem.items.size(), tree.levels()),
      root_(bound.total()),
      prefix_(layout_.first_shared()),
      touched_(tree.size(), 0),
      total_(prefix_, 0),
      together_(layout_.size() - prefix_, 0),
      now_(problem.items.size()),
      item_shared_(problem.items.size()) {
  begin();
}

// Everything that can be placed counts as placed, at its least climb, until it is decided.
void JointSearch::begin() {
  measured_.resize(problem_.shapes.size());
  rows_.assign(problem_.groups.size(), JointRow(prefix_, 0));
  weights_ = rows_;
  for (const JointGroup& group : problem_.groups) {
    std::vector<std::int32_t>& measured = measured_[static_cast<std::size_t>(group.measure)];
    measured.resize(tree_.size(), 0);
    Use& use = uses_.emplace_back();
    use.pods.assign(tree_.size(), 0);
    for (const Vertex node : group.in_use) {
      use.shared = use.shared ? common_domain(tree_, *use.shared, node) : node;
      for (Vertex v = node; v != kRoot; v = tree_.parent(v)) {
        use.pods[v] = 1;
        measured[v] = 1;
      }
    }
  }
  first_item_.assign(problem_.groups.size(), problem_.items.size());
  for (std::size_t i = 0; i < problem_.items.size(); ++i) {
    std::size_t& first = first_item_[static_cast<std::size_t>(item(i).group)];
    first = std::min(first, i);
    if (item(i).home != kRoot) item_shared_[i] = item(i).home;
    if (bound_.climb[i] < 0) continue;
    JointRow& row = row_of(item(i).group);
    --row[layout_.placed(item(i).rank)];
    row[layout_.pattern(i)] -= JointLayout::bit(i);
    row[layout_.climbed()] += bound_.climb[i];
  }
  for (std::size_t group = 0; group < rows_.size(); ++group) weigh(static_cast<int>(group));
}

bool JointSearch::run(std::size_t width, std::int64_t& steps, const Deadline& deadline, JointRow& best,
                      JointPods& pods) {
  width_ = width;
  steps_ = &steps;
  deadline_ = &deadline;
  best_ = &best;
  best_pods_ = &pods;
  ended_ = false;
  all_placed_ = std::none_of(pods.begin(), pods.end(), [](const auto& leaves) { return leaves.empty(); });
  if (promising()) next_item(0);
  return !ended_;
}

bool JointSearch::spend(std::int64_t steps) {
  *steps_ -= steps;
  ended_ = ended_ || *steps_ < 0 || ((++ticks_ & 1023U) == 0 && deadline_->expired());
  return !ended_;
}

void JointSearch::next_item(std::size_t i) {
  if (ended_) return;
  if (i == problem_.items.size()) return accept();
  if (bound_.climb[i] < 0) return next_item(i + 1);
  const int twin = twins_.item[i];
  const bool twin_out = twin >= 0 && now_[static_cast<std::size_t>(twin)].empty();
  if (!twin_out) next_part(i, 0, kRoot, item(i).parts[0].pods);
  if (!ended_) leave_out(i);
}

void JointSearch::leave_out(std::size_t i) {
  JointRow& row = row_of(item(i).group);
  const auto count = [&](int sign) {
    row[layout_.placed(item(i).rank)] += sign;
    row[layout_.pattern(i)] += sign * JointLayout::bit(i);
    row[layout_.climbed()] -= std::int64_t{sign} * bound_.climb[i];
    weigh(item(i).group);
  };
  count(1);
  if (spend(1) && promising()) next_item(i + 1);
  count(-1);
}

// Where the item's next pod may stand.
VertexRange JointSearch::ground(std::size_t i) const {
  const JointGroup& group = problem_.groups[static_cast<std::size_t>(item(i).group)];
  const Use& use = uses_[static_cast<std::size_t>(item(i).group)];
  VertexRange range = tree_.under(item(i).within, tree_.levels());
  const auto narrow = [&](Vertex v) {
    const VertexRange other = tree_.under(v, tree_.levels());
    range = {std::max(range.begin, other.begin), std::min(range.end, other.end)};
  };
  narrow(group.within);
  if (group.whole_required != kAnywhere && use.shared)
    narrow(tree_.ancestor(*use.shared, std::min(group.whole_required, tree_.level(*use.shared))));
  if (const std::optional<Vertex>& shared = item_shared_[i])
    narrow(tree_.ancestor(*shared, std::min(item(i).required, tree_.level(*shared))));
  if (range.begin > range.end) range.end = range.begin;
  return range;
}

// Items and groups that are alike come in the order of their first leaves.
Vertex JointSearch::first_allowed(std::size_t i) const {
  Vertex from = kRoot;
  if (const int twin = twins_.item[i]; twin >= 0) from = now_[static_cast<std::size_t>(twin)].front();
  const int group = item(i).group;
  const int like = twins_.group[static_cast<std::size_t>(group)];
  const bool first_of_group = first_item_[static_cast<std::size_t>(group)] == i;
  // Where something is left out, groups differ by what they lack.
  if (like < 0 || !first_of_group || !all_placed_) return from;
  const auto& leaves = now_[first_item_[static_cast<std::size_t>(like)]];
  return leaves.empty() ? from : std::max(from, leaves.front());
}

bool JointSearch::like_untouched(Vertex leaf) const {
  for (Vertex v = leaf; v != kRoot && touched_[v] == 0; v = tree_.parent(v)) {
    const Vertex twin = twins_.domain[v];
    if (twin != kRoot && touched_[twin] == 0) return true;
  }
  return false;
}

bool JointSearch::enough(int shape, VertexRange range, int pods) {
  Vertex leaf = range.begin;
  for (; leaf < range.end && pods > 0; ++leaf) pods -= stock_.room(shape, leaf);
  (void)spend((leaf - range.begin) / 16);
  return pods <= 0 && !ended_;
}

void JointSearch::next_part(std::size_t i, std::size_t part, Vertex from, int pods) {
  if (pods == 0) {
    const bool last = part + 1 == item(i).parts.size();
    return last ? next_item(i + 1) : next_part(i, part + 1, kRoot, item(i).parts[part + 1].pods);
  }
  const bool first = now_[i].empty();
  VertexRange range = ground(i);
  range.begin = std::max({range.begin, from, first ? first_allowed(i) : kRoot});
  const int shape = item(i).parts[part].shape;
  if (!first && !enough(shape, range, pods)) return;
  for (Vertex leaf = range.begin; leaf < range.end && !ended_; ++leaf) {
    const int room = stock_.room(shape, leaf);
    if (room == 0 || like_untouched(leaf)) continue;
    for (int count = std::min(room, pods); count > 0 && !ended_; --count) {
      if (!try_leaf(i, part, leaf, count, pods - count)) return;
    }
  }
  (void)spend(range.end > range.begin ? (range.end - range.begin) / 16 : 0);
}

bool JointSearch::try_leaf(std::size_t i, std::size_t part, Vertex leaf, int pods, int rest) {
  if (!spend(1)) return false;
  const int shape = item(i).parts[part].shape;
  const Before before = put(i, shape, leaf, pods);
  if (promising()) next_part(i, part, leaf + 1, rest);
  take(i, shape, leaf, pods, before);
  return !ended_;
}

JointSearch::Before JointSearch::put(std::size_t i, int shape, Vertex leaf, int pods) {
  const int group = item(i).group;
  Use& use = uses_[static_cast<std::size_t>(group)];
  JointRow& row = row_of(group);
  const Before before{use.shared, item_shared_[i], row[layout_.climbed()], row[layout_.whole()]};
  stock_.put(shape, leaf, pods);
  now_[i].insert(now_[i].end(), static_cast<std::size_t>(pods), leaf);
  mark(group, leaf, 1);
  const auto climb_so_far = [&] {
    const auto& shared = item_shared_[i];
    return std::max(bound_.climb[i], shared ? climb_of(tree_, item(i), *shared) : 0);
  };
  const int climbed = climb_so_far();
  item_shared_[i] = item_shared_[i] ? common_domain(tree_, *item_shared_[i], leaf) : leaf;
  row[layout_.climbed()] += climb_so_far() - climbed;
  use.shared = use.shared ? common_domain(tree_, *use.shared, leaf) : leaf;
  ++use.puts;
  const int wish = problem_.groups[static_cast<std::size_t>(group)].whole_preferred;
  if (wish != kAnywhere) row[layout_.whole()] = std::max(0, wish - tree_.level(*use.shared));
  weigh(group);
  return before;
}

void JointSearch::take(std::size_t i, int shape, Vertex leaf, int pods, const Before& before) {
  const int group = item(i).group;
  Use& use = uses_[static_cast<std::size_t>(group)];
  JointRow& row = row_of(group);
  stock_.put(shape, leaf, -pods);
  now_[i].resize(now_[i].size() - static_cast<std::size_t>(pods));
  mark(group, leaf, -1);
  --use.puts;
  use.shared = before.group_shared;
  item_shared_[i] = before.item_shared;
  row[layout_.climbed()] = before.climbed;
  row[layout_.whole()] = before.whole;
  weigh(group);
}

void JointSearch::mark(int group, Vertex leaf, int change) {
  const auto measure = static_cast<std::size_t>(problem_.groups[static_cast<std::size_t>(group)].measure);
  Use& use = uses_[static_cast<std::size_t>(group)];
  JointRow& row = row_of(group);
  for (Vertex v = leaf; v != kRoot; v = tree_.parent(v)) {
    const int level = tree_.level(v);
    touched_[v] += change;
    const bool used = use.pods[v] > 0;
    use.pods[v] += change;
    if (used != (use.pods[v] > 0)) row[layout_.domains(level)] += change;
    const bool counted = measured_[measure][v] > 0;
    measured_[measure][v] += change;
    if (counted == (measured_[measure][v] > 0)) continue;
    together_[layout_.altogether(level) - prefix_] += change;
    together_[layout_.leftover(level) - prefix_] += std::int64_t{change} * room_[measure][v];
  }
}

// The group's part of the total: what it uses so far, or what it needs at least, whichever is more. What is
// used so far counts entry by entry where both speak of the same items.
void JointSearch::weigh(int group) {
  const std::span<const std::int64_t> row(row_of(group));
  const std::span<const std::int64_t> least =
      std::span(bound_.groups[static_cast<std::size_t>(group)]).first(prefix_);
  const std::span<std::int64_t> weight(weights_[static_cast<std::size_t>(group)]);
  for (std::size_t k = 0; k < prefix_; ++k) total_[k] -= weight[k];
  const auto [mine, other] = std::mismatch(row.begin(), row.end(), least.begin());
  const auto same = static_cast<std::size_t>(mine - row.begin());
  if (same < layout_.climbed()) {
    const std::span<const std::int64_t> larger = *mine > *other ? row : least;
    std::copy(larger.begin(), larger.end(), weight.begin());
  } else {
    merge_bounds(row, least, weight);
  }
  for (std::size_t k = 0; k < prefix_; ++k) total_[k] += weight[k];
}

// Whether an answer that goes on from here can be cheaper than the best one.
bool JointSearch::promising() const {
  bool at_root = true;
  for (std::size_t k = 0; k < std::min(width_, prefix_); ++k) {
    if (total_[k] != (*best_)[k]) return total_[k] < (*best_)[k];
    at_root = at_root && total_[k] == root_[k];
  }
  if (width_ <= prefix_) return false;
  // What they share is bounded for answers that cost the groups as little as they need.
  const auto least = root_.begin() + static_cast<std::ptrdiff_t>(prefix_);
  const bool more =
      at_root && std::lexicographical_compare(together_.begin(), together_.end(), least, root_.end());
  const auto from = more ? least : together_.begin();
  return std::lexicographical_compare(from, from + static_cast<std::ptrdiff_t>(together_.size()),
                                      best_->begin() + static_cast<std::ptrdiff_t>(prefix_), best_->end());
}

JointRow JointSearch::row_now() const {
  JointRow row(layout_.size(), 0);
  for (const JointRow& group : rows_) {
    for (std::size_t k = 0; k < prefix_; ++k) row[k] += group[k];
  }
  std::copy(together_.begin(), together_.end(), row.begin() + static_cast<std::ptrdiff_t>(prefix_));
  return row;
}

void JointSearch::accept() {
  const JointRow row = row_now();
  const auto end = static_cast<std::ptrdiff_t>(width_);
  if (!std::lexicographical_compare(row.begin(), row.begin() + end, best_->begin(), best_->begin() + end))
    return;
  *best_ = row;
  *best_pods_ = now_;
  all_placed_ = std::none_of(now_.begin(), now_.end(), [](const auto& leaves) { return leaves.empty(); });
}

}  // namespace toposeg::engine
