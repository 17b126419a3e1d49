#include <algorithm>
#include <cassert>
#include <tuple>

#include "engine/planner/node_choice.h"

namespace toposeg::engine {

Closed::NodeChoice::NodeChoice(Closed& owner, Vertex v, int pods, bool with_extra)
    : closed(owner),
      x(pods),
      extra(with_extra),
      kin_base(owner.kin_.size()),
      cells_base(owner.node_cells_.size()) {
  owner.gather_kin(v, with_extra ? kExtraPiece : kNoPiece, Unit::kPods);
  kin_end = owner.kin_.size();
}

Closed::NodeChoice::~NodeChoice() {
  closed.kin_.resize(kin_base);
  closed.node_cells_.resize(cells_base);
}

std::int32_t Closed::NodeChoice::cost_of_one(const Kin& k) const {
  return k.used ? 0 : closed.view_->room(k.like);
}

std::size_t Closed::NodeChoice::at(std::size_t layer, int j, std::int32_t loss, bool with) const {
  const auto row = static_cast<std::size_t>(slack) + 1;
  const std::size_t block = static_cast<std::size_t>(n + 1) * row * 2;
  return cells_base + layer * block +
         (static_cast<std::size_t>(j) * row + static_cast<std::size_t>(loss)) * 2 + (with ? 1 : 0);
}

void Closed::NodeChoice::offer(NodeCell& to, const NodeCell& from, std::int32_t more, int plain,
                               bool with) const {
  const std::int32_t used = from.used + more;
  if (to.used >= 0 && to.used < used) return;
  if (to.used == used) {
    to.tie = true;
    return;
  }
  to = {used, plain, with, from.tie};
}

// `plain` nodes of this kin, and perhaps one more that carries the extra pod, on top of every cell of the
// layer.
void Closed::NodeChoice::use(std::size_t layer, const Kin& k, int plain, bool with) {
  const int taken = plain + (with ? 1 : 0);
  std::int64_t loss = static_cast<std::int64_t>(plain) * use_loss(k, k.units) +
                      static_cast<std::int64_t>(k.count - taken) * skip_loss(k);
  if (with) loss += use_loss(k, beside(k));
  if (loss > slack) return;
  const int step = k.used ? 0 : taken;
  for (int j = 0; j + step <= n; ++j) {
    for (std::int32_t before = 0; before + loss <= slack; ++before) {
      for (const bool had : {false, true}) {
        const NodeCell from = cell(layer, j, before, had);
        if (from.used < 0 || (had && with)) continue;
        offer(cell(layer + 1, j + step, before + static_cast<std::int32_t>(loss), had || with), from,
              taken * cost_of_one(k), plain, with);
      }
    }
  }
}

Closed::NodeCell Closed::NodeChoice::run() {
  closed.node_cells_.resize(cells_base);
  closed.node_cells_.resize(at(kins() + 1, 0, 0, false));
  cell(0, 0, 0, false).used = 0;
  for (std::size_t i = 0; i < kins(); ++i) {
    const Kin k = kin(i);
    const int most = k.used ? k.count : std::min(k.count, n);
    for (int plain = 0; plain <= most; ++plain) {
      if (k.used && plain == 0 && !extra) continue;  // it costs nothing, so it is always at hand
      use(i, k, plain, false);
      const bool room_for_extra = plain < k.count && (k.used || plain < n);
      if (extra && room_for_extra && beside(k) >= 0) use(i, k, plain, true);
    }
  }
  return find_best();
}

Closed::NodeCell Closed::NodeChoice::find_best() {
  NodeCell best;
  for (std::int32_t loss = 0; loss <= slack; ++loss) {
    const NodeCell& here = cell(kins(), n, loss, extra);
    if (here.used < 0) continue;
    if (best.used == here.used) best.tie = true;
    if (best.used >= 0 && best.used <= here.used) continue;
    best = here;
    best_loss = loss;
  }
  return best;
}

void Closed::NodeChoice::record(Solved& solved) {
  solved.picks_begin = static_cast<std::uint32_t>(closed.picks_.size());
  int j = n;
  std::int32_t loss = best_loss;
  bool with = extra;
  for (std::size_t i = kins(); i-- > 0;) {
    const Kin k = kin(i);
    const NodeCell here = cell(i + 1, j, loss, with);
    Pick pick{.signature = closed.view_->signature(k.like),
              .vertex = k.used ? k.like : kRoot,
              .capacity = closed.view_->capacity(k.like),
              .beside = closed.view_->beside(k.like),
              .x = k.units,
              .count = here.plain,
              .set = kNoPiece};
    if (here.plain > 0) closed.picks_.push_back(pick);
    pick.x = beside(k);
    pick.count = 1;
    pick.set = kExtraPiece;
    if (here.extra) closed.picks_.push_back(pick);
    const int taken = here.plain + (here.extra ? 1 : 0);
    loss -= here.plain * use_loss(k, k.units) + (k.count - taken) * skip_loss(k);
    if (here.extra) loss -= use_loss(k, beside(k));
    j -= k.used ? 0 : taken;
    with = with && !here.extra;
  }
  // Of one kin, nodes without the extra pod hold more and are served first.
  std::sort(closed.picks_.begin() + solved.picks_begin, closed.picks_.end(),
            [](const Pick& a, const Pick& b) {
              return std::tie(a.set, b.capacity, b.vertex) < std::tie(b.set, a.capacity, a.vertex);
            });
  solved.picks_end = static_cast<std::uint32_t>(closed.picks_.size());
}

void Closed::select_nodes(Vertex v, int x, PieceSet set, Entry entry) {
  NodeChoice choice(*this, v, x, set != kNoPiece);
  for (int n = 0;; ++n) {
    assert(n <= static_cast<int>(tree_->children(v).size()) && "the pods must fit");
    if (!choice.take(n)) continue;
    const NodeCell best = choice.run();
    if (best.used < 0) continue;
    const CostRow row{rows_.data() + solved_[entry].row, width_};
    row[layout_.domains(tree_->levels())] = n;
    row[layout_.leftover(tree_->levels())] = best.used;
    solved_[entry].tie = best.tie;
    solved_[entry].children = n;
    choice.record(solved_[entry]);
    return;
  }
}

}  // namespace toposeg::engine
