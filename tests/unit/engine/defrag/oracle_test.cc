// The search against trying everything, on clusters of a few hosts.
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <sstream>

#include "engine/defrag/settle.h"
#include "rig.h"
#include "unit/catch.h"

namespace toposeg::engine::defrag {
namespace {

// The fewest pods, then moves, for each number of slots gained.
using Cheapest = std::map<std::int64_t, std::pair<std::int64_t, std::size_t>>;

void note(Cheapest& known, std::int64_t gained, std::int64_t pods, std::size_t moves) {
  for (; gained > 0; --gained) {
    const auto [at, fresh] = known.try_emplace(gained, pods, moves);
    if (!fresh) at->second = std::min(at->second, {pods, moves});
  }
}

Cheapest of(const Advice& advice) {
  Cheapest known;
  for (const Option& option : advice.options) note(known, option.gained, option.pods, option.moves.size());
  return known;
}

// Every sequence of segments and domains; hosts by the rule of settle.h.
class EveryDomain {
 public:
  explicit EveryDomain(const Problem& problem)
      : problem_(problem), field_(problem), before_(field_.slots()), moved_(problem.segments.size(), false) {}

  Cheapest run() {
    go_on(problem_.moves, 0, 0);
    return known_;
  }

 private:
  void go_on(int left, std::int64_t pods, std::size_t moves) {
    note(known_, field_.slots() - before_, pods, moves);
    if (left == 0) return;
    for (std::size_t i = 0; i < problem_.segments.size(); ++i) {
      if (moved_[i]) continue;
      const Segment& segment = problem_.segments[i];
      const Shape& shape = problem_.shapes[segment.shape];
      moved_[i] = true;
      field_.lift(shape, segment.hosts);
      const VertexRange targets = problem_.tree->under(segment.within, segment.level);
      for (Vertex to = targets.begin; to < targets.end; ++to) {
        const std::vector<Leaf> hosts = settle(field_, shape, segment.hosts.size(), to);
        if (hosts.empty()) continue;
        go_on(left - 1, pods + static_cast<std::int64_t>(hosts.size()), moves + 1);
        field_.lift(shape, hosts);
      }
      field_.put(shape, segment.hosts);
      moved_[i] = false;
    }
  }

  const Problem& problem_;
  Field field_;
  std::int64_t before_;
  std::vector<bool> moved_;
  Cheapest known_;
};

// Every sequence of segments and every choice of hosts, with arithmetic of its own: one resource.
class EveryHost {
 public:
  explicit EveryHost(const Problem& problem) : problem_(problem), moved_(problem.segments.size(), false) {
    for (const auto& host : problem.free) free_.push_back(host[0]);
    before_ = slots();
  }

  Cheapest run() {
    go_on(problem_.moves, 0, 0);
    return known_;
  }

 private:
  [[nodiscard]] Vertex vertex(Leaf leaf) const {
    return problem_.tree->at_level(problem_.tree->levels()).begin + leaf;
  }

  [[nodiscard]] std::int64_t slots() const {
    std::map<Vertex, std::int64_t> capacity;
    for (Leaf leaf = 0; leaf < free_.size(); ++leaf) {
      const bool open = problem_.probe.allowed.empty() || problem_.probe.allowed[leaf];
      if (open)
        capacity[problem_.tree->ancestor(vertex(leaf), problem_.level)] +=
            free_[leaf] / problem_.probe.requests[0];
    }
    std::int64_t slots = 0;
    for (const auto& [domain, probes] : capacity) slots += probes / problem_.size;
    return slots;
  }

  void go_on(int left, std::int64_t pods, std::size_t moves) {
    note(known_, slots() - before_, pods, moves);
    if (left == 0) return;
    for (std::size_t i = 0; i < problem_.segments.size(); ++i) {
      if (moved_[i]) continue;
      const Segment& segment = problem_.segments[i];
      const std::int64_t devices = problem_.shapes[segment.shape].requests[0];
      moved_[i] = true;
      for (const Leaf leaf : segment.hosts) free_[leaf] += devices;
      const auto size = static_cast<std::int64_t>(segment.hosts.size());
      place(segment, segment.hosts.size(), 0, std::nullopt, [&] { go_on(left - 1, pods + size, moves + 1); });
      for (const Leaf leaf : segment.hosts) free_[leaf] -= devices;
      moved_[i] = false;
    }
  }

  // The remaining pods on hosts from `from` on, all in one domain of the segment's level.
  void place(const Segment& segment, std::size_t pods, Leaf from, std::optional<Vertex> domain,
             const std::function<void()>& then) {
    if (pods == 0) return then();
    const Shape& shape = problem_.shapes[segment.shape];
    for (Leaf leaf = from; leaf < free_.size(); ++leaf) {
      const Vertex here = problem_.tree->ancestor(vertex(leaf), segment.level);
      const int fence = problem_.tree->level(segment.within);
      const bool open = (shape.allowed.empty() || shape.allowed[leaf]) &&
                        problem_.tree->ancestor(vertex(leaf), fence) == segment.within;
      if (!open || free_[leaf] < shape.requests[0] || (domain && *domain != here)) continue;
      free_[leaf] -= shape.requests[0];
      place(segment, pods - 1, leaf, here, then);
      free_[leaf] += shape.requests[0];
    }
  }

  const Problem& problem_;
  std::vector<std::int64_t> free_;
  std::int64_t before_ = 0;
  std::vector<bool> moved_;
  Cheapest known_;
};

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  int to(int most) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(most + 1)); }
  bool one_in(int chance) { return to(chance - 1) == 0; }

 private:
  std::mt19937 engine_;
};

// One or two blocks of one or two racks, each of up to `more_hosts` more than one, in the order of the tree.
test::Blocks draw_blocks(Random& random, int more_hosts, int& hosts,
                         const std::function<std::int64_t()>& free) {
  test::Blocks blocks(1 + static_cast<std::size_t>(random.to(1)));
  for (auto& block : blocks) {
    block.resize(1 + static_cast<std::size_t>(random.to(1)));
    for (auto& rack : block) {
      rack.resize(1 + static_cast<std::size_t>(random.to(more_hosts)));
      hosts += static_cast<int>(rack.size());
      for (std::int64_t& host : rack) host = free();
    }
  }
  return blocks;
}

// Whole hosts: each is free, or taken by one pod.
Problem whole_hosts(std::uint32_t seed) {
  Random random(seed);
  int hosts = 0;
  const test::Blocks blocks =
      draw_blocks(random, 2, hosts, [&] { return std::int64_t{random.one_in(2) ? 1 : 0}; });
  Problem problem = test::cluster(blocks);
  std::vector<Leaf> taken;
  for (Leaf leaf = 0; leaf < static_cast<Leaf>(hosts); ++leaf) {
    if (problem.free[leaf][0] == 0) taken.push_back(leaf);
  }
  const auto at_level = [&](Leaf leaf) {
    const Tree& tree = *problem.tree;
    return tree.ancestor(tree.at_level(tree.levels()).begin + leaf, test::kRack);
  };
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (random.one_in(4)) continue;  // a stranger's
    std::vector<Leaf> pods{taken[i]};
    if (i + 1 < taken.size() && at_level(taken[i]) == at_level(taken[i + 1]) && random.one_in(2))
      pods.push_back(taken[++i]);
    test::add_segment(problem, test::kRack, pods);
    if (random.one_in(4)) {
      problem.segments.back().within = problem.tree->ancestor(at_level(pods[0]), test::kBlock);
    }
  }
  problem.level = random.to(1);  // no closer than what segments keep
  problem.size = 2 + random.to(1);
  problem.moves = 1 + random.to(1);
  return problem;
}

// Hosts of 4 devices, pods of 1 or 2, segments that keep any level; also hosts closed to some.
Problem parts_of_hosts(std::uint32_t seed) {
  Random random(seed);
  int hosts = 0;
  const test::Blocks blocks =
      draw_blocks(random, 1, hosts, [&] { return std::int64_t{4} - (random.one_in(3) ? random.to(4) : 0); });
  Problem problem = test::cluster(blocks, 1 + random.to(3));
  for (int i = random.to(3); i >= 0; --i) {
    const int level = random.to(3) - 1;
    const std::int64_t devices = 1 + random.to(1);
    const auto first = static_cast<Leaf>(random.to(hosts - 1));
    const Tree& tree = *problem.tree;
    const Vertex leaves = tree.at_level(tree.levels()).begin;
    std::vector<Leaf> pods;
    for (Leaf leaf = first; leaf < static_cast<Leaf>(hosts) && pods.size() < 3; ++leaf) {
      const bool together = tree.ancestor(leaves + leaf, level) == tree.ancestor(leaves + first, level);
      while (together && pods.size() < 3 && problem.free[leaf][0] >= devices && !random.one_in(3)) {
        pods.push_back(leaf);
        problem.free[leaf][0] -= devices;
      }
    }
    if (pods.empty()) continue;
    test::add_segment(problem, level, pods, devices);
    if (random.one_in(4)) {
      for (int host = 0; host < hosts; ++host) problem.shapes.back().allowed.push_back(!random.one_in(4));
    }
  }
  problem.level = random.to(2);
  problem.size = 1 + random.to(2);
  problem.moves = 1 + random.to(2);
  return problem;
}

std::string text(const Problem& problem) {
  std::ostringstream out;
  out << "size " << problem.size << " level " << problem.level << " moves " << problem.moves << " free";
  for (const auto& host : problem.free) out << ' ' << host[0];
  for (const Segment& segment : problem.segments) {
    out << "; segment of " << problem.shapes[segment.shape].requests[0] << " level " << segment.level
        << " within " << segment.within << " on";
    for (const Leaf leaf : segment.hosts) out << ' ' << leaf;
  }
  return out.str();
}

std::uint32_t instances() { return std::getenv("TOPOSEG_SLOW_BUILD") != nullptr ? 500 : 4000; }

// The moves can be done one after another, and come to what the advice says.
void check_honest(const Problem& problem, const Advice& advice) {
  for (const Option& option : advice.options) {
    Field field(problem);
    std::int64_t pods = 0;
    for (const Move& move : option.moves) {
      const Segment& segment = problem.segments[move.segment];
      const Shape& shape = problem.shapes[segment.shape];
      field.lift(shape, segment.hosts);
      REQUIRE(move.hosts.size() == segment.hosts.size());
      for (const Leaf leaf : move.hosts) {
        REQUIRE(field.room(shape, leaf) > 0);
        field.put(shape, leaf);
        const Vertex v = problem.tree->at_level(problem.tree->levels()).begin + leaf;
        REQUIRE(problem.tree->ancestor(v, problem.tree->level(move.to)) == move.to);
      }
      pods += static_cast<std::int64_t>(move.hosts.size());
    }
    REQUIRE(field.slots() - advice.slots == option.gained);
    REQUIRE(pods == option.pods);
  }
}

TEST_CASE("no_other_choice_of_segments_and_domains_is_cheaper") {
  int gains = 0;
  for (std::uint32_t seed = 0; seed < instances(); ++seed) {
    const Problem problem = seed % 2 == 0 ? whole_hosts(seed) : parts_of_hosts(seed);
    INFO("seed " << seed << ": " << text(problem));
    const Advice advice = advise(problem);
    REQUIRE(advice.proven_moves == problem.moves);
    REQUIRE(of(advice) == EveryDomain(problem).run());
    check_honest(problem, advice);
    gains += advice.options.empty() ? 0 : 1;
  }
  CHECK(gains > static_cast<int>(instances() / 10));
}

TEST_CASE("on_whole_hosts_no_other_choice_of_hosts_is_cheaper") {
  int gains = 0;
  for (std::uint32_t seed = 0; seed < instances(); ++seed) {
    const Problem problem = whole_hosts(seed);
    INFO("seed " << seed << ": " << text(problem));
    const Advice advice = advise(problem);
    REQUIRE(of(advice) == EveryHost(problem).run());
    gains += advice.options.empty() ? 0 : 1;
  }
  CHECK(gains > static_cast<int>(instances() / 10));
}

TEST_CASE("an_early_end_never_claims_less_than_is_possible") {
  for (std::uint32_t seed = 0; seed < instances(); ++seed) {
    Problem problem = parts_of_hosts(seed);
    const Advice whole = advise(problem);
    problem.work = 1 + seed % 40;
    const Advice early = advise(problem);
    INFO("seed " << seed << ": " << text(problem));
    REQUIRE(early.at_most >= (whole.options.empty() ? 0 : whole.options.back().gained));
    check_honest(problem, early);
  }
}

}  // namespace
}  // namespace toposeg::engine::defrag
