// The one configuration of the product: a struct with its defaults, its file (YAML with comments) and its
// checks.
//
//   auto config = config::load("toposeg.yaml");
//   if (!config) die(config.error());   // every fault, each with file:line
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"

namespace toposeg::config {

// First match decides, no match = not managed; an empty field matches everything. Globs know * and ?.
struct ManagedRule {
  std::string name;               // for messages
  std::string user;               // glob
  std::string group;              // exact
  std::string field_manager;      // glob
  std::string kind;               // exact, of the workload
  std::string owner_kind;         // exact
  std::string owner_api_group;    // glob
  std::string annotation;         // key that must be present
  std::string annotation_value;   // empty = any value
  std::string annotation_absent;  // unused when empty
  std::string label;
  std::string label_value;
  std::vector<std::string> annotations_any;  // at least one of these is present
  bool managed = true;                       // the verdict
  friend bool operator==(const ManagedRule&, const ManagedRule&) = default;
};

// Node pool -> topology, for automatic placement: pods that select label=value use the topology.
struct PoolTopology {
  std::string label;
  std::string value;
  std::string topology;
  friend bool operator==(const PoolTopology&, const PoolTopology&) = default;
};

enum class UnknownLevel : std::uint8_t { kByStrength, kRefuse, kWarn };  // required refused, preferred warned
// Whether a workload may start before one that waits longer: where that cannot delay it, or wherever there is
// room.
enum class Passing : std::uint8_t { kHarmless, kFree };
enum class WhenUnfit : std::uint8_t { kGate, kPin, kRefuse };

struct WorkloadConfig {
  std::vector<ManagedRule> managed_rules;  // default: the shipped rules
  std::vector<PoolTopology> pools;
  std::string default_topology;
  bool automatic_segments = true;
  bool automatic_whole = true;
  UnknownLevel unknown = UnknownLevel::kByStrength;
  std::vector<std::string> native_size_paths;  // default: spec.workersPerSegment.value
  int max_segments = 10'000;                   // of one group
  bool device_tolerations = false;             // the API server adds them to pods
  friend bool operator==(const WorkloadConfig&, const WorkloadConfig&) = default;
};

struct PodConfig {
  std::vector<std::string> scheduler_names;      // default: default-scheduler (an absent name counts as it)
  std::vector<std::string> excluded_namespaces;  // beside kube-system, kube-public, kube-node-lease
  std::string own_namespace;                     // default: toposeg-system
  WhenUnfit when_unfit = WhenUnfit::kGate;
  bool neutral_spreading = true;
  friend bool operator==(const PodConfig&, const PodConfig&) = default;
};

struct EngineConfig {
  std::chrono::milliseconds budget{1000};  // of one decision
  std::chrono::seconds plan_ttl{300};      // a workload's reservation until its pods come
  std::chrono::seconds pod_ttl{300};       // an admitted pod until it is bound
  std::chrono::seconds group_ttl{3600};    // missing pods of a living group
  Passing passing = Passing::kHarmless;
  friend bool operator==(const EngineConfig&, const EngineConfig&) = default;
};

struct ServerConfig {
  std::string address = "0.0.0.0";
  std::uint16_t port = 9443;  // 0 = any free one
  std::string plain_address = "0.0.0.0";
  std::uint16_t plain_port = 9080;
  std::string certificate_file;  // both empty = self-made CA and leaf
  std::string key_file;
  std::vector<std::string> server_names;  // SANs of the self-made leaf, DNS names or addresses
  std::string client_ca_file;             // set = client certificates are demanded
  unsigned workers = 0;                   // 0 = one a core
  unsigned max_connections = 4096;
  unsigned max_queue = 1024;
  std::size_t max_header_bytes = 16U << 10U;
  std::size_t max_body_bytes = 7U << 20U;
  std::chrono::seconds header_timeout{10};
  std::chrono::seconds body_timeout{10};
  std::chrono::seconds idle_timeout{150};
  std::chrono::seconds lame_duck{10};
  std::chrono::seconds drain{20};
  friend bool operator==(const ServerConfig&, const ServerConfig&) = default;
};

struct LogConfig {
  std::string level = "info";   // trace debug info warn error
  std::string format = "json";  // json | text
  friend bool operator==(const LogConfig&, const LogConfig&) = default;
};

struct Config {
  WorkloadConfig workloads;
  PodConfig pods;
  EngineConfig engine;
  ServerConfig server;
  LogConfig log;
  friend bool operator==(const Config&, const Config&) = default;
};

// Defaults, with the shipped managed rules filled in.
[[nodiscard]] Config defaults();

// Parses YAML; unknown keys, wrong types and values out of range are all collected, one Error each, `where` =
// name:line. Absent and null keys keep their defaults; a list that is given replaces the default one. Never
// throws.
[[nodiscard]] std::expected<Config, std::vector<Error>> parse(const std::string& text,
                                                              const std::string& name);
[[nodiscard]] std::expected<Config, std::vector<Error>> load(const std::string& path);

// One key set from outside a file: {"server.lameDuck", {"5s"}, "--lame-duck"}.
struct Setting {
  std::string key;                  // section.key of a flag, number, size, duration, text, list or word
  std::vector<std::string> values;  // as in the file, without quotes; several for a list
  std::string where;                // who set it, for messages
};

// The configuration with these keys set over it. They obey the rules of the file, and so does the whole that
// comes of it; faults are collected, `where` = the setting's. A key that is none throws std::out_of_range.
[[nodiscard]] std::expected<Config, std::vector<Error>> with_settings(Config config,
                                                                      const std::vector<Setting>& settings);

// What the key means, from the schema. Throws as above.
[[nodiscard]] std::string_view meaning_of(std::string_view key);

// The whole configuration as commented YAML that parse() reads back to the same value.
[[nodiscard]] std::string print(const Config& config);

}  // namespace toposeg::config
