// Which nodes of a lowest domain are used, and how many pods each gets: as many as possible on the first one,
// then on the next.
#include <algorithm>
#include <utility>

#include "engine/planner/node_choice.h"

namespace toposeg::engine {

// The chosen nodes in path order, by the recorded choice.
void Closed::choose_by_picks(Vertex v, Entry entry) {
  const std::size_t base = copy_picks(entry);
  const VertexRange nodes = tree_->children(v);
  for (Vertex node = nodes.begin; node < nodes.end; ++node) {
    for (std::size_t i = base; i < open_picks_.size(); ++i) {
      Pick& pick = open_picks_[i];
      if (!matches(pick, node)) continue;
      --pick.count;
      const bool extra = pick.set != kNoPiece;
      chosen_.push_back({node, pick.x, extra || in_use(node) ? 0 : 1, extra});
      break;
    }
  }
  open_picks_.resize(base);
}

// The same on a tie: a table over the nodes in path order; a cell holds the least capacity that the nodes
// from here on use, with at most so much loss.
void Closed::choose_by_path(Vertex v, int n, int x, bool extra) {
  NodeChoice choice(*this, v, x, extra);
  choice.take(n);
  const VertexRange nodes = tree_->children(v);
  const std::size_t count = nodes.size();
  node_cells_.resize(choice.at(count + 1, 0, 0, false));
  for (std::int32_t loss = 0; loss <= choice.slack; ++loss) choice.cell(count, 0, loss, false).used = 0;
  const auto kin_of = [&](std::size_t i) {
    const Vertex node = nodes.begin + static_cast<Vertex>(i);
    return Kin{node, 1, view_->capacity(node), in_use(node)};
  };
  // What follows when node i is used (plain or with the extra pod) or left out; -1 = it cannot be.
  const auto after = [&](std::size_t i, int j, std::int32_t loss, bool with, bool use,
                         bool carry) -> std::int32_t {
    const Kin k = kin_of(i);
    const std::int32_t room = carry ? view_->beside(k.like) : k.units;
    if (use && (carry ? !with || room < 0 : room == 0)) return -1;
    const int step = use && !k.used ? 1 : 0;
    const std::int32_t lost = use ? choice.use_loss(k, room) : choice.skip_loss(k);
    if (j < step || loss < lost) return -1;
    const std::int32_t rest = choice.cell(i + 1, j - step, loss - lost, with && !carry).used;
    return rest < 0 ? -1 : rest + (use ? choice.cost_of_one(k) : 0);
  };
  for (std::size_t i = count; i-- > 0;) {
    for (int j = 0; j <= n; ++j) {
      for (std::int32_t loss = 0; loss <= choice.slack; ++loss) {
        for (const bool with : {false, true}) {
          std::int32_t& best = choice.cell(i, j, loss, with).used;
          for (const auto& [use, carry] : {std::pair{true, false}, {true, true}, {false, false}}) {
            const std::int32_t used = after(i, j, loss, with, use, carry);
            if (used >= 0 && (best < 0 || used < best)) best = used;
          }
        }
      }
    }
  }
  int j = n;
  std::int32_t loss = choice.slack;
  bool with = extra;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t target = choice.cell(i, j, loss, with).used;
    const Kin k = kin_of(i);
    const bool plain = after(i, j, loss, with, true, false) == target;
    const bool carry = !plain && after(i, j, loss, with, true, true) == target;
    if (!plain && !carry) {
      loss -= choice.skip_loss(k);
      continue;
    }
    const std::int32_t room = carry ? view_->beside(k.like) : k.units;
    chosen_.push_back({k.like, room, carry || k.used ? 0 : 1, carry});
    loss -= choice.use_loss(k, room);
    j -= k.used ? 0 : 1;
    with = with && !carry;
  }
}

void Closed::spread_nodes(Vertex v, Entry entry, int x, bool extra, Spread& out) {
  chosen_.clear();
  if (solved_[entry].tie) {
    choose_by_path(v, solved_[entry].children, x, extra);
  } else {
    choose_by_picks(v, entry);
  }
  std::int32_t owed = 0;  // to the nodes that follow
  for (const ChosenNode& node : chosen_) owed += node.least;
  std::int32_t left = x;
  for (const ChosenNode& node : chosen_) {
    owed -= node.least;
    const std::int32_t pods = std::min(node.room, left - owed);
    left -= pods;
    if (pods > 0 || node.extra) out.leaves.push_back({node.leaf, pods});
    if (node.extra) out.extra_leaf = node.leaf;
  }
}

}  // namespace toposeg::engine
