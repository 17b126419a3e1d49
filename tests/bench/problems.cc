#include "problems.h"

#include <fmt/format.h>

#include <vector>

namespace toposeg::bench {

namespace {

constexpr int kBlock = 1;
constexpr int kRack = 2;
constexpr int kHost = 3;
constexpr Shape kSmall{100, 10, 10, 10};
constexpr Shape kNvl{288, 18, 8, 9};
constexpr Shape kLarge{1152, 18, 8, 9};
constexpr Shape kHuge{7168, 18, 8, 8};
constexpr std::int64_t kGiB = 1LL << 30U;

bool idle(int) { return false; }

// A linear congruential sequence decides which hosts are busy: the same hosts everywhere.
std::function<bool(int)> scattered(std::uint64_t permille) {
  return [permille, x = std::uint64_t{12345}](int) mutable {
    x = x * 6364136223846793005U + 1442695040888963407U;
    return (x >> 33U) % 1000 < permille;
  };
}

engine::Problem segments(int count, int size, int level) {
  engine::Problem problem;
  problem.full = count;
  problem.needed = count;
  problem.size = size;
  problem.segment_required = level;
  return problem;
}

}  // namespace

std::vector<Question> questions() {
  engine::Problem one_block = segments(128, 8, kHost);
  one_block.whole_required = kBlock;
  const auto first_three = [](int node) { return node % 18 < 3; };
  return {
      {"P1", kSmall, idle, 8, segments(100, 10, kRack), 100},
      {"P2", kNvl, idle, 8, segments(32, 16, kRack), 32},
      {"P3", kNvl, idle, 8, segments(288, 16, kRack), 288},
      {"P4", kNvl, idle, 1, one_block, 128},
      {"P5", kLarge, idle, 8, segments(64, 16, kRack), 64},
      {"P6", kNvl, first_three, 8, segments(32, 16, kRack), 0},
      {"P7", kNvl, scattered(400), 8, segments(16, 16, kRack), 3, 2033},
      {"P7b", kNvl, scattered(400), 8, segments(32, 8, kRack), 32, 2033},
      {"P7c", kNvl, scattered(150), 8, segments(16, 16, kRack), 16, 819},
      {"P8", kHuge, idle, 8, segments(32, 4, kRack), 32},
  };
}

std::vector<Shape> scale() { return {kSmall, kNvl, kLarge, kHuge}; }

std::string scaled(const std::string& bench, const Shape& shape) {
  return fmt::format("{}/{}", bench, shape.racks * shape.per_rack);
}

kube::Topology topology() {
  return {"cluster-topology",
          {{"zone", ""}, {"block", ""}, {"rack", ""}, {"kubernetes.io/hostname", ""}},
          "kai.scheduler"};
}

std::unique_ptr<Cluster> make_cluster(const Shape& shape, const std::function<bool(int)>& busy) {
  auto cluster = std::make_unique<Cluster>();
  const std::function<bool(int)> decide = busy;  // a fresh copy: the sequence starts anew
  for (int i = 0; i < shape.racks * shape.per_rack; ++i) {
    const int rack = i / shape.per_rack;
    const int block = rack / shape.racks_per_block;
    kube::Node node;
    node.name = fmt::format("node-{:05}", i);
    node.labels = {{"block", fmt::format("block-{:03}", block)},
                   {"kubernetes.io/hostname", node.name},
                   {"rack", fmt::format("rack-{:04}", rack)},
                   {"zone", fmt::format("zone-{:02}", block / shape.blocks_per_zone)}};
    node.allocatable = {{"cpu", 128'000}, {"memory", 1024 * kGiB}, {"nvidia.com/gpu", 8}, {"pods", 110}};
    cluster->books.upsert(node);
    if (!decide(i)) continue;
    ++cluster->busy;
    cluster->books.charge(fmt::format("foreign-{}", i), node.name, make_pod(8).requests, {});
  }
  cluster->tree = engine::Tree::build(topology(), cluster->books.nodes(), cluster->books.names());
  return cluster;
}

kube::PodSpec make_pod(int gpus) {
  kube::PodSpec pod;
  pod.requests = {{"cpu", 8'000}, {"nvidia.com/gpu", gpus}};
  return pod;
}

}  // namespace toposeg::bench
