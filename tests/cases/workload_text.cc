#include "workload_text.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>

#include "cluster_text.h"

namespace toposeg::cases {

namespace {

using json::Document;

constexpr std::string_view kPrefix = "kai.scheduler/";

// What the lines say, before it takes the form of a kind.
struct Draft {
  std::string kind;
  std::string name = "train";
  std::vector<Attribute> head;         // attributes of the first line
  Document root = Document::object();  // annotations
  Document worker = Document::object();
  Document extra = Document::object();
  Document worker_spec = Document::object();
  Document extra_spec = Document::object();
  Document worker_labels = Document::object();
  bool topology_given = false;
  bool extra_given = false;
};

std::string quantity_key(const std::string& key) {
  if (key == "gpu") return "nvidia.com/gpu";
  if (key == "mem") return "memory";
  if (key == "rdma") return "rdma/hca";
  return key;
}

Document pod_spec(std::span<const std::string> resources) {
  Document requests = Document::object();
  Document limits = Document::object();
  for (const std::string& word : resources) {
    const Attribute part = attribute(word);
    const std::string key = quantity_key(part.key);
    // Extended resources are written as limits, as people do.
    (key.find('/') == std::string::npos ? requests : limits)[key] = part.value;
  }
  Document container{{"name", "pytorch"}, {"image", "example.com/train:1"}};
  if (!requests.empty()) container["resources"]["requests"] = requests;
  if (!limits.empty()) container["resources"]["limits"] = limits;
  return Document{{"containers", Document::array({container})}};
}

Document toleration(const std::string& text) {
  const auto colon = text.rfind(':');
  const Attribute left = attribute(std::string_view(text).substr(0, colon));
  Document result{{"key", left.key}, {"operator", left.value.empty() ? "Exists" : "Equal"}};
  if (!left.value.empty()) result["value"] = left.value;
  if (colon != std::string::npos) result["effect"] = text.substr(colon + 1);
  return result;
}

Document expression(std::span<const std::string> line) {
  Document result{{"key", line[0]}, {"operator", line[1]}};
  if (line.size() > 2) result["values"] = Document(std::vector<std::string>(line.begin() + 2, line.end()));
  return result;
}

Document& affinity_terms(Document& spec) {
  Document& terms =
      spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"];
  if (terms.empty()) terms = Document::array({{{"matchExpressions", Document::array()}}});
  return terms;
}

void repel_itself(Draft& draft, const std::string& level) {
  draft.worker_labels["app"] = draft.name;
  draft.worker_spec["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
      .push_back(
          {{"topologyKey", level_label(level)}, {"labelSelector", {{"matchLabels", {{"app", draft.name}}}}}});
}

// Lines about the worker pods' own constraints. False when the line is none of them.
bool read_pod_line(Draft& draft, std::span<const std::string> line) {
  const std::string& verb = line.front();
  const auto rest = line.subspan(1);
  if (verb == "worker") {
    draft.worker_spec.update(pod_spec(rest));
  } else if (verb == "master" || verb == "leader") {
    draft.extra_spec.update(pod_spec(rest));
    draft.extra_given = true;
  } else if (verb == "extra-select" && rest.size() == 1) {
    draft.extra_spec["nodeSelector"][attribute(rest[0]).key] = attribute(rest[0]).value;
    draft.extra_given = true;
  } else if (verb == "extra-tolerate" && rest.size() == 1) {
    draft.extra_spec["tolerations"].push_back(toleration(rest[0]));
    draft.extra_given = true;
  } else if (verb == "tolerate" && rest.size() == 1) {
    draft.worker_spec["tolerations"].push_back(toleration(rest[0]));
  } else if (verb == "select" && rest.size() == 1) {
    draft.worker_spec["nodeSelector"][attribute(rest[0]).key] = attribute(rest[0]).value;
  } else if (verb == "affinity" && rest.size() >= 2) {
    affinity_terms(draft.worker_spec).back()["matchExpressions"].push_back(expression(rest));
  } else if (verb == "affinity-or" && rest.size() >= 2) {
    affinity_terms(draft.worker_spec).push_back({{"matchExpressions", Document::array({expression(rest)})}});
  } else if (verb == "affinity-field" && rest.size() >= 2) {
    affinity_terms(draft.worker_spec).back()["matchFields"].push_back(expression(rest));
  } else if (verb == "apart" && rest.size() == 1) {
    repel_itself(draft, rest[0]);
  } else if (verb == "scheduler" && rest.size() == 1) {
    draft.worker_spec["schedulerName"] = rest[0];
  } else {
    return false;
  }
  return true;
}

// Lines that are annotations. False when the line is none of them.
bool read_annotation_line(Draft& draft, std::span<const std::string> line) {
  const std::string& verb = line.front();
  const auto key = [](std::string_view name) { return fmt::format("{}{}", kPrefix, name); };
  if (verb == "topology" && line.size() == 2) {
    draft.topology_given = true;
    if (line[1] != "none") draft.worker[key("topology")] = line[1];
  } else if (verb == "size" && line.size() == 2) {
    draft.worker[key("segment-size")] = line[1];
  } else if (verb == "required" && line.size() == 2) {
    draft.worker[key("segment-topology-required-placement")] = level_label(line[1]);
  } else if (verb == "preferred" && line.size() == 2) {
    draft.worker[key("segment-topology-preferred-placement")] = level_label(line[1]);
  } else if (verb == "whole-required" && line.size() == 2) {
    draft.root[key("topology-required-placement")] = level_label(line[1]);
  } else if (verb == "whole-preferred" && line.size() == 2) {
    draft.root[key("topology-preferred-placement")] = level_label(line[1]);
  } else if (verb == "root" && line.size() == 3) {
    draft.root[line[1]] = line[2];
  } else if (verb == "template" && line.size() == 3) {
    draft.worker[line[1]] = line[2];
  } else if (verb == "extra-template" && line.size() == 3) {
    draft.extra[line[1]] = line[2];
    draft.extra_given = true;
  } else {
    return false;
  }
  return true;
}

Document pod_template(const Document& annotations, const Document& spec, const Document& labels = {}) {
  Document result{{"spec", spec.contains("containers") ? spec : Document(spec)}};
  if (!annotations.empty()) result["metadata"]["annotations"] = annotations;
  if (!labels.empty()) result["metadata"]["labels"] = labels;
  return result;
}

// The extra pod is like a worker unless the case says more.
Document extra_spec(const Draft& draft) {
  Document spec = draft.extra_spec;
  if (!spec.contains("containers")) spec["containers"] = draft.worker_spec["containers"];
  return spec;
}

Document envelope(const Draft& draft, std::string_view api_version, std::string_view kind) {
  Document object{{"apiVersion", api_version}, {"kind", kind}, {"metadata", {{"namespace", "ml-team"}}}};
  object["metadata"]["name"] = draft.name;
  return object;
}

using Heads = std::span<const Attribute>;

std::optional<std::string> head_value(Heads head, std::string_view key) {
  for (const Attribute& part : head) {
    if (part.key == key) return part.value;
  }
  return std::nullopt;
}

Document digits(const std::string& text) {
  const auto value = number(text, {});
  return value ? Document(*value) : Document(text);
}

Document make_pytorchjob(const Draft& draft) {
  Document object = envelope(draft, "kubeflow.org/v1", "PyTorchJob");
  if (!draft.root.empty()) object["metadata"]["annotations"] = draft.root;
  Document& specs = object["spec"]["pytorchReplicaSpecs"];
  specs["Worker"]["template"] = pod_template(draft.worker, draft.worker_spec, draft.worker_labels);
  if (const auto workers = head_value(draft.head, "workers")) specs["Worker"]["replicas"] = digits(*workers);
  if (const auto masters = head_value(draft.head, "master")) {
    specs["Master"]["replicas"] = digits(*masters);
    specs["Master"]["template"] = pod_template(draft.extra, extra_spec(draft));
  }
  if (const auto least = head_value(draft.head, "min"))
    object["spec"]["elasticPolicy"]["minReplicas"] = digits(*least);
  if (const auto most = head_value(draft.head, "max"))
    object["spec"]["elasticPolicy"]["maxReplicas"] = digits(*most);
  if (const auto least = head_value(draft.head, "min-available")) {
    object["spec"]["runPolicy"]["schedulingPolicy"]["minAvailable"] = digits(*least);
  }
  if (head_value(draft.head, "suspend")) object["spec"]["runPolicy"]["suspend"] = true;
  return object;
}

Document make_lws(const Draft& draft) {
  Document object = envelope(draft, "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet");
  if (!draft.root.empty()) object["metadata"]["annotations"] = draft.root;
  Document& inner = object["spec"]["leaderWorkerTemplate"];
  if (const auto groups = head_value(draft.head, "replicas")) object["spec"]["replicas"] = digits(*groups);
  if (const auto size = head_value(draft.head, "size")) inner["size"] = digits(*size);
  if (const auto size = head_value(draft.head, "subgroup"))
    inner["subGroupPolicy"]["subGroupSize"] = digits(*size);
  if (const auto type = head_value(draft.head, "type")) inner["subGroupPolicy"]["subGroupPolicyType"] = *type;
  if (const auto policy = head_value(draft.head, "startup")) object["spec"]["startupPolicy"] = *policy;
  inner["workerTemplate"] = pod_template(draft.worker, draft.worker_spec, draft.worker_labels);
  if (draft.extra_given) inner["leaderTemplate"] = pod_template(draft.extra, extra_spec(draft));
  return object;
}

// Every scalar as {value: X}, every map as {items: {key: {value: X}}}.
Document make_native(const Draft& draft) {
  Document object = envelope(draft, "run.ai/v2alpha1", "DistributedWorkload");
  Document annotations = draft.root;
  annotations.update(draft.worker);
  for (const auto& [key, value] : annotations.items()) {
    object["spec"]["annotations"]["items"][key]["value"] = value;
  }
  if (const auto workers = head_value(draft.head, "workers"))
    object["spec"]["workers"]["value"] = digits(*workers);
  if (const auto size = head_value(draft.head, "per-segment")) {
    object["spec"]["workersPerSegment"]["value"] = digits(*size);
  }
  if (const auto framework = head_value(draft.head, "framework")) {
    object["spec"]["distributedFramework"]["value"] = *framework;
  }
  return object;
}

Result<void> read_head(Draft& draft, std::span<const std::string> line, const std::string& where) {
  draft.kind = line.front();
  if (draft.kind != "pytorchjob" && draft.kind != "lws" && draft.kind != "native") {
    return fail(Code::kInvalid, "the first line of a workload is: pytorchjob, lws or native, then attributes",
                where);
  }
  for (const std::string& word : line.subspan(1)) {
    draft.head.push_back(attribute(word));
    if (draft.head.back().key == "name") draft.name = draft.head.back().value;
    if (draft.head.back().key == "leader-template") draft.extra_given = true;
  }
  return {};
}

}  // namespace

Result<Document> read_workload(const Section& section, const std::string& file) {
  Draft draft;
  const std::vector<std::string> one_gpu{"gpu=1"};
  draft.worker_spec = pod_spec(one_gpu);
  for (const Line& line : section.lines) {
    const std::string where = fmt::format("{}:{}", file, line.number);
    const auto parts = words(line.text);
    if (draft.kind.empty()) {
      if (auto done = read_head(draft, parts, where); !done) return std::unexpected(done.error());
    } else if (!read_pod_line(draft, parts) && !read_annotation_line(draft, parts)) {
      return fail(Code::kInvalid, fmt::format("'{}' is no line of a workload", line.text), where);
    }
  }
  if (!draft.topology_given) draft.worker[std::string(kPrefix) + "topology"] = "cluster-topology";
  if (draft.kind == "lws") return make_lws(draft);
  if (draft.kind == "native") return make_native(draft);
  return make_pytorchjob(draft);
}

}  // namespace toposeg::cases
