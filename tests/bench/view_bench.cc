// What keeping trees and capacities current costs, on ever larger clusters.
#include <benchmark/benchmark.h>

#include <chrono>
#include <vector>

#include "engine/capacity/view.h"
#include "problems.h"

namespace toposeg::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::unique_ptr<Cluster> idle_cluster(const Shape& shape) {
  return make_cluster(shape, [](int) { return false; });
}

std::vector<engine::CapacityView> eight_shapes(const Cluster& cluster) {
  std::vector<engine::CapacityView> views;
  for (int gpus = 1; gpus <= 8; ++gpus) views.emplace_back(cluster.tree, cluster.books, make_pod(gpus));
  return views;
}

void new_shape(benchmark::State& state, const Shape& shape) {
  const auto cluster = idle_cluster(shape);
  for (auto _ : state) {
    const engine::CapacityView view(cluster->tree, cluster->books, make_pod(8));
    benchmark::DoNotOptimize(view.capacity(engine::kRoot));
  }
}

// As the first shape after the cluster was read meets it: no node has been compared with another yet.
void first_shape(benchmark::State& state, const Shape& shape) {
  for (auto _ : state) {
    const auto cluster = idle_cluster(shape);
    const Clock::time_point begin = Clock::now();
    const engine::CapacityView view(cluster->tree, cluster->books, make_pod(8));
    benchmark::DoNotOptimize(view.capacity(engine::kRoot));
    state.SetIterationTime(seconds_since(begin));
  }
}

void node_change(benchmark::State& state, const Shape& shape) {
  const auto cluster = idle_cluster(shape);
  std::vector<engine::CapacityView> views = eight_shapes(*cluster);
  const engine::NodeId id = cluster->tree->node(cluster->tree->first_leaf());
  const std::string name = cluster->books.node(id).name;
  bool taken = false;
  for (auto _ : state) {
    taken ? cluster->books.release("p") : cluster->books.charge("p", name, make_pod(4).requests, {});
    taken = !taken;
    const Clock::time_point begin = Clock::now();
    for (engine::CapacityView& view : views) view.update(cluster->books, id);
    state.SetIterationTime(seconds_since(begin));
  }
}

// The tree and one shape; half of the rounds take the node out, half put it in again.
void node_comes_and_goes(benchmark::State& state, const Shape& shape) {
  const auto cluster = idle_cluster(shape);
  engine::CapacityView view(cluster->tree, cluster->books, make_pod(8));
  const engine::Vertex leaf =
      cluster->tree->first_leaf() + static_cast<engine::Vertex>(cluster->tree->node_count() / 2);
  const engine::NodeId id = cluster->tree->node(leaf);
  const kube::Node node = cluster->books.node(id);
  std::shared_ptr<const engine::Tree> tree = cluster->tree;
  bool there = true;
  for (auto _ : state) {
    there ? cluster->books.remove(node.name) : static_cast<void>(cluster->books.upsert(node));
    const Clock::time_point begin = Clock::now();
    engine::TreeChange change;
    tree = there ? tree->without(id, change) : tree->with(node, change);
    view.follow(tree, change, cluster->books);
    state.SetIterationTime(seconds_since(begin));
    there = !there;
  }
}

void new_tree(benchmark::State& state, const Shape& shape) {
  const auto cluster = idle_cluster(shape);
  const auto nodes = cluster->books.nodes();
  for (auto _ : state)
    benchmark::DoNotOptimize(engine::Tree::build(topology(), nodes, cluster->books.names())->size());
}

const int registered = [] {
  for (const Shape& shape : scale()) {
    benchmark::RegisterBenchmark(scaled("new_shape", shape).c_str(), new_shape, shape)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(scaled("first_shape", shape).c_str(), first_shape, shape)
        ->UseManualTime()
        ->Iterations(3)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(scaled("node_change_8_shapes", shape).c_str(), node_change, shape)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(scaled("node_comes_or_goes", shape).c_str(), node_comes_and_goes, shape)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(scaled("new_tree", shape).c_str(), new_tree, shape)
        ->Unit(benchmark::kMicrosecond);
  }
  return 0;
}();

}  // namespace
}  // namespace toposeg::bench
