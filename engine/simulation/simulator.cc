#include "engine/simulation/simulator.h"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

#include "engine/simulation/agenda.h"
#include "engine/simulation/meter.h"

namespace toposeg::simulation {
namespace {

// Level of the closest domain that holds all these hosts; hosts count as domains of the closest level.
int level_reached(const engine::Tree& tree, const std::vector<engine::Vertex>& hosts) {
  // Vertices are numbered along the tree: what holds the first and the last holds all.
  auto [first, last] = std::minmax_element(hosts.begin(), hosts.end());
  engine::Vertex a = *first;
  engine::Vertex b = *last;
  while (a != b) {
    a = tree.parent(a);
    b = tree.parent(b);
  }
  return std::min(tree.level(a), tree.levels() - 1);
}

class Simulator {
 public:
  Simulator(const Scenario& scenario, Policy& policy, const Clock& clock)
      : scenario_(scenario),
        policy_(policy),
        clock_(clock),
        floor_(scenario.site),
        meter_(scenario, floor_, scenario.jobs.empty() ? 0 : scenario.jobs.back().arrival) {
    outcome_.jobs.resize(scenario.jobs.size());
  }

  Result<Outcome> run() {
    for (std::size_t i = 0; i < scenario_.jobs.size(); ++i) {
      agenda_.add({scenario_.jobs[i].arrival, Happening::kArrival, i});
    }
    while (const auto event = agenda_.next()) {
      meter_.pass(event->time);
      handle(*event);
      if (agenda_.more_now()) continue;
      if (auto done = serve(); !done) return std::unexpected(done.error());
      meter_.read();
    }
    outcome_.end = agenda_.now();
    meter_.finish(outcome_);
    return std::move(outcome_);
  }

 private:
  void handle(const Event& event) {
    if (event.what == Happening::kArrival) {
      if (scenario_.possible[event.job]) queue_.push_back(event.job);
      return;
    }
    floor_.give_back(event.job);
    policy_.ended(scenario_.jobs[event.job]);
    --running_;
    hopeless_.clear();
  }

  // Starts what can start. Where nothing runs, nothing will ever end: who finds no room now never will.
  Result<void> serve() {
    for (;;) {
      if (auto done = try_queue(); !done) return done;
      if (running_ > 0 || queue_.empty()) return {};
      const bool all = scenario_.queue == Queue::kPassing;
      do {
        policy_.given_up(scenario_.jobs[queue_.front()]);
        queue_.pop_front();
      } while (all && !queue_.empty());
    }
  }

  Result<void> try_queue() {
    std::deque<std::size_t> waiting;
    while (!queue_.empty()) {
      const std::size_t job = queue_.front();
      queue_.pop_front();
      const Result<bool> started = try_job(job);
      if (!started) return std::unexpected(started.error());
      if (!*started) waiting.push_back(job);
      if (!*started && scenario_.queue == Queue::kStrict) break;
    }
    queue_.insert(queue_.begin(), waiting.begin(), waiting.end());
    return {};
  }

  Result<bool> try_job(std::size_t number) {
    const Job& job = scenario_.jobs[number];
    const bool is_new = job.arrival == agenda_.now();
    if (!is_new && hopeless_.contains(scenario_.demand[number])) return false;
    std::optional<Placement> placement;
    if (is_new || floor_.room(job.pod).capacity(engine::kRoot) >= job.pods) {
      const Instant begin = clock_.now();
      placement = policy_.place(job, floor_);
      outcome_.decisions.push_back(clock_.now() - begin);
    }
    if (!placement) {
      hopeless_.insert(scenario_.demand[number]);
      return false;
    }
    if (auto taken = floor_.take(number, job, *placement); !taken) return std::unexpected(taken.error());
    start(number, *placement);
    return true;
  }

  void start(std::size_t number, const Placement& placement) {
    const Job& job = scenario_.jobs[number];
    JobOutcome& outcome = outcome_.jobs[number];
    outcome.start = agenda_.now();
    outcome.fate = outcome.start == job.arrival ? Fate::kAtOnce : Fate::kWaited;
    for (const auto& hosts : placement) outcome.reached.push_back(level_reached(floor_.tree(), hosts));
    agenda_.add({outcome.start + job.duration, Happening::kEnd, number});
    ++running_;
  }

  const Scenario& scenario_;
  Policy& policy_;
  const Clock& clock_;
  Floor floor_;
  Meter meter_;
  Agenda agenda_;
  std::deque<std::size_t> queue_;
  std::unordered_set<std::size_t> hopeless_;  // demands that found no room since something ended
  std::size_t running_ = 0;
  Outcome outcome_;
};

}  // namespace

Result<Outcome> simulate(const Scenario& scenario, const std::string& name, Policy& policy,
                         const Clock& clock) {
  auto outcome = Simulator(scenario, policy, clock).run();
  if (outcome) outcome->policy = name;
  return outcome;
}

}  // namespace toposeg::simulation
