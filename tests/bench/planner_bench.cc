// Decision time of the planner on the benchmark problems, the cost of making and updating a view, and how
// both grow. `allocations` counts calls of operator new in one repeated decision.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>

#include "engine/planner/planner.h"
#include "problems.h"

namespace {

std::atomic<std::size_t> allocation_count{0};

}  // namespace

void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace toposeg::bench {
namespace {

void decide(benchmark::State& state, const Question& question) {
  const auto cluster = make_cluster(question.cluster, question.busy);
  const engine::CapacityView view(cluster->tree, cluster->books, make_pod(question.gpus_per_pod));
  engine::Planner planner;
  for (int warm = 0; warm < 2; ++warm) (void)planner.solve(view, question.problem);
  const std::size_t before = allocation_count;
  const engine::Solution& solution = planner.solve(view, question.problem);
  const auto allocations = static_cast<double>(allocation_count - before);
  if (solution.needed_placed != question.placed) state.SkipWithError("the answer is wrong");
  for (auto _ : state) benchmark::DoNotOptimize(planner.solve(view, question.problem).needed_placed);
  state.counters["placed"] = solution.needed_placed;
  state.counters["asked"] = question.problem.segments();
  state.counters["allocations"] = allocations;
}

void new_shape(benchmark::State& state, const Question& question) {
  const auto cluster = make_cluster(question.cluster, question.busy);
  for (auto _ : state) {
    const engine::CapacityView view(cluster->tree, cluster->books, make_pod(question.gpus_per_pod));
    benchmark::DoNotOptimize(view.capacity(engine::kRoot));
  }
  state.counters["nodes"] = static_cast<double>(cluster->tree->node_count());
}

// One node's capacity changes, eight shapes are alive.
void node_change(benchmark::State& state, const Question& question) {
  const auto cluster = make_cluster(question.cluster, question.busy);
  std::vector<engine::CapacityView> views;
  for (int gpus = 1; gpus <= 8; ++gpus) views.emplace_back(cluster->tree, cluster->books, make_pod(gpus));
  const std::string name = cluster->tree->name(cluster->tree->at_level(cluster->tree->levels()).begin);
  const engine::NodeId id = *cluster->books.id(name);
  bool taken = false;
  using Clock = std::chrono::steady_clock;
  for (auto _ : state) {
    taken ? cluster->books.release("p") : cluster->books.charge("p", name, make_pod(4).requests, {});
    taken = !taken;
    const Clock::time_point begin = Clock::now();
    for (engine::CapacityView& view : views) view.update(cluster->books, id);
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  state.counters["shapes"] = static_cast<double>(views.size());
}

void new_tree(benchmark::State& state, const Question& question) {
  const auto cluster = make_cluster(question.cluster, question.busy);
  const kube::Topology topology{
      "t", {{"zone", ""}, {"block", ""}, {"rack", ""}, {"kubernetes.io/hostname", ""}}, ""};
  const auto nodes = cluster->books.nodes();
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::Tree::build(topology, nodes, cluster->books.names())->size());
  state.counters["nodes"] = static_cast<double>(nodes.size());
}

const int registered = [] {
  for (const Question& question : questions()) {
    benchmark::RegisterBenchmark(("plan/" + question.name).c_str(), decide, question)
        ->Unit(benchmark::kMicrosecond);
  }
  for (const Question& question : questions()) {
    const bool scale =
        question.name == "P1" || question.name == "P2" || question.name == "P5" || question.name == "P8";
    if (!scale) continue;
    benchmark::RegisterBenchmark(("new_shape/" + question.name).c_str(), new_shape, question)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("node_change_8_shapes/" + question.name).c_str(), node_change, question)
        ->UseManualTime()
        ->Unit(benchmark::kNanosecond);
    benchmark::RegisterBenchmark(("new_tree/" + question.name).c_str(), new_tree, question)
        ->Unit(benchmark::kMicrosecond);
  }
  return 0;
}();

}  // namespace
}  // namespace toposeg::bench
