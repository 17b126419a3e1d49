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
  for (const int pods : wanted_) {
    strides_.push_back(states_);
    states_ *= static_cast<std::size_t>(pods) + 1;
  }
  prices_.assign(states_ * (hosts.size() + 1), kNever);
  prices_[states_ * hosts.size()] = 0;
  for (std::size_t host = hosts.size(); host-- > 0;) add(host);
}

void CoverTable::add(std::size_t host) {
  const auto later = prices_.begin() + static_cast<std::ptrdiff_t>((host + 1) * states_);
  std::copy(later, later + static_cast<std::ptrdiff_t>(states_),
            prices_.begin() + static_cast<std::ptrdiff_t>(host * states_));
  for (const PodCounts& mixture : hosts_[host].mixtures) try_mixture(host, mixture);
}

// Row by row of the first shape's pods.
void CoverTable::try_mixture(std::size_t host, const PodCounts& mixture) {
  const std::int64_t own = hosts_[host].price;
  const auto width = static_cast<std::size_t>(wanted_[0]) + 1;
  const auto some = std::min(width, static_cast<std::size_t>(mixture[0]));
  PodCounts pods(wanted_.size(), 0);
  for (std::size_t row = 0; row < states_; row += width) {
    std::size_t rest = 0;
    for (std::size_t s = 1; s < pods.size(); ++s)
      rest += strides_[s] * static_cast<std::size_t>(std::max(0, pods[s] - mixture[s]));
    std::int64_t* mine = &prices_[host * states_ + row];
    const std::int64_t* later = &prices_[(host + 1) * states_ + rest];
    for (std::size_t i = 0; i < some; ++i) mine[i] = std::min(mine[i], later[0] + own);
    for (std::size_t i = some; i < width; ++i) mine[i] = std::min(mine[i], later[i - some] + own);
    for (std::size_t s = 1; s < pods.size(); ++s) {
      if (++pods[s] <= wanted_[s]) break;
      pods[s] = 0;
    }
  }
}

std::size_t CoverTable::state_of(const PodCounts& pods) const {
  std::size_t state = 0;
  for (std::size_t s = 0; s < pods.size(); ++s) state += strides_[s] * static_cast<std::size_t>(pods[s]);
  return state;
}

// Hosts that can be spared are left out, the first ones before others.
std::optional<CoverAnswer> CoverTable::answer() const {
  if (price() == kNever) return std::nullopt;
  CoverAnswer answer{price(), {}};
  PodCounts missing = wanted_;
  for (std::size_t host = 0; host < hosts_.size(); ++host) {
    const std::int64_t target = price(host, missing);
    if (price(host + 1, missing) == target) continue;
    for (const PodCounts& mixture : hosts_[host].mixtures) {
      PodCounts rest = missing;
      for (std::size_t s = 0; s < rest.size(); ++s) rest[s] = std::max(0, rest[s] - mixture[s]);
      if (price(host + 1, rest) + hosts_[host].price != target) continue;
      CoverPick pick{host, std::move(missing)};
      for (std::size_t s = 0; s < rest.size(); ++s) pick.pods[s] -= rest[s];
      answer.picks.push_back(std::move(pick));
      missing = std::move(rest);
      break;
    }
  }
  return answer;
}

}  // namespace toposeg::engine
