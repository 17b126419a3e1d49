// The small writers of a pod: spreading, metadata, environment, gate.
#include "unit/catch.h"
#include "webhook/admission/gate.h"
#include "webhook/admission/inject_env.h"
#include "webhook/admission/neutral_spread.h"
#include "webhook/admission/pod_metadata.h"

namespace toposeg::webhook {
namespace {

using engine::PodDecision;
using engine::SegmentStatus;
using json::Document;

Document stateful_pod(const char* extra = "{}") {
  Document pod = Document::parse(R"({"metadata":{"ownerReferences":[
      {"kind":"StatefulSet","name":"lws","controller":true}]},"spec":{}})");
  pod["spec"].update(Document::parse(extra));
  return pod;
}

// What `write` makes of the pod; a second pass has to add nothing.
template <typename Write>
Document written(const Document& pod, Write write) {
  json::Edit edit(pod);
  REQUIRE(write(edit));
  const auto operations = edit.verified();
  REQUIRE(operations.has_value());
  Document result = json::apply(pod, *operations).value();
  json::Edit second(result);
  REQUIRE(write(second));
  CHECK(second.operations().empty());
  return result;
}

TEST_CASE("a_pod_of_a_stateful_set_gets_one_soft_constraint_that_matches_nothing") {
  for (const char* spec :
       {"{}", R"({"topologySpreadConstraints":null})", R"({"topologySpreadConstraints":[]})"}) {
    const Document constraints =
        written(stateful_pod(spec), neutralise_spreading)["spec"]["topologySpreadConstraints"];
    REQUIRE(constraints.size() == 1);
    CHECK(constraints[0]["whenUnsatisfiable"] == "ScheduleAnyway");
    CHECK(constraints[0]["maxSkew"] == 1);
  }
}

TEST_CASE("a_users_own_spread_constraint_is_left_alone") {
  const Document pod = stateful_pod(R"({"topologySpreadConstraints":[{"maxSkew":2,"topologyKey":"zone"}]})");
  CHECK(written(pod, neutralise_spreading) == pod);
}

TEST_CASE("a_pod_of_another_owner_gets_no_spread_constraint") {
  Document pod = stateful_pod();
  pod["metadata"]["ownerReferences"][0]["kind"] = "PyTorchJob";
  CHECK(written(pod, neutralise_spreading) == pod);
  CHECK(written({{"spec", Document::object()}}, neutralise_spreading) ==
        Document{{"spec", Document::object()}});
}

PodDecision placed() {
  PodDecision decision;
  decision.status = SegmentStatus::kPlaced;
  decision.segment = 3;
  decision.segment_rank = 1;
  decision.segment_size = 4;
  decision.segments = 5;
  decision.levels = {"zone", "rack"};
  decision.required = {"z1"};
  decision.preferred = {"z1", "r\"1"};
  decision.level = 1;
  decision.host = "node-1";
  decision.host_label_value = "host-1";
  return decision;
}

TEST_CASE("a_placed_pod_tells_its_segment_domain_level_and_host") {
  const Document pod = written({{"metadata", Document::object()}},
                               [](json::Edit& edit) { return describe_place(edit, placed()); });
  CHECK(pod["metadata"]["annotations"] == Document{{"toposeg.io/segment", "3"},
                                                   {"toposeg.io/domain", R"(["z1","r\"1"])"},
                                                   {"toposeg.io/level", "rack"},
                                                   {"toposeg.io/nominal-host", "node-1"}});
  CHECK(pod["metadata"]["labels"] == Document{{"toposeg.io/segment", "3"}});
}

TEST_CASE("a_pod_in_no_segment_tells_its_required_domain_only") {
  PodDecision decision = placed();
  decision.segment.reset();
  decision.preferred.clear();
  decision.level = 0;
  const Document pod =
      written(Document::object(), [&](json::Edit& edit) { return describe_place(edit, decision); });
  CHECK(pod["metadata"]["annotations"]["toposeg.io/domain"] == R"(["z1"])");
  CHECK_FALSE(pod["metadata"].contains("labels"));
}

TEST_CASE("a_waiting_pod_tells_why_and_loses_the_reason_once_placed") {
  PodDecision waiting;
  waiting.status = SegmentStatus::kWaiting;
  waiting.segment = 3;
  waiting.reason = "no rack can hold 4 pods";
  const Document pod =
      written(Document::object(), [&](json::Edit& edit) { return describe_place(edit, waiting); });
  CHECK(pod["metadata"]["annotations"]["toposeg.io/reason"] == "no rack can hold 4 pods");
  CHECK_FALSE(pod["metadata"]["annotations"].contains("toposeg.io/domain"));
  const Document later = written(pod, [](json::Edit& edit) { return describe_place(edit, placed()); });
  CHECK_FALSE(later["metadata"]["annotations"].contains("toposeg.io/reason"));
}

TEST_CASE("annotations_of_a_wrong_type_are_not_overwritten") {
  const Document pod{{"metadata", {{"annotations", "text"}}}};
  json::Edit edit(pod);
  CHECK_FALSE(describe_place(edit, placed()));
}

TEST_CASE("variables_go_into_every_container_and_the_users_own_win") {
  const Document pod = Document::parse(R"({"spec":{
      "containers":[{"name":"a"},{"name":"b","env":[{"name":"TOPOSEG_SEGMENT","value":"mine"}]}],
      "initContainers":[{"name":"i","env":null}]}})");
  const Document result = written(pod, [](json::Edit& edit) { return inject_env(edit, placed()); });
  const Document& spec = result["spec"];
  CHECK(spec["containers"][0]["env"] == Document::parse(R"([
      {"name":"TOPOSEG_SEGMENT","value":"3"},{"name":"TOPOSEG_SEGMENT_RANK","value":"1"},
      {"name":"TOPOSEG_SEGMENT_SIZE","value":"4"},{"name":"TOPOSEG_SEGMENTS","value":"5"}])"));
  CHECK(spec["containers"][1]["env"].size() == 4);
  CHECK(spec["containers"][1]["env"][0]["value"] == "mine");
  CHECK(spec["initContainers"][0]["env"].size() == 4);
}

TEST_CASE("a_pod_in_no_segment_gets_no_variables") {
  PodDecision decision = placed();
  decision.segment.reset();
  const Document pod = Document::parse(R"({"spec":{"containers":[{"name":"a"}]}})");
  CHECK(written(pod, [&](json::Edit& edit) { return inject_env(edit, decision); }) == pod);
}

TEST_CASE("the_gate_is_added_once_and_taken_away_alone") {
  const Document pod = Document::parse(R"({"spec":{"schedulingGates":[{"name":"other"}]}})");
  const Document closed = written(pod, close_gate);
  CHECK(closed["spec"]["schedulingGates"] ==
        Document::parse(R"([{"name":"other"},{"name":"toposeg.io/waiting"}])"));
  CHECK(written(closed, open_gate) == pod);
  CHECK(written(pod, open_gate) == pod);
}

}  // namespace
}  // namespace toposeg::webhook
