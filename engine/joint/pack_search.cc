#include "engine/joint/pack_search.h"

#include <algorithm>
#include <utility>

namespace toposeg::engine {

PackSearch::PackSearch(std::span<const Host> hosts, const PodCounts& wanted, int groups,
                       const CoverTable& alone, const CoverTable& together)
    : hosts_(hosts), alone_(alone), together_(together) {
  groups_.assign(static_cast<std::size_t>(groups), Group{wanted, alone.price()});
}

bool PackSearch::run(std::int64_t best, std::int64_t& steps) {
  best_ = best;
  steps_ = &steps;
  next_host(0, 0);
  return !ended_;
}

bool PackSearch::done() const {
  return std::all_of(groups_.begin(), groups_.end(), [](const Group& group) {
    return std::all_of(group.missing.begin(), group.missing.end(), [](int pods) { return pods == 0; });
  });
}

// Whether what is missing can be had, on hosts from this one on: by each group on as many as it may still
// use, by all of them for less than the best packing costs.
bool PackSearch::promising(std::size_t host, std::int64_t price) const {
  PodCounts missing(groups_.front().missing.size(), 0);
  for (const Group& group : groups_) {
    if (alone_.price(host, group.missing) > group.hosts) return false;
    for (std::size_t s = 0; s < missing.size(); ++s) missing[s] += group.missing[s];
  }
  const std::int64_t rest = together_.price(host, missing);
  return rest != CoverTable::kNever && price + rest < best_;
}

// Groups may change their names.
bool PackSearch::seen(std::size_t host, std::int64_t price) {
  Visit visit{host, groups_};
  std::sort(visit.second.begin(), visit.second.end());
  const auto [known, fresh] = visits_.try_emplace(std::move(visit), price);
  if (fresh) return false;
  const bool cheaper = price < known->second;
  known->second = std::min(known->second, price);
  return !cheaper;
}

void PackSearch::next_host(std::size_t host, std::int64_t price) {
  ended_ = ended_ || --*steps_ < 0;
  if (ended_ || !promising(host, price)) return;
  if (done()) {
    best_ = price;
    found_ = now_;
    return;
  }
  if (host == hosts_.size() || seen(host, price)) return;
  use(host, price);
  // Of hosts that are the same, the first ones are used.
  std::size_t other = host + 1;
  while (other < hosts_.size() && hosts_[other].kind == hosts_[host].kind) ++other;
  next_host(other, price);
}

void PackSearch::use(std::size_t host, std::int64_t price) {
  for (const PodCounts& mixture : hosts_[host].cover.mixtures) deal(host, 0, mixture, price);
}

// Every way to give the groups from this one on their parts of what the host takes.
void PackSearch::deal(std::size_t host, std::size_t group, const PodCounts& left, std::int64_t price) {
  if (ended_) return;
  if (group < groups_.size()) {
    PodCounts own(left.size(), 0);
    deal_shape(host, group, 0, own, left, price);
    return;
  }
  if (hands_out(host, left)) next_host(host + 1, price + hosts_[host].cover.price);
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
