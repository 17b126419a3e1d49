// What packings need at least by volume: each shape, and each resource, as if nothing else mattered. Quick,
// and enough to leave most domains alone.
#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/joint/packing.h"

namespace toposeg::engine {

namespace {

// How many of the largest parts hold so much; one more than there are when all do not.
int largest_that_hold(std::vector<std::int64_t>& parts, std::int64_t volume) {
  std::sort(parts.begin(), parts.end(), std::greater<>());
  std::size_t count = 0;
  while (volume > 0 && count < parts.size()) volume -= parts[count++];
  return static_cast<int>(volume > 0 ? parts.size() + 1 : count);
}

}  // namespace

int Packer::hosts_at_least(Vertex domain, int groups) {
  const VertexRange range = leaves(domain);
  int least = 1;
  std::vector<std::int64_t> parts;
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    parts.clear();
    for (Vertex leaf = range.begin; leaf < range.end; ++leaf) parts.push_back(stock_.room(shapes_[s], leaf));
    least = std::max(least, largest_that_hold(parts, std::int64_t{groups} * wanted_[s]));
  }
  for (std::size_t r = 0; r < stock_.resources(); ++r) {
    std::int64_t volume = 0;
    for (std::size_t s = 0; s < shapes_.size(); ++s)
      volume += stock_.request(shapes_[s], r) * groups * wanted_[s];
    parts.clear();
    for (Vertex leaf = range.begin; leaf < range.end; ++leaf) parts.push_back(stock_.free(leaf, r));
    least = std::max(least, largest_that_hold(parts, volume));
  }
  return least > static_cast<int>(range.size()) ? -1 : least;
}

// Looking at each shape alone.
int Packer::most_groups_in(Vertex domain) {
  std::int64_t most = most_groups_;
  const VertexRange range = leaves(domain);
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    std::int64_t room = 0;
    for (Vertex leaf = range.begin; leaf < range.end; ++leaf) room += stock_.room(shapes_[s], leaf);
    most = std::min(most, room / wanted_[s]);
  }
  return static_cast<int>(most);
}

// At least as for one group less, and by volume; of the room, at least that of the hosts with least of it.
PackingRow Packer::least_by_volume(Vertex domain, int groups, const PackingTable& table) {
  PackingRow least = table.least.back();
  const std::int64_t hosts = hosts_at_least(domain, groups);
  if (hosts > least.hosts) {
    std::vector<std::int64_t> rooms;
    const VertexRange range = leaves(domain);
    for (Vertex leaf = range.begin; leaf < range.end; ++leaf) {
      if (!mixtures({leaf, kind_of(leaf), PodCounts(wanted_.size(), 0)}).empty())
        rooms.push_back(measured_[leaf]);
    }
    std::sort(rooms.begin(), rooms.end());
    least.hosts = hosts;
    least.room = std::accumulate(
        rooms.begin(), rooms.begin() + std::min<std::ptrdiff_t>(hosts, std::ssize(rooms)), std::int64_t{0});
  }
  least.summed = groups * table.least[1].summed;
  return least;
}

}  // namespace toposeg::engine
