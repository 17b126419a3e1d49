#include "engine/joint/share_out.h"

#include <algorithm>

namespace toposeg::engine {

void ShareOut::set(Vertex domain, const std::vector<PackingRow>& rows) {
  Table& table = tables_[domain];
  table.assign(rows.size(), Row(width(), 0));
  const auto inside = static_cast<std::size_t>(level_) + 2;
  for (std::size_t things = 1; things < rows.size(); ++things) {
    table[things][0] = rows[things].summed;
    table[things][inside] = rows[things].hosts;
    table[things][inside + 1] = rows[things].room;
    add_own(domain, table[things]);
  }
}

void ShareOut::add_own(Vertex v, Row& row) const {
  const int level = tree_.level(v);
  if (level < 0) return;
  ++row[static_cast<std::size_t>(level) + 1];
  row[width() - 1 - static_cast<std::size_t>(level)] += room_[v];
}

void ShareOut::run(int most) {
  for (int level = level_ - 1; level >= -1; --level) {
    const VertexRange range = tree_.at_level(level);
    for (Vertex v = range.begin; v < range.end; ++v) gather(v, most);
  }
}

// Child after child; a tie gives the elder ones more.
void ShareOut::gather(Vertex v, int most) {
  Table& all = tables_[v];
  all.assign(1, Row(width(), 0));
  const VertexRange children = tree_.children(v);
  Row sum(width());
  for (Vertex child = children.begin; child < children.end; ++child) {
    const Table& own = tables_[child];
    if (own.size() < 2) continue;
    const auto size = std::min(all.size() + own.size() - 1, static_cast<std::size_t>(most) + 1);
    Table next(size);
    taken_[child].assign(size, 0);
    for (std::size_t things = 0; things < size; ++things) {
      const std::size_t least = things < all.size() ? 0 : things - all.size() + 1;
      for (std::size_t mine = least; mine <= std::min(things, own.size() - 1); ++mine) {
        const Row& others = all[things - mine];
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = others[i] + own[mine][i];
        if (!next[things].empty() && next[things] <= sum) continue;
        next[things] = sum;
        taken_[child][things] = static_cast<int>(mine);
      }
    }
    all = std::move(next);
  }
  for (std::size_t things = 1; things < all.size(); ++things) add_own(v, all[things]);
}

std::vector<ShareOut::Share> ShareOut::shares(int things) const {
  std::vector<Share> all;
  share(kRoot, things, all);
  std::sort(all.begin(), all.end(), [](const Share& a, const Share& b) { return a.domain < b.domain; });
  return all;
}

void ShareOut::share(Vertex v, int things, std::vector<Share>& into) const {
  if (things == 0) return;
  if (tree_.level(v) == level_) {
    into.push_back({v, things});
    return;
  }
  const VertexRange children = tree_.children(v);
  for (Vertex child = children.end; child-- > children.begin;) {
    if (taken_[child].empty()) continue;
    const int mine = taken_[child][static_cast<std::size_t>(things)];
    share(child, mine, into);
    things -= mine;
  }
}

}  // namespace toposeg::engine
