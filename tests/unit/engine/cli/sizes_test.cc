// Which segment sizes suit a cluster: hand-made racks.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/cli/size_table.h"
#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;

std::string topology() {
  return "apiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: t}\n"
         "spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}\n";
}

// `spec` and `ready` of one node of a rack.
std::string node(int rack, int number, const std::string& spec = "{}", bool ready = true) {
  const std::string name = fmt::format("n{}-{:02}", rack, number);
  return fmt::format(
      "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: {0}\n  labels: {{block: b, rack: r{1}, "
      "kubernetes.io/hostname: {0}}}\nspec: {2}\nstatus:\n  allocatable: {{nvidia.com/gpu: 8, pods: 110}}\n"
      "  conditions: [{{type: Ready, status: \"{3}\"}}]\n",
      name, rack, spec, ready ? "True" : "False");
}

// Two racks of 18; of rack 0 one node is as told.
std::string two_racks(const std::string& spec, bool ready) {
  std::string text = topology();
  for (int rack = 0; rack < 2; ++rack) {
    for (int i = 0; i < 18; ++i) {
      const bool odd = rack == 0 && i == 3;
      text += odd ? node(rack, i, spec, ready) : node(rack, i);
    }
  }
  return text;
}

json sizes_of_racks(const std::string& cluster, const std::string& sizes) {
  const Folder folder;
  const Answer answer = toposeg({"slots", "--by-size", "--size", sizes, "-o", "json", "--cluster",
                                 folder.write("cluster.yaml", cluster)});
  REQUIRE(answer.status == 0);
  return json::parse(answer.out);
}

TEST_CASE("one dead node in a rack of 18 costs segments of 16 little and those of 9 half a rack") {
  const json report = sizes_of_racks(two_racks("{}", false), "9,16,18");
  CHECK(report["kind"] == "SizesReport");
  CHECK(report["podsNow"] == 35);
  CHECK(report["podsIntact"] == 36);
  const json& racks = report["levels"][1]["sizes"];
  CHECK(racks[0] == json({{"size", 9}, {"now", 3}, {"intact", 4}, {"usablePods", 27}, {"best", false}}));
  CHECK(racks[1] == json({{"size", 16}, {"now", 2}, {"intact", 2}, {"usablePods", 32}, {"best", true}}));
  CHECK(racks[2] == json({{"size", 18}, {"now", 1}, {"intact", 2}, {"usablePods", 18}, {"best", true}}));
}

TEST_CASE("cordons and the taints that Kubernetes sets are illnesses, other taints are not") {
  const auto intact = [](const std::string& spec) {
    return sizes_of_racks(two_racks(spec, true), "18")["levels"][1]["sizes"][0]["intact"].get<int>();
  };
  CHECK(intact("{unschedulable: true}") == 2);
  CHECK(intact("{taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute}]}") == 2);
  CHECK(intact("{taints: [{key: team, value: other, effect: NoSchedule}]}") == 1);
}

TEST_CASE("the table shows at a glance what each size can use") {
  const Folder folder;
  const std::string file = folder.write("cluster.yaml", two_racks("{}", false));
  const Answer answer = toposeg({"slots", "--by-size", "--cluster", file});
  CHECK(answer.status == 0);
  CHECK_THAT(answer.out, Contains("SIZE        BLOCK         RACK\n"));
  CHECK_THAT(answer.out, Contains("   9    3/4   77%    3/4   77%\n"));
  CHECK_THAT(answer.out, Contains("  16    2/2   91%    2/2  *91%\n"));
  CHECK_THAT(answer.out, Contains("  18    1/2   51%    1/2  *51%\n"));
  CHECK_THAT(answer.out, Contains("  32    1/1  *91%            -\n"));
  CHECK_THAT(answer.out, Contains("35 pods fit now\none by one, 36 then"));
  CHECK_THAT(answer.out, Contains("Left out, since a domain holds one pod: hostname\n"));
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("sizes worth comparing are powers of two and what divides a rack and a block") {
  engine::Slots intact;
  intact.rows = {{0, {}, 144, 144}, {1, {}, 18, 18}, {2, {}, 1, 1}};
  CHECK(useful_sizes(intact) == std::vector<int>{1, 2, 3, 4, 6, 8, 9, 16, 18, 32, 48, 64, 72, 128, 144});
}

TEST_CASE("on a cluster without room nothing is best and nothing divides by zero") {
  engine::Slots slots;
  slots.sizes = {1, 2};
  slots.rows = {{0, {0, 0}, 0, 0}};
  const SizesAnswer answer{slots, slots};
  CHECK(!is_best(answer, 0, 0));
  CHECK(usable(answer, 0, 1) == 0);
  CHECK(useful_sizes(slots) == std::vector<int>{1});
}

TEST_CASE("without the flag slots answer as ever") {
  const Answer answer = toposeg({"slots", "--cluster", kClusterFile, "--size", "4"});
  CHECK_THAT(answer.out, !Contains("*") && Contains("SIZE-4"));
}

}  // namespace
}  // namespace toposeg::cli
