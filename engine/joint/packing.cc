#include "engine/joint/packing.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace toposeg::engine {

namespace {

// Prices of hosts compare like (hosts, hosts that no group uses yet, their room).
constexpr int kNewShift = 34;
constexpr int kHostShift = 48;
// Larger tables are not filled in; bounds are those of fewer groups then.
constexpr std::int64_t kMostEntries = std::int64_t{1} << 20U;

std::int64_t price_of(bool used, std::int64_t room) {
  const std::int64_t fresh = used ? 0 : (std::int64_t{1} << kNewShift) + room;
  return (std::int64_t{1} << kHostShift) + fresh;
}

// Of hosts that no group used before.
void read_price(std::int64_t price, PackingRow& row) {
  row.hosts = price >> kHostShift;
  row.room = price & ((std::int64_t{1} << kNewShift) - 1);
}
std::int64_t price_of(const PackingRow& row) {
  return (row.hosts << kHostShift) + (row.hosts << kNewShift) + row.room;
}

bool all_at_most(const PodCounts& a, const PodCounts& b) {
  return std::equal(a.begin(), a.end(), b.begin(), std::less_equal<>());
}

void sort_by_leaf(PackedGroup& group) {
  std::sort(group.hosts.begin(), group.hosts.end(),
            [](const PackedGroup::Host& a, const PackedGroup::Host& b) { return a.leaf < b.leaf; });
}

PodCounts times(const PodCounts& counts, int factor) {
  PodCounts product = counts;
  for (int& count : product) count *= factor;
  return product;
}

}  // namespace

bool Packer::Host::used() const {
  return std::any_of(taken.begin(), taken.end(), [](int pods) { return pods > 0; });
}

Packer::Packer(const Tree& tree, Stock& stock, std::vector<int> shapes, PodCounts wanted,
               const std::vector<std::int32_t>& measured, int most_groups)
    : tree_(tree),
      stock_(stock),
      shapes_(std::move(shapes)),
      wanted_(std::move(wanted)),
      measured_(measured),
      most_groups_(most_groups) {}

int Packer::kind_of(Vertex leaf) {
  return kinds_.try_emplace(stock_.signature(leaf), static_cast<int>(kinds_.size())).first->second;
}

Packer::Kind Packer::kind(Vertex domain) {
  Kind kind;
  const VertexRange range = leaves(domain);
  for (Vertex leaf = range.begin; leaf < range.end; ++leaf) kind.push_back(kind_of(leaf));
  std::sort(kind.begin(), kind.end());
  return kind;
}

// Hosts that take nothing are left out. Those of one kind stand together, so that domains which are alike are
// packed alike.
std::vector<Packer::Host> Packer::hosts_of(Vertex domain) {
  std::vector<Host> hosts;
  const VertexRange range = leaves(domain);
  for (Vertex leaf = range.begin; leaf < range.end; ++leaf) {
    Host host{leaf, kind_of(leaf), PodCounts(wanted_.size(), 0)};
    if (!mixtures(host).empty()) hosts.push_back(std::move(host));
  }
  std::sort(hosts.begin(), hosts.end(), [](const Host& a, const Host& b) {
    return std::pair(a.kind, a.leaf) < std::pair(b.kind, b.leaf);
  });
  return hosts;
}

void Packer::put(const Host& host, int sign) {
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    if (host.taken[s] > 0) stock_.put(shapes_[s], host.leaf, sign * host.taken[s]);
  }
}

const std::vector<PodCounts>& Packer::mixtures(const Host& host) {
  const auto [known, fresh] = mixtures_.try_emplace({host.kind, host.taken});
  std::vector<PodCounts>& all = known->second;
  if (!fresh) return all;
  put(host, 1);
  PodCounts counts(wanted_.size(), 0);
  std::vector<PodCounts> some;
  list_mixtures(host.leaf, 0, counts, some);
  put(host, -1);
  for (const PodCounts& one : some) {
    const bool less = std::any_of(some.begin(), some.end(), [&](const PodCounts& other) {
      return other != one && all_at_most(one, other);
    });
    const bool none = std::all_of(one.begin(), one.end(), [](int pods) { return pods == 0; });
    if (!less && !none) all.push_back(one);
  }
  return all;
}

// Of the last shape as many as there is room for.
void Packer::list_mixtures(Vertex leaf, std::size_t shape, PodCounts& counts, std::vector<PodCounts>& into) {
  const int most = std::min(stock_.room(shapes_[shape], leaf), wanted_[shape] * most_groups_);
  const bool last = shape + 1 == shapes_.size();
  for (int pods = most; pods >= (last ? most : 0); --pods) {
    counts[shape] = pods;
    if (last) {
      into.push_back(counts);
      continue;
    }
    stock_.put(shapes_[shape], leaf, pods);
    list_mixtures(leaf, shape + 1, counts, into);
    stock_.put(shapes_[shape], leaf, -pods);
  }
}

std::vector<CoverHost> Packer::choice_of(const std::vector<Host>& hosts) {
  std::vector<CoverHost> choice;
  choice.reserve(hosts.size());
  for (const Host& host : hosts)
    choice.push_back({mixtures(host), price_of(host.used(), measured_[host.leaf])});
  return choice;
}

// One more group beside those before it.
std::optional<PackedGroup> Packer::add_group(std::vector<Host>& hosts, PackingRow& row) {
  const std::vector<CoverHost> choice = choice_of(hosts);
  std::optional<CoverAnswer> answer = CoverTable(wanted_, choice).answer();
  if (!answer) return std::nullopt;
  PackedGroup group;
  for (CoverPick& pick : answer->picks) {
    Host& host = hosts[pick.host];
    ++row.summed;
    if (!host.used()) {
      ++row.hosts;
      row.room += measured_[host.leaf];
    }
    for (std::size_t s = 0; s < shapes_.size(); ++s) host.taken[s] += pick.pods[s];
    group.hosts.push_back({host.leaf, std::move(pick.pods)});
  }
  sort_by_leaf(group);
  return group;
}

bool Packer::small(const PodCounts& wanted, std::size_t hosts) const {
  return cover_states(wanted) * (static_cast<std::int64_t>(hosts) + 1) <= kMostEntries;
}

PackingTable Packer::table(Vertex domain) {
  PackingTable table{{PackingRow{}}, {PackingRow{}}, {PackingTable::Known::kBySearch}};
  const int most = most_groups_in(domain);
  std::vector<Host> hosts = hosts_of(domain);
  if (most == 0 || !small(wanted_, hosts.size())) {
    // Nothing is known but that each shape alone leaves room for so many groups.
    table.least.resize(static_cast<std::size_t>(most) + 1);
    table.known.resize(table.least.size(), PackingTable::Known::kBySearch);
    return table;
  }
  PackingRow row;
  if (!add_group(hosts, row)) return table;
  table.least.push_back(row);
  table.found.push_back(row);
  table.known.push_back(PackingTable::Known::kBySearch);
  for (int groups = 2; groups <= most && hosts_at_least(domain, groups) > 0; ++groups) {
    table.least.push_back(least_by_volume(domain, groups, table));
    table.known.push_back(PackingTable::Known::kByVolume);
    if (std::ssize(table.found) == groups && add_group(hosts, row)) table.found.push_back(row);
  }
  return table;
}

void Packer::refine(Vertex domain, int groups, PackingTable& table, std::int64_t& steps) {
  using Known = PackingTable::Known;
  const std::vector<Host> untouched = hosts_of(domain);
  const auto at = static_cast<std::size_t>(groups);
  // The table of many groups knows about fewer of them, too.
  int most = table.known[at] == Known::kByVolume ? static_cast<int>(table.least.size()) - 1 : groups;
  while (most > groups && !small(times(wanted_, most), untouched.size())) --most;
  const PodCounts wanted = times(wanted_, most);
  if (!small(wanted, untouched.size())) {
    table.known[at] = Known::kBySearch;
    return;
  }
  const std::vector<CoverHost> choice = choice_of(untouched);
  const CoverTable together(wanted, choice);
  if (table.known[at] != Known::kByVolume) {
    table.known[at] = Known::kBySearch;
    return search(domain, groups, untouched, together, table, steps);
  }
  for (int some = 2; some <= most; ++some) {
    const auto i = static_cast<std::size_t>(some);
    const std::int64_t price = together.price(0, times(wanted_, some));
    if (price == CoverTable::kNever) {
      // So many do not fit.
      table.least.resize(i);
      table.known.resize(i);
      return;
    }
    if (table.known[i] != Known::kByVolume) continue;
    table.known[i] = Known::kByPods;
    read_price(price, table.least[i]);
  }
}

void Packer::search(Vertex domain, int groups, const std::vector<Host>& untouched, const CoverTable& together,
                    PackingTable& table, std::int64_t& steps) {
  const std::vector<CoverHost> choice = choice_of(untouched);
  std::vector<CoverHost> counted = choice;
  for (CoverHost& host : counted) host.price = 1;
  const CoverTable alone(wanted_, counted);
  std::vector<PackSearch::Host> hosts;
  for (std::size_t i = 0; i < untouched.size(); ++i) hosts.push_back({choice[i], untouched[i].kind});
  const auto at = static_cast<std::size_t>(groups);
  const std::int64_t summed = groups * alone.price();
  const bool known = at < table.found.size() && table.found[at].summed == summed;
  PackSearch search(hosts, wanted_, groups, alone, together);
  const bool complete = search.run(known ? price_of(table.found[at]) : CoverTable::kNever, steps);
  if (search.picks() && at <= table.found.size()) {
    if (at == table.found.size()) table.found.emplace_back();
    table.found[at].summed = summed;
    read_price(search.price(), table.found[at]);
    refined_[{kind(domain), groups}] = *search.picks();
  }
  if (!complete) return;
  if (known || search.picks()) {
    read_price(search.price(), table.least[at]);
  } else {
    table.least[at].summed = summed + 1;
  }
}

std::vector<PackedGroup> Packer::pack(Vertex domain, int groups) {
  std::vector<Host> hosts = hosts_of(domain);
  const auto refined = refined_.find({kind(domain), groups});
  std::vector<PackedGroup> packed(static_cast<std::size_t>(groups));
  PackingRow row;
  if (refined == refined_.end()) {
    for (PackedGroup& group : packed) group = *add_group(hosts, row);
    return packed;
  }
  for (const PackSearch::Pick& pick : refined->second)
    packed[static_cast<std::size_t>(pick.group)].hosts.push_back({hosts[pick.host].leaf, pick.pods});
  for (PackedGroup& group : packed) sort_by_leaf(group);
  return packed;
}

}  // namespace toposeg::engine
