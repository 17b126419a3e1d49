// A webhook on a small cluster, without a server: reviews go in, answers come out checked by the rules that
// the API server applies to every one of them.
#pragma once

#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/config.h"
#include "common/json/edit.h"
#include "engine/placement/engine.h"
#include "unit/catch.h"
#include "unit/webhook/admission/small_cluster.h"
#include "webhook/admission/base64.h"
#include "webhook/admission/reviewer.h"

namespace toposeg::webhook::testing {

using json::Document;

struct Response {
  bool allowed = false;
  Document patch = Document::array();
  Document object;  // as it is after the patch
  std::vector<std::string> warnings;
  Document status;
  Document audit;

  [[nodiscard]] bool warns(const std::string& part) const {
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
  }
  [[nodiscard]] std::string annotation(const std::string& key) const {
    const std::string* value = json::text(json::at(object, {"metadata", "annotations", key}));
    return value != nullptr ? *value : std::string();
  }
};

inline Document read_data(const std::string& file) {
  std::ifstream input(std::string(TOPOSEG_SOURCE_DIR) + "/tests/data/" + file);
  REQUIRE(input);
  return Document::parse(std::string(std::istreambuf_iterator<char>(input), {}));
}

inline Document recorded(const std::string& name) { return read_data("reviews/" + name + ".json"); }

inline Document recorded_object(const std::string& name) { return recorded(name)["request"]["object"]; }

// A CREATE of `object`, or an UPDATE when there is an old one.
inline Document review_of(const Document& object, const Document& old_object = nullptr) {
  const std::string api_version = object.value("apiVersion", "v1");
  const std::size_t slash = api_version.find('/');
  const std::string group = slash == std::string::npos ? "" : api_version.substr(0, slash);
  return {{"apiVersion", "admission.k8s.io/v1"},
          {"kind", "AdmissionReview"},
          {"request",
           {{"uid", "a-uid"},
            {"kind", {{"group", group}, {"version", "v1"}, {"kind", object.value("kind", "")}}},
            {"operation", old_object.is_null() ? "CREATE" : "UPDATE"},
            {"namespace", "ml-team"},
            {"name", object.contains("metadata") ? object["metadata"].value("name", "") : ""},
            {"userInfo", {{"username", "ada"}}},
            {"options", {{"fieldManager", "kubectl-create"}}},
            {"dryRun", false},
            {"object", object},
            {"oldObject", old_object}}}};
}

class Desk {
 public:
  explicit Desk(config::Config config = config::defaults(), const kube::Cluster& cluster = small_cluster())
      : config_(std::move(config)) {
    engine.replace(cluster);
  }

  Response review(Hook hook, const Document& review) {
    const ReviewAnswer answer = reviewer.review(hook, review.dump(), std::chrono::milliseconds(5000));
    REQUIRE(answer.http_status == 200);
    const Document document = Document::parse(answer.body);
    CHECK(document["kind"] == "AdmissionReview");
    CHECK(document["apiVersion"] == "admission.k8s.io/v1");
    const Document& response = document["response"];
    CHECK(response["uid"] == review["request"]["uid"]);
    CHECK(response.contains("patch") == response.contains("patchType"));
    Response result;
    result.allowed = response["allowed"].get<bool>();
    result.warnings = response.value("warnings", std::vector<std::string>());
    for (const std::string& warning : result.warnings) CHECK(warning.size() <= 120);
    result.status = response.value("status", Document());
    result.audit = response.value("auditAnnotations", Document());
    result.object = review["request"]["object"];
    if (response.contains("patch")) {
      CHECK(result.allowed);
      result.patch = Document::parse(decode_base64(response["patch"].get<std::string>()).value());
      CHECK_FALSE(result.patch.empty());
      const auto patched = json::apply(result.object, result.patch);
      REQUIRE(patched.has_value());
      result.object = *patched;
    }
    return result;
  }

  // The review, and once more on what came out of it: the second pass has to leave it alone.
  Response review_twice(Hook hook, const Document& first) {
    Response result = review(hook, first);
    if (!result.allowed) return result;
    Document again = first;
    again["request"]["object"] = result.object;
    const Response second = review(hook, again);
    INFO(second.patch.dump());
    CHECK(second.allowed);
    CHECK(second.patch.empty());
    return result;
  }

  Response create(Hook hook, const Document& object) { return review_twice(hook, review_of(object)); }

  [[nodiscard]] std::string metrics_text() const {
    return prometheus::TextSerializer().Serialize(registry->Collect());
  }

 private:
  const config::Config config_;

 public:
  ManualClock clock;
  engine::Engine engine{{}, clock};
  std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();
  Reviewer reviewer{engine, config_, registry, clock};
};

}  // namespace toposeg::webhook::testing
