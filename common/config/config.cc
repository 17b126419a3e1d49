#include "common/config/config.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

namespace toposeg::config {

namespace {

constexpr const char* kServiceAccount = "system:serviceaccount:*";

// In this order: a person's own word, then the tool that sent the object, then who made it. An owner's API
// group is run.ai itself or one below it.
std::vector<ManagedRule> shipped_rules() {
  std::vector<ManagedRule> rules;
  const auto add = [&rules](const char* name, bool managed) -> ManagedRule& {
    ManagedRule& rule = rules.emplace_back();
    rule.name = name;
    rule.managed = managed;
    return rule;
  };
  for (const bool wanted : {true, false}) {
    ManagedRule& rule = add(wanted ? "automatic-on" : "automatic-off", wanted);
    rule.annotation = "toposeg.io/automatic";
    rule.annotation_value = wanted ? "true" : "false";
  }
  add("kubectl", false).field_manager = "kubectl*";
  add("run-ai-owner", true).owner_api_group = "run.ai";
  add("run-ai-owner-subgroup", true).owner_api_group = "*.run.ai";
  ManagedRule& submitted = add("run-ai-submitted", true);
  submitted.user = kServiceAccount;
  submitted.annotations_any = {"runai-cli-version", "clusterId"};
  ManagedRule& native = add("native-kind", true);
  native.user = kServiceAccount;
  native.kind = "DistributedWorkload";
  return rules;
}

std::unexpected<std::vector<Error>> unreadable(const std::string& path, const std::string& why) {
  return std::unexpected(
      std::vector<Error>{{Code::kUnavailable, "the configuration file cannot be read: " + why, path}});
}

}  // namespace

Config defaults() {
  Config config;
  config.workloads.managed_rules = shipped_rules();
  config.workloads.native_size_paths = {"spec.workersPerSegment.value"};
  config.pods.scheduler_names = {"default-scheduler"};
  config.pods.own_namespace = "toposeg-system";
  return config;
}

std::expected<Config, std::vector<Error>> load(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path, std::generic_category().message(errno));
  std::ostringstream text;
  text << file.rdbuf();
  // Copying nothing at all also sets failbit: an empty file is no fault.
  if (errno != 0) return unreadable(path, std::generic_category().message(errno));
  return parse(text.str(), path);
}

}  // namespace toposeg::config
