#include "webhook/admission/plan_annotation.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

using engine::SegmentStatus;

SegmentSummary placed(std::vector<std::string> domain) { return {SegmentStatus::kPlaced, std::move(domain)}; }

PlanSummary example() {
  PlanSummary summary{"cluster-topology", {"zone", "rack"}, {}};
  summary.groups.push_back({0, {"z1"}, {placed({"z1", "r1"}), placed({"z1", "r1"}), placed({"z1", "r2"})}});
  summary.groups.push_back(
      {1, {}, {{SegmentStatus::kWaiting, {}}, {SegmentStatus::kFree, {}}, placed({"z2", "r1"})}});
  return summary;
}

TEST_CASE("equal_neighbours_share_a_run_and_paths_share_their_beginning") {
  CHECK(plan_annotation(example()).value() ==
        R"({"groups":[{"group":0,"runs":[[2,0,"z1","r1"],[1,1,"r2"]],"whole":["z1"]},)"
        R"({"group":1,"runs":[[1,-1],[1,-2],[1,0,"z2","r1"]]}],"levels":["zone","rack"],)"
        R"("topology":"cluster-topology","v":1})");
}

TEST_CASE("a_plan_reads_back_as_it_was_written") {
  CHECK(parse_plan_annotation(plan_annotation(example()).value()).value() == example());
}

TEST_CASE("label_values_that_look_alike_when_joined_stay_apart") {
  PlanSummary summary{"t", {"a", "b"}, {}};
  summary.groups.push_back(
      {0, {}, {placed({"a.b", "c"}), placed({"a", "b.c"}), placed({"", ""}), placed({"\"", ","})}});
  CHECK(parse_plan_annotation(plan_annotation(summary).value()).value() == summary);
}

TEST_CASE("ten_thousand_segments_of_two_racks_stay_far_below_the_limit") {
  PlanSummary summary{"t", {"zone", "rack"}, {{0, {}, {}}}};
  for (int i = 0; i < 10'000; ++i)
    summary.groups[0].segments.push_back(placed({"z", i < 5'000 ? "r1" : "r2"}));
  const auto text = plan_annotation(summary);
  REQUIRE(text.has_value());
  CHECK(text->size() < 200);
  CHECK(parse_plan_annotation(*text).value() == summary);
}

TEST_CASE("a_plan_over_64_kib_is_left_out") {
  PlanSummary summary{"t", {"rack"}, {{0, {}, {}}}};
  for (int i = 0; i < 10'000; ++i)
    summary.groups[0].segments.push_back(placed({"rack-" + std::to_string(i)}));
  CHECK_FALSE(plan_annotation(summary).has_value());
}

TEST_CASE("a_broken_plan_says_what_is_wrong") {
  const auto with_runs = [](const std::string& runs) {
    return R"({"v":1,"topology":"t","levels":["a"],"groups":[{"group":0,"runs":)" + runs + "}]}";
  };
  const std::pair<std::string, std::string> cases[] = {
      {R"({"v":2})", "another version"},
      {R"([])", "another version"},
      {R"({"v":1})", "no groups"},
      {R"({"v":1,"groups":[]})", "names no topology"},
      {R"({"v":1,"topology":"t","levels":7,"groups":[]})", "levels is no list"},
      {R"({"v":1,"topology":"t","levels":[7],"groups":[]})", "levels holds something that is no text"},
      {R"({"v":1,"topology":"t","groups":[{}]})", "without its number"},
      {R"({"v":1,"topology":"t","groups":[{"group":0}]})", "without its runs"},
      {with_runs("[7]"), "a run is a list"},
      {with_runs("[[1]]"), "a run is a list"},
      {with_runs("[[0,-1]]"), "at least 1"},
      {with_runs("[[-5,-1]]"), "at least 1"},
      {with_runs("[[1,-3]]"), "-1 or -2"},
      {with_runs(R"([[1,-1,"x"]])"), "-1 or -2"},
      {with_runs(R"([[1,1,"x"]])"), "keeps 1 values of a path of 0"},
      {with_runs("[[1,0,5]]"), "no text"},
      {with_runs("[[1000000000,-1]]"), "200,000"},
      {with_runs("[[150000,-1],[150000,-1]]"), "200,000"},
  };
  for (const auto& [text, part] : cases) {
    INFO(text);
    const auto result = parse_plan_annotation(text);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().where == "toposeg.io/plan");
    CHECK(result.error().message.find(part) != std::string::npos);
  }
  CHECK_FALSE(parse_plan_annotation(std::string(kPlanAnnotationBytes + 1, ' ')).has_value());
  CHECK_FALSE(parse_plan_annotation("{").has_value());
}

TEST_CASE("a_summary_keeps_the_domain_of_placed_segments_only") {
  engine::Plan plan;
  plan.topology = "t";
  plan.levels = {"rack"};
  engine::PlannedGroup group;
  group.segments.resize(2);
  group.segments[0].status = SegmentStatus::kPlaced;
  group.segments[0].domain = {"r1"};
  group.segments[1].status = SegmentStatus::kWaiting;
  plan.groups.push_back(group);
  const PlanSummary summary = summarise(plan);
  REQUIRE(summary.groups.size() == 1);
  CHECK(summary.groups[0].segments ==
        std::vector<SegmentSummary>{placed({"r1"}), {SegmentStatus::kWaiting, {}}});
}

}  // namespace
}  // namespace toposeg::webhook
