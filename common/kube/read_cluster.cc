#include <fmt/format.h>

#include <istream>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "common/base/text.h"
#include "common/json/pointer.h"
#include "common/kube/list_items.h"
#include "common/kube/parse_text.h"
#include "common/kube/read.h"

namespace toposeg::kube {

namespace {

using json::Document;
using OtherSink = std::function<void(const Document& object)>;

// The API server stores at most 1.5 MiB of an object, which indented text at most doubles.
constexpr json::Limits kItemLimits{.bytes = std::size_t{8} << 20U, .depth = 64, .duplicate_keys = false};

// How many items may wait for the kind of their list.
constexpr std::size_t kMostWaiting = 2'000;

std::string metadata_text(const Document& object, std::string_view key) {
  return json::member_text(json::member(&object, "metadata"), key);
}

// "Pod default/worker-0".
std::string title(const Document& object) {
  const std::string kind = json::member_text(&object, "kind");
  const std::string space = metadata_text(object, "namespace");
  const std::string name = metadata_text(object, "name");
  return truncated(fmt::format("{} {}{}{}", kind, space, space.empty() ? "" : "/", name), 200);
}

class ClusterReader {
 public:
  ClusterReader(std::string file, Cluster& into, const OtherSink& other)
      : file_(std::move(file)), into_(into), other_(other) {
    for (const Node& node : into.nodes) nodes_.insert(node.name);
    for (const Topology& topology : into.topologies) topologies_.insert(topology_key(topology));
    for (std::size_t i = 0; i < into.pods.size(); ++i) pods_.emplace(pod_key(into.pods[i]), i);
  }

  // An item of a list, whose kind may not be known yet.
  Result<void> item(Document object, const Document& list, std::size_t line) {
    if (object.is_null()) return {};
    if (complete_item(object, list)) return convert(object, line);
    if (!object.is_object() || json::member(&list, "kind") != nullptr) return no_object(object, line);
    if (waiting_.size() == kMostWaiting) {
      return fail(Code::kTooLarge,
                  fmt::format("more than {} items without a kind come before the kind of their list; put "
                              "\"kind\" before \"items\"",
                              kMostWaiting),
                  place(line));
    }
    waiting_.push_back({std::move(object), line});
    return {};
  }

  // A whole document: an object, or what is left of a list whose items were handed on.
  Result<void> document(const Document& object, std::size_t line) {
    for (auto& [item, item_line] : std::exchange(waiting_, {})) {
      if (!complete_item(item, object)) return no_object(item, item_line);
      if (auto done = convert(item, item_line); !done) return done;
    }
    // A top-level array was handed on by elements.
    if (object.is_array() && object.empty()) return {};
    return convert(object, line);
  }

 private:
  struct Waiting {
    Document item;
    std::size_t line;
  };

  Result<void> convert(const Document& object, std::size_t line) {
    const std::string kind = json::member_text(&object, "kind");
    if (kind.empty()) return no_object(object, line);
    if (is_list_kind(kind)) return nested_list(object, line);
    const std::string version = json::member_text(&object, "apiVersion");
    const auto slash = version.find('/');
    const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
    if (kind == "Node" && group.empty()) return node(object, line);
    if (kind == "Pod" && group.empty()) return pod(object, line);
    if (kind == "Topology" && (group == "kai.scheduler" || group == "kueue.x-k8s.io")) {
      return topology(object, line);
    }
    if (other_) other_(object);
    return {};
  }

  // The items of a list that was not streamed: one within a list, or behind an anchor. None are left in one
  // that was.
  Result<void> nested_list(const Document& list, std::size_t line) {
    const Document* items = json::member(&list, "items");
    if (items == nullptr || !items->is_array()) return {};
    for (Document item : *items) {
      if (item.is_null()) continue;
      if (!complete_item(item, list)) return no_object(item, line);
      if (auto done = convert(item, line); !done) return done;
    }
    return {};
  }

  Result<void> node(const Document& object, std::size_t line) {
    auto node = read_node(object);
    if (!node) return wrong(object, node.error(), line);
    if (!nodes_.insert(node->name).second) return twice(object, line);
    into_.nodes.push_back(*std::move(node));
    return {};
  }

  Result<void> topology(const Document& object, std::size_t line) {
    auto topology = read_topology(object);
    if (!topology) return wrong(object, topology.error(), line);
    if (!topologies_.insert(topology_key(*topology)).second) return twice(object, line);
    into_.topologies.push_back(*std::move(topology));
    return {};
  }

  // The same pod listed again, as its uid shows, replaces what was read before.
  Result<void> pod(const Document& object, std::size_t line) {
    auto pod = read_pod(object);
    if (!pod) return wrong(object, pod.error(), line);
    const auto [known, is_new] = pods_.emplace(pod_key(*pod), into_.pods.size());
    if (is_new) {
      into_.pods.push_back(*std::move(pod));
      return {};
    }
    Pod& before = into_.pods[known->second];
    if (pod->uid.empty() || pod->uid != before.uid) return twice(object, line);
    before = *std::move(pod);
    return {};
  }

  static std::string topology_key(const Topology& topology) {
    return topology.api_group + '/' + topology.name;
  }
  static std::string pod_key(const Pod& pod) { return pod.namespace_ + '/' + pod.name; }

  [[nodiscard]] std::string place(std::size_t line) const { return fmt::format("{}:{}", file_, line); }

  [[nodiscard]] Result<void> wrong(const Document& object, const Error& error, std::size_t line) const {
    return fail(error.code, fmt::format("{}: {}", title(object), error.text()), place(line));
  }
  [[nodiscard]] Result<void> twice(const Document& object, std::size_t line) const {
    return fail(Code::kInvalid, fmt::format("{} appears twice; give each object once", title(object)),
                place(line));
  }
  [[nodiscard]] Result<void> no_object(const Document& value, std::size_t line) const {
    if (value.is_object()) {
      const std::string name = metadata_text(value, "name");
      return fail(Code::kInvalid,
                  fmt::format("{} has no kind; a Kubernetes object has apiVersion, kind and metadata",
                              name.empty() ? "this object" : "the object " + quote(name)),
                  place(line));
    }
    return fail(Code::kInvalid,
                fmt::format("a {} stands where a Kubernetes object should", value.type_name()), place(line));
  }

  std::string file_;
  Cluster& into_;
  const OtherSink& other_;
  std::unordered_set<std::string> nodes_;
  std::unordered_set<std::string> topologies_;
  std::unordered_map<std::string, std::size_t> pods_;  // to the index in into_.pods
  std::vector<Waiting> waiting_;
};

}  // namespace

Result<void> read_cluster_and_others(std::istream& input, const std::string& file_name, Cluster& into,
                                     const OtherSink& other) {
  ClusterReader reader(file_name, into, other);
  const ParseRequest request{
      .name = file_name,
      .limits = kItemLimits,
      .options = {.depth = kItemLimits.depth, .stream_items = true, .drop_unread = true},
      .on_item = [&reader](Document item, const Document& list,
                           std::size_t line) { return reader.item(std::move(item), list, line); },
      .on_document = [&reader](const Document& document,
                               std::size_t line) { return reader.document(document, line); }};
  TextSource source(input, kItemLimits.bytes);
  return parse_text(source, request);
}

Result<void> read_cluster(
    std::istream& input, const std::string& file_name, Cluster& into,
    const std::function<void(const std::string& kind, const std::string& name)>& other) {
  return read_cluster_and_others(input, file_name, into, [&other](const Document& object) {
    if (other) other(json::member_text(&object, "kind"), metadata_text(object, "name"));
  });
}

}  // namespace toposeg::kube
