#include "engine/simulation/simulator.h"

#include <map>

#include "engine/simulation/made_cluster.h"
#include "engine/simulation/made_trace.h"
#include "engine/simulation/summary.h"
#include "rooms.h"
#include "unit/catch.h"

namespace toposeg::simulation {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;

Outcome play(const Site& site, const std::vector<Job>& jobs, Queue queue = Queue::kPassing,
             const std::string& name = "toposeg") {
  const Scenario scenario = make_scenario(site, jobs, queue);
  const ManualClock clock;
  const auto policy = make_policy(name, site, 1);
  return simulate(scenario, name, *policy, clock).value();
}

std::vector<std::pair<Fate, Seconds>> starts(const Outcome& outcome) {
  std::vector<std::pair<Fate, Seconds>> starts;
  for (const JobOutcome& job : outcome.jobs) starts.emplace_back(job.fate, job.start);
  return starts;
}
using Starts = std::vector<std::pair<Fate, Seconds>>;

// Keeps books of its own beside those of the simulator and looks at every host after every decision.
class Watched final : public Policy {
 public:
  Watched(std::unique_ptr<Policy> policy, const Site& site) : policy_(std::move(policy)), site_(site) {
    for (const kube::Node& node : site.cluster.nodes) free_[node.name] = *kube::find(node.allocatable, kGpu);
  }
  std::optional<Placement> place(const Job& job, Floor& floor) override {
    auto placement = policy_->place(job, floor);
    if (placement) change(job, held_[job.name] = *placement, 1);
    return placement;
  }
  void ended(const Job& job) override {
    change(job, held_.at(job.name), -1);
    held_.erase(job.name);
    policy_->ended(job);
  }
  [[nodiscard]] bool overfilled() const { return overfilled_; }
  [[nodiscard]] int decisions() const { return decisions_; }

 private:
  void change(const Job& job, const Placement& placement, int sign) {
    for (const auto& hosts : placement) {
      for (const engine::Vertex host : hosts) {
        free_.at(site_.tree->name(host)) -= sign * *kube::find(job.pod.requests, kGpu);
      }
    }
    for (const auto& [host, free] : free_) overfilled_ = overfilled_ || free < 0;
    ++decisions_;
  }

  std::unique_ptr<Policy> policy_;
  const Site& site_;
  std::map<std::string, std::int64_t> free_;
  std::map<std::string, Placement> held_;
  bool overfilled_ = false;
  int decisions_ = 0;
};

// Puts every pod on the first host.
class Careless final : public Policy {
 public:
  std::optional<Placement> place(const Job& job, Floor& floor) override {
    const engine::Vertex host = floor.tree().at_level(floor.tree().levels()).begin;
    Placement placement;
    for (const int pods : job.segments()) placement.emplace_back(static_cast<std::size_t>(pods), host);
    return placement;
  }
};

TEST_CASE("a job that finds no room starts when another ends, at that very instant") {
  const Site site = site_of({{"b", "a", 2}});
  const Outcome outcome = play(site, {in_rack(job("one", 0, 100, 2, 2)), in_rack(job("two", 10, 50, 2, 2))});
  CHECK(starts(outcome) == Starts{{Fate::kAtOnce, 0}, {Fate::kWaited, 100}});
  CHECK(outcome.end == 150);
}

TEST_CASE("a job that comes in the instant when room is given back does not wait") {
  const Site site = site_of({{"b", "a", 2}});
  const Outcome outcome = play(site, {in_rack(job("one", 0, 10, 2, 2)), in_rack(job("two", 10, 5, 2, 2))});
  CHECK(starts(outcome) == Starts{{Fate::kAtOnce, 0}, {Fate::kAtOnce, 10}});
}

TEST_CASE("the oldest goes first when room appears") {
  const Site site = site_of({{"b", "a", 2}});
  const Outcome outcome = play(site, {in_rack(job("one", 0, 10, 2, 2)), in_rack(job("two", 1, 10, 2, 2)),
                                      in_rack(job("three", 2, 10, 2, 2))});
  CHECK(starts(outcome) == Starts{{Fate::kAtOnce, 0}, {Fate::kWaited, 10}, {Fate::kWaited, 20}});
}

TEST_CASE("a younger job passes one that finds no room, unless the order is strict") {
  const Site site = site_of({{"b", "a", 4}});
  const std::vector<Job> jobs{in_rack(job("half", 0, 100, 2, 2)), in_rack(job("all", 1, 10, 4, 4)),
                              in_rack(job("small", 2, 500, 2, 2))};
  for (const std::string policy : {"toposeg-passing", "first-fit", "widest-first", "tightest", "random"}) {
    INFO(policy);
    CHECK(starts(play(site, jobs, Queue::kPassing, policy)) ==
          Starts{{Fate::kAtOnce, 0}, {Fate::kWaited, 502}, {Fate::kAtOnce, 2}});
    CHECK(starts(play(site, jobs, Queue::kStrict, policy)) ==
          Starts{{Fate::kAtOnce, 0}, {Fate::kWaited, 100}, {Fate::kWaited, 110}});
  }
}

TEST_CASE("under our policy a younger job passes only where it takes nothing that an older one waits for") {
  const Site site = site_of({{"b", "a", 4}, {"b", "c", 2}});
  // The first takes the rack of two, the second half of the rack of four, for which the third waits.
  const std::vector<Job> jobs{in_rack(job("short", 0, 10, 2, 2)), in_rack(job("half", 0, 100, 2, 2)),
                              in_rack(job("all", 1, 10, 4, 4)), in_rack(job("small", 2, 500, 2, 2)),
                              in_rack(job("late", 20, 5, 2, 2))};
  CHECK(starts(play(site, jobs)) == Starts{{Fate::kAtOnce, 0},
                                           {Fate::kAtOnce, 0},
                                           {Fate::kWaited, 100},
                                           {Fate::kWaited, 10},
                                           {Fate::kWaited, 110}});
  CHECK(starts(play(site, jobs, Queue::kPassing, "toposeg-passing")) == Starts{{Fate::kAtOnce, 0},
                                                                               {Fate::kAtOnce, 0},
                                                                               {Fate::kWaited, 502},
                                                                               {Fate::kAtOnce, 2},
                                                                               {Fate::kAtOnce, 20}});
}

TEST_CASE("under our policy no later job delays the first one that waits") {
  int waited = 0;
  int passed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Site site = site_of({{"b", "a", 4}, {"b", "c", 2}, {"d", "m", 4}, {"d", "n", 2}, {"d", "o", 3}});
    const std::vector<Job> jobs = make_trace(site, {40, seed, 1.5});
    const Outcome crowded = play(site, jobs);
    const auto required = [&](std::size_t i) { return jobs[i].levels.must_hold(); };
    std::size_t first = 0;
    while (first < jobs.size() && !(crowded.jobs[first].fate == Fate::kWaited && required(first))) ++first;
    if (first == jobs.size()) continue;
    // Those that prefer a level have no turn, as in a cluster.
    std::vector<Job> up_to_it(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    std::vector<Job> with_later = up_to_it;
    for (std::size_t i = first + 1; i < jobs.size(); ++i) {
      if (required(i)) with_later.push_back(jobs[i]);
    }
    const Outcome alone = play(site, up_to_it);
    const Outcome later = play(site, with_later);
    if (alone.jobs[first].fate != Fate::kWaited) continue;
    ++waited;
    REQUIRE(later.jobs[first].start == alone.jobs[first].start);
    for (std::size_t i = first + 1; i < with_later.size(); ++i) {
      passed += later.jobs[i].start < alone.jobs[first].start && later.jobs[i].fate != Fate::kNever ? 1 : 0;
    }
  }
  // Else the test above says nothing.
  CHECK(waited > 20);
  CHECK(passed > 10);
}

TEST_CASE("a job that no idle cluster holds never starts and holds nobody up") {
  const Site site = site_of({{"b", "a", 2}, {"b", "c", 2}});
  const std::vector<Job> jobs{in_rack(job("vast", 0, 10, 3, 3)), in_rack(job("fine", 1, 10, 2, 2))};
  for (const Queue queue : {Queue::kPassing, Queue::kStrict}) {
    CHECK(starts(play(site, jobs, queue)) == Starts{{Fate::kNever, 0}, {Fate::kAtOnce, 1}});
  }
}

TEST_CASE("the level reached is that of the closest domain around the hosts") {
  const Site site = site_of({{"b1", "a", 2}, {"b1", "c", 2}, {"b2", "m", 1}});
  const auto reached = [&](int pods) {
    return play(site, {rather_in_rack(job("j", 0, 10, pods, pods))}).jobs[0].reached;
  };
  CHECK(reached(2) == std::vector<int>{kRack});
  CHECK(reached(4) == std::vector<int>{kBlock});
  CHECK(reached(5) == std::vector<int>{engine::kAnywhere});
}

TEST_CASE("use is measured until the last arrival, fragmentation by the segments that no longer fit") {
  const Site site = site_of({{"b", "a", 2}, {"b", "c", 2}});
  const Outcome outcome = play(site, {rather_in_rack(job("one", 0, 10, 3, 3)),
                                      in_rack(job("two", 10, 5, 2, 2)), in_rack(job("three", 20, 5, 2, 2))});
  CHECK(outcome.used == Approx((3 * 10 + 2 * 5) / 4.0 / 20));
  CHECK(outcome.used_over_time.end() == 25);
}

TEST_CASE("fragmentation is the share of segments that the free hosts cannot take as they lie") {
  const std::vector<Job> jobs{in_rack(job("one", 0, 10, 2, 2)), in_rack(job("two", 10, 1, 2, 2))};
  const auto lost = [&](const Site& site) { return play(site, jobs).lost.at(0); };
  CHECK(lost(site_of({{"b", "a", 2}, {"b", "c", 2}})) == 0);
  CHECK(lost(site_of({{"b", "a", 2}, {"b", "c", 1}, {"b", "d", 1}})) == Approx(1.0));
  CHECK(lost(site_of({{"b", "a", 2}, {"b", "c", 1}, {"b", "d", 3}})) == Approx(0.5));
}

TEST_CASE("waiting is told as a mean, as what 95 in 100 did not exceed, and as the longest") {
  const Site site = site_of({{"b", "a", 2}});
  std::vector<Job> jobs;
  for (int i = 0; i < 20; ++i) jobs.push_back(in_rack(job("j" + std::to_string(i), 0, 10, 2, 2)));
  jobs.push_back(in_rack(job("vast", 0, 10, 3, 3)));
  const Scenario scenario = make_scenario(site, jobs, Queue::kPassing);
  const Numbers all = summarise(scenario, play(site, jobs)).all;
  CHECK(all.at_once == 1);
  CHECK(all.waited == 19);
  CHECK(all.never == 1);
  CHECK(all.mean_wait == Approx(95));
  CHECK(all.p95_wait == 180);
  CHECK(all.longest_wait == 190);
}

TEST_CASE("no host is ever filled beyond what it has, whatever the policy") {
  for (const std::string kind : {"lingjun:6x4", "eks:12x3", "gke:8x4"}) {
    const Site site = make_site(make_cluster(kind).value(), "").value();
    const std::vector<Job> jobs = make_trace(site, {150, 3, 1.3});
    for (const Queue queue : {Queue::kPassing, Queue::kStrict}) {
      const Scenario scenario = make_scenario(site, jobs, queue);
      for (const PolicyName& policy : policies()) {
        INFO(kind << ' ' << policy.name);
        Watched watched(make_policy(policy.name, site, 5), site);
        const auto outcome = simulate(scenario, std::string(policy.name), watched, ManualClock());
        REQUIRE(outcome);
        CHECK_FALSE(watched.overfilled());
        const Numbers all = summarise(scenario, *outcome).all;
        CHECK(all.at_once + all.waited + all.never == 150);
        CHECK(watched.decisions() == 2 * (all.at_once + all.waited));
        CHECK(all.waited > 0);
      }
    }
  }
}

TEST_CASE("a policy that overfills a host is found out") {
  const Site site = site_of({{"b", "a", 4}});
  const std::vector<Job> jobs{in_rack(job("j", 0, 1, 2, 2))};
  Careless careless;
  const auto outcome =
      simulate(make_scenario(site, jobs, Queue::kPassing), "careless", careless, ManualClock());
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kInternal);
  CHECK_THAT(outcome.error().text(), Contains("j: ") && Contains("a-0, which has no room"));
}

}  // namespace
}  // namespace toposeg::simulation
