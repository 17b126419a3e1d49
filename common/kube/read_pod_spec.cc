#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "common/kube/effective_request.h"
#include "common/kube/fields.h"
#include "common/kube/label_selector.h"
#include "common/kube/read.h"
#include "common/kube/taint_effect.h"

namespace toposeg::kube {

namespace {

Result<StringMap> read_string_map(const json::Document* parent, std::string_view key,
                                  const std::string& where) {
  StringMap map;
  const auto object = object_field(parent, key, where);
  if (!object) return std::unexpected(object.error());
  if (*object == nullptr) return map;
  for (const auto& [name, value] : (*object)->items()) {
    if (!value.is_string()) {
      return fail(Code::kInvalid, fmt::format("must be text, not {}", type_of(value)),
                  field(field(where, key), name));
    }
    put(map, name, value.get<std::string>());
  }
  return map;
}

Result<void> read_tolerations(const json::Document& spec, const std::string& where, PodSpec& pod) {
  const auto list = objects_field(&spec, "tolerations", where);
  if (!list) return std::unexpected(list.error());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const json::Document& entry = *(*list)[i];
    const std::string at = element(field(where, "tolerations"), i);
    const auto key = text_field(&entry, "key", at);
    const auto op = text_field(&entry, "operator", at);
    const auto value = text_field(&entry, "value", at);
    const auto effect = text_field(&entry, "effect", at);
    for (const auto* read : {&key, &op, &value, &effect}) {
      if (!*read) return std::unexpected(read->error());
    }
    if (!op->empty() && *op != "Equal" && *op != "Exists") {
      return fail(Code::kInvalid, fmt::format("{} is no operator: write Equal or Exists", quote(*op)),
                  field(at, "operator"));
    }
    Toleration toleration{*key, *value, *op == "Exists", std::nullopt};
    if (!effect->empty()) {
      const auto known = read_taint_effect(*effect, field(at, "effect"));
      if (!known) return std::unexpected(known.error());
      toleration.effect = *known;
    }
    pod.tolerations.push_back(std::move(toleration));
  }
  return {};
}

Result<Operator> read_operator(const std::string& text, const std::string& where) {
  constexpr std::pair<std::string_view, Operator> kNames[] = {
      {"In", Operator::kIn},         {"NotIn", Operator::kNotIn},
      {"Exists", Operator::kExists}, {"DoesNotExist", Operator::kDoesNotExist},
      {"Gt", Operator::kGt},         {"Lt", Operator::kLt}};
  for (const auto& [name, op] : kNames) {
    if (name == text) return op;
  }
  return fail(Code::kInvalid,
              fmt::format("{} is no operator: write In, NotIn, Exists, DoesNotExist, Gt or Lt", quote(text)),
              where);
}

Result<std::vector<NodeExpression>> read_expressions(const json::Document* term, std::string_view key,
                                                     const std::string& where) {
  std::vector<NodeExpression> expressions;
  const auto list = objects_field(term, key, where);
  if (!list) return std::unexpected(list.error());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const json::Document& entry = *(*list)[i];
    const std::string at = element(field(where, key), i);
    const auto label = text_field(&entry, "key", at);
    if (!label) return std::unexpected(label.error());
    const auto op_text = text_field(&entry, "operator", at);
    if (!op_text) return std::unexpected(op_text.error());
    const auto op = read_operator(*op_text, field(at, "operator"));
    if (!op) return std::unexpected(op.error());
    NodeExpression expression{*label, *op, {}};
    const auto values = array_field(&entry, "values", at);
    if (!values) return std::unexpected(values.error());
    for (std::size_t k = 0; *values != nullptr && k < (*values)->size(); ++k) {
      const std::string* value = json::text(&(**values)[k]);
      if (value == nullptr) {
        return fail(Code::kInvalid, fmt::format("must be text, not {}", type_of((**values)[k])),
                    element(field(at, "values"), k));
      }
      expression.values.push_back(*value);
    }
    expressions.push_back(std::move(expression));
  }
  return expressions;
}

Result<void> read_node_affinity(const json::Document* affinity, const std::string& where, PodSpec& pod) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  const auto node = object_field(affinity, "nodeAffinity", where);
  if (!node) return std::unexpected(node.error());
  const std::string node_at = field(where, "nodeAffinity");
  const auto required = object_field(*node, kRequired, node_at);
  if (!required) return std::unexpected(required.error());
  if (*required == nullptr) return {};
  pod.has_affinity = true;
  const std::string at = field(node_at, kRequired);
  const auto terms = objects_field(*required, "nodeSelectorTerms", at);
  if (!terms) return std::unexpected(terms.error());
  for (std::size_t i = 0; i < terms->size(); ++i) {
    const std::string term_at = element(field(at, "nodeSelectorTerms"), i);
    auto expressions = read_expressions((*terms)[i], "matchExpressions", term_at);
    if (!expressions) return std::unexpected(expressions.error());
    auto fields = read_expressions((*terms)[i], "matchFields", term_at);
    if (!fields) return std::unexpected(fields.error());
    pod.affinity.push_back({std::move(*expressions), std::move(*fields)});
  }
  return {};
}

// Terms that look into other namespaces, or narrow the choice by label keys, are not about siblings alone.
bool own_namespace_only(const json::Document& term) {
  for (const char* key : {"namespaces", "namespaceSelector", "matchLabelKeys", "mismatchLabelKeys"}) {
    const json::Document* value = json::member(&term, key);
    if (value != nullptr && !value->is_null() && !value->empty()) return false;
    if (value != nullptr && value->is_object())
      return false;  // an empty namespaceSelector means every namespace
  }
  return true;
}

// A required anti-affinity term that selects the pod's own labels keeps its siblings apart; every other pod
// affinity depends on pods that are not ours to count.
Result<void> read_pod_affinity(const json::Document* affinity, const json::Document* labels,
                               const std::string& where, PodSpec& pod) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  const auto anti = object_field(affinity, "podAntiAffinity", where);
  if (!anti) return std::unexpected(anti.error());
  const std::string at = field(where, "podAntiAffinity");
  const auto terms = objects_field(*anti, kRequired, at);
  if (!terms) return std::unexpected(terms.error());
  for (std::size_t i = 0; i < terms->size(); ++i) {
    const json::Document* term = (*terms)[i];
    const std::string term_at = element(field(at, kRequired), i);
    const auto key = text_field(term, "topologyKey", term_at);
    if (!key) return std::unexpected(key.error());
    if (key->empty()) return fail(Code::kInvalid, "name the node label", field(term_at, "topologyKey"));
    if (own_namespace_only(*term) && selects(json::member(term, "labelSelector"), labels)) {
      pod.anti_affinity.push_back(*key);
    } else {
      pod.uncounted.push_back("anti-affinity to other pods");
    }
  }
  std::sort(pod.anti_affinity.begin(), pod.anti_affinity.end());
  const auto last = std::unique(pod.anti_affinity.begin(), pod.anti_affinity.end());
  pod.anti_affinity.erase(last, pod.anti_affinity.end());
  const auto together = object_field(affinity, "podAffinity", where);
  if (!together) return std::unexpected(together.error());
  const auto pod_terms = objects_field(*together, kRequired, field(where, "podAffinity"));
  if (!pod_terms) return std::unexpected(pod_terms.error());
  if (!pod_terms->empty()) pod.uncounted.push_back("affinity to other pods");
  return {};
}

Result<void> read_container_ports(const json::Document& container, bool host_network,
                                  const std::string& where, PodSpec& pod) {
  const auto ports = objects_field(&container, "ports", where);
  if (!ports) return std::unexpected(ports.error());
  for (std::size_t i = 0; i < ports->size(); ++i) {
    const json::Document& entry = *(*ports)[i];
    const std::string at = element(field(where, "ports"), i);
    const auto inner = integer_field(&entry, "containerPort", at, 0);
    if (!inner) return std::unexpected(inner.error());
    const auto given = integer_field(&entry, "hostPort", at, 0);
    if (!given) return std::unexpected(given.error());
    const std::int64_t outer = *given == 0 && host_network ? *inner : *given;
    if (outer == 0) continue;
    if (outer < 0 || outer > 65535) {
      return fail(Code::kInvalid, fmt::format("{} is no port: 1 to 65535", outer), field(at, "hostPort"));
    }
    const auto protocol = text_field(&entry, "protocol", at);
    if (!protocol) return std::unexpected(protocol.error());
    const auto address = text_field(&entry, "hostIP", at);
    if (!address) return std::unexpected(address.error());
    pod.host_ports.push_back({static_cast<std::int32_t>(outer), protocol->empty() ? "TCP" : *protocol,
                              address->empty() ? "0.0.0.0" : *address});
  }
  return {};
}

Result<void> read_ports(const json::Document& spec, const std::string& where, PodSpec& pod) {
  const auto host_network = bool_field(&spec, "hostNetwork", where);
  if (!host_network) return std::unexpected(host_network.error());
  for (const char* key : {"containers", "initContainers"}) {
    const auto list = objects_field(&spec, key, where);
    if (!list) return std::unexpected(list.error());
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string at = element(field(where, key), i);
      if (auto done = read_container_ports(*(*list)[i], *host_network, at, pod); !done) return done;
    }
  }
  std::sort(pod.host_ports.begin(), pod.host_ports.end());
  pod.host_ports.erase(std::unique(pod.host_ports.begin(), pod.host_ports.end()), pod.host_ports.end());
  return {};
}

void note_uncounted(const json::Document& spec, PodSpec& pod) {
  const json::Document* volumes = json::member(&spec, "volumes");
  const auto claims = [](const json::Document& volume) {
    const json::Document* claim = json::member(&volume, "persistentVolumeClaim");
    const json::Document* ephemeral = json::member(&volume, "ephemeral");
    return (claim != nullptr && !claim->is_null()) || (ephemeral != nullptr && !ephemeral->is_null());
  };
  if (volumes != nullptr && volumes->is_array() && std::any_of(volumes->begin(), volumes->end(), claims)) {
    pod.uncounted.push_back("volumes that may be bound to certain nodes");
  }
  const json::Document* resource_claims = json::member(&spec, "resourceClaims");
  if (resource_claims != nullptr && resource_claims->is_array() && !resource_claims->empty()) {
    pod.uncounted.push_back("resource claims");
  }
}

}  // namespace

Result<PodSpec> read_pod_spec(const json::Document& spec, const json::Document* labels,
                              const std::string& where) {
  PodSpec pod;
  if (spec.is_null()) return pod;
  if (!spec.is_object())
    return fail(Code::kInvalid, fmt::format("must be an object, not {}", type_of(spec)), where);
  auto requests = effective_request(spec, nullptr, where);
  if (!requests) return std::unexpected(requests.error());
  pod.requests = std::move(*requests);
  auto selector = read_string_map(&spec, "nodeSelector", where);
  if (!selector) return std::unexpected(selector.error());
  pod.node_selector = std::move(*selector);
  const auto affinity = object_field(&spec, "affinity", where);
  if (!affinity) return std::unexpected(affinity.error());
  const std::string affinity_at = field(where, "affinity");
  for (const auto& done :
       {read_tolerations(spec, where, pod), read_node_affinity(*affinity, affinity_at, pod),
        read_pod_affinity(*affinity, labels, affinity_at, pod), read_ports(spec, where, pod)}) {
    if (!done) return std::unexpected(done.error());
  }
  const auto scheduler = text_field(&spec, "schedulerName", where);
  if (!scheduler) return std::unexpected(scheduler.error());
  pod.scheduler_name = *scheduler;
  const auto node = text_field(&spec, "nodeName", where);
  if (!node) return std::unexpected(node.error());
  pod.node_name = *node;
  note_uncounted(spec, pod);
  std::sort(pod.uncounted.begin(), pod.uncounted.end());
  pod.uncounted.erase(std::unique(pod.uncounted.begin(), pod.uncounted.end()), pod.uncounted.end());
  return pod;
}

}  // namespace toposeg::kube
