#include "engine/planner/planner.h"

#include <string>

#include "unit/catch.h"

namespace toposeg::engine {
namespace {

// A cluster as rows of "domain/domain/node" and the pods that the node takes.
class Cluster {
 public:
  Cluster(int levels, const std::vector<std::pair<std::string, int>>& rows) {
    kube::Topology topology{"t", {}, ""};
    for (int level = 0; level < levels; ++level)
      topology.levels.push_back({"level-" + std::to_string(level), ""});
    for (const auto& [path, pods] : rows) {
      kube::Node node;
      std::size_t from = 0;
      for (int level = 0; level < levels; ++level) {
        const std::size_t to = path.find('/', from);
        kube::put(node.labels, "level-" + std::to_string(level), path.substr(from, to - from));
        from = to + 1;
      }
      node.name = path;
      node.allocatable = {{"pods", 110}, {"worker", pods}};
      books_.upsert(node);
    }
    kube::PodSpec shape;
    shape.requests = {{"worker", 1}};
    view_ =
        std::make_unique<CapacityView>(Tree::build(topology, books_.nodes(), books_.names()), books_, shape);
  }

  const Solution& solve(const Problem& problem) { return planner_.solve(*view_, problem); }
  // Domains of the placed segments, as "a/b", in order; "-" for free ones.
  std::vector<std::string> domains(const Problem& problem) {
    std::vector<std::string> names;
    for (const SegmentPlace& place : solve(problem).segments) {
      std::string name;
      for (const std::string& part : view_->tree().path(place.domain))
        name += (name.empty() ? "" : "/") + part;
      names.push_back(name.empty() ? "-" : name);
    }
    return names;
  }

 private:
  Books books_;
  std::unique_ptr<CapacityView> view_;
  Planner planner_;
};

using Names = std::vector<std::string>;

Problem required(int full, int size, int level) {
  Problem problem;
  problem.full = full;
  problem.needed = full;
  problem.size = size;
  problem.segment_required = level;
  return problem;
}

Problem preferred(int full, int size, int level) {
  Problem problem = required(full, size, kAnywhere);
  problem.segment_preferred = level;
  return problem;
}

TEST_CASE("the_only_rack_with_room_is_taken") {
  Cluster cluster(1, {{"r1/n0", 0}, {"r1/n1", 1}, {"r2/n2", 1}, {"r2/n3", 1}});
  CHECK(cluster.domains(required(1, 2, 0)) == Names{"r2"});
}

TEST_CASE("the_tightest_rack_is_taken") {
  Cluster cluster(1, {{"r1/n0", 10}, {"r2/n1", 9}});
  CHECK(cluster.domains(required(1, 2, 0)) == Names{"r2"});
}

TEST_CASE("a_segment_that_no_rack_holds_is_not_placed") {
  Cluster cluster(1, {{"r1/n0", 1}, {"r1/n1", 2}, {"r2/n2", 1}, {"r2/n3", 2}});
  CHECK(cluster.domains(required(1, 4, 0)).empty());
  CHECK(cluster.solve(required(1, 4, 0)).needed_placed == 0);
}

TEST_CASE("a_preferred_segment_climbs_to_the_next_level_and_beyond_the_top") {
  Cluster spines(2, {{"r1/s1/n0", 0}, {"r1/s2/n1", 1}, {"r2/s3/n2", 1}, {"r2/s4/n3", 1}});
  Problem problem = preferred(1, 2, 1);
  problem.segment_required = 0;
  CHECK(spines.domains(problem) == Names{"r2"});
  CHECK(spines.solve(problem).segments[0].climbed == 1);
  Cluster racks(1, {{"r1/n0", 1}, {"r2/n1", 1}});
  CHECK(racks.domains(preferred(1, 2, 0)) == Names{"-"});
  CHECK(racks.solve(preferred(1, 2, 0)).segments[0].climbed == 1);
}

TEST_CASE("as_many_segments_as_fit_are_placed") {
  Cluster small(1, {{"r1/a", 2}, {"r2/b", 2}, {"r3/c", 2}});
  CHECK(small.solve(required(2, 3, 0)).needed_placed == 0);
  Cluster one(1, {{"r1/a", 3}, {"r2/b", 1}, {"r3/c", 1}, {"r4/d", 1}});
  CHECK(one.domains(required(2, 3, 0)) == Names{"r1"});
}

TEST_CASE("a_zone_that_fits_in_sum_but_not_per_rack_is_passed_over") {
  Cluster cluster(2, {{"A/r1/a", 3}, {"A/r2/b", 3}, {"B/r1/c", 4}, {"B/r2/d", 4}});
  Problem problem = required(2, 4, 1);
  problem.whole_required = 0;
  CHECK(cluster.domains(problem) == Names{"B/r1", "B/r2"});
}

TEST_CASE("the_partial_segment_takes_what_is_left_or_waits") {
  Problem problem = required(2, 4, 0);
  problem.partial = 2;
  problem.needed = 3;
  Cluster roomy(1, {{"r1/a", 4}, {"r2/b", 4}, {"r3/c", 3}});
  CHECK(roomy.domains(problem) == Names{"r1", "r2", "r3"});
  Cluster tight(1, {{"r1/a", 4}, {"r2/b", 4}, {"r3/c", 1}});
  CHECK(tight.domains(problem) == Names{"r1", "r2"});
  CHECK(tight.solve(problem).needed_placed == 2);
}

TEST_CASE("pods_without_segments_use_the_fewest_domains_the_last_one_tightest") {
  Cluster cluster(1, {{"b1/a", 2}, {"b2/b", 1}, {"b3/c", 4}});
  const Solution& solution = cluster.solve(required(5, 1, kAnywhere));
  CHECK(solution.cost.domains[0] == 2);
  CHECK(solution.cost.leftover[0] == 0);
}

TEST_CASE("neighbours_by_number_are_neighbours_in_the_network") {
  Cluster cluster(2, {{"z1/r1/a", 4}, {"z1/r2/b", 4}, {"z2/r1/c", 4}, {"z2/r2/d", 4}});
  CHECK(cluster.domains(required(4, 4, 1)) == Names{"z1/r1", "z1/r2", "z2/r1", "z2/r2"});
}

TEST_CASE("a_mixed_plan_keeps_as_many_segments_on_hosts_as_hosts_allow") {
  Cluster cluster(2, {{"r1/h1/h1", 5}, {"r1/h2/h2", 3}, {"r2/h3/h3", 3}});
  const Solution& solution = cluster.solve(preferred(2, 4, 1));
  CHECK(solution.cost.climbed == 1);
  CHECK(cluster.domains(preferred(2, 4, 1)) == Names{"r1/h1", "r1"});
}

TEST_CASE("an_expired_deadline_still_gives_a_whole_plan_and_says_so") {
  Books books;
  kube::Topology topology{"t", {{"zone", ""}, {"rack", ""}}, ""};
  for (int i = 0; i < 400; ++i) {
    kube::Node node;
    node.name = "n" + std::to_string(i);
    node.labels = {{"rack", std::to_string(i / 10)}, {"zone", std::to_string(i / 100)}};
    node.allocatable = {{"pods", 110}, {"worker", 1 + i % 7}};
    books.upsert(node);
  }
  kube::PodSpec shape;
  shape.requests = {{"worker", 1}};
  const CapacityView view(Tree::build(topology, books.nodes(), books.names()), books, shape);
  const ManualClock clock;
  Planner planner;
  Problem problem = required(900, 1, kAnywhere);
  const Solution& late = planner.solve(view, problem, {&clock, clock.now()});
  CHECK(late.needed_placed == 900);
  CHECK(late.hosts.size() == 900);
  CHECK_FALSE(late.proven);
  CHECK(planner.solve(view, problem).proven);
}

TEST_CASE("the_same_question_gets_the_same_answer") {
  Cluster cluster(2, {{"z1/r1/a", 3}, {"z1/r2/b", 4}, {"z2/r1/c", 4}, {"z2/r2/d", 3}});
  Problem problem = required(3, 2, 1);
  const std::vector<Vertex> first = cluster.solve(problem).hosts;
  (void)cluster.solve(preferred(2, 4, 1));
  CHECK(cluster.solve(problem).hosts == first);
}

// 16 zones of 32 blocks of 14 racks of 18 hosts: sizes, and what they overflow, are those of the largest
// sites.
TEST_CASE("a_cluster_of_129024_hosts_is_planned_and_edited") {
  Books books;
  const kube::Topology topology{"t", {{"zone", ""}, {"block", ""}, {"rack", ""}}, ""};
  constexpr int kHosts = 129'024;
  for (int i = 0; i < kHosts; ++i) {
    kube::Node node;
    node.name = "n" + std::to_string(i);
    node.labels = {{"block", std::to_string(i / 252)},
                   {"rack", std::to_string(i / 18)},
                   {"zone", std::to_string(i / 8064)}};
    node.allocatable = {{"pods", 110}, {"worker", 8}};
    books.upsert(node);
  }
  kube::PodSpec shape;
  shape.requests = {{"worker", 8}};
  auto tree = Tree::build(topology, books.nodes(), books.names());
  CapacityView view(tree, books, shape);
  CHECK(view.capacity(kRoot) == kHosts);
  Planner planner;
  const Solution& whole = planner.solve(view, required(7168, 18, 2));
  CHECK(whole.needed_placed == 7168);
  CHECK(whole.hosts.size() == kHosts);
  TreeChange change;
  books.remove("n0");
  tree = tree->without(*books.id("n0"), change);
  view.follow(tree, change, books);
  CHECK(view.capacity(kRoot) == kHosts - 1);
  CHECK(planner.solve(view, required(7168, 18, 2)).needed_placed == 7167);
}

TEST_CASE("an_empty_topology_places_nothing") {
  Cluster cluster(1, {});
  CHECK(cluster.solve(required(1, 2, 0)).segments.empty());
}

}  // namespace
}  // namespace toposeg::engine
