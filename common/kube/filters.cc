#include "common/kube/filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace toposeg::kube {

namespace {

constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

std::optional<std::int64_t> integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool contains(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool compares(const NodeExpression& expression, const std::string* value) {
  if (value == nullptr || expression.values.size() != 1) return false;
  const std::optional<std::int64_t> have = integer(*value);
  const std::optional<std::int64_t> bound = integer(expression.values.front());
  if (!have || !bound) return false;
  return expression.op == Operator::kGt ? *have > *bound : *have < *bound;
}

bool holds(const NodeExpression& expression, const std::string* value) {
  switch (expression.op) {
    case Operator::kIn:
      return value != nullptr && contains(expression.values, *value);
    case Operator::kNotIn:
      return value == nullptr || !contains(expression.values, *value);
    case Operator::kExists:
      return value != nullptr;
    case Operator::kDoesNotExist:
      return value == nullptr;
    case Operator::kGt:
    case Operator::kLt:
      return compares(expression, value);
  }
  return false;
}

// An empty term matches nothing (KEP-3838 and the API's documentation).
bool matches_term(const NodeSelectorTerm& term, const Node& node) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  const bool labels = std::all_of(term.expressions.begin(), term.expressions.end(),
                                  [&](const NodeExpression& e) { return matches(e, node.labels); });
  return labels && std::all_of(term.fields.begin(), term.fields.end(), [&](const NodeExpression& e) {
           return holds(e, e.key == "metadata.name" ? &node.name : nullptr);
         });
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.exists) return true;
  return !toleration.key.empty() && toleration.value == taint.value;
}

bool tolerated(const PodSpec& pod, const Taint& taint) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                     [&](const Toleration& toleration) { return tolerates(toleration, taint); });
}

}  // namespace

bool matches(const NodeExpression& expression, const StringMap& labels) {
  return holds(expression, find(labels, expression.key));
}

bool matches_selector(const PodSpec& pod, const Node& node) {
  return std::all_of(pod.node_selector.begin(), pod.node_selector.end(), [&](const auto& entry) {
    const std::string* value = find(node.labels, entry.first);
    return value != nullptr && *value == entry.second;
  });
}

bool matches_affinity(const PodSpec& pod, const Node& node) {
  if (!pod.node_name.empty() && pod.node_name != node.name) return false;
  return !pod.has_affinity ||
         std::any_of(pod.affinity.begin(), pod.affinity.end(),
                     [&](const NodeSelectorTerm& term) { return matches_term(term, node); });
}

const Taint* untolerated_taint(const PodSpec& pod, const Node& node) {
  for (const Taint& taint : node.taints) {
    if (taint.effect != TaintEffect::kPreferNoSchedule && !tolerated(pod, taint)) return &taint;
  }
  return nullptr;
}

bool tells_of_health(const Taint& taint) {
  return taint.key.starts_with("node.kubernetes.io/") ||
         taint.key.starts_with("node.cloudprovider.kubernetes.io/");
}

bool cordoned_for(const PodSpec& pod, const Node& node) {
  if (!node.unschedulable) return false;
  return !tolerated(pod, {std::string(kUnschedulable), "", TaintEffect::kNoSchedule});
}

bool ports_conflict(const std::vector<HostPort>& wanted, const std::vector<HostPort>& taken) {
  const auto same = [](const HostPort& a, const HostPort& b) {
    const bool address = a.ip == b.ip || a.ip == "0.0.0.0" || b.ip == "0.0.0.0";
    return a.port == b.port && a.protocol == b.protocol && address;
  };
  return std::any_of(wanted.begin(), wanted.end(), [&](const HostPort& port) {
    return std::any_of(taken.begin(), taken.end(), [&](const HostPort& other) { return same(port, other); });
  });
}

std::string to_text(const Taint& taint) {
  const std::string_view effect = taint.effect == TaintEffect::kNoSchedule  ? "NoSchedule"
                                  : taint.effect == TaintEffect::kNoExecute ? "NoExecute"
                                                                            : "PreferNoSchedule";
  return taint.value.empty() ? fmt::format("{}:{}", taint.key, effect)
                             : fmt::format("{}={}:{}", taint.key, taint.value, effect);
}

}  // namespace toposeg::kube
