#include "engine/simulation/summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace toposeg::simulation {
namespace {

// The smallest value that at least this share of them does not exceed.
template <typename Value>
Value percentile(const std::vector<Value>& sorted, double share) {
  if (sorted.empty()) return Value{};
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

// Gathers the jobs of one row.
class Gatherer {
 public:
  explicit Gatherer(int levels) { numbers_.by_level.assign(static_cast<std::size_t>(levels), 0); }

  void add(const Job& job, const JobOutcome& outcome) {
    ++numbers_.jobs;
    if (outcome.fate == Fate::kNever) {
      ++numbers_.never;
      return;
    }
    ++(outcome.fate == Fate::kAtOnce ? numbers_.at_once : numbers_.waited);
    waits_.push_back(outcome.start - job.arrival);
    const int preferred = job.segment > 0 ? job.levels.segment_preferred : job.levels.whole_preferred;
    for (const int reached : outcome.reached) {
      ++numbers_.segments;
      if (reached >= 0) ++numbers_.by_level[static_cast<std::size_t>(reached)];
      if (job.goal() != engine::kAnywhere) {
        ++numbers_.with_goal;
        numbers_.at_goal += reached >= job.goal() ? 1 : 0;
      }
      if (preferred == engine::kAnywhere) continue;
      ++preferring_;
      climbed_ += std::max(0, preferred - reached);
    }
  }

  Numbers finish() {
    std::sort(waits_.begin(), waits_.end());
    if (!waits_.empty()) {
      const auto sum = std::accumulate(waits_.begin(), waits_.end(), Seconds{0});
      numbers_.mean_wait = static_cast<double>(sum) / static_cast<double>(waits_.size());
      numbers_.p95_wait = percentile(waits_, 0.95);
      numbers_.longest_wait = waits_.back();
    }
    if (preferring_ > 0) {
      numbers_.mean_climbed = static_cast<double>(climbed_) / static_cast<double>(preferring_);
    }
    return std::move(numbers_);
  }

 private:
  Numbers numbers_;
  std::vector<Seconds> waits_;
  std::int64_t preferring_ = 0;
  std::int64_t climbed_ = 0;
};

Timings timings_of(std::vector<std::chrono::nanoseconds> decisions) {
  Timings timings;
  timings.decisions = decisions.size();
  if (decisions.empty()) return timings;
  std::sort(decisions.begin(), decisions.end());
  const auto microseconds = [](auto duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
  };
  const auto sum = std::accumulate(decisions.begin(), decisions.end(), std::chrono::nanoseconds(0));
  timings.mean = microseconds(sum) / static_cast<double>(decisions.size());
  timings.p99 = microseconds(percentile(decisions, 0.99));
  timings.longest = microseconds(decisions.back());
  return timings;
}

}  // namespace

Summary summarise(const Scenario& scenario, const Outcome& outcome) {
  const int levels = scenario.site.tree->levels();
  Gatherer all(levels);
  std::map<int, Gatherer> by_size;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const Job& job = scenario.jobs[i];
    all.add(job, outcome.jobs[i]);
    by_size.try_emplace(job.segment, levels).first->second.add(job, outcome.jobs[i]);
  }
  Summary summary{outcome.policy, all.finish(), {}, outcome.used, outcome.end, timings_of(outcome.decisions)};
  for (auto& [segment, gatherer] : by_size) summary.sizes.push_back({segment, gatherer.finish()});
  double sum = 0;
  for (std::size_t i = 0; i < scenario.yardsticks.size(); ++i) {
    sum += outcome.lost[i];
    for (SizeNumbers& size : summary.sizes) {
      if (size.segment == scenario.yardsticks[i].segment) size.numbers.lost = outcome.lost[i];
    }
  }
  if (!outcome.lost.empty()) summary.all.lost = sum / static_cast<double>(outcome.lost.size());
  return summary;
}

}  // namespace toposeg::simulation
