#include "common/workload/near_miss.h"
#include "unit/catch.h"
#include "unit/common/workload/bench_of_manifests.h"

namespace toposeg::workload::testing {
namespace {

using Catch::Matchers::Contains;
constexpr const char* kTopology = "kai.scheduler/topology";
constexpr const char* kSize = "kai.scheduler/segment-size";
constexpr const char* kRequired = "kai.scheduler/segment-topology-required-placement";
constexpr const char* kPreferred = "kai.scheduler/segment-topology-preferred-placement";
constexpr const char* kWholeRequired = "kai.scheduler/topology-required-placement";
constexpr const char* kWholePreferred = "kai.scheduler/topology-preferred-placement";

Requester service_account() { return {"system:serviceaccount:runai:api", {}, ""}; }

TEST_CASE("near_misses_of_a_key_are_recognised") {
  const std::pair<const char*, const char*> rows[] = {
      {"kai.scheduler/segment_size", kSize},
      {"kai.scheduler/segmentsize", kSize},
      {"kai.scheduler/segments-size", kSize},
      {"kai-scheduler/segment-size", kSize},
      {"kai.scheduler/Segment-Size", kSize},
      {"segment-size", kSize},
      {"kai.scheduler/topology-required", kWholeRequired},
      {"topology-required", kWholeRequired},
      {"kai.scheduler/topology-prefered-placement", kWholePreferred},
      {"kai.scheduler/segment-topology-required", kRequired},
      {"segment-topology-preferred-placement", kPreferred},
      {"kai.scheduler/topologys", kTopology},
      {"toposeg.io/automatc", "toposeg.io/automatic"},
  };
  for (const auto& [written, meant] : rows) {
    CAPTURE(written);
    CHECK(meant_key(written) == std::string_view(meant));
  }
}

TEST_CASE("keys_of_ours_and_of_other_products_are_no_near_misses") {
  for (const char* key : {kTopology, kSize, kWholeRequired, "toposeg.io/plan", "kai.scheduler/queue",
                          "topology", "example.com/segment-size", "kueue.x-k8s.io/podset-required-topology",
                          "sidecar.istio.io/inject", "toposeg.io/segment", "", "/"}) {
    CAPTURE(key);
    CHECK_FALSE(meant_key(key));
  }
  CHECK_FALSE(meant_key(std::string(100'000, 'k')));
}

TEST_CASE("a_key_in_a_place_without_effect_gets_a_warning_with_the_right_place") {
  Document job = pytorchjob(
      8, {{kSize, "4"}, {kRequired, kRack}, {kTopology, "cluster-topology"}, {kWholeRequired, kZone}},
      {{kSize, "4"}});
  job["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["metadata"]["annotations"] = {{kRequired, kRack}};
  const Normalised result = Setting{}.read(job);
  const std::string text = lines(result.warnings);
  CHECK_THAT(text,
             Contains("segment-size has no effect in metadata.annotations; write it in the Worker template"));
  CHECK_THAT(
      text,
      Contains("topology-required-placement has no effect in the Worker template; write it in metadata"));
  CHECK_THAT(text, Contains("has no effect in the Master; write it in the Worker template"));
  CHECK(result.warnings.size() == 3);
  CHECK_FALSE(result.workload.whole.any());
  CHECK(result.workload.segment.required == kRack);
}

TEST_CASE("no_warning_is_longer_than_the_api_server_allows") {
  const std::string long_name(200, 'x');
  Setting setting;
  setting.config.unknown = config::UnknownLevel::kWarn;
  const Normalised result =
      setting.read(pytorchjob(8,
                              {{kSize, "4"},
                               {kRequired, long_name},
                               {kPreferred, "ë" + long_name},
                               {"kai.scheduler/segment-topology-required", "x"}},
                              {{kRequired, kRack}, {kPreferred, kRack}, {kTopology, "cluster-topology"}}));
  CHECK(result.warnings.size() == 5);
  for (const std::string& warning : result.warnings) CHECK(warning.size() <= 120);
}

TEST_CASE("the_template_names_the_topology_before_the_root") {
  Setting setting;
  setting.topologies.push_back(topology("second"));
  const auto name = [&](Annotations worker, Annotations root) {
    return setting.read(pytorchjob(8, worker, root)).workload.topology;
  };
  CHECK(name({{kTopology, "second"}, {kSize, "4"}, {kRequired, kRack}}, {{kTopology, "cluster-topology"}}) ==
        "second");
  CHECK(name({{kSize, "4"}, {kRequired, kRack}}, {{kTopology, "second"}}) == "second");
}

TEST_CASE("an_unknown_topology_is_refused_where_a_level_is_required_and_told_otherwise") {
  const Normalised refused =
      Setting{}.read(pytorchjob(8, {{kTopology, "other"}, {kSize, "4"}, {kRequired, kRack}}));
  REQUIRE(refused.causes.size() == 1);
  CHECK_THAT(refused.causes[0].text(),
             Contains("kai.scheduler/topology") && Contains("\"other\"") && Contains("cluster-topology"));
  const Normalised warned =
      Setting{}.read(pytorchjob(8, {{kTopology, "other"}, {kSize, "4"}, {kPreferred, kRack}}));
  CHECK(warned.causes.empty());
  CHECK_FALSE(warned.workload.constrained());
  CHECK_THAT(lines(warned.warnings), Contains("\"other\""));
  const Normalised level =
      Setting{}.read(pytorchjob(8, {{kTopology, kRack}, {kSize, "4"}, {kRequired, kRack}}));
  CHECK_THAT(texts(level.causes),
             Contains("is a level, not a Topology; write kai.scheduler/topology: \"cluster-topology\""));
}

TEST_CASE("without_a_name_the_default_or_the_only_topology_is_taken") {
  Setting setting;
  const Document job = pytorchjob(8, {{kSize, "4"}, {kRequired, kRack}});
  const Normalised only = setting.read(job);
  CHECK(only.workload.topology == "cluster-topology");
  CHECK_THAT(lines(only.warnings), Contains("the only one"));
  setting.topologies.push_back(topology("second"));
  CHECK_THAT(texts(setting.read(job).causes), Contains("cluster-topology, second"));
  setting.config.default_topology = "second";
  CHECK(setting.read(job).workload.topology == "second");
  setting.topologies.clear();
  CHECK_THAT(texts(setting.read(job).causes), Contains("the cluster has none"));
}

TEST_CASE("levels_are_named_by_label_or_alias") {
  const Normalised result =
      Setting{}.read(pytorchjob(8, {{kSize, "4"}, {kRequired, "rack"}, {kPreferred, kHostname}},
                                {{kTopology, "cluster-topology"}, {kWholeRequired, kZone}}));
  CHECK(texts(result.causes).empty());
  CHECK(result.warnings.empty());
  CHECK(result.workload.segment == Levels{kRack, kHostname});
  CHECK(result.workload.whole == Levels{kZone, std::nullopt});
}

TEST_CASE("an_unknown_level_is_refused_or_told_by_strength_and_configuration") {
  struct Row {
    const char* key;
    config::UnknownLevel unknown;
    bool refused;
  };
  using config::UnknownLevel;
  const Row rows[] = {
      {kRequired, UnknownLevel::kByStrength, true},
      {kPreferred, UnknownLevel::kByStrength, false},
      {kRequired, UnknownLevel::kWarn, false},
      {kPreferred, UnknownLevel::kRefuse, true},
  };
  for (const Row& row : rows) {
    Setting setting;
    setting.config.unknown = row.unknown;
    const Normalised result =
        setting.read(pytorchjob(8, {{kTopology, "cluster-topology"}, {kSize, "4"}, {row.key, "row"}}));
    const std::string text = row.refused ? texts(result.causes) : lines(result.warnings);
    CHECK_THAT(text, Contains("\"row\"") && Contains(kZone));
    CHECK(result.causes.size() == (row.refused ? 1U : 0U));
    CHECK(result.warnings.size() == (row.refused ? 0U : 1U));
  }
}

TEST_CASE("a_preferred_level_that_is_not_closer_than_the_required_one_has_no_effect") {
  for (const char* preferred : {kZone, kRack}) {
    const Normalised result = Setting{}.read(pytorchjob(
        8, {{kTopology, "cluster-topology"}, {kSize, "4"}, {kRequired, kRack}, {kPreferred, preferred}}));
    CHECK(result.workload.segment == Levels{kRack, std::nullopt});
    CHECK_THAT(lines(result.warnings), Contains("not closer than the required level"));
  }
}

TEST_CASE("inputs_that_nothing_makes_use_of_are_told") {
  CHECK_THAT(lines(Setting{}.read(pytorchjob(8, {{kSize, "4"}})).warnings),
             Contains("segment-size alone places nothing"));
  CHECK_THAT(lines(Setting{}.read(pytorchjob(8, {{kRequired, kRack}})).warnings),
             Contains("has no effect without"));
  CHECK_THAT(lines(Setting{}.read(pytorchjob(8, {}, {{kTopology, "cluster-topology"}})).warnings),
             Contains("alone has no effect"));
}

TEST_CASE("a_workload_that_asks_nothing_is_never_refused_nor_changed") {
  Document job = pytorchjob("many", {});
  job["spec"]["elasticPolicy"]["minReplicas"] = "two";
  const Normalised result = Setting{}.read(job);
  CHECK_FALSE(result.relevant);
  CHECK(result.causes.empty());
  CHECK(result.warnings.empty());
  CHECK(result.additions.empty());
}

TEST_CASE("a_managed_workload_gets_the_closest_level") {
  Setting setting;
  setting.requester = service_account();
  const Document job = pytorchjob(16, {{kSize, "4"}}, {{"runai-cli-version", "2.1"}});
  const Normalised result = setting.read(job);
  CHECK(result.managed);
  CHECK(result.workload.segment == Levels{std::nullopt, kHostname});
  CHECK(result.workload.whole == Levels{std::nullopt, kHostname});
  CHECK_THAT(fields(result.additions),
             Contains("metadata[\"annotations\"]") || Contains("metadata.annotations"));
  const Document written = with_additions(job, result.additions);
  CHECK(written["metadata"]["annotations"][kWholePreferred] == kHostname);
  const Document& worker = written["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["metadata"];
  CHECK(worker["annotations"][kPreferred] == kHostname);
  CHECK(worker["annotations"][kTopology] == "cluster-topology");
  CHECK(worker["labels"]["toposeg.io/managed"] == "true");
  CHECK(setting.read(written).additions.empty());
  CHECK(setting.read(written).workload.segment == result.workload.segment);
}

TEST_CASE("the_same_by_kubectl_gets_nothing_but_a_warning") {
  const Normalised result = Setting{}.read(pytorchjob(16, {{kSize, "4"}}, {{"runai-cli-version", "2.1"}}));
  CHECK_FALSE(result.managed);
  CHECK_FALSE(result.workload.constrained());
  CHECK(result.warnings.size() == 1);
}

TEST_CASE("the_users_own_levels_win_over_automatic_ones") {
  Setting setting;
  const Normalised result = setting.read(pytorchjob(
      16, {{kSize, "4"}, {kRequired, kRack}}, {{"toposeg.io/automatic", "true"}, {kWholeRequired, kZone}}));
  CHECK(result.managed);
  CHECK(result.workload.segment == Levels{kRack, std::nullopt});
  CHECK(result.workload.whole == Levels{kZone, std::nullopt});
}

TEST_CASE("automatic_levels_can_be_switched_off") {
  Setting setting;
  setting.config.automatic_segments = false;
  setting.config.automatic_whole = false;
  const Normalised result = setting.read(pytorchjob(16, {{kSize, "4"}}, {{"toposeg.io/automatic", "true"}}));
  CHECK_FALSE(result.workload.segment.any());
  CHECK_FALSE(result.workload.whole.any());
}

TEST_CASE("a_leaderworkerset_gets_no_segment_level_but_a_whole_one") {
  const Normalised result =
      Setting{}.read(leaderworkerset(8, {{"subGroupSize", 4}}, {}, {{"toposeg.io/automatic", "true"}}));
  CHECK_FALSE(result.workload.segment.any());
  CHECK(result.workload.whole.preferred == kHostname);
}

TEST_CASE("every_field_of_a_managed_rule_counts") {
  const auto managed = [](const config::ManagedRule& rule) {
    Setting setting;
    setting.config.managed_rules = {rule};
    setting.requester = {"ci-nightly", {"trainers"}, "trainer/2"};
    Document job = pytorchjob(4, {}, {{"team", "a"}});
    job["metadata"]["labels"] = {{"tier", "gold"}};
    job["metadata"]["ownerReferences"] = {{{"kind", "Workload"}, {"apiVersion", "x.run.ai/v1"}}};
    return setting.read(job).managed;
  };
  const auto rule = [](auto set) {
    config::ManagedRule result;
    set(result);
    return result;
  };
  CHECK(managed({}));
  CHECK(managed(rule([](auto& r) {
    r.user = "ci-*";
    r.group = "trainers";
    r.field_manager = "trainer*";
  })));
  CHECK(managed(rule([](auto& r) {
    r.kind = "PyTorchJob";
    r.owner_kind = "Workload";
    r.owner_api_group = "*.run.ai";
  })));
  CHECK(managed(rule([](auto& r) {
    r.annotation = "team";
    r.annotation_value = "a";
    r.annotation_absent = "none";
  })));
  CHECK(managed(rule([](auto& r) {
    r.label = "tier";
    r.label_value = "gold";
    r.annotations_any = {"none", "team"};
  })));
  CHECK_FALSE(managed(rule([](auto& r) { r.user = "cd-*"; })));
  CHECK_FALSE(managed(rule([](auto& r) { r.group = "train"; })));
  CHECK_FALSE(managed(rule([](auto& r) { r.field_manager = "kubectl*"; })));
  CHECK_FALSE(managed(rule([](auto& r) { r.kind = "LeaderWorkerSet"; })));
  CHECK_FALSE(managed(rule([](auto& r) { r.owner_kind = "Pipeline"; })));
  CHECK_FALSE(managed(rule([](auto& r) { r.owner_api_group = "run.ai"; })));
  CHECK_FALSE(managed(rule([](auto& r) {
    r.annotation = "team";
    r.annotation_value = "b";
  })));
  CHECK_FALSE(managed(rule([](auto& r) { r.annotation_absent = "team"; })));
  CHECK_FALSE(managed(rule([](auto& r) {
    r.label = "tier";
    r.label_value = "tin";
  })));
  CHECK_FALSE(managed(rule([](auto& r) { r.annotations_any = {"none"}; })));
  CHECK_FALSE(managed(rule([](auto& r) { r.managed = false; })));
}

TEST_CASE("the_node_pool_chooses_the_topology_of_a_managed_workload") {
  Setting setting;
  setting.topologies.push_back(topology("pool-b"));
  setting.config.pools = {{"pool", "b", "pool-b"}};
  Document job = pytorchjob(8, {{kSize, "4"}}, {{"toposeg.io/automatic", "true"}});
  CHECK(setting.read(job).workload.topology.empty());
  job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["nodeSelector"] = {{"pool", "b"}};
  CHECK(setting.read(job).workload.topology == "pool-b");
}

TEST_CASE("the_pods_that_need_the_pods_hook_get_its_label") {
  const auto labelled = [](const Document& object) {
    std::string roles;
    for (const Addition& addition : Setting{}.read(object).additions) {
      if (addition.path.back() != "toposeg.io/managed") continue;
      for (const char* role : {"Master", "Worker", "leaderTemplate", "workerTemplate"}) {
        for (const std::string& token : addition.path) roles += token == role ? std::string(role) + " " : "";
      }
    }
    return roles;
  };
  CHECK(labelled(pytorchjob(8, {{kSize, "4"}, {kRequired, kRack}})) == "Worker ");
  CHECK(labelled(pytorchjob(8, {}, {{kWholeRequired, kZone}})) == "Worker Master ");
  const Document policy{{"subGroupSize", 2}};
  const Document apart{{"subGroupSize", 2}, {"subGroupPolicyType", "LeaderExcluded"}};
  CHECK(labelled(leaderworkerset(5, policy, {{kRequired, kRack}})) == "workerTemplate leaderTemplate ");
  CHECK(labelled(leaderworkerset(5, apart, {{kRequired, kRack}})) == "workerTemplate ");
  CHECK(labelled(leaderworkerset(5, apart, {{kRequired, kRack}}, {{kWholeRequired, kZone}})) ==
        "workerTemplate leaderTemplate ");
}

TEST_CASE("a_native_size_is_written_for_the_pods_and_wrapped_where_the_kind_wraps") {
  const Document set = leaderworkerset(5, {{"subGroupSize", 2}}, {{kRequired, kRack}});
  CHECK_THAT(fields(Setting{}.read(set).additions), Contains("segment-size\"] = \"2\""));
  const Document object = native(8, 4, {{kRequired, kRack}});
  const Document written = with_additions(object, Setting{}.read(object).additions);
  CHECK(written["spec"]["annotations"]["items"][kSize]["value"] == "4");
  CHECK(written["spec"]["labels"]["items"]["toposeg.io/managed"]["value"] == "true");
  CHECK(Setting{}.read(written).additions.empty());
}

TEST_CASE("options_are_read_and_unknown_values_refused") {
  const Annotations worker = {{kSize, "4"}, {kRequired, kRack}};
  const auto soft = Setting{}.read(
      pytorchjob(8, worker, {{"toposeg.io/preferred-mode", "soft"}, {"toposeg.io/inject-env", "true"}}));
  CHECK(soft.workload.mode == PreferredMode::kSoft);
  CHECK(soft.workload.inject_env);
  const auto odd = Setting{}.read(
      pytorchjob(8, worker, {{"toposeg.io/preferred-mode", "firm"}, {"toposeg.io/automatic", "yes"}}));
  CHECK(odd.causes.size() == 2);
  CHECK_THAT(texts(odd.causes), Contains("anchored, soft, pinned") && Contains("true, false"));
}

TEST_CASE("lower_case_replica_types_are_told") {
  Document job = pytorchjob(8, {{kSize, "4"}, {kRequired, kRack}});
  Document& specs = job["spec"]["pytorchReplicaSpecs"];
  specs["worker"] = specs["Worker"];
  specs.erase("Worker");
  const Normalised result = Setting{}.read(job);
  REQUIRE(result.causes.size() == 1);
  CHECK(result.causes[0].where == "spec.pytorchReplicaSpecs.worker");
  CHECK_THAT(result.causes[0].message, Contains("write Worker instead of \"worker\""));
}

TEST_CASE("a_value_of_any_type_in_any_field_is_survived") {
  const Document sources[] = {
      pytorchjob(8, {{kSize, "4"}, {kRequired, kRack}}, {{kWholeRequired, kZone}}),
      leaderworkerset(5, {{"subGroupSize", 2}}, {{kRequired, kRack}}),
      native(8, 4, {{kRequired, kRack}}),
  };
  const Document values[] = {nullptr,
                             true,
                             -1,
                             1.5,
                             18446744073709551615U,
                             "",
                             "x",
                             Document::array(),
                             Document::array({nullptr}),
                             Document::object(),
                             Document{{"x", 1}}};
  for (const Document& source : sources) {
    const Document flat = source.flatten();
    for (const auto& [pointer, unused] : flat.items()) {
      std::string here = pointer;
      while (!here.empty()) {
        for (const Document& value : values) {
          Document odd = source;
          odd[Document::json_pointer(here)] = value;
          const Normalised result = Setting{}.read(odd);
          for (const std::string& warning : result.warnings) CHECK(warning.size() <= 120);
          if (!result.causes.empty()) CHECK(result.additions.empty());
        }
        here.resize(here.rfind('/'));
      }
    }
  }
  for (const Document& value : values) CHECK_FALSE(is_workload(value));
}

}  // namespace
}  // namespace toposeg::workload::testing
