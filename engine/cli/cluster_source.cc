#include "engine/cli/cluster_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "common/base/text.h"
#include "common/kube/read.h"
#include "common/workload/kinds/kind.h"
#include "common/workload/normalise.h"
#include "engine/cli/text_input.h"

namespace toposeg::cli {
namespace {

constexpr std::string_view kKubectl = "kubectl get nodes,pods,topologies -A -o yaml";

Result<void> read_objects(std::istream& input, const std::string& name, ReadCluster& into) {
  return kube::read_cluster_and_others(input, name, into.cluster, [&](const json::Document& object) {
    ++into.passed_over[object.at("kind").get<std::string>()];
    if (workload::is_workload(object)) into.workloads.push_back(object);
  });
}

Result<void> read_file(const std::string& file, const Streams& streams, ReadCluster& into) {
  return with_input(file, streams, [&](std::istream& input, const std::string& name) {
    return read_objects(input, name, into);
  });
}

std::vector<std::string> kubectl_command(std::vector<std::string> command, const ClusterOptions& options) {
  const auto pass_on = [&](const char* flag, const std::string& value) {
    if (!value.empty()) command.insert(command.end(), {flag, value});
  };
  pass_on("--context", options.context);
  pass_on("--kubeconfig", options.kubeconfig);
  pass_on("-n", options.namespace_);
  return command;
}

Error explained(Error error) {
  if (error.message.find("doesn't have a resource type") != std::string::npos) {
    error.message +=
        ". The cluster knows no Topology: save `kubectl get nodes,pods -A -o json` to a file, write a "
        "Topology "
        "(kai.scheduler/v1alpha1) to another, and give both with --cluster";
  } else if (error.where == "kubectl") {
    error.message += fmt::format(". Install it, or give --cluster FILE with what `{}` prints", kKubectl);
  }
  return error;
}

Result<void> ask_kubectl(const ClusterOptions& options, const Streams& streams,
                         const Environment& environment, ReadCluster& into) {
  if (streams.err_is_terminal)
    streams.err << "Reading nodes, pods and topologies with kubectl ..." << std::flush;
  const auto done = environment.execute(
      kubectl_command({"kubectl", "get", "nodes,pods,topologies.kai.scheduler", "-A", "-o", "json"}, options),
      [&](std::istream& output) { return read_objects(output, "kubectl", into); });
  if (streams.err_is_terminal) {
    streams.err << (done ? fmt::format(" {} nodes, {} pods.\n", into.cluster.nodes.size(),
                                       into.cluster.pods.size())
                         : std::string("\n"));
  }
  if (!done) return std::unexpected(explained(done.error()));
  return {};
}

// The API server's plural: pytorchjobs.kubeflow.org.
std::string resource_of(const workload::Kind& kind) {
  std::string plural(kind.name());
  std::transform(plural.begin(), plural.end(), plural.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return fmt::format("{}s.{}", plural, kind.api_group());
}

Result<void> ask_kubectl_for_workloads(const ClusterOptions& options, Namespaces namespaces,
                                       const Environment& environment, ReadCluster& into) {
  for (const auto& kind : workload::kinds()) {
    std::vector<std::string> command{"kubectl", "get", resource_of(*kind), "-o", "json"};
    if (namespaces == Namespaces::kAll) command.emplace_back("-A");
    const auto done =
        environment.execute(kubectl_command(std::move(command), options),
                            [&](std::istream& output) { return read_objects(output, "kubectl", into); });
    const bool unknown =
        !done && done.error().message.find("doesn't have a resource type") != std::string::npos;
    if (!done && !unknown) return std::unexpected(done.error());
  }
  return {};
}

Result<void> drain(const std::string& name, kube::Cluster& cluster) {
  const auto node = std::find_if(cluster.nodes.begin(), cluster.nodes.end(),
                                 [&](const kube::Node& candidate) { return candidate.name == name; });
  if (node == cluster.nodes.end()) {
    std::vector<std::string_view> names;
    for (const kube::Node& known : cluster.nodes) names.emplace_back(known.name);
    return fail(Code::kInvalid,
                fmt::format("no node is named {}{}; the cluster has {}", quote(name),
                            did_you_mean(name, names), names.size()),
                "--drain");
  }
  node->unschedulable = true;
  std::erase_if(cluster.pods, [&](const kube::Pod& pod) { return pod.node_name == name; });
  return {};
}

std::string sources(const ClusterOptions& options) {
  return options.files.empty() ? "kubectl" : join(options.files, ", ");
}

Result<void> check(const kube::Cluster& cluster, const ClusterOptions& options) {
  if (cluster.nodes.empty()) {
    return fail(Code::kInvalid, fmt::format("no Node in it; expected what `{}` prints", kKubectl),
                sources(options));
  }
  for (const kube::Topology& topology : cluster.topologies) {
    const auto faults = kube::validate_topology(topology);
    if (!faults.empty()) {
      return fail(Code::kInvalid, faults.front().text(), fmt::format("Topology {}", quote(topology.name)));
    }
  }
  return {};
}

}  // namespace

Result<ReadCluster> read_cluster_from(const ClusterOptions& options, const Streams& streams,
                                      const Environment& environment) {
  ReadCluster read;
  Result<void> done;
  if (options.files.empty()) done = ask_kubectl(options, streams, environment, read);
  for (const std::string& file : options.files) {
    if (done) done = read_file(file, streams, read);
  }
  for (const std::string& file : options.added) {
    if (done) done = read_file(file, streams, read);
  }
  if (done) done = check(read.cluster, options);
  for (const std::string& node : options.drained) {
    if (done) done = drain(node, read.cluster);
  }
  if (!done) return std::unexpected(done.error());
  return read;
}

Result<ReadCluster> read_cluster_with_workloads(const ClusterOptions& options, Namespaces namespaces,
                                                const Streams& streams, const Environment& environment) {
  auto read = read_cluster_from(options, streams, environment);
  if (!read || !options.files.empty()) return read;
  if (auto done = ask_kubectl_for_workloads(options, namespaces, environment, *read); !done) {
    return std::unexpected(done.error());
  }
  return read;
}

}  // namespace toposeg::cli
