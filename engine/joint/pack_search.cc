#include "engine/joint/pack_search.h"

#include <algorithm>
#include <utility>

namespace toposeg::engine {

PackSearch::PackSearch(std::span<const Host> hosts, const PodCounts& wanted, int groups,
                       const CoverTable& alone, const CoverTable& together)
    : hosts_(hosts), alone_(alone), together_(together), hosts_alone_(alone.price()) {
  groups_.assign(static_cast<std::size_t>(groups), Group{wanted, hosts_alone_});
}

bool PackSearch::run(std::int64_t best, std::int64_t& steps) {
  best_ = best;
  steps_ = &steps;
  next_host(0, 0, 0);
  return !ended_;
}

bool PackSearch::done() const {
  return std::all_of(groups_.begin(), groups_.end(), [](const Group& group) {
    return std::all_of(group.missing.begin(), group.missing.end(), [](int pods) { return pods == 0; });
  });
}

std::size_t PackSearch::end_of_kind(std::size_t host) const {
  const std::size_t first = host;
  while (host < hosts_.size() && hosts_[host].kind == hosts_[first].kind) ++host;
  return host;
}

// Whether what is missing can be had, on hosts from this one on: by each group on as many as it may still
// use, by all of them for less than the best packing costs.
bool PackSearch::promising(std::size_t host, std::size_t first, std::int64_t price) const {
  PodCounts missing(groups_.front().missing.size(), 0);
  const std::size_t later = first > 0 ? end_of_kind(host) : host;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (alone_.price(g < first ? later : host, group.missing) > group.hosts) return false;
    for (std::size_t s = 0; s < missing.size(); ++s) missing[s] += group.missing[s];
  }
  const std::int64_t rest = together_.price(host, missing);
  return rest != CoverTable::kNever && price + rest < best_;
}

bool PackSearch::seen(std::size_t host, std::size_t first, std::int64_t price) {
  const auto [known, fresh] = visits_.try_emplace(Visit{host, first, groups_}, price);
  if (fresh) return false;
  const bool cheaper = price < known->second;
  known->second = std::min(known->second, price);
  return !cheaper;
}

void PackSearch::next_host(std::size_t host, std::size_t first, std::int64_t price) {
  ended_ = ended_ || --*steps_ < 0;
  if (ended_ || !promising(host, first, price)) return;
  if (done()) {
    best_ = price;
    found_ = now_;
    return;
  }
  if (host == hosts_.size() || seen(host, first, price)) return;
  for (const PodCounts& mixture : hosts_[host].cover.mixtures) deal(host, first, mixture, price);
  // Of hosts that are the same, the first ones are used.
  next_host(end_of_kind(host), 0, price);
}

// Every way to give the groups from this one on their parts of what the host takes.
void PackSearch::deal(std::size_t host, std::size_t group, const PodCounts& left, std::int64_t price) {
  if (ended_) return;
  if (group < groups_.size()) {
    PodCounts own(left.size(), 0);
    deal_shape(host, group, 0, own, left, price);
    return;
  }
  if (!hands_out(host, left)) return;
  auto pick = now_.rbegin();
  while (pick + 1 != now_.rend() && (pick + 1)->host == host) ++pick;
  const bool same = host + 1 < hosts_.size() && hosts_[host + 1].kind == hosts_[host].kind;
  next_host(host + 1, same ? static_cast<std::size_t>(pick->group) : 0, price + hosts_[host].cover.price);
}

// A group on the host that gets more is never worse off, so something is left over only when they do not miss
// it.
bool PackSearch::hands_out(std::size_t host, const PodCounts& left) const {
  bool any = false;
  for (auto pick = now_.rbegin(); pick != now_.rend() && pick->host == host; ++pick) {
    any = true;
    const PodCounts& missing = groups_[static_cast<std::size_t>(pick->group)].missing;
    for (std::size_t s = 0; s < left.size(); ++s) {
      if (left[s] > 0 && missing[s] > 0) return false;
    }
  }
  return any;
}

void PackSearch::deal_shape(std::size_t host, std::size_t group, std::size_t shape, PodCounts& own,
                            const PodCounts& left, std::int64_t price) {
  if (ended_) return;
  if (shape < own.size()) {
    own[shape] = std::min(left[shape], groups_[group].missing[shape]);
    for (; own[shape] >= 0; --own[shape]) deal_shape(host, group, shape + 1, own, left, price);
    own[shape] = 0;
    return;
  }
  ended_ = --*steps_ < 0;
  const bool none = std::all_of(own.begin(), own.end(), [](int pods) { return pods == 0; });
  if (none) return deal(host, group + 1, left, price);
  if (untouched(group) && group > 0 && untouched(group - 1)) return;
  const Group before = groups_[group];
  Group& after = groups_[group];
  PodCounts rest = left;
  for (std::size_t s = 0; s < own.size(); ++s) {
    after.missing[s] -= own[s];
    rest[s] -= own[s];
  }
  --after.hosts;
  if (after.hosts >= 0 && alone_.price(host + 1, after.missing) <= after.hosts) {
    now_.push_back({host, static_cast<int>(group), own});
    deal(host, group + 1, rest, price);
    now_.pop_back();
  }
  groups_[group] = before;
}

}  // namespace toposeg::engine
