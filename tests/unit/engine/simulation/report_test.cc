#include <sstream>

#include "engine/simulation/chart.h"
#include "engine/simulation/csv.h"
#include "engine/simulation/html_report.h"
#include "engine/simulation/simulator.h"
#include "engine/simulation/timeline.h"
#include "engine/simulation/words.h"
#include "rooms.h"
#include "unit/catch.h"

namespace toposeg::simulation {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;

TEST_CASE("a timeline keeps the means of equal intervals") {
  Timeline line;
  line.add(0, 2, 1.0);
  line.add(2, 3, 0.5);
  CHECK(line.width() == 1);
  CHECK(line.means() == std::vector<double>{1.0, 1.0, 0.5});
}

TEST_CASE("a timeline never has more intervals than it may, and loses nothing by that") {
  Timeline line;
  double work = 0;
  Seconds at = 0;
  for (int i = 1; i < 5000; ++i) {
    const double value = (i % 7) / 7.0;
    line.add(at, at + i % 13, value);
    work += value * (i % 13);
    at += i % 13;
  }
  const auto means = line.means();
  CHECK(means.size() <= Timeline::kMost);
  double sum = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const Seconds begin = static_cast<Seconds>(i) * line.width();
    sum += means[i] * static_cast<double>(std::min(line.width(), line.end() - begin));
  }
  CHECK(line.end() == at);
  CHECK(sum == Approx(work));
}

TEST_CASE("a value of a CSV file is in quotes where it needs them") {
  CHECK(csv_line({"plain", "a,b", "say \"x\"", "two\nlines", " blank"}) ==
        "plain,\"a,b\",\"say \"\"x\"\"\",\"two lines\",\" blank\"\n");
  CHECK(split_csv("plain,\"a,b\",\"say \"\"x\"\"\",,\" blank\"").value() ==
        std::vector<std::string>{"plain", "a,b", "say \"x\"", "", " blank"});
}

TEST_CASE("times are rounded for people") {
  CHECK(rough_time(0) == "0s");
  CHECK(rough_time(59.6) == "1m");
  CHECK(rough_time(754) == "12m34s");
  CHECK(rough_time(3 * 3600 + 754) == "3h13m");
  CHECK(rounded_up(0) == 1);
  CHECK(rounded_up(0.025) == Approx(0.03));
  CHECK(rounded_up(601) == 800);
  CHECK(time_ticks(7200) == std::vector<double>{0, 1800, 3600, 5400, 7200});
  CHECK(time_ticks(1e9).size() <= 9);
}

std::string report(const Site& site, const std::vector<Job>& jobs, bool timings) {
  const Scenario scenario = make_scenario(site, jobs, Queue::kPassing);
  std::vector<Outcome> outcomes;
  std::vector<Summary> summaries;
  for (const PolicyName& name : policies()) {
    const auto policy = make_policy(name.name, site, 1);
    outcomes.push_back(simulate(scenario, std::string(name.name), *policy, ManualClock()).value());
    summaries.push_back(summarise(scenario, outcomes.back()));
  }
  std::ostringstream out;
  write_html_report(out, scenario, outcomes, summaries, timings);
  return out.str();
}

TEST_CASE("the report is one file that asks the network for nothing and speaks to screen readers") {
  const Site site = site_of({{"b", "a", 4}, {"b", "c", 4}});
  const std::vector<Job> jobs{in_rack(job("one", 0, 100, 2, 2)), job("loose", 10, 50, 3, 0),
                              in_rack(job("vast", 20, 50, 6, 6))};
  const std::string html = report(site, jobs, false);
  CHECK_THAT(html, !Contains("http") && !Contains("<script") && !Contains("url(") && !Contains("@import"));
  CHECK_THAT(html, Contains("prefers-color-scheme: dark") && Contains("lang=\"en\""));
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = html.find(text); at != std::string::npos; at = html.find(text, at + 1)) ++found;
    return found;
  };
  CHECK(count("<svg viewBox=\"0 0 720") == 7);
  CHECK(count("role=\"img\" aria-labelledby=") == 7);
  CHECK(count("<desc ") == 7);
  CHECK(count("<table>") == 6);
  CHECK(count("<polyline") == 24);
  for (const PolicyName& policy : policies()) CHECK_THAT(html, Contains(std::string(policy.name)));
  CHECK_THAT(html, !Contains("Time for a decision"));
  CHECK_THAT(report(site, jobs, true), Contains("Time for a decision"));
}

TEST_CASE("names from outside cannot break the report") {
  kube::Cluster cluster = cluster_of({{"b", "a", 2}});
  cluster.topologies[0].name = "<script>alert(1)</script>";
  cluster.topologies[0].levels[1].alias = "a\"b<i>";
  const std::string html = report(make_site(cluster, "").value(), {in_rack(job("j", 0, 1, 2, 2))}, false);
  CHECK_THAT(html, !Contains("<script") && !Contains("<i>") && Contains("&lt;script&gt;"));
}

}  // namespace
}  // namespace toposeg::simulation
