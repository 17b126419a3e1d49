#include "engine/simulation/made_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "engine/simulation/floor.h"
#include "engine/simulation/seeded_random.h"

namespace toposeg::simulation {
namespace {

struct Share {
  int value = 0;
  double weight = 0;
};
constexpr std::array<Share, 5> kSegmentSizes{{{2, 0.15}, {4, 0.25}, {8, 0.25}, {12, 0.15}, {16, 0.20}}};
constexpr std::array<Share, 6> kSegmentCounts{
    {{1, 0.35}, {2, 0.25}, {4, 0.20}, {8, 0.12}, {16, 0.06}, {32, 0.02}}};
constexpr double kRequired = 0.5;    // of the jobs; the others prefer
constexpr double kWholeLevel = 0.2;  // prefer the next level up for the job as a whole
constexpr double kHalfHosts = 0.2;   // have pods of half a host
constexpr double kShortest = 600;    // seconds; durations are log-uniform
constexpr double kLongest = 43'200;

// One of the values up to `most`, by weight; the smallest when all are larger.
int draw(std::span<const Share> shares, int most, SeededRandom& random) {
  double sum = 0;
  for (const Share& share : shares) sum += share.value <= most ? share.weight : 0;
  double lot = random.fraction() * sum;
  int drawn = shares.front().value;
  for (const Share& share : shares) {
    if (share.value > most) break;
    drawn = share.value;
    lot -= share.weight;
    if (lot < 0) break;
  }
  return drawn;
}

// The closest level whose domains hold more than one host; where there is none, the closest.
int closest_shared_level(const engine::Tree& tree) {
  for (int level = tree.levels() - 1; level > 0; --level) {
    if (tree.at_level(level).size() < tree.node_count()) return level;
  }
  return 0;
}

kube::PodSpec half(const kube::PodSpec& whole) {
  kube::PodSpec pod = whole;
  for (auto& [resource, amount] : pod.requests) amount = std::max<std::int64_t>(1, amount / 2);
  return pod;
}

class Maker {
 public:
  Maker(const Site& site, const TraceRequest& request)
      : site_(site), random_(request.seed), level_(closest_shared_level(*site.tree)) {
    Floor floor(site);
    const engine::CapacityView& room = floor.room(site.whole_host);
    hosts_ = std::max(room.capacity(engine::kRoot), 1);
    const engine::VertexRange domains = site.tree->at_level(level_);
    for (engine::Vertex v = domains.begin; v < domains.end; ++v) {
      largest_ = std::max(largest_, room.capacity(v));
    }
  }
  [[nodiscard]] std::int32_t hosts() const { return hosts_; }
  // Hosts that the last job needs, times its duration.
  [[nodiscard]] double work() const { return work_; }

  // Without name and arrival.
  Job next() {
    Job job;
    job.segment = std::max(2, draw(kSegmentSizes, largest_, random_));
    job.pods = job.segment * draw(kSegmentCounts, std::max(1, hosts_ / 4 / job.segment), random_);
    (random_.fraction() < kRequired ? job.levels.segment_required : job.levels.segment_preferred) = level_;
    if (level_ > 0 && random_.fraction() < kWholeLevel) job.levels.whole_preferred = level_ - 1;
    const bool halves = random_.fraction() < kHalfHosts;
    job.pod = halves ? half(site_.whole_host) : site_.whole_host;
    const double stretch = std::log(kLongest / kShortest) * random_.fraction();
    job.duration = static_cast<Seconds>(std::round(kShortest * std::exp(stretch)));
    work_ = static_cast<double>(job.pods) * (halves ? 0.5 : 1.0) * static_cast<double>(job.duration);
    return job;
  }
  // Until the next arrival, on a scale that is still to be chosen: exponential.
  double pause() { return -std::log(1.0 - random_.fraction()); }

 private:
  const Site& site_;
  SeededRandom random_;
  int level_;
  std::int32_t hosts_ = 1;
  std::int32_t largest_ = 0;
  double work_ = 0;
};

}  // namespace

std::vector<Job> make_trace(const Site& site, const TraceRequest& request) {
  Maker maker(site, request);
  std::vector<Job> jobs;
  std::vector<double> arrivals;
  double work = 0;
  double elapsed = 0;
  for (int i = 0; i < request.jobs; ++i) {
    arrivals.push_back(elapsed);
    jobs.push_back(maker.next());
    jobs.back().name = fmt::format("job-{:04}", i + 1);
    work += maker.work();
    elapsed += maker.pause();
  }
  // Stretched so that the work arrives in just the time in which the cluster does `load` of it.
  const double span = work / (request.load * maker.hosts());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].arrival = static_cast<Seconds>(std::round(arrivals[i] / elapsed * span));
  }
  return jobs;
}

}  // namespace toposeg::simulation
