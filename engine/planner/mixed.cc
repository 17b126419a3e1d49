#include "engine/planner/mixed.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "engine/planner/assign.h"

namespace toposeg::engine {

Mixed::Load Mixed::target() const {
  const PieceSet set = levels_.fit.set;
  return {levels_.fit.full * problem_->size, (set & kFirstPiece) != 0 ? problem_->first : 0,
          (set & kPartialPiece) != 0 ? problem_->partial : 0, hosts_extra(*problem_, set) ? 1 : 0};
}

// Segments that have all their pods in a domain with this load.
std::int32_t Mixed::closes(const Load& load) const {
  const Load all = target();
  const bool first =
      all.first > 0 && load.first == all.first && (!problem_->extra_in_first || load.extra == 1);
  const bool partial = all.partial > 0 && load.partial == all.partial;
  return load.full / problem_->size + (first ? 1 : 0) + (partial ? 1 : 0);
}

// Sorts of segments that have some of their pods in such a domain and the others elsewhere: each is at least
// one segment that is still open there.
std::int32_t Mixed::open_sorts(const Load& load) const {
  const Load all = target();
  const bool first = load.first > 0 && load.first < all.first;
  const bool partial = load.partial > 0 && load.partial < all.partial;
  const bool parted =
      problem_->extra_in_first && all.first > 0 && (load.first == all.first) != (load.extra > 0);
  return (load.full % problem_->size != 0 ? 1 : 0) + (first || parted ? 1 : 0) + (partial ? 1 : 0);
}

std::int64_t Mixed::slots_at(int level) const {
  std::int64_t slots = 0;
  const VertexRange range = tree_->under(region_, level);
  for (Vertex v = range.begin; v < range.end; ++v) slots += view_->capacity(v) / problem_->size;
  return slots;
}

// No plan closes more than this, summed over the levels from `latest` (not counted) to the deepest.
std::int64_t Mixed::most_closed() const {
  const std::int64_t segments = levels_.fit.segments();
  const std::int64_t pieces = segments - levels_.fit.full;
  std::int64_t most = 0;
  for (int level = levels_.latest + 1; level <= levels_.deepest; ++level) {
    most += level <= levels_.closing ? segments : std::min(segments, slots_at(level) + pieces);
  }
  return most;
}

// No plan leaves fewer slots unused below the closing level; negative where pieces close beside full use.
std::int64_t Mixed::fewest_unused() const {
  const std::int64_t segments = levels_.fit.segments();
  const std::int64_t pieces = segments - levels_.fit.full;
  std::int64_t fewest = 0;
  for (int level = levels_.closing + 1; level <= levels_.deepest; ++level) {
    const std::int64_t slots = slots_at(level);
    fewest += slots - std::min(segments, slots + pieces);
  }
  return fewest;
}

void Mixed::solve(const CapacityView& view, const Problem& problem, Vertex region, const Levels& levels,
                  const Deadline& deadline) {
  view_ = &view;
  tree_ = &view.tree();
  problem_ = &problem;
  region_ = region;
  levels_ = levels;
  deadline_ = deadline;
  solved_ = false;
  late_ = false;
  open_ = levels_.closing;
  most_open_ = 0;
  for (std::int64_t allowance = 0; !late_ && !attempt(allowance); allowance = 2 * allowance + 1) {
  }
  const Load all = target();
  const bool only_full = all.first + all.partial + all.extra == 0;
  if (!solved_ || only_full) return;
  const std::int64_t counted =
      static_cast<std::int64_t>(levels_.fit.segments()) * (levels_.reach - levels_.latest);
  const std::int64_t spare = climbed_ - (counted - most_closed());
  if (spare == 0) return;
  open_ = levels_.latest;
  most_open_ = spare;
  solved_ = attempt(spare);
}

bool Mixed::attempt(std::int64_t allowance) {
  const std::int64_t limit = fewest_unused() + allowance;
  const std::int64_t pieces = levels_.fit.segments() - levels_.fit.full;
  // Pieces that close later can make up for what is unused now.
  most_unused_ = limit + pieces * (levels_.deepest - levels_.closing);
  tables_.clear();
  const Table& top = table(region_);
  if (late_) return false;
  const State* best = find(top, target());
  if (best == nullptr || best->unused > limit) return false;
  climbed_ = static_cast<std::int64_t>(levels_.fit.segments()) * (levels_.reach - open_) - best->closed;
  const ConstCostRow row = row_of(top, *best);
  row_.assign(row.begin(), row.end());
  solved_ = true;
  return true;
}

const Mixed::Table& Mixed::table(Vertex v) {
  const Kind kind{tree_->level(v), view_->signature(v), view_->capacity(v), view_->beside(v),
                  closed_.in_use(v) ? v : kRoot};
  const auto [it, fresh] = tables_.try_emplace(kind);
  if (fresh) {
    if (tree_->level(v) == levels_.deepest) {
      fill_deepest(v, it->second);
    } else {
      fill_above(v, it->second);
    }
  }
  return it->second;
}

void Mixed::add_state(Table& table, const State& state, ConstCostRow row) const {
  table.states.push_back(state);
  table.states.back().row = static_cast<std::uint32_t>(table.states.size() - 1);
  table.rows.insert(table.rows.end(), row.begin(), row.end());
}

ConstCostRow Mixed::row_of(const Table& table, const State& state) const {
  const std::size_t width = closed_.layout().size();
  return {table.rows.data() + state.row * width, width};
}

const Mixed::State* Mixed::find(const Table& table, const Load& load) {
  const auto it = std::lower_bound(table.states.begin(), table.states.end(), load,
                                   [](const State& state, const Load& l) { return state.load < l; });
  return it != table.states.end() && it->load == load ? &*it : nullptr;
}

void Mixed::fill_deepest(Vertex v, Table& table) {
  const Load all = target();
  const std::int32_t slots = view_->capacity(v) / problem_->size;
  const std::int32_t pieces = levels_.fit.segments() - levels_.fit.full;
  std::vector<CostItem> row(closed_.layout().size());
  Load load;
  for (load.full = 0; load.full <= std::min(all.full, view_->capacity(v)); ++load.full) {
    if (slots - load.full / problem_->size - pieces > most_unused_) continue;
    for (load.first = 0; load.first <= all.first; ++load.first) {
      for (load.partial = 0; load.partial <= all.partial; ++load.partial) {
        for (load.extra = 0; load.extra <= all.extra; ++load.extra) {
          const std::int32_t room = load.extra > 0 ? view_->beside(v) : view_->capacity(v);
          const std::int32_t closed = closes(load);
          if (load.pods() > room || slots - closed > most_unused_) continue;
          std::fill(row.begin(), row.end(), 0);
          if (load.pods() > 0 || load.extra > 0) {
            add(CostRow(row), closed_.row(closed_.pods(v, load.pods(), load.extra > 0)));
            closed_.add_own(v, row);
          }
          add_state(table, {load, closed, slots - closed, 0}, row);
        }
      }
    }
  }
}

void Mixed::fill_above(Vertex v, Table& table) {
  const std::vector<Table> parts = suffixes(v);
  if (late_) return;
  const Table& sum = parts.front();
  const int level = tree_->level(v);
  const bool below_closing = level > levels_.closing;
  const std::int32_t slots = below_closing ? view_->capacity(v) / problem_->size : 0;
  const std::int64_t most_open = level > open_ ? most_open_ : 0;
  std::vector<CostItem> row(closed_.layout().size());
  for (const State& state : sum.states) {
    const std::int32_t closing = level > open_ ? closes(state.load) : 0;
    const State here{state.load, state.closed + closing, state.unused + (below_closing ? slots - closing : 0),
                     0};
    if (here.unused > most_unused_ || (!below_closing && open_sorts(state.load) > most_open)) continue;
    const ConstCostRow below = row_of(sum, state);
    std::copy(below.begin(), below.end(), row.begin());
    if (v != region_ && (state.load.pods() > 0 || state.load.extra > 0)) closed_.add_own(v, row);
    add_state(table, here, row);
  }
}

std::vector<Mixed::Table> Mixed::suffixes(Vertex v) {
  const VertexRange children = tree_->children(v);
  std::vector<Table> parts(children.size() + 1);
  add_state(parts.back(), {}, std::vector<CostItem>(closed_.layout().size(), 0));
  for (std::size_t i = children.size(); i-- > 0 && !late_;) {
    const Table& child = table(children.begin + static_cast<Vertex>(i));
    merge(child, parts[i + 1], parts[i]);
    late_ = late_ || deadline_.expired();
  }
  return parts;
}

void Mixed::merge(const Table& a, const Table& b, Table& into) {
  const Load all = target();
  pairs_.clear();
  for (std::uint32_t i = 0; i < a.states.size(); ++i) {
    for (std::uint32_t k = 0; k < b.states.size(); ++k) {
      const Load load = a.states[i].load + b.states[k].load;
      const std::int32_t closed = a.states[i].closed + b.states[k].closed;
      const std::int32_t unused = a.states[i].unused + b.states[k].unused;
      const bool fits = load.full <= all.full && load.first <= all.first && load.partial <= all.partial &&
                        load.extra <= all.extra;
      if (fits && unused <= most_unused_) pairs_.push_back({load, closed, unused, i, k});
    }
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& x, const Pair& y) {
    return std::tie(x.load, y.closed, x.a) < std::tie(y.load, x.closed, y.a);
  });
  std::vector<CostItem> row(closed_.layout().size());
  for (std::size_t i = 0; i < pairs_.size();) {
    std::size_t best = i;
    std::size_t next = i + 1;
    const auto set_row = [&](const Pair& pair) {
      const ConstCostRow left = row_of(a, a.states[pair.a]);
      std::copy(left.begin(), left.end(), row.begin());
      add(CostRow(row), row_of(b, b.states[pair.b]));
    };
    set_row(pairs_[best]);
    for (; next < pairs_.size() && pairs_[next].load == pairs_[i].load; ++next) {
      const Pair& pair = pairs_[next];
      if (pair.closed < pairs_[best].closed) continue;
      if (compare_sum(row_of(a, a.states[pair.a]), row_of(b, b.states[pair.b]), row) < 0)
        set_row(pairs_[best = next]);
    }
    add_state(into, {pairs_[best].load, pairs_[best].closed, pairs_[best].unused, 0}, row);
    i = next;
  }
}

// Splits a load among the children: the first child gets as many pods as the least cost allows, then the
// next.
void Mixed::give(Vertex v, const Load& load) {
  if (load.pods() == 0 && load.extra == 0) return;
  if (tree_->level(v) == levels_.deepest) {
    const auto begin = static_cast<std::uint32_t>(spread_.leaves.size());
    closed_.spread_pods(v, load.pods(), load.extra > 0, spread_);
    shares_.push_back({v, load, begin, static_cast<std::uint32_t>(spread_.leaves.size())});
    return;
  }
  const std::vector<Table> parts = suffixes(v);
  const VertexRange children = tree_->children(v);
  Load left = load;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const Vertex child = children.begin + static_cast<Vertex>(i);
    const Table& own = table(child);
    const State* goal = find(parts[i], left);
    const State* chosen = nullptr;
    for (const State& state : own.states) {
      const State* rest = find(parts[i + 1], left - state.load);
      if (rest == nullptr || rest->closed + state.closed != goal->closed) continue;
      const int order = compare_sum(row_of(own, state), row_of(parts[i + 1], *rest), row_of(parts[i], *goal));
      if (order != 0) continue;
      if (chosen == nullptr || state.load.pods() >= chosen->load.pods()) chosen = &state;
    }
    assert(chosen != nullptr);
    const Load given = chosen->load;
    left = left - given;
    give(child, given);
  }
}

void Mixed::deal_share(const Share& share, Loose& loose) const {
  std::int32_t first = share.load.first;
  std::int32_t full = share.load.full;
  for (std::uint32_t i = share.begin; i < share.end; ++i) {
    for (int pod = 0; pod < spread_.leaves[i].pods; ++pod) {
      std::vector<Vertex>& pool = first > 0 ? loose.first : full > 0 ? loose.full : loose.partial;
      pool.push_back(spread_.leaves[i].leaf);
      if (first > 0) {
        --first;
      } else if (full > 0) {
        --full;
      }
    }
  }
}

// Makes segments of the loose pods of one domain, as many as there are pods for.
void Mixed::close_at(Loose& loose, Solution& solution) const {
  const auto take = [&](SegmentPlace::Kind kind, std::vector<Vertex>& pool, std::int32_t size) {
    SegmentPlace place;
    place.kind = kind;
    place.hosts_begin = static_cast<std::uint32_t>(solution.hosts.size());
    solution.hosts.insert(solution.hosts.end(), pool.begin(), pool.begin() + size);
    place.hosts_end = static_cast<std::uint32_t>(solution.hosts.size());
    solution.segments.push_back(place);
    pool.erase(pool.begin(), pool.begin() + size);
  };
  const Load all = target();
  if (all.first > 0 && std::ssize(loose.first) == all.first)
    take(SegmentPlace::Kind::kFirst, loose.first, all.first);
  while (std::ssize(loose.full) >= problem_->size)
    take(SegmentPlace::Kind::kFull, loose.full, problem_->size);
  if (all.partial > 0 && std::ssize(loose.partial) == all.partial) {
    take(SegmentPlace::Kind::kPartial, loose.partial, all.partial);
  }
}

Mixed::Loose Mixed::close_segments(Vertex v, Solution& solution) const {
  Loose loose;
  if (tree_->level(v) == levels_.deepest) {
    const auto share = std::lower_bound(shares_.begin(), shares_.end(), v,
                                        [](const Share& s, Vertex domain) { return s.domain < domain; });
    if (share != shares_.end() && share->domain == v) deal_share(*share, loose);
  } else {
    const VertexRange children = tree_->children(v);
    for (Vertex child = children.begin; child < children.end; ++child) {
      const Loose below = close_segments(child, solution);
      loose.full.insert(loose.full.end(), below.full.begin(), below.full.end());
      loose.first.insert(loose.first.end(), below.first.begin(), below.first.end());
      loose.partial.insert(loose.partial.end(), below.partial.begin(), below.partial.end());
    }
  }
  close_at(loose, solution);
  return loose;
}

void Mixed::write(Solution& solution) {
  spread_.clear();
  shares_.clear();
  give(region_, target());
  solution.extra_host = spread_.extra_leaf;
  (void)close_segments(region_, solution);
  name_domains(*tree_, *problem_, solution);
}

}  // namespace toposeg::engine
