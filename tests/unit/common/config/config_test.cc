#include "common/config/config.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "unit/catch.h"

namespace toposeg::config {
namespace {

// All faults, one a line; or "accepted".
std::string faults(const std::string& text) {
  const auto config = parse(text, "t.yaml");
  if (config) return "accepted";
  std::string out;
  for (const Error& error : config.error()) out += (out.empty() ? "" : "\n") + error.text();
  return out;
}

Config accepted(const std::string& text) {
  const auto config = parse(text, "t.yaml");
  INFO(faults(text));
  REQUIRE(config);
  return *config;
}

TEST_CASE("an_empty_file_gives_the_defaults") {
  CHECK(accepted("") == defaults());
  CHECK(accepted("# only a comment\n") == defaults());
  CHECK(accepted("---\n") == defaults());
  CHECK(accepted("server:\npods: {}\nlog: {level: ~}\n") == defaults());
}

TEST_CASE("the_shipped_rules_decide_in_their_documented_order") {
  const auto rules = defaults().workloads.managed_rules;
  std::vector<std::string> names;
  names.reserve(rules.size());
  for (const ManagedRule& rule : rules) names.push_back((rule.managed ? "+" : "-") + rule.name);
  CHECK(names == std::vector<std::string>{"+automatic-on", "-automatic-off", "-kubectl", "+run-ai-owner",
                                          "+run-ai-owner-subgroup", "+run-ai-submitted", "+native-kind"});
  CHECK(rules[0].annotation == "toposeg.io/automatic");
  CHECK(rules[0].annotation_value == "true");
  CHECK(rules[1].annotation_value == "false");
  CHECK(rules[2].field_manager == "kubectl*");
  CHECK(rules[4].owner_api_group == "*.run.ai");
  CHECK(rules[5].annotations_any == std::vector<std::string>{"runai-cli-version", "clusterId"});
  CHECK(rules[5].user == "system:serviceaccount:*");
  CHECK(rules[6].kind == "DistributedWorkload");
}

TEST_CASE("every_section_is_read") {
  const Config config = accepted(R"(
workloads:
  managedRules:
    - {name: mine, user: "ci-*", kind: PyTorchJob, label: team, labelValue: ml, managed: true}
    - name: rest
      annotationsAny: [a.example/x, b]
      managed: false
  pools:
    - {label: pool, value: h100, topology: gpu-topology}
  defaultTopology: dc.main
  automaticSegments: false
  automaticWhole: false
  unknown: refuse
  nativeSizePaths: [spec.a.value, spec.b.value]
  maxSegments: 12
pods:
  schedulerNames: [default-scheduler, second]
  excludedNamespaces: [infra]
  ownNamespace: placing
  whenUnfit: pin
  neutralSpreading: false
engine: {budget: 250ms, planTtl: 10m, podTtl: 90s, groupTtl: 2h}
server:
  address: "::"
  port: 0
  plainAddress: 127.0.0.1
  plainPort: 8080
  certificateFile: /tls/tls.crt
  keyFile: /tls/tls.key
  serverNames: [toposeg.toposeg-system.svc, 127.0.0.1]
  clientCaFile: /tls/ca.crt
  workers: 3
  maxConnections: 10
  maxQueue: 20
  maxHeaderBytes: 8Ki
  maxBodyBytes: 1048576
  headerTimeout: 1s
  bodyTimeout: 2s
  idleTimeout: 3m
  lameDuck: 0s
  drain: 0
log: {level: debug, format: text}
)");
  CHECK(config.workloads.managed_rules.size() == 2);
  CHECK(config.workloads.managed_rules[0].user == "ci-*");
  CHECK(config.workloads.managed_rules[0].label_value == "ml");
  CHECK(config.workloads.managed_rules[1].annotations_any == std::vector<std::string>{"a.example/x", "b"});
  CHECK_FALSE(config.workloads.managed_rules[1].managed);
  CHECK(config.workloads.pools == std::vector<PoolTopology>{{"pool", "h100", "gpu-topology"}});
  CHECK(config.workloads.default_topology == "dc.main");
  CHECK_FALSE(config.workloads.automatic_segments);
  CHECK_FALSE(config.workloads.automatic_whole);
  CHECK(config.workloads.unknown == UnknownLevel::kRefuse);
  CHECK(config.workloads.native_size_paths == std::vector<std::string>{"spec.a.value", "spec.b.value"});
  CHECK(config.workloads.max_segments == 12);
  CHECK(config.pods.scheduler_names.back() == "second");
  CHECK(config.pods.excluded_namespaces == std::vector<std::string>{"infra"});
  CHECK(config.pods.own_namespace == "placing");
  CHECK(config.pods.when_unfit == WhenUnfit::kPin);
  CHECK_FALSE(config.pods.neutral_spreading);
  CHECK(config.engine.budget == std::chrono::milliseconds(250));
  CHECK(config.engine.plan_ttl == std::chrono::minutes(10));
  CHECK(config.engine.pod_ttl == std::chrono::seconds(90));
  CHECK(config.engine.group_ttl == std::chrono::hours(2));
  CHECK(config.server.address == "::");
  CHECK(config.server.port == 0);
  CHECK(config.server.plain_address == "127.0.0.1");
  CHECK(config.server.plain_port == 8080);
  CHECK(config.server.certificate_file == "/tls/tls.crt");
  CHECK(config.server.key_file == "/tls/tls.key");
  CHECK(config.server.server_names.size() == 2);
  CHECK(config.server.client_ca_file == "/tls/ca.crt");
  CHECK(config.server.workers == 3);
  CHECK(config.server.max_connections == 10);
  CHECK(config.server.max_queue == 20);
  CHECK(config.server.max_header_bytes == 8192);
  CHECK(config.server.max_body_bytes == 1U << 20U);
  CHECK(config.server.header_timeout == std::chrono::seconds(1));
  CHECK(config.server.body_timeout == std::chrono::seconds(2));
  CHECK(config.server.idle_timeout == std::chrono::minutes(3));
  CHECK(config.server.lame_duck == std::chrono::seconds(0));
  CHECK(config.server.drain == std::chrono::seconds(0));
  CHECK(config.log.level == "debug");
  CHECK(config.log.format == "text");
}

TEST_CASE("every_fault_is_reported_with_its_line") {
  CHECK(faults("server:\n  port: 65536\n  prot: 1\nlog:\n  level: loud\nengine: 5\nnonsense: 1\n") ==
        "t.yaml:2: server.port is \"65536\"; it must be a whole number from 0 to 65535\n"
        "t.yaml:3: \"prot\" is not a key of server (did you mean \"port\"?)\n"
        "t.yaml:5: log.level is \"loud\"; it must be one of trace, debug, info, warn, error\n"
        "t.yaml:6: engine is \"5\"; it must be a mapping of keys to values\n"
        "t.yaml:7: \"nonsense\" is not a key");
}

TEST_CASE("an_unknown_key_gets_the_nearest_known_one") {
  CHECK(faults("sever: {}") == "t.yaml:1: \"sever\" is not a key (did you mean \"server\"?)");
  CHECK(faults("server: {plain_port: 1}") ==
        "t.yaml:1: \"plain_port\" is not a key of server (did you mean \"plainPort\"?)");
  CHECK(faults("workloads:\n  managedRules:\n    - name: x\n      managed: true\n      fieldmanager: y\n") ==
        "t.yaml:5: \"fieldmanager\" is not a key of workloads.managedRules[0] (did you mean "
        "\"fieldManager\"?)");
  CHECK(faults("server: {zzzzzz: 1}") == "t.yaml:1: \"zzzzzz\" is not a key of server");
}

TEST_CASE("a_value_of_the_wrong_type_is_refused") {
  const std::string number = "it must be a whole number from 0 to 65535";
  CHECK(faults("server: {port: https}") == "t.yaml:1: server.port is \"https\"; " + number);
  CHECK(faults("server: {port: \"443\"}") ==
        "t.yaml:1: server.port is \"443\"; " + number + ", without quotes");
  CHECK(faults("server: {port: 1.5}") == "t.yaml:1: server.port is \"1.5\"; " + number);
  CHECK(faults("server: {port: -1}") == "t.yaml:1: server.port is \"-1\"; " + number);
  CHECK(faults("server: {port: [1]}") == "t.yaml:1: server.port is a list; " + number + ", without quotes");
  CHECK(faults("server: {port: 99999999999999999999}").find(number) != std::string::npos);
  CHECK(faults("pods: {neutralSpreading: yes}") ==
        "t.yaml:1: pods.neutralSpreading is \"yes\"; it must be true or false");
  CHECK(faults("pods: {neutralSpreading: \"true\"}") ==
        "t.yaml:1: pods.neutralSpreading is \"true\"; it must be true or false");
  CHECK(faults("pods: {schedulerNames: default-scheduler}") ==
        "t.yaml:1: pods.schedulerNames is \"default-scheduler\"; it must be a list");
  CHECK(faults("pods: {ownNamespace: {a: b}}") ==
        "t.yaml:1: pods.ownNamespace is a mapping; it must be a DNS label (a-z, 0-9 and -, at most 63 "
        "characters)");
  CHECK(faults("log: {level: [info]}") ==
        "t.yaml:1: log.level is a list; it must be one of trace, debug, info, warn, error");
  CHECK(faults("- server") == "t.yaml:1: the file is a list; it must be a mapping of keys to values");
}

TEST_CASE("durations_need_a_unit_and_a_sensible_length") {
  CHECK(faults("engine:\n  budget: 100\n") ==
        "t.yaml:2: engine.budget is \"100\"; it must be a duration from 1ms to 30s, written with its unit, "
        "such as "
        "10s, 5m or 500ms");
  CHECK(faults("engine: {budget: 31s}") ==
        "t.yaml:1: engine.budget is \"31s\"; it must be a duration from 1ms to 30s");
  CHECK(faults("engine: {planTtl: 1500ms}") ==
        "t.yaml:1: engine.planTtl is \"1500ms\"; it must be a duration from 1s to 24h, in whole seconds");
  CHECK(faults("server: {idleTimeout: 0s}") ==
        "t.yaml:1: server.idleTimeout is \"0s\"; it must be a duration from 1s to 1h");
}

TEST_CASE("sizes_and_counts_have_bounds") {
  CHECK(faults("server: {maxBodyBytes: 7MB}") ==
        "t.yaml:1: server.maxBodyBytes is \"7MB\"; it must be a size from 1Ki to 64Mi, such as 64Ki or 1Mi");
  CHECK(faults("server: {maxHeaderBytes: 0}") ==
        "t.yaml:1: server.maxHeaderBytes is \"0\"; it must be a size from 1Ki to 1Mi, such as 64Ki or 1Mi");
  CHECK(faults("server: {maxQueue: 0}") ==
        "t.yaml:1: server.maxQueue is \"0\"; it must be a whole number from 1 to 100000");
  CHECK(faults("workloads: {maxSegments: 0}") ==
        "t.yaml:1: workloads.maxSegments is \"0\"; it must be a whole number from 1 to 100000");
}

TEST_CASE("a_misspelt_word_of_a_choice_lists_the_right_ones") {
  CHECK(
      faults("pods: {whenUnfit: gates}") ==
      "t.yaml:1: pods.whenUnfit is \"gates\"; it must be one of gate, pin, refuse (did you mean \"gate\"?)");
  CHECK(faults("workloads: {unknown: strength}").find("byStrength, refuse, warn") != std::string::npos);
  CHECK(faults("log: {format: xml}") == "t.yaml:1: log.format is \"xml\"; it must be one of json, text");
}

TEST_CASE("names_addresses_and_paths_are_checked") {
  CHECK(faults("server: {address: localhost}") ==
        "t.yaml:1: server.address is \"localhost\"; it must be an IP address");
  CHECK(faults("server: {serverNames: [ok.example, \"bad name\"]}") ==
        "t.yaml:1: server.serverNames[1] is \"bad name\"; it must be a DNS name or an IP address");
  CHECK(faults("pods: {excludedNamespaces: [Infra, \"\"]}").find("excludedNamespaces[1] is \"\"") !=
        std::string::npos);
  CHECK(faults("pods: {ownNamespace: \"\"}").find("pods.ownNamespace is \"\"; it must be a DNS label") !=
        std::string::npos);
  CHECK(faults("pods: {schedulerNames: []}") ==
        "t.yaml:1: pods.schedulerNames is empty; it must have at least one entry");
  CHECK(faults("workloads: {nativeSizePaths: [spec]}").find("it must be a field path such as") !=
        std::string::npos);
  CHECK(faults("workloads: {defaultTopology: My Topology}").find("it must be a DNS name") !=
        std::string::npos);
  CHECK(accepted("workloads: {nativeSizePaths: []}").workloads.native_size_paths.empty());
}

TEST_CASE("a_text_of_other_bytes_or_with_control_characters_is_refused") {
  const std::string right = "it must be UTF-8 without control characters";
  CHECK(faults("workloads: {managedRules: [{name: all, user: \"system\xff\", managed: true}]}") ==
        "t.yaml:1: workloads.managedRules[0].user is \"system\\xff\"; " + right);
  CHECK(faults("workloads: {managedRules: [{name: all, user: \"a\\u0001b\", managed: true}]}").find(right) !=
        std::string::npos);
  CHECK(accepted("workloads: {managedRules: [{name: all, user: \"j\u00fcrg*\", managed: true}]}")
            .workloads.managed_rules.front()
            .user == "j\u00fcrg*");
}

TEST_CASE("a_rule_needs_a_name_and_a_verdict_and_its_parts_fit_together") {
  CHECK(faults("workloads:\n  managedRules:\n    - user: x\n") ==
        "t.yaml:3: workloads.managedRules[0].name is missing\n"
        "t.yaml:3: workloads.managedRules[0].managed is missing");
  CHECK(faults("workloads:\n  managedRules:\n    - {name: ~, managed: true}\n") ==
        "t.yaml:3: workloads.managedRules[0].name is missing");
  CHECK(faults("workloads:\n  managedRules:\n    - {name: a, annotationValue: x, managed: true}\n"
               "    - {name: a, labelValue: x, managed: true}\n    - nonsense\n") ==
        "t.yaml:3: workloads.managedRules[0].annotationValue needs annotation, the key that has the value\n"
        "t.yaml:4: workloads.managedRules[1].name is \"a\", which an earlier rule has\n"
        "t.yaml:4: workloads.managedRules[1].labelValue needs label, the key that has the value\n"
        "t.yaml:5: workloads.managedRules[2] is \"nonsense\"; it must be a mapping of keys to values");
  CHECK(accepted("workloads: {managedRules: []}").workloads.managed_rules.empty());
}

TEST_CASE("a_pool_needs_label_value_and_topology") {
  CHECK(faults("workloads:\n  pools:\n    - label: pool\n") ==
        "t.yaml:3: workloads.pools[0].value is missing\nt.yaml:3: workloads.pools[0].topology is missing");
  CHECK(accepted("workloads: {pools: [{label: pool, value: \"\", topology: t}]}").workloads.pools.size() ==
        1);
}

TEST_CASE("a_certificate_without_its_key_is_refused") {
  CHECK(faults("server:\n  certificateFile: a.pem\n") ==
        "t.yaml:2: server.certificateFile is set without server.keyFile; set both, or none");
  CHECK(faults("server:\n  keyFile: a.pem\n") ==
        "t.yaml:2: server.keyFile is set without server.certificateFile; set both, or none");
}

TEST_CASE("both_ports_cannot_be_one") {
  CHECK(faults("server:\n  plainPort: 9443\n") ==
        "t.yaml:2: server.port and server.plainPort are both 9443; they must differ");
  CHECK(faults("server: {port: 0, plainPort: 0}") == "accepted");
}

TEST_CASE("a_key_that_appears_twice_is_refused") {
  CHECK(faults("log:\n  level: info\n  level: warn\n") == "t.yaml:3: log.level appears twice");
  CHECK(faults("log: {}\nlog: {}\n") == "t.yaml:2: log appears twice");
}

TEST_CASE("what_is_no_yaml_is_named_with_its_line") {
  CHECK(faults("log: {level: info\nserver: [\n").find("not valid YAML: ") != std::string::npos);
  CHECK(faults("log:\n\tlevel: info\n").find("t.yaml:2: not valid YAML: ") == 0);
  CHECK(faults("log: *nowhere\n").find("t.yaml:1: not valid YAML: ") == 0);
  CHECK(faults("log: {}\n---\nlog: {}\n") == "t.yaml:2: a second document begins; the configuration is one");
  CHECK(faults(", a\n") == "t.yaml:1: not valid YAML: no value begins like this");
  CHECK(faults("? [a]\n: b\n") == "t.yaml:1: a key is a list; it must be a word");
}

TEST_CASE("hostile_text_is_refused_and_nothing_is_thrown") {
  CHECK(faults(std::string(100'000, '[')).find("not valid YAML") != std::string::npos);
  CHECK(faults(std::string((1U << 20U) + 1, '#')).find("at most 1048576 are read") != std::string::npos);
  CHECK(faults("log: {level: \"\\e[2J" + std::string(10'000, 'x') + "\"}").size() < 300);
  CHECK(faults("a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nlog: {level: *c}\n")
            .find("log.level is a list") != std::string::npos);
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "zzzzzzz" + std::to_string(i) + ": 1\n";
  CHECK(parse(many, "t.yaml").error().size() == 100);
  for (const char* text :
       {"\xff\xfe", "\"", "!!binary x", "? ", "{", "&a", "%TAG", "!<", "- - -", "<<: {log: {}}"}) {
    CHECK_NOTHROW(faults(text));
  }
}

TEST_CASE("a_missing_file_is_named") {
  const auto config = load("/nonexistent/toposeg.yaml");
  REQUIRE_FALSE(config);
  CHECK(config.error().front().code == Code::kUnavailable);
  CHECK(config.error().front().text() ==
        "/nonexistent/toposeg.yaml: the configuration file cannot be read: No such file or directory");
  const auto folder = load(TOPOSEG_SOURCE_DIR);
  REQUIRE_FALSE(folder);
  CHECK(folder.error().front().message.find("cannot be read") != std::string::npos);
}

TEST_CASE("a_file_is_read_and_its_faults_carry_its_name") {
  const auto path = std::filesystem::temp_directory_path() / "toposeg_config_test.yaml";
  std::ofstream(path) << "log:\n  level: loud\n";
  const auto config = load(path.string());
  std::filesystem::remove(path);
  REQUIRE_FALSE(config);
  CHECK(config.error().front().where == path.string() + ":2");
}

TEST_CASE("an_empty_file_on_disk_gives_the_defaults") {
  const auto path = std::filesystem::temp_directory_path() / "toposeg_config_empty_test.yaml";
  std::ofstream(path).flush();
  const auto config = load(path.string());
  std::filesystem::remove(path);
  REQUIRE(config);
  CHECK(*config == defaults());
}

TEST_CASE("settings_stand_over_the_file_and_obey_its_rules") {
  Config base = defaults();
  base.server.certificate_file = "c.pem";
  base.server.key_file = "k.pem";
  const auto set = with_settings(base, {{"server.workers", {"3"}, "--workers"},
                                        {"server.serverNames", {"a", "b"}, "--server-name"},
                                        {"pods.neutralSpreading", {"false"}, "--spread"}});
  REQUIRE(set);
  CHECK(set->server.workers == 3);
  CHECK(set->server.server_names == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(set->pods.neutral_spreading);
  CHECK(set->server.certificate_file == "c.pem");
  const auto wrong =
      with_settings(base, {{"server.workers", {"-1"}, "--workers"}, {"server.keyFile", {""}, "--key"}});
  REQUIRE_FALSE(wrong);
  REQUIRE(wrong.error().size() == 2);
  CHECK(wrong.error()[0].text() ==
        "--workers: server.workers is \"-1\"; it must be a whole number from 0 to 1024");
  CHECK(wrong.error()[1].where == "--key");
  CHECK_THROWS_AS(with_settings(base, {{"server.none", {"1"}, "--none"}}), std::out_of_range);
  CHECK(meaning_of("server.drain") == "After that: how long requests may take to finish.");
}

}  // namespace
}  // namespace toposeg::config
