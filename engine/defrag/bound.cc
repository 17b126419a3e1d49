#include "engine/defrag/bound.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace toposeg::engine::defrag {
namespace {

// Probes that a host would take if every segment that may move were gone from it.
std::vector<std::int64_t> emptied_probes(const Field& field) {
  const Problem& problem = field.problem();
  Field emptied = field;
  for (const Segment& segment : problem.segments) emptied.lift(problem.shapes[segment.shape], segment.hosts);
  std::vector<std::int64_t> probes(problem.free.size(), 0);
  for (Leaf leaf = 0; leaf < probes.size(); ++leaf) probes[leaf] = emptied.probes(leaf);
  return probes;
}

// The most probes that a host gains when this many pods leave it, whatever else stands on it then: the
// resource that limited it before limits it still, and rounding down gives at most one probe beside.
std::int64_t given_back(const Shape& probe, const Shape& shape, std::int64_t pods) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < probe.requests.size(); ++i) {
    if (probe.requests[i] == 0) continue;
    most = std::max(most, (pods * shape.requests[i] + probe.requests[i] - 1) / probe.requests[i]);
  }
  return most;
}

// The best of taking j from one list and i - j from the other; both tell the most for up to so many.
void merge(std::vector<std::int64_t>& best, const std::vector<std::int64_t>& further) {
  for (std::size_t i = best.size(); i-- > 0;) {
    for (std::size_t j = 1; j <= i && j < further.size(); ++j) {
      best[i] = std::max(best[i], best[i - j] + further[j]);
    }
  }
}

}  // namespace

Bound::Bound(const Field& field) : size_(field.problem().size) {
  const Problem& problem = field.problem();
  const std::vector<std::int64_t> emptied = emptied_probes(field);
  for (const Segment& segment : problem.segments) {
    std::map<Leaf, std::int64_t> pods;
    for (const Leaf leaf : segment.hosts) ++pods[leaf];
    std::map<std::size_t, std::int64_t> by_domain;
    for (const auto& [leaf, count] : pods) {
      const std::int64_t most = given_back(problem.probe, problem.shapes[segment.shape], count);
      const std::int64_t probes = std::min(most, emptied[leaf]);
      if (probes > 0) by_domain[field.domain_of(leaf)] += probes;
    }
    std::vector<Release> releases;
    for (const auto& [domain, probes] : by_domain) releases.push_back({domain, probes});
    widest_ = std::max(widest_, releases.size());
    releases_.push_back(std::move(releases));
  }
}

std::int64_t Bound::cost(const Field& field, int moves) const {
  return static_cast<std::int64_t>(releases_.size() * widest_ +
                                   field.domains() * static_cast<std::size_t>(moves) * widest_);
}

std::int64_t Bound::gain_alone(const Field& field, std::size_t segment) const {
  std::int64_t gain = 0;
  for (const Release& release : releases_[segment]) {
    gain += (field.remainder(release.domain) + release.probes) / size_;
  }
  return gain;
}

std::int64_t Bound::gain(const Field& field, const std::vector<bool>& moved, int moves) const {
  const std::size_t most = static_cast<std::size_t>(moves) * widest_;
  std::vector<std::vector<std::int64_t>> by_domain(field.domains());
  for (std::size_t segment = 0; segment < releases_.size(); ++segment) {
    if (moved[segment]) continue;
    for (const Release& release : releases_[segment]) by_domain[release.domain].push_back(release.probes);
  }
  std::vector<std::int64_t> best(most + 1, 0);
  for (std::size_t domain = 0; domain < by_domain.size(); ++domain) {
    std::vector<std::int64_t>& releases = by_domain[domain];
    if (releases.empty()) continue;
    const std::size_t kept = std::min(most, releases.size());
    std::partial_sort(releases.begin(), releases.begin() + static_cast<std::ptrdiff_t>(kept), releases.end(),
                      std::greater<>());
    std::vector<std::int64_t> gains{0};
    std::int64_t sum = field.remainder(domain);
    for (std::size_t i = 0; i < kept; ++i) gains.push_back((sum += releases[i]) / size_);
    merge(best, gains);
  }
  return best[most];
}

}  // namespace toposeg::engine::defrag
