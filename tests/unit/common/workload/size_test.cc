#include "unit/catch.h"
#include "unit/common/workload/bench_of_manifests.h"

namespace toposeg::workload::testing {
namespace {

using Catch::Matchers::Contains;
constexpr const char* kSize = "kai.scheduler/segment-size";
constexpr const char* kRequired = "kai.scheduler/segment-topology-required-placement";

Normalised sized(Document workers, Document size) {
  return Setting{}.read(pytorchjob(std::move(workers), {{kSize, std::move(size)}, {kRequired, kRack}}));
}

TEST_CASE("a_size_that_breaks_a_rule_is_refused_with_its_place_value_and_bound") {
  struct Row {
    Document workers;
    Document size;
    const char* message;
  };
  const Row rows[] = {
      {16, "20", "segment-size 20 is greater than the 16 worker replicas"},
      {1, "2", "segment-size 2 is greater than the 1 worker replica"},
      {nullptr, "2", "segment-size 2 is greater than the 1 worker replica"},
      {16, "18446744073709551620", "segment-size 18446744073709551620 is greater than"},
      {16, "1", "segment-size 1 must be greater than 1"},
      {16, "0", "segment-size 0 must be greater than 1"},
      {16, "04", "\"04\" is not a plain whole number"},
      {16, "+4", "\"+4\" is not a plain"},
      {16, " 4", "\" 4\" is not a plain"},
      {16, "-4", "\"-4\" is not a plain"},
      {16, "4.0", "\"4.0\" is not a plain"},
      {16, "1e1", "\"1e1\" is not a plain"},
      {16, "four", "\"four\" is not a plain"},
      {20002, "2", "segment-size 2 makes 10001 segments, and at most 10000 are allowed"},
      {16, 4, "write it in quotes: \"4\""},
      {16, true, "write it in quotes: \"true\""},
      {16, Document::array({4}), "this is a list"},
      {16, Document::object(), "this is a map"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.size.dump());
    const Normalised result = sized(row.workers, row.size);
    REQUIRE(result.causes.size() == 1);
    CHECK_THAT(result.causes[0].message, Contains(row.message));
    CHECK(result.causes[0].where ==
          "spec.pytorchReplicaSpecs.Worker.template.metadata.annotations[kai.scheduler/segment-size]");
    CHECK(result.additions.empty());
  }
}

TEST_CASE("a_size_within_the_rules_is_taken") {
  struct Row {
    int workers;
    const char* size;
    int segments;
  };
  for (const Row& row : {Row{16, "4", 4}, Row{2, "2", 1}, Row{10, "4", 3}, Row{20000, "2", 10000}}) {
    const Normalised result = sized(row.workers, row.size);
    CHECK(texts(result.causes).empty());
    CHECK(result.workload.segments.count() == row.segments);
    CHECK(result.workload.needed_segments == row.segments);
  }
}

TEST_CASE("replicas_that_are_no_number_are_refused_by_themselves") {
  const Normalised result = sized("16", "4");
  REQUIRE(result.causes.size() == 1);
  CHECK(result.causes[0].where == "spec.pytorchReplicaSpecs.Worker.replicas");
  CHECK_THAT(result.causes[0].message, Contains("write the number without quotes: 16"));
  for (const Document& odd : {Document(-1), Document(1.5), Document(true), Document(99999999999)}) {
    CHECK_THAT(texts(sized(odd, "4").causes), Contains("a whole number from 0"));
  }
}

TEST_CASE("all_faults_are_told_at_once") {
  const Normalised result = Setting{}.read(
      pytorchjob("16", {{kSize, "1"}, {kRequired, "row"}}, {{"toposeg.io/preferred-mode", "hard"}}));
  CHECK(result.causes.size() == 4);
}

TEST_CASE("an_empty_or_null_size_counts_as_absent_and_is_told") {
  for (const Document& empty : {Document(""), Document(nullptr)}) {
    const Normalised result = sized(16, empty);
    CHECK(result.workload.segments.size == 0);
    CHECK_THAT(lines(result.warnings), Contains("segment-size in the Worker template is empty"));
  }
}

TEST_CASE("the_elastic_minimum_makes_the_first_segments_needed") {
  struct Row {
    Document min_available;
    Document min_replicas;
    int needed;
  };
  const Row rows[] = {{nullptr, nullptr, 4}, {nullptr, 5, 2}, {8, 5, 4},
                      {4, nullptr, 2},       {1, nullptr, 0}, {99, 1, 4}};
  for (const Row& row : rows) {
    Document job = pytorchjob(8, {{kSize, "2"}, {kRequired, kRack}});
    job["spec"]["runPolicy"]["schedulingPolicy"]["minAvailable"] = row.min_available;
    job["spec"]["elasticPolicy"]["minReplicas"] = row.min_replicas;
    CHECK(Setting{}.read(job).workload.needed_segments == row.needed);
  }
}

TEST_CASE("a_leaderworkerset_is_cut_by_the_table") {
  struct Row {
    int size;
    Document policy;
    const char* annotation;
    SegmentRule rule;
    int segments;
  };
  const Row rows[] = {
      {5, {{"subGroupSize", 2}}, "", SegmentRule::kLeaderExtra, 2},
      {5, {{"subGroupSize", 2}, {"subGroupPolicyType", "LeaderWorker"}}, "", SegmentRule::kLeaderExtra, 2},
      {4, {{"subGroupSize", 2}}, "", SegmentRule::kPlain, 2},
      {6, nullptr, "4", SegmentRule::kPlain, 2},
      {9, {{"subGroupSize", 8}}, "", SegmentRule::kLeaderExtra, 1},
      {9,
       {{"subGroupSize", 8}, {"subGroupPolicyType", "LeaderExcluded"}},
       "",
       SegmentRule::kLeaderExcluded,
       1},
      {5, {{"subGroupPolicyType", "LeaderExcluded"}}, "2", SegmentRule::kLeaderExcluded, 2},
      {8, {{"subGroupSize", 8}}, "", SegmentRule::kPlain, 1},
      {8, {{"subGroupSize", 2}}, "4", SegmentRule::kPlain, 2},
  };
  for (const Row& row : rows) {
    CAPTURE(row.size, row.policy.dump());
    Document set = leaderworkerset(row.size, row.policy, {{kRequired, "rack"}});
    if (*row.annotation != '\0') {
      set["spec"]["leaderWorkerTemplate"]["workerTemplate"]["metadata"]["annotations"][kSize] =
          row.annotation;
    }
    const Normalised result = Setting{}.read(set);
    CHECK(texts(result.causes).empty());
    CHECK(result.workload.segments.rule == row.rule);
    CHECK(result.workload.segments.count() == row.segments);
    CHECK(result.workload.segment.required == kRack);
  }
}

TEST_CASE("an_excluded_leader_needs_a_size_that_divides_the_workers") {
  const Document set = leaderworkerset(6, {{"subGroupSize", 4}, {"subGroupPolicyType", "LeaderExcluded"}},
                                       {{kRequired, kRack}});
  const Normalised result = Setting{}.read(set);
  REQUIRE(result.causes.size() == 1);
  CHECK(result.causes[0].where == "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize");
  CHECK_THAT(result.causes[0].message, Contains("subGroupSize 4 does not divide the 5 workers"));
}

TEST_CASE("the_annotation_wins_over_the_field_and_the_root_comes_last") {
  const Document both =
      leaderworkerset(8, {{"subGroupSize", 2}}, {{kSize, "4"}, {kRequired, kRack}}, {{kSize, "8"}});
  const Normalised result = Setting{}.read(both);
  CHECK(result.workload.segments.size == 4);
  CHECK_THAT(lines(result.warnings), Contains("wins over subGroupSize 2"));
  const Normalised root =
      Setting{}.read(leaderworkerset(8, {{"subGroupSize", 2}}, {{kRequired, kRack}}, {{kSize, "4"}}));
  CHECK(root.workload.segments.size == 4);
  CHECK_THAT(lines(root.warnings), Contains("its place is in workerTemplate"));
  const Normalised same =
      Setting{}.read(leaderworkerset(8, {{"subGroupSize", 4}}, {{kSize, "4"}, {kRequired, kRack}}));
  CHECK(lines(same.warnings).find("wins") == std::string::npos);
}

TEST_CASE("subgroups_that_are_used_for_other_purposes_are_left_alone") {
  for (const int sub_group : {1, 2, 8}) {
    const Normalised result = Setting{}.read(leaderworkerset(8, {{"subGroupSize", sub_group}}, {}));
    CHECK_FALSE(result.relevant);
    CHECK(result.causes.empty());
    CHECK(result.warnings.empty());
    CHECK(result.additions.empty());
  }
}

TEST_CASE("only_the_pytorch_flavour_of_the_native_kind_is_cut") {
  Document object = native(8, 4, {{kRequired, kRack}});
  CHECK(Setting{}.read(object).workload.segments.count() == 2);
  object["spec"]["distributedFramework"]["value"] = "MPI";
  const Normalised result = Setting{}.read(object);
  REQUIRE(result.causes.size() == 1);
  CHECK(result.causes[0].where == "spec.distributedFramework.value");
  CHECK_THAT(result.causes[0].message, Contains("\"MPI\" workloads cannot be cut"));
  CHECK_THAT(texts(Setting{}.read(native(8, 10)).causes),
             Contains("workersPerSegment 10 is greater than the 8 workers"));
}

TEST_CASE("the_path_of_the_native_size_is_configured") {
  Setting setting;
  setting.config.native_size_paths = {"spec.other.value", "spec.parallel.perSegment.value"};
  Document object = native(8, nullptr, {{kRequired, kRack}});
  object["spec"]["parallel"]["perSegment"]["value"] = "2";
  CHECK(setting.read(object).workload.segments.size == 2);
}

}  // namespace
}  // namespace toposeg::workload::testing
