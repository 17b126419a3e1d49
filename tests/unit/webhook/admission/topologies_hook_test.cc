#include "unit/webhook/admission/desk.h"

namespace toposeg::webhook {
namespace {

using testing::Desk;
using testing::Document;
using testing::Response;
using testing::review_of;

Document topology(const std::vector<std::string>& labels) {
  Document levels = Document::array();
  for (const std::string& label : labels) levels.push_back({{"nodeLabel", label}});
  return {{"apiVersion", "kai.scheduler/v1alpha1"},
          {"kind", "Topology"},
          {"metadata", {{"name", "cluster-topology"}}},
          {"spec", {{"levels", std::move(levels)}}}};
}

TEST_CASE("a_sound_topology_passes_without_a_patch") {
  Desk desk;
  const Response response =
      desk.create(Hook::kTopologies, topology({"zone", "rack", "kubernetes.io/hostname"}));
  CHECK(response.allowed);
  CHECK(response.patch.empty());
}

TEST_CASE("a_broken_level_list_is_denied_with_every_fault_and_its_field") {
  Desk desk;
  const Response response =
      desk.create(Hook::kTopologies, topology({"zone", "kubernetes.io/hostname", "rack", "zone"}));
  CHECK_FALSE(response.allowed);
  CHECK(response.status["code"] == 422);
  CHECK(response.status["details"]["causes"].size() == 2);
  for (const Document& cause : response.status["details"]["causes"]) {
    CHECK(cause["field"].get<std::string>().find("spec.levels") == 0);
  }
}

TEST_CASE("a_topology_of_seventeen_levels_is_denied_and_one_of_sixteen_is_not") {
  Desk desk;
  std::vector<std::string> labels;
  for (int i = 0; i < 16; ++i) labels.push_back("level-" + std::to_string(i));
  CHECK(desk.create(Hook::kTopologies, topology(labels)).allowed);
  labels.emplace_back("level-16");
  const Response response = desk.create(Hook::kTopologies, topology(labels));
  CHECK_FALSE(response.allowed);
  CHECK(response.status["message"].get<std::string>().find("17") != std::string::npos);
}

TEST_CASE("an_old_broken_topology_can_still_be_labelled_and_deleted_but_not_changed") {
  Desk desk;
  const Document old = topology({"zone", "zone"});
  Document changed = old;
  changed["metadata"]["labels"] = {{"a", "b"}};
  CHECK(desk.review(Hook::kTopologies, review_of(changed, old)).allowed);
  changed["spec"]["levels"].push_back({{"nodeLabel", "rack"}});
  CHECK_FALSE(desk.review(Hook::kTopologies, review_of(changed, old)).allowed);
  changed["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  CHECK(desk.review(Hook::kTopologies, review_of(changed, old)).allowed);
}

TEST_CASE("a_topology_whose_levels_have_a_wrong_type_is_denied") {
  Desk desk;
  Document broken = topology({"zone"});
  broken["spec"]["levels"] = "zone";
  CHECK_FALSE(desk.review(Hook::kTopologies, review_of(broken)).allowed);
}

}  // namespace
}  // namespace toposeg::webhook
