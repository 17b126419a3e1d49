#include <map>
#include <set>

#include "engine/simulation/floor.h"
#include "engine/simulation/made_cluster.h"
#include "engine/simulation/made_trace.h"
#include "rooms.h"
#include "unit/catch.h"

namespace toposeg::simulation {
namespace {

using Catch::Matchers::Contains;

// Number of domains at each level, broadest first, and of nodes.
std::vector<std::size_t> shape(const std::string& name) {
  const Site site = make_site(make_cluster(name).value(), "").value();
  CHECK(site.tree->outside().empty());
  std::vector<std::size_t> counts;
  for (int level = 0; level <= site.tree->levels(); ++level)
    counts.push_back(site.tree->at_level(level).size());
  return counts;
}
using Counts = std::vector<std::size_t>;

TEST_CASE("made clusters have the shapes that they are named for") {
  CHECK(shape("nvl72") == Counts{4, 36, 288, 5184, 5184});
  CHECK(shape("volcano") == Counts{1, 10, 100, 1000, 1000});
  CHECK(shape("eks") == Counts{2, 8, 64, 1024, 1024});
  CHECK(shape("gke") == Counts{8, 48, 768, 768, 768});
  CHECK(shape("lingjun") == Counts{2, 8, 106, 847, 847});
}

TEST_CASE("a made cluster may be given another size") {
  CHECK(shape("nvl72:20x16") == Counts{1, 3, 20, 320, 320});
  CHECK(shape("gke:7x5") == Counts{2, 7, 35, 35, 35});
  CHECK(shape("lingjun:17x8") == Counts{1, 2, 17, 136, 136});
}

TEST_CASE("a made cluster that does not exist is refused with what there is") {
  for (const auto& [name, told] :
       std::map<std::string, std::string>{{"nvl73", "did you mean \"nvl72\"?"},
                                          {"", "there are nvl72, volcano, eks, gke, lingjun"},
                                          {"nvl72:", "such as 20x18"},
                                          {"nvl72:20", "\"20\" is no size"},
                                          {"nvl72:0x18", "\"0x18\" is no size"},
                                          {"nvl72:-2x18", "is no size"},
                                          {"nvl72:2x18x3", "is no size"},
                                          {"nvl72:99999999x99999999", "at most 1000000 nodes"},
                                          {"nvl72:99999999999999999999x1", "is no size"}}) {
    const auto cluster = make_cluster(name);
    INFO(name);
    REQUIRE_FALSE(cluster);
    CHECK_THAT(cluster.error().text(), Contains(told));
  }
}

TEST_CASE("jobs by lot follow from the seed alone") {
  const Site site = make_site(make_cluster("volcano:10x10").value(), "").value();
  const auto summary = [&](std::uint64_t seed) {
    std::vector<std::tuple<Seconds, Seconds, Demand>> out;
    for (const Job& job : make_trace(site, {50, seed, 0.9})) {
      out.emplace_back(job.arrival, job.duration, demand_of(job));
    }
    return out;
  };
  CHECK(summary(1) == summary(1));
  CHECK(summary(1) != summary(2));
}

TEST_CASE("jobs by lot bring just the work that was asked for, in order, and each one fits") {
  for (const std::string kind : {"nvl72", "lingjun", "eks:3x4", "volcano:2x2", "volcano:1x1"}) {
    const Site site = make_site(make_cluster(kind).value(), "").value();
    Floor floor(site);
    const std::vector<Job> jobs = make_trace(site, {400, 9, 0.8});
    double work = 0;
    Seconds before = 0;
    INFO(kind);
    for (const Job& job : jobs) {
      const double hosts = static_cast<double>(*kube::find(job.pod.requests, test::kGpu)) /
                           static_cast<double>(*kube::find(site.whole_host.requests, test::kGpu));
      work += hosts * job.pods * static_cast<double>(job.duration);
      CHECK(job.arrival >= before);
      before = job.arrival;
      CHECK(job.pods % job.segment == 0);
    }
    // Between the last arrival and the end of the span lies one more pause.
    const double load = work / static_cast<double>(site.tree->node_count()) / static_cast<double>(before);
    CHECK(load > 0.79);
    CHECK(load < 0.83);
  }
}

}  // namespace
}  // namespace toposeg::simulation
