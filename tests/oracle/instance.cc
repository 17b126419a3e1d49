#include "oracle/instance.h"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/dice.h"

namespace toposeg::engine::oracle {

namespace {

// Level i of a node is a prefix of its random path, so domains nest; equal names under different parents
// occur.
kube::Node make_node(Dice& dice, int number, int levels, int width) {
  kube::Node node;
  node.name = fmt::format("node-{:02}", number);
  for (int level = 0; level < levels; ++level) {
    const bool own = level == levels - 1 && dice.chance(30);
    kube::put(node.labels, fmt::format("level-{}", level),
              own ? node.name : fmt::format("{}", static_cast<char>('a' + dice.roll(0, width - 1))));
  }
  return node;
}

void make_problem(Dice& dice, int levels, Problem& problem) {
  problem.size = dice.roll(1, 3);
  problem.full = dice.roll(0, problem.size == 1 ? 5 : 3);
  if (problem.size > 1 && dice.chance(35)) problem.partial = dice.roll(1, problem.size - 1);
  const int what = dice.roll(0, 9);
  if (what < 2) problem.first = problem.size + 1;
  if (what == 2 || what == 3) {
    problem.first = std::max(1, problem.size - dice.roll(0, 1));
    problem.extra_in_first = true;
  }
  if (what == 4 || what == 5) problem.extra_apart = true;
  if (problem.segments() == 0) problem.full = 1;
  problem.segment_required = dice.chance(50) ? dice.roll(0, levels - 1) : kAnywhere;
  problem.segment_preferred =
      dice.chance(60) ? dice.roll(std::min(levels - 1, problem.segment_required + 1), levels - 1) : kAnywhere;
  problem.whole_required = dice.chance(30) ? dice.roll(0, levels - 1) : kAnywhere;
  problem.needed = dice.chance(70) ? problem.segments() : dice.roll(0, problem.segments());
}

}  // namespace

Instance make_instance(std::uint64_t seed) {
  Dice dice(seed);
  Instance instance;
  instance.seed = seed;
  const int levels = dice.roll(1, 4);
  const int nodes = dice.chance(15) ? dice.roll(7, 12) : dice.roll(1, 6);
  const int width = dice.roll(2, 3);
  const int most = dice.roll(1, 4);
  const int extra_cost = dice.roll(0, 2);
  kube::Topology topology{.name = "t", .levels = {}, .api_group = ""};
  for (int level = 0; level < levels; ++level)
    topology.levels.push_back({fmt::format("level-{}", level), ""});
  for (int i = 0; i < nodes; ++i) {
    kube::Node node = make_node(dice, i, levels, width);
    node.allocatable = {{"extra", dice.roll(0, 1)}, {"pods", 100}, {"worker", dice.roll(0, most)}};
    instance.books.upsert(node);
  }
  make_problem(dice, levels, instance.problem);
  const auto list = instance.books.nodes();
  kube::PodSpec worker;
  worker.requests = {{"worker", 1}};
  std::optional<kube::PodSpec> extra;
  if (instance.problem.extra_apart || instance.problem.extra_in_first) {
    extra.emplace();
    extra->requests = {{"extra", 1}, {"worker", extra_cost}};
  }
  instance.view = std::make_unique<CapacityView>(Tree::build(topology, list, instance.books.names()),
                                                 instance.books, worker, extra);
  // Long enumerations prove no more than short ones: keep those with many nodes small otherwise.
  Problem& p = instance.problem;
  const Tree& tree = instance.view->tree();
  const VertexRange leaves = tree.at_level(tree.levels());
  if (leaves.size() > 0 && dice.chance(20)) {
    for (int i = dice.roll(1, 2); i > 0; --i) {
      p.in_use.push_back(leaves.begin +
                         static_cast<Vertex>(dice.roll(0, static_cast<int>(leaves.size()) - 1)));
    }
    if (dice.chance(50)) p.within = tree.ancestor(p.in_use.front(), dice.roll(kAnywhere, levels - 1));
  }
  if (nodes > 6) p.full = std::min(p.full, p.size > 2 ? 1 : 2);
  if (nodes > 6 && p.first > 0) p.partial = 0;
  p.needed = std::min(p.needed, p.segments());
  return instance;
}

std::string Instance::text() const {
  const Tree& tree = view->tree();
  std::string out = fmt::format("seed {}\n", seed);
  const VertexRange leaves = tree.at_level(tree.levels());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    out += fmt::format("  {} holds {}, {} beside the extra pod\n", fmt::join(tree.path(leaf), "/"),
                       view->capacity(leaf), view->beside(leaf));
  }
  out += fmt::format("  {} x {}, partial {}, first {}, extra {}\n", problem.full, problem.size,
                     problem.partial, problem.first,
                     problem.extra_in_first ? "in first"
                     : problem.extra_apart  ? "apart"
                                            : "none");
  for (const Vertex v : problem.in_use) out += fmt::format("  in use: {}\n", fmt::join(tree.path(v), "/"));
  if (problem.within != kRoot)
    out += fmt::format("  within: {}\n", fmt::join(tree.path(problem.within), "/"));
  out += fmt::format("  required {}, preferred {}, whole {}, needed {}\n", problem.segment_required,
                     problem.segment_preferred, problem.whole_required, problem.needed);
  return out;
}

}  // namespace toposeg::engine::oracle
