#include <set>

#include "engine/simulation/policy.h"
#include "rooms.h"
#include "unit/catch.h"

namespace toposeg::simulation {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)

// Rack of each segment's hosts, in order; "" when they are in several; nothing when the job found no room.
std::vector<std::string> racks(const std::string& policy, const Site& site, const Job& job,
                               std::uint64_t seed = 1) {
  Floor floor(site);
  const auto placement = make_policy(policy, site, seed)->place(job, floor);
  std::vector<std::string> racks;
  if (!placement) return racks;
  CHECK(floor.take(0, job, *placement));
  for (const auto& hosts : *placement) {
    std::set<std::string> of_segment;
    for (const engine::Vertex host : hosts) of_segment.insert(site.tree->path(host)[kRack]);
    racks.push_back(of_segment.size() == 1 ? *of_segment.begin() : "");
  }
  return racks;
}

using Racks = std::vector<std::string>;

TEST_CASE("each policy takes another rack where there is a choice") {
  const Site site = site_of({{"b", "a", 3}, {"b", "m", 5}, {"b", "z", 2}});
  const Job two = in_rack(job("j", 0, 1, 2, 2));
  CHECK(racks("first-fit", site, two) == Racks{"a"});
  CHECK(racks("widest-first", site, two) == Racks{"m"});
  CHECK(racks("tightest", site, two) == Racks{"z"});
  CHECK(racks("toposeg", site, two) == Racks{"z"});
}

TEST_CASE("random reaches every rack that has room, and no other") {
  const Site site = site_of({{"b", "a", 3}, {"b", "m", 5}, {"b", "s", 1}, {"b", "z", 2}});
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    seen.insert(racks("random", site, in_rack(job("j", 0, 1, 2, 2)), seed).at(0));
  }
  CHECK(seen == std::set<std::string>{"a", "m", "z"});
}

TEST_CASE("random is the same for the same seed") {
  const Site site = site_of({{"b", "a", 9}, {"b", "m", 9}, {"b", "z", 9}});
  const Job many = in_rack(job("j", 0, 1, 16, 2));
  CHECK(racks("random", site, many, 7) == racks("random", site, many, 7));
  CHECK(racks("random", site, many, 7) != racks("random", site, many, 8));
}

TEST_CASE("only the planner sees that one rack holds the whole job") {
  const Site site = site_of({{"b", "a", 2}, {"b", "m", 6}, {"b", "y", 4}, {"b", "z", 2}});
  const Job four = in_rack(job("j", 0, 1, 4, 2));
  CHECK(racks("toposeg", site, four) == Racks{"y", "y"});
  CHECK(racks("first-fit", site, four) == Racks{"a", "m"});
  CHECK(racks("tightest", site, four) == Racks{"a", "z"});
  CHECK(racks("widest-first", site, four) == Racks{"m", "m"});
}

TEST_CASE("a required level holds under every policy") {
  const Site site = site_of({{"b", "a", 2}, {"b", "m", 2}});
  for (const PolicyName& policy : policies()) {
    INFO(policy.name);
    CHECK(racks(std::string(policy.name), site, in_rack(job("j", 0, 1, 3, 3))).empty());
    CHECK(racks(std::string(policy.name), site, rather_in_rack(job("j", 0, 1, 3, 3))) == Racks{""});
  }
}

TEST_CASE("a level that the whole job requires holds under every policy") {
  const Site site = site_of({{"b1", "a", 3}, {"b1", "c", 3}, {"b2", "m", 4}, {"b2", "n", 2}});
  Job three = in_rack(job("j", 0, 1, 6, 2));
  three.levels.whole_required = kBlock;
  Job four = in_rack(job("j", 0, 1, 8, 2));
  for (const PolicyName& policy : policies()) {
    INFO(policy.name);
    const Racks in_block = racks(std::string(policy.name), site, three);
    CHECK(std::multiset<std::string>(in_block.begin(), in_block.end()) ==
          std::multiset<std::string>{"m", "m", "n"});
    four.levels.whole_required = engine::kAnywhere;
    CHECK(racks(std::string(policy.name), site, four).size() == 4);
    four.levels.whole_required = kBlock;
    CHECK(racks(std::string(policy.name), site, four).empty());
  }
}

TEST_CASE("pods of one segment may share a host, up to what it holds") {
  const Site site = site_of({{"b", "a", 2, 2}, {"b", "m", 1, 4}});
  Job one_host = job("j", 0, 1, 4, 4);
  one_host.levels.segment_required = kHost;
  Job too_large = job("j", 0, 1, 5, 5);
  too_large.levels.segment_required = kHost;
  for (const PolicyName& policy : policies()) {
    INFO(policy.name);
    CHECK(racks(std::string(policy.name), site, one_host) == Racks{"m"});
    CHECK(racks(std::string(policy.name), site, too_large).empty());
  }
}

TEST_CASE("a job without segments and levels gets hosts under every policy") {
  const Site site = site_of({{"b", "a", 2}, {"c", "m", 2}});
  for (const PolicyName& policy : policies()) {
    INFO(policy.name);
    CHECK(racks(std::string(policy.name), site, job("j", 0, 1, 4, 0)) == Racks{""});
    CHECK(racks(std::string(policy.name), site, job("j", 0, 1, 5, 0)).empty());
  }
}

TEST_CASE("pods of the cluster keep their space under every policy") {
  kube::Cluster cluster = cluster_of({{"b", "a", 2}, {"b", "m", 2}});
  kube::Pod pod;
  pod.namespace_ = "n";
  pod.name = "p";
  pod.uid = "u";
  pod.node_name = "a-1";
  pod.phase = kube::PodPhase::kRunning;
  pod.requests = {{kGpu, 1}};
  cluster.pods.push_back(pod);
  const Site site = make_site(cluster, "").value();
  CHECK(Floor(site).offered() == 3);
  for (const PolicyName& policy : policies()) {
    INFO(policy.name);
    CHECK(racks(std::string(policy.name), site, in_rack(job("j", 0, 1, 2, 2))) == Racks{"m"});
  }
}

TEST_CASE("an unknown policy is none") { CHECK(make_policy("best", site_of({{"b", "a"}}), 1) == nullptr); }

}  // namespace
}  // namespace toposeg::simulation
