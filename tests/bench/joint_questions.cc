#include "bench/joint_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "oracle/dice.h"

namespace toposeg::bench {

namespace {

using engine::JointGroup;
using engine::JointItem;
using engine::JointProblem;
using engine::oracle::Dice;

constexpr int kRacks = 288;
constexpr int kPerRack = 18;
constexpr int kZone = 0;  // level indices
constexpr int kBlock = 1;
constexpr int kRack = 2;
constexpr std::int64_t kGi = std::int64_t{1} << 30U;

struct Kind {
  int gpus;
  int cpus;
  int memory;  // Gi
};
constexpr std::array<Kind, 3> kKinds{{{8, 128, 1024}, {4, 64, 512}, {0, 192, 768}}};

kube::ResourceList resources(int gpus, int cpus, int memory) {
  kube::ResourceList list{{"cpu", cpus * std::int64_t{1000}}, {"memory", memory * kGi}};
  if (gpus > 0) list.emplace_back("nvidia.com/gpu", gpus);
  return list;
}

// How full a rack is on the whole, in percent of its nodes.
struct Filling {
  int whole = 0;
  int part = 0;
};
Filling filling(Dice& dice) {
  const int kind = dice.roll(0, 99);
  if (kind < 35) return {0, 0};
  if (kind < 60) return {dice.roll(10, 60), 0};
  if (kind < 85) return {dice.roll(0, 40), dice.roll(10, 50)};
  return {dice.roll(80, 100), dice.roll(0, 20)};
}

kube::PodSpec shape(int gpus, int cpus, int memory) {
  kube::PodSpec spec;
  spec.requests = resources(gpus, cpus, memory);
  return spec;
}

JointItem segment(int group, int shape, int pods, int required, int goal) {
  JointItem item;
  item.group = group;
  item.parts = {{shape, pods}};
  item.required = required;
  item.goal = goal;
  return item;
}

enum Role : int { kTrainer, kSampler, kJudge, kEnvironment };

void add_roles(Dice& dice, JointProblem& problem) {
  const std::array<int, 4> sizes{dice.chance(50) ? 8 : 4, dice.chance(50) ? 4 : 2, dice.chance(50) ? 2 : 4,
                                 dice.chance(50) ? 8 : 6};
  for (int role = kTrainer; role <= kEnvironment; ++role) {
    JointGroup group;
    group.measure = role;
    problem.groups.push_back(group);
    const bool strict = role == kTrainer || dice.chance(50);
    const int required = strict ? kRack : kBlock;
    for (int i = 0; i < 16; ++i)
      problem.items.push_back(segment(role, role, sizes[static_cast<std::size_t>(role)], required, kRack));
  }
}

void add_replicas(Dice& dice, JointProblem& problem) {
  const int trainers = dice.chance(50) ? 4 : 2;
  const int whole = dice.chance(50) ? kBlock : engine::kAnywhere;
  for (int number = 0; number < 16; ++number) {
    JointGroup group;
    group.measure = kTrainer;
    group.whole_required = whole;
    problem.groups.push_back(group);
    JointItem first = segment(number, kTrainer, trainers, kRack, kRack);
    first.parts.insert(first.parts.begin(), {kJudge, 1});
    problem.items.push_back(first);
    problem.items.push_back(segment(number, kTrainer, trainers, kRack, kRack));
    problem.items.push_back(segment(number, kSampler, 4, kRack, kRack));
    problem.items.push_back(segment(number, kEnvironment, 6, kBlock, kRack));
  }
}

// Workers of two sorts, leaders of three, all of them in common use.
void add_sets(Dice& dice, JointProblem& problem) {
  const kube::PodSpec trainer = problem.shapes[kTrainer];
  const bool whole_hosts = dice.chance(50);
  const std::array<kube::PodSpec, 3> leaders{problem.shapes[kJudge], problem.shapes[kEnvironment],
                                             shape(0, 8, 32)};
  problem.shapes = {whole_hosts ? trainer : problem.shapes[kSampler],
                    leaders[static_cast<std::size_t>(dice.roll(0, 2))]};
  const int size = whole_hosts ? dice.roll(1, 4) : 4 * dice.roll(1, 4);
  const int last = size > 1 && dice.chance(40) ? dice.roll(1, size - 1) : size;
  const int beside_leader = dice.chance(50) ? size : std::max(1, size - 1);
  const int required = dice.chance(50) ? kRack : kBlock;
  JointGroup group;
  group.measure = 0;
  if (dice.chance(40)) group.whole_required = dice.roll(kZone, kBlock);
  if (dice.chance(40)) group.whole_preferred = dice.roll(group.whole_required + 1, kRack);
  for (int number = 0; number < 16; ++number) {
    problem.groups.push_back(group);
    JointItem first = segment(number, 0, beside_leader, required, kRack);
    first.parts.insert(first.parts.begin(), {1, 1});
    problem.items.push_back(first);
    for (const int pods : {size, size, last})
      problem.items.push_back(segment(number, 0, pods, required, kRack));
  }
}

}  // namespace

std::unique_ptr<MixedCluster> make_mixed_cluster(std::uint64_t seed) {
  Dice dice(seed);
  auto cluster = std::make_unique<MixedCluster>();
  cluster->topology.name = "mixed";
  for (const char* label : {"zone", "block", "rack", "host"}) cluster->topology.levels.push_back({label, ""});
  for (int rack = 0; rack < kRacks; ++rack) {
    const int roll = dice.roll(0, 99);
    const Kind& kind = kKinds[roll < 55 ? 0 : roll < 80 ? 1 : 2];
    const Filling full = filling(dice);
    for (int i = 0; i < kPerRack; ++i) {
      kube::Node node;
      node.name = fmt::format("n{:05}", rack * kPerRack + i);
      kube::put(node.labels, "block", fmt::format("b{:03}", rack / 8));
      kube::put(node.labels, "host", node.name);
      kube::put(node.labels, "rack", fmt::format("r{:04}", rack));
      kube::put(node.labels, "zone", fmt::format("z{:02}", rack / 72));
      node.allocatable = resources(kind.gpus, kind.cpus, kind.memory);
      kube::put(node.allocatable, "pods", std::int64_t{110});
      cluster->books.upsert(node);
      const int state = dice.roll(0, 99);
      const bool whole = state < full.whole;
      if (!whole && state >= full.whole + full.part) continue;
      const int eighths = whole ? 8 : dice.roll(1, 3) * 2;
      cluster->books.charge(
          fmt::format("stranger/{}", node.name), node.name,
          resources(kind.gpus * eighths / 8, kind.cpus * eighths / 8, kind.memory * eighths / 8), {});
    }
  }
  cluster->tree = engine::Tree::build(cluster->topology, cluster->books.nodes(), cluster->books.names());
  return cluster;
}

JointProblem make_mixed_run(Run run, std::uint64_t seed) {
  Dice dice(seed);
  JointProblem problem;
  problem.shapes = {
      shape(8, 96, 768),                                                // trainer: a host of its own
      shape(dice.chance(50) ? 2 : 1, dice.chance(50) ? 16 : 24, 96),    // sampler
      shape(4, dice.chance(50) ? 32 : 48, 256),                         // judge
      shape(0, dice.chance(50) ? 32 : 48, dice.chance(50) ? 64 : 128),  // environment
  };
  if (run == Run::kRoles) add_roles(dice, problem);
  if (run == Run::kReplicas) add_replicas(dice, problem);
  if (run == Run::kSets) add_sets(dice, problem);
  return problem;
}

}  // namespace toposeg::bench
