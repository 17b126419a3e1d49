#include "common/workload/topology_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "common/workload/keys.h"

namespace toposeg::workload {

namespace {

using Topologies = std::span<const kube::Topology>;

const kube::Topology* find_topology(Topologies topologies, std::string_view name) {
  const auto found = std::find_if(topologies.begin(), topologies.end(),
                                  [name](const kube::Topology& topology) { return topology.name == name; });
  return found == topologies.end() ? nullptr : &*found;
}

std::vector<std::string> names_of(Topologies topologies) {
  std::vector<std::string> names;
  for (const kube::Topology& topology : topologies) names.push_back(topology.name);
  return names;
}

// The Topology that has a level of this name.
const kube::Topology* with_level(Topologies topologies, std::string_view name) {
  const auto found =
      std::find_if(topologies.begin(), topologies.end(), [name](const kube::Topology& topology) {
        return std::any_of(topology.levels.begin(), topology.levels.end(),
                           [name](const kube::TopologyLevel& level) {
                             return level.node_label == name || level.alias == name;
                           });
      });
  return found == topologies.end() ? nullptr : &*found;
}

std::string unknown_name(Topologies topologies, const std::string& name) {
  if (const kube::Topology* owner = with_level(topologies, name)) {
    return fmt::format("{} is a level, not a Topology; write {}: {}", quote(name), keys::kTopology,
                       quote(owner->name));
  }
  if (topologies.empty()) return fmt::format("there is no Topology {}, the cluster has none", quote(name));
  const std::vector<std::string> names = names_of(topologies);
  const auto near = nearest(name, std::span<const std::string>(names));
  return fmt::format("there is no Topology {}; the cluster has {}{}", quote(name), join(names, ", "),
                     near ? fmt::format(" (did you mean {}?)", quote(*near)) : "");
}

// True when every term of a pod's own affinity demands the label value.
bool affinity_demands(const kube::PodSpec& spec, const config::PoolTopology& pool) {
  return !spec.affinity.empty() &&
         std::all_of(spec.affinity.begin(), spec.affinity.end(), [&pool](const kube::NodeSelectorTerm& term) {
           return std::any_of(term.expressions.begin(), term.expressions.end(),
                              [&pool](const auto& expression) {
                                return expression.key == pool.label && expression.op == kube::Operator::kIn &&
                                       expression.values == std::vector{pool.value};
                              });
         });
}

const config::PoolTopology* pool_of(const Manifest& manifest, const config::WorkloadConfig& config) {
  if (!manifest.worker_spec) return nullptr;
  const kube::PodSpec& spec = *manifest.worker_spec;
  const auto found = std::find_if(config.pools.begin(), config.pools.end(), [&spec](const auto& pool) {
    const std::string* selected = kube::find(spec.node_selector, pool.label);
    return (selected != nullptr && *selected == pool.value) || affinity_demands(spec, pool);
  });
  return found == config.pools.end() ? nullptr : &*found;
}

class Choice {
 public:
  Choice(const Manifest& manifest, const TopologyNeed& need, const NormaliseContext& context,
         Findings& findings)
      : manifest_(manifest), need_(need), context_(context), findings_(findings) {}

  const kube::Topology* named(const Written& name) {
    const kube::Topology* found = find_topology(context_.topologies, name.value);
    if (found == nullptr) complain(name.where, unknown_name(context_.topologies, name.value));
    return found;
  }

  const kube::Topology* assumed() {
    const auto* pool = need_.managed ? pool_of(manifest_, context_.config) : nullptr;
    if (pool != nullptr)
      return configured(pool->topology, fmt::format("pool {}={}", pool->label, pool->value));
    if (!context_.config.default_topology.empty())
      return configured(context_.config.default_topology, "default");
    if (context_.topologies.size() == 1) {
      const kube::Topology* only = &context_.topologies.front();
      say(fmt::format("no {} is set; {} is taken, the only one there is", keys::kTopology,
                      quote(only->name, 40)));
      return only;
    }
    if (need_.level) complain(place(), missing_name());
    return nullptr;
  }

 private:
  [[nodiscard]] std::string place() const { return where_of(manifest_.worker, keys::kTopology); }

  [[nodiscard]] std::string missing_name() const {
    if (context_.topologies.empty()) return "there is no Topology in the cluster";
    return fmt::format("a level needs a Topology; write {} with one of {}", keys::kTopology,
                       join(names_of(context_.topologies), ", "));
  }

  const kube::Topology* configured(const std::string& name, const std::string& source) {
    const kube::Topology* found = find_topology(context_.topologies, name);
    if (found != nullptr) {
      say(fmt::format("no {} is set; {} is taken by configuration ({})", keys::kTopology, quote(name, 40),
                      source));
    } else if (need_.level) {
      complain(place(),
               fmt::format("{} (configured as {})", unknown_name(context_.topologies, name), source));
    }
    return found;
  }

  // What was assumed matters only to someone who asked for something.
  void say(std::string_view text) {
    if (need_.level) findings_.warn(text);
  }

  void complain(std::string where, std::string message) {
    const config::UnknownLevel policy = context_.config.unknown;
    const bool refuse = policy == config::UnknownLevel::kRefuse ||
                        (policy == config::UnknownLevel::kByStrength && need_.required);
    if (refuse) {
      findings_.refuse(std::move(where), std::move(message));
    } else {
      findings_.warn(message);
    }
  }

  const Manifest& manifest_;
  const TopologyNeed& need_;
  const NormaliseContext& context_;
  Findings& findings_;
};

}  // namespace

const kube::Topology* choose_topology(const Manifest& manifest, const Inputs& inputs,
                                      const TopologyNeed& need, const NormaliseContext& context,
                                      Findings& findings) {
  Choice choice(manifest, need, context, findings);
  if (inputs.topology) return choice.named(*inputs.topology);
  return need.level || need.managed ? choice.assumed() : nullptr;
}

}  // namespace toposeg::workload
