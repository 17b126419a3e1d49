// Kubernetes objects, as documents or as files, to records.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "common/json/decode.h"
#include "common/kube/records.h"

namespace toposeg::kube {

// A pod spec (a template's or a pod's `spec`). `where` is its field path, used in errors. kInvalid on a
// malformed quantity, operator or type; null and absent are the same everywhere. Effective request: per
// resource the larger of (sum of containers and sidecars) and (each init container plus the sidecars before
// it), plus overhead; pod-level spec.resources wins where set; a limit without a request is the request.
// `labels` are the pod's own, to know whether a required anti-affinity term selects the pod itself.
[[nodiscard]] Result<PodSpec> read_pod_spec(const json::Document& spec, const json::Document* labels,
                                            const std::string& where);

[[nodiscard]] Result<Node> read_node(const json::Document& object);
[[nodiscard]] Result<Pod> read_pod(const json::Document& object);
[[nodiscard]] Result<Topology> read_topology(const json::Document& object);

// Level list rules: 1 to 16 levels, labels valid and unique, aliases unique and no label of another level,
// kubernetes.io/hostname only last. Returns every fault, each with its field path; empty = valid.
[[nodiscard]] std::vector<Error> validate_topology(const Topology& topology);

// The topologies that count: of several of one name the one of the first API group (kai.scheduler before
// kueue.x-k8s.io). Sorted by name.
[[nodiscard]] std::vector<Topology> counting_topologies(std::vector<Topology> topologies);

// Reads what `kubectl get nodes,pods,topologies -A -o yaml|json` prints: Lists, several documents, bare
// objects; YAML or JSON by content. Streams: JSON objects go by SAX straight into records, no document is
// kept. Objects of other kinds are handed to `other` (kind, name) and skipped. Duplicate node or topology
// names are kInvalid. Errors carry `file:line`. Memory: the records, plus one object. Appends to `into`.
[[nodiscard]] Result<void> read_cluster(
    std::istream& input, const std::string& file_name, Cluster& into,
    const std::function<void(const std::string& kind, const std::string& name)>& other);

// The same, with each object of another kind whole but for what is large and never read (managed fields, a
// container's environment and probes, …). It is gone when `other` returns.
[[nodiscard]] Result<void> read_cluster_and_others(
    std::istream& input, const std::string& file_name, Cluster& into,
    const std::function<void(const json::Document& object)>& other);

// Every document of a YAML or JSON text (several documents, Lists flattened), as JSON documents, in order,
// with YAML scalars typed by the YAML 1.2 core schema (quoted stays text). Aliases are expanded within
// `limits` (an anchor bomb is kTooLarge). Errors carry `name:line`.
[[nodiscard]] Result<std::vector<json::Document>> read_documents(std::string_view text,
                                                                 const std::string& name,
                                                                 const json::Limits& limits = {});

}  // namespace toposeg::kube
