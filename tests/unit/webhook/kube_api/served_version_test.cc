#include "webhook/kube_api/served_version.h"

#include "unit/webhook/kube_api/fake_server.h"

namespace toposeg::webhook::kube_api {
namespace {

using test::FakeServer;
using test::refuses;
using test::says;

const Resource kTopologies{
    .group = "kueue.x-k8s.io", .plural = "topologies", .versions = {"v1beta2", "v1beta1"}};

std::string group(const std::vector<std::string>& versions) {
  json::Document document{{"kind", "APIGroup"}, {"versions", json::Document::array()}};
  for (const std::string& version : versions) document["versions"].push_back({{"version", version}});
  return document.dump();
}
std::string resources(const std::vector<std::string>& plurals) {
  json::Document document{{"kind", "APIResourceList"}, {"resources", json::Document::array()}};
  for (const std::string& plural : plurals) document["resources"].push_back({{"name", plural}});
  return document.dump();
}

struct Question {
  SystemClock clock;
  FakeServer server;
  ~Question() { server.stop(); }
  Answer<std::string> ask() {
    Client client(server.credentials(), clock);
    return served_version(client, kTopologies);
  }
};

TEST_CASE("of_several_versions_the_best_known_one_is_taken_whatever_the_API_server_prefers") {
  Question question;
  question.server.then(says(200, group({"v1beta1", "v1beta2"})))
      .then(says(200, resources({"topologies", "topologies/status"})));
  CHECK(question.ask() == "v1beta2");
  CHECK(question.server.request(0).target == "/apis/kueue.x-k8s.io");
  CHECK(question.server.request(1).target == "/apis/kueue.x-k8s.io/v1beta2");
}

TEST_CASE("a_version_of_the_group_that_has_not_this_resource_is_passed_over") {
  Question question;
  question.server.then(says(200, group({"v1beta2", "v1beta1"})))
      .then(says(200, resources({"cohorts"})))
      .then(says(200, resources({"topologies"})));
  CHECK(question.ask() == "v1beta1");
}

TEST_CASE("a_version_that_nobody_knows_yet_is_better_than_none") {
  Question question;
  question.server.then(says(200, group({"v2", "v1"})))
      .then(says(200, resources({"cohorts"})))
      .then(says(200, resources({"topologies"})));
  CHECK(question.ask() == "v1");
}

TEST_CASE("a_group_or_a_resource_that_is_not_there_is_not_found") {
  Question question;
  question.server.then(refuses(404, "NotFound", "the server could not find the requested resource"))
      .then(says(200, group({"v1beta1"})))
      .then(refuses(404, "NotFound", "it went in between"));
  CHECK(question.ask().error().answered(404));
  const auto none = question.ask();
  REQUIRE_FALSE(none);
  CHECK(none.error().answered(404));
  CHECK(none.error().text().find("no version of topologies.kueue.x-k8s.io is served") != std::string::npos);
}

TEST_CASE("a_failure_or_an_answer_that_is_no_document_is_no_absence") {
  Question question;
  question.server.then(refuses(503, "ServiceUnavailable", "not yet"))
      .then(says(200, "<html>"))
      .then(says(200, group({"v1beta1"})))
      .then(refuses(500, "InternalError", "no"));
  CHECK(question.ask().error().answered(503));
  CHECK(question.ask().error().failure == Failure::kMalformed);
  CHECK(question.ask().error().answered(500));
}

}  // namespace
}  // namespace toposeg::webhook::kube_api
