// Decision time of the planner on the benchmark problems, repeated and fresh, and how it grows with the
// cluster.
#include <benchmark/benchmark.h>

#include <chrono>
#include <vector>

#include "allocations.h"
#include "engine/placement/reasons.h"
#include "engine/planner/planner.h"
#include "problems.h"

namespace toposeg::bench {
namespace {

using Clock = std::chrono::steady_clock;

// The view is ready and the shape known: what a second job of the kind meets.
void decide(benchmark::State& state, const Question& question) {
  const auto cluster = make_cluster(question.cluster, question.busy);
  if (question.busy_hosts >= 0 && cluster->busy != question.busy_hosts)
    state.SkipWithError("other hosts are busy than the problem says");
  const engine::CapacityView view(cluster->tree, cluster->books, make_pod(question.gpus_per_pod));
  engine::Planner planner;
  for (int warm = 0; warm < 2; ++warm) (void)planner.solve(view, question.problem);
  const std::size_t before = allocations();
  const engine::Solution& solution = planner.solve(view, question.problem);
  state.counters["allocations"] = static_cast<double>(allocations() - before);
  if (solution.needed_placed != question.placed) state.SkipWithError("the answer is wrong");
  if (!solution.proven) state.SkipWithError("the answer is not proven");
  for (auto _ : state) benchmark::DoNotOptimize(planner.solve(view, question.problem).needed_placed);
  state.counters["placed"] = question.placed;
  state.counters["asked"] = question.problem.segments();
  state.counters["state_bytes"] = static_cast<double>(view.bytes() + cluster->tree->bytes());
}

// A "no" as a person gets it: the decision and its reasons.
void refuse(benchmark::State& state, const Question& question) {
  const auto cluster = make_cluster(question.cluster, question.busy);
  const engine::CapacityView view(cluster->tree, cluster->books, make_pod(question.gpus_per_pod));
  const kube::Topology levels = topology();
  engine::Planner planner;
  for (auto _ : state) {
    benchmark::DoNotOptimize(planner.solve(view, question.problem).needed_placed);
    const std::string why = engine::no_domain(view, levels, question.problem.segment_required, engine::kRoot,
                                              question.problem.size) +
                            "; " + engine::node_counts(view);
    benchmark::DoNotOptimize(why.data());
  }
}

// Larger than the caches of the last level of most machines.
void evict_caches() {
  static std::vector<char> large(64U << 20U);
  for (std::size_t i = 0; i < large.size(); i += 64) ++large[i];
  benchmark::DoNotOptimize(large.data());
}

// The first decision after a node changed, by a planner that has never decided, with cold caches.
void decide_fresh(benchmark::State& state, const Question& question) {
  const auto cluster = make_cluster(question.cluster, question.busy);
  engine::CapacityView view(cluster->tree, cluster->books, make_pod(question.gpus_per_pod));
  const engine::NodeId id = cluster->tree->node(cluster->tree->first_leaf() + 1);
  bool taken = false;
  for (auto _ : state) {
    taken ? cluster->books.release("p") : cluster->books.charge("p", cluster->books.node(id).name, {}, {});
    taken = !taken;
    engine::Planner planner;
    evict_caches();
    const Clock::time_point begin = Clock::now();
    view.update(cluster->books, id);
    benchmark::DoNotOptimize(planner.solve(view, question.problem).needed_placed);
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

// One job of 16 segments of 8 on ever larger clusters.
Question growing(const Shape& shape) {
  engine::Problem problem;
  problem.full = problem.needed = 16;
  problem.size = 8;
  problem.segment_required = 2;
  return {"", shape, [](int node) { return node % 5 == 0; }, 8, problem, 16};
}

const int registered = [] {
  for (const Question& question : questions()) {
    benchmark::RegisterBenchmark(("plan/" + question.name).c_str(), decide, question)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("fresh/" + question.name).c_str(), decide_fresh, question)
        ->UseManualTime()
        ->Iterations(25)
        ->Unit(benchmark::kMicrosecond);
    if (question.placed == question.problem.segments()) continue;
    benchmark::RegisterBenchmark(("refuse_with_reasons/" + question.name).c_str(), refuse, question)
        ->Unit(benchmark::kMicrosecond);
  }
  for (const Shape& shape : scale()) {
    benchmark::RegisterBenchmark(scaled("plan_growing", shape).c_str(), decide, growing(shape))
        ->Unit(benchmark::kMicrosecond);
  }
  return 0;
}();

}  // namespace
}  // namespace toposeg::bench
