// Every recorded review, alone on the recorded cluster, against its expected answer.
#include <cstdlib>
#include <filesystem>
#include <set>

#include "common/kube/read.h"
#include "unit/webhook/admission/desk.h"

namespace toposeg::webhook {
namespace {

using testing::Desk;
using testing::Document;
using testing::Response;

const std::filesystem::path kFolder = std::filesystem::path(TOPOSEG_SOURCE_DIR) / "tests/data/reviews";

kube::Cluster recorded_cluster() {
  kube::Cluster cluster;
  std::ifstream input(kFolder / "cluster.yaml");
  REQUIRE(kube::read_cluster(input, "cluster.yaml", cluster, [](const std::string&, const std::string&) {}));
  return cluster;
}

std::set<std::string> names() {
  std::set<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".json") result.insert(entry.path().stem().string());
  }
  return result;
}

Hook hook_of(const Document& review) {
  return review["request"]["kind"]["kind"] == "Pod" ? Hook::kPods : Hook::kWorkloads;
}

Document summary_of(const Response& response) {
  Document causes = Document::array();
  if (response.status.is_object()) {
    for (const Document& cause : response.status["details"]["causes"]) {
      causes.push_back({{"field", cause["field"]}, {"message", cause["message"]}});
    }
  }
  return {{"allowed", response.allowed},
          {"patch", response.patch},
          {"warnings", response.warnings},
          {"causes", std::move(causes)}};
}

TEST_CASE("all_49_recorded_reviews_are_there") { CHECK(names().size() == 49); }

TEST_CASE("the_small_cluster_of_the_tests_is_the_recorded_one") {
  const kube::Cluster file = recorded_cluster();
  const kube::Cluster built = testing::small_cluster();
  CHECK(file.nodes == built.nodes);
  CHECK(file.topologies == built.topologies);
}

TEST_CASE("each_recorded_review_gets_its_expected_answer") {
  const bool update = std::getenv("TOPOSEG_UPDATE_EXPECTED") != nullptr;
  const kube::Cluster cluster = recorded_cluster();
  for (const std::string& name : names()) {
    INFO(name);
    const Document review = testing::recorded(name);
    Desk desk(config::defaults(), cluster);
    const Document given = summary_of(desk.review_twice(hook_of(review), review));
    const std::filesystem::path file = kFolder / "expected" / (name + ".json");
    if (update) {
      std::ofstream(file) << given.dump(1) << '\n';
      continue;
    }
    CHECK(given.dump(1) == testing::read_data("reviews/expected/" + name + ".json").dump(1));
  }
}

TEST_CASE("a_recorded_dry_run_gets_the_answer_of_the_real_run_and_reserves_nothing") {
  Desk real;
  Desk dry;
  const Response expected =
      real.review(Hook::kWorkloads, testing::recorded("pytorchjob-create-kubectl-create"));
  const Response given =
      dry.review(Hook::kWorkloads, testing::recorded("pytorchjob-create-kubectl-create-dry-run-server"));
  CHECK(given.patch == expected.patch);
  CHECK(given.warnings == expected.warnings);
  CHECK(real.engine.ledger().size() == 17);
  CHECK(dry.engine.ledger().empty());
}

TEST_CASE("no_recorded_review_loses_a_value_of_the_user") {
  for (const std::string& name : names()) {
    INFO(name);
    const Document review = testing::recorded(name);
    Desk desk;
    const Response response = desk.review(hook_of(review), review);
    for (const Document& operation : response.patch) {
      CHECK(operation["op"] == "add");
      const std::string path = operation["path"].get<std::string>();
      if (path.ends_with("/-")) continue;
      const auto place = json::parse_pointer(path);
      REQUIRE(place.has_value());
      const Document* before = json::at(review["request"]["object"], *place);
      const bool free =
          before == nullptr || before->is_null() ||
          json::at(review["request"]["object"], json::Path(place->begin(), place->end() - 1))->is_array();
      CHECK(free);
    }
  }
}

}  // namespace
}  // namespace toposeg::webhook
