#include "engine/simulation/trace.h"

#include <sstream>

#include "engine/simulation/made_cluster.h"
#include "engine/simulation/made_trace.h"
#include "rooms.h"
#include "unit/catch.h"

namespace toposeg::simulation {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;

Result<std::vector<Job>> read(const std::string& text) {
  static const Site site = site_of({{"b", "a", 4, 8}});
  std::istringstream input(text);
  return read_trace(input, "jobs.csv", site);
}

TEST_CASE("a trace as CSV") {
  const auto jobs = read(
      "\xef\xbb\xbf"
      "name,arrival,duration,pods,segment,required,preferred,whole-required,whole-preferred,gpu,cpu,rdma/"
      "hca\r\n"
      "one, 0, 1h30m, 8, 4, rack, host, example.com/block, , 2, 500m, 1\r\n"
      "\n"
      "\"two, \"\"quoted\"\"\",60,90,3,,,,,rack,,,\n");
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 2);
  const Job& one = jobs->front();
  CHECK(one.duration == 5400);
  CHECK(one.segments() == std::vector<int>{4, 4});
  CHECK(one.levels.segment_required == kRack);
  CHECK(one.levels.segment_preferred == kHost);
  CHECK(one.levels.whole_required == kBlock);
  CHECK(one.pod.requests == kube::ResourceList{{"cpu", 500}, {kGpu, 2}, {"rdma/hca", 1}});
  const Job& two = jobs->back();
  CHECK(two.name == "two, \"quoted\"");
  CHECK(two.arrival == 60);
  CHECK(two.segment == 0);
  CHECK(two.levels.whole_preferred == kRack);
  CHECK(two.pod.requests == kube::ResourceList{{kGpu, 8}});  // a whole host
}

TEST_CASE("a trace as JSON lines") {
  const auto jobs = read(
      "{\"name\": \"one\", \"arrival\": 0, \"duration\": \"2m\", \"pods\": 4, \"segment\": 2, \"preferred\": "
      "\"rack\", "
      "\"gpu\": 1, \"required\": null}\n\n"
      "{\"name\": \"two\", \"arrival\": 5, \"duration\": 1, \"pods\": 1}\n");
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 2);
  CHECK(jobs->front().duration == 120);
  CHECK(jobs->front().levels.segment_preferred == kRack);
}

TEST_CASE("what is wrong in a trace is told with its line and field") {
  const std::string head = "name,arrival,duration,pods,segment,required\n";
  const std::string good = "one,5,10,4,2,rack\n";
  struct Wrong {
    std::string text;
    std::vector<std::string> told;
  };
  const std::vector<Wrong> table{
      {"name,arrival,durations,pods\n", {"jobs.csv:1: field \"durations\"", "did you mean \"duration\"?"}},
      {"name,arrival,name\n", {"jobs.csv:1: field \"name\"", "two columns"}},
      {"name,arrival,duration\none,0,1\n", {"jobs.csv:2: field \"pods\"", "has no value"}},
      {head + "one,5,10,4,2\n", {"jobs.csv:2: has 5 values under 6 headings"}},
      {head + "one,5,,4,2,rack\n", {"jobs.csv:2: field \"duration\"", "has no value"}},
      {head + ",5,10,4,2,rack\n", {"jobs.csv:2: field \"name\"", "has no value"}},
      {head + "one,-5,10,4,2,rack\n", {"jobs.csv:2: field \"arrival\": \"-5\"", "from 0 to 315360000"}},
      {head + "one,5,0,4,2,rack\n", {"jobs.csv:2: field \"duration\": \"0\"", "from 1 to"}},
      {head + "one,5,99999999999999999999,4,2,rack\n", {"jobs.csv:2: field \"duration\": \"9999"}},
      {head + "one,5,400000000,4,2,rack\n", {"jobs.csv:2: field \"duration\": \"400000000\""}},
      {head + "one,5,1500ms,4,2,rack\n", {"jobs.csv:2: field \"duration\": \"1500ms\"", "whole seconds"}},
      {head + "one,5,soon,4,2,rack\n", {"jobs.csv:2: field \"duration\": \"soon\"", "like 1h30m"}},
      {head + "one,5,10,0,2,rack\n", {"jobs.csv:2: field \"pods\": \"0\"", "from 1 to 1000000"}},
      {head + "one,5,10,2000000,2,rack\n", {"jobs.csv:2: field \"pods\": \"2000000\""}},
      {head + "one,5,10,4.5,2,rack\n", {"jobs.csv:2: field \"pods\": \"4.5\"", "whole number"}},
      {head + "one,5,10,4,1,rack\n", {"jobs.csv:2: field \"segment\": \"1\"", "from 2"}},
      {head + "one,5,10,4,5,rack\n", {"jobs.csv:2: field \"segment\": 5 is more than the 4 pods"}},
      {head + "one,5,10,4,2,shelf\n", {"jobs.csv:2: field \"required\": \"shelf\"", "block, rack, host"}},
      {head + "one,5,10,4,,rack\n", {"jobs.csv:2: field \"required\"", "whole-required"}},
      {head + good + "two,4,10,4,2,rack\n", {"jobs.csv:3: field \"arrival\": 4 is before 5", "line 2"}},
      {head + good + "one,6,10,4,2,rack\n", {"jobs.csv:3: field \"name\": \"one\"", "line 2"}},
      {head + good + "\"two,6,10,4,2,rack\n", {"jobs.csv:3: ", "no closing quote"}},
      {head + good + "\"two\" x,6,10,4,2,rack\n", {"jobs.csv:3: \"x\" stands after a closing quote"}},
      {"name,arrival,duration,pods,gpu\none,0,1,1,-1\n", {"jobs.csv:2: field \"gpu\"", "-1"}},
      {"name,arrival,duration,pods,gpu\none,0,1,1,two\n", {"jobs.csv:2: field \"gpu\"", "two"}},
      {head, {"jobs.csv: holds no job"}},
      {"{\"name\": \"one\", \"color\": 1}\n", {"jobs.csv:1: field \"color\"", "is no field of a job"}},
      {"{\"name\": \"one\"\n", {"jobs.csv:1: "}},
      {"{\"name\": \"one\", \"pods\": [1]}\n", {"jobs.csv:1: field \"pods\": [1] is neither"}},
      {"{\"name\": \"one\", \"name\": \"two\"}\n", {"jobs.csv:1: ", "twice"}},
      {"{\"name\": \"one\", \"arrival\": 1e99, \"duration\": 1, \"pods\": 1}\n",
       {"jobs.csv:1: field \"arrival\": \"1e+99\""}},
      {"{\"name\":\"one\",\"arrival\":0,\"duration\":1,\"pods\":1}\n[]\n", {"jobs.csv:2: is no JSON object"}},
      {head + std::string(70'000, 'x') + "\n", {"jobs.csv:2: is longer than 65536 bytes"}},
      {head + "o\x01ne,5,10,4,2,rack\n", {"jobs.csv:2: field \"name\": \"o\\x01ne\"", "control characters"}},
      {head + "one\xff,5,10,4,2,rack\n", {"jobs.csv:2: field \"name\": \"one\\xff\"", "UTF-8"}},
      {R"({"name": "a\nb", "arrival": 0, "duration": 1, "pods": 1})",
       {"jobs.csv:1: field \"name\": \"a\\nb\""}},
      {"name,arrival,duration,pods,rdma/h ca\n",
       {"jobs.csv:1: field \"rdma/h ca\": is no name of a resource"}},
      {head + std::string(300, 'x') + ",5,10,4,2,rack\n", {"jobs.csv:2: field \"name\"", "longer than 253"}},
  };
  for (const Wrong& wrong : table) {
    const auto jobs = read(wrong.text);
    INFO(wrong.text.substr(0, 200));
    REQUIRE_FALSE(jobs);
    for (const std::string& words : wrong.told) CHECK_THAT(jobs.error().text(), Contains(words));
  }
}

TEST_CASE("a trace that was written is read back as it was") {
  const Site site = make_site(make_cluster("volcano:12x6").value(), "").value();
  std::vector<Job> jobs = make_trace(site, {200, 4, 0.9});
  jobs[0].name = "odd, \"name\"";
  std::ostringstream first;
  write_trace(first, jobs, site);
  std::istringstream input(first.str());
  const auto again = read_trace(input, "x", site);
  REQUIRE(again);
  REQUIRE(again->size() == jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    CHECK((*again)[i].name == jobs[i].name);
    CHECK((*again)[i].arrival == jobs[i].arrival);
    CHECK((*again)[i].duration == jobs[i].duration);
    CHECK(demand_of((*again)[i]) == demand_of(jobs[i]));
  }
}

}  // namespace
}  // namespace toposeg::simulation
