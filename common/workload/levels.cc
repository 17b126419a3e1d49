#include "common/workload/levels.h"

#include <fmt/format.h>

#include "common/base/text.h"

namespace toposeg::workload {

namespace {

std::optional<std::size_t> index_of(const kube::Topology& topology, std::string_view name) {
  for (std::size_t i = 0; i < topology.levels.size(); ++i) {
    if (topology.levels[i].node_label == name) return i;
  }
  for (std::size_t i = 0; i < topology.levels.size(); ++i) {
    if (!topology.levels[i].alias.empty() && topology.levels[i].alias == name) return i;
  }
  return std::nullopt;
}

std::string existing_levels(const kube::Topology& topology) {
  std::vector<std::string> names;
  for (const kube::TopologyLevel& level : topology.levels) {
    names.push_back(level.alias.empty() ? level.node_label
                                        : fmt::format("{} ({})", level.node_label, level.alias));
  }
  return join(names, ", ");
}

std::string suggestion(const kube::Topology& topology, std::string_view name) {
  std::vector<std::string_view> names;
  for (const kube::TopologyLevel& level : topology.levels) {
    names.push_back(level.node_label);
    if (!level.alias.empty()) names.push_back(level.alias);
  }
  return did_you_mean(name, names);
}

std::optional<std::size_t> resolve(const std::optional<Written>& name, bool refuse,
                                   const kube::Topology& topology, Findings& findings) {
  if (!name) return std::nullopt;
  const auto index = index_of(topology, name->value);
  if (index) return index;
  if (refuse) {
    findings.refuse(name->where, fmt::format("topology {} has no level {}{}; its levels are {}",
                                             quote(topology.name), quote(name->value),
                                             suggestion(topology, name->value), existing_levels(topology)));
  } else {
    findings.warn(fmt::format("level {} is ignored: topology {} has only {}", quote(name->value, 40),
                              quote(topology.name, 30), existing_levels(topology)));
  }
  return std::nullopt;
}

}  // namespace

Levels resolve_levels(const std::optional<Written>& required, const std::optional<Written>& preferred,
                      std::string_view preferred_key, const kube::Topology& topology,
                      config::UnknownLevel unknown, Findings& findings) {
  const bool always = unknown == config::UnknownLevel::kRefuse;
  const bool strict = always || unknown == config::UnknownLevel::kByStrength;
  const auto must = resolve(required, strict, topology, findings);
  const auto wish = resolve(preferred, always, topology, findings);
  Levels levels;
  if (must) levels.required = topology.levels[*must].node_label;
  if (!wish) return levels;
  if (must && *wish <= *must) {
    findings.warn(fmt::format("{} has no effect: it is not closer than the required level", preferred_key));
  } else {
    levels.preferred = topology.levels[*wish].node_label;
  }
  return levels;
}

}  // namespace toposeg::workload
