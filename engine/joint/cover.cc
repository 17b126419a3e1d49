#include "engine/joint/cover.h"

#include <algorithm>
#include <utility>

namespace toposeg::engine {

std::int64_t cover_states(const PodCounts& wanted) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  std::int64_t states = 1;
  for (const int pods : wanted) states = std::min(kMost, states * (pods + 1));
  return states;
}

CoverTable::CoverTable(PodCounts wanted, std::span<const CoverHost> hosts)
    : wanted_(std::move(wanted)), hosts_(hosts) {
  std::size_t size = 1;
  for (const int pods : wanted_) {
    strides_.push_back(size);
    size *= static_cast<std::size_t>(pods) + 1;
  }
  best_.assign(size, kNever);
  best_.front() = 0;
  chosen_.assign(size * hosts.size(), kUnused);
  for (std::size_t host = 0; host < hosts.size(); ++host) add(host);
}

// What a host leaves of some pods is a smaller number, so going downwards uses the host once.
void CoverTable::add(std::size_t host) {
  std::uint16_t* chosen = &chosen_[host * best_.size()];
  const std::span<const PodCounts> mixtures = hosts_[host].mixtures;
  PodCounts pods = wanted_;
  for (std::size_t state = best_.size(); state-- > 1;) {
    for (std::size_t m = 0; m < mixtures.size(); ++m) {
      std::size_t rest = 0;
      for (std::size_t s = 0; s < pods.size(); ++s)
        rest += strides_[s] * static_cast<std::size_t>(std::max(0, pods[s] - mixtures[m][s]));
      if (rest == state || best_[rest] == kNever) continue;
      const std::int64_t price = best_[rest] + hosts_[host].price;
      if (price >= best_[state]) continue;
      best_[state] = price;
      chosen[state] = static_cast<std::uint16_t>(m);
    }
    for (std::size_t s = 0; s < pods.size(); ++s) {
      if (--pods[s] >= 0) break;
      pods[s] = wanted_[s];
    }
  }
}

std::size_t CoverTable::state_of(const PodCounts& pods) const {
  std::size_t state = 0;
  for (std::size_t s = 0; s < pods.size(); ++s) state += strides_[s] * static_cast<std::size_t>(pods[s]);
  return state;
}

PodCounts CoverTable::without(const PodCounts& pods, const PodCounts& mixture) const {
  PodCounts rest = pods;
  for (std::size_t s = 0; s < rest.size(); ++s) rest[s] = std::max(0, rest[s] - mixture[s]);
  return rest;
}

std::optional<CoverAnswer> CoverTable::answer() const {
  if (price(wanted_) == kNever) return std::nullopt;
  CoverAnswer answer{price(wanted_), {}};
  PodCounts pods = wanted_;
  for (std::size_t host = hosts_.size(); host-- > 0;) {
    const std::uint16_t mixture = chosen_[host * best_.size() + state_of(pods)];
    if (mixture == kUnused) continue;
    PodCounts rest = without(pods, hosts_[host].mixtures[mixture]);
    CoverPick pick{host, std::move(pods)};
    for (std::size_t s = 0; s < rest.size(); ++s) pick.pods[s] -= rest[s];
    answer.picks.push_back(std::move(pick));
    pods = std::move(rest);
  }
  std::reverse(answer.picks.begin(), answer.picks.end());
  return answer;
}

}  // namespace toposeg::engine
