#include "common/kube/effective_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/kube/fields.h"
#include "common/kube/quantity.h"

namespace toposeg::kube {

namespace {

void add_all(ResourceList& into, const ResourceList& list) {
  for (const auto& [name, value] : list) {
    const std::int64_t* have = find(into, name);
    put(into, name, saturating_add(have == nullptr ? 0 : *have, value));
  }
}

void raise_to(ResourceList& into, const ResourceList& list) {
  for (const auto& [name, value] : list) {
    const std::int64_t* have = find(into, name);
    if (have == nullptr || *have < value) put(into, name, value);
  }
}

// Requests, with limits standing in for those that are absent.
Result<ResourceList> requests_of(const json::Document* owner, const std::string& where) {
  const auto resources = object_field(owner, "resources", where);
  if (!resources) return std::unexpected(resources.error());
  const std::string at = field(where, "resources");
  auto requests = read_resources(json::member(*resources, "requests"), field(at, "requests"));
  if (!requests) return requests;
  const auto limits = read_resources(json::member(*resources, "limits"), field(at, "limits"));
  if (!limits) return limits;
  for (const auto& [name, value] : *limits) {
    if (find(*requests, name) == nullptr) put(*requests, name, value);
  }
  return requests;
}

// What the kubelet has allocated to a running container, by its name.
Result<ResourceList> allocated_to(const json::Document* status, const std::string& name) {
  for (const char* list : {"containerStatuses", "initContainerStatuses"}) {
    const json::Document* statuses = json::member(status, list);
    if (statuses == nullptr || !statuses->is_array()) continue;
    for (const json::Document& entry : *statuses) {
      const std::string* own = json::text(json::member(&entry, "name"));
      if (own == nullptr || *own != name) continue;
      auto amount = read_resources(json::member(&entry, "allocatedResources"), "status.allocatedResources");
      if (!amount) return amount;
      const auto running = read_resources(json::member(json::member(&entry, "resources"), "requests"),
                                          "status.resources.requests");
      if (!running) return running;
      raise_to(*amount, *running);
      return amount;
    }
  }
  return ResourceList{};
}

struct Container {
  ResourceList requests;
  bool sidecar = false;
};

Result<std::vector<Container>> containers_of(const json::Document& spec, std::string_view key,
                                             const json::Document* status, const std::string& where) {
  std::vector<Container> containers;
  const auto list = objects_field(&spec, key, where);
  if (!list) return std::unexpected(list.error());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const json::Document& entry = *(*list)[i];
    const std::string at = element(field(where, key), i);
    auto requests = requests_of(&entry, at);
    if (!requests) return std::unexpected(requests.error());
    const std::string* name = json::text(json::member(&entry, "name"));
    const auto allocated = allocated_to(status, name == nullptr ? std::string() : *name);
    if (!allocated) return std::unexpected(allocated.error());
    raise_to(*requests, *allocated);
    const std::string* policy = json::text(json::member(&entry, "restartPolicy"));
    containers.push_back({std::move(*requests), policy != nullptr && *policy == "Always"});
  }
  return containers;
}

// spec.resources: its requests win; its limits stand in only for what no container asks.
Result<void> apply_pod_level(const json::Document& spec, const std::string& where, ResourceList& total) {
  const auto asked = requests_of(&spec, where);
  if (!asked) return std::unexpected(asked.error());
  const json::Document* explicit_requests = json::member(json::member(&spec, "resources"), "requests");
  for (const auto& [name, value] : *asked) {
    const json::Document* own = json::member(explicit_requests, name);
    const bool requested = own != nullptr && !own->is_null();
    if (requested || find(total, name) == nullptr) put(total, name, value);
  }
  return {};
}

}  // namespace

Result<ResourceList> read_resources(const json::Document* map, const std::string& where) {
  ResourceList list;
  if (map == nullptr || map->is_null()) return list;
  if (!map->is_object())
    return fail(Code::kInvalid, fmt::format("must be an object, not {}", type_of(*map)), where);
  for (const auto& [name, value] : map->items()) {
    if (value.is_null()) continue;
    if (!value.is_string() && !value.is_number()) {
      return fail(Code::kInvalid,
                  fmt::format("must be a quantity such as \"4\" or \"16Gi\", not {}", type_of(value)),
                  field(where, name));
    }
    const auto amount = parse_amount(name, value.is_string() ? value.get<std::string>() : value.dump());
    if (!amount) return fail(amount.error().code, amount.error().message, field(where, name));
    put(list, name, *amount);
  }
  return list;
}

Result<ResourceList> effective_request(const json::Document& spec, const json::Document* status,
                                       const std::string& where) {
  const auto containers = containers_of(spec, "containers", status, where);
  if (!containers) return std::unexpected(containers.error());
  const auto init = containers_of(spec, "initContainers", status, where);
  if (!init) return std::unexpected(init.error());
  ResourceList sidecars;
  ResourceList largest_step;
  for (const Container& container : *init) {
    if (container.sidecar) {
      add_all(sidecars, container.requests);
      raise_to(largest_step, sidecars);
      continue;
    }
    ResourceList step = sidecars;
    add_all(step, container.requests);
    raise_to(largest_step, step);
  }
  ResourceList total = sidecars;
  for (const Container& container : *containers) add_all(total, container.requests);
  raise_to(total, largest_step);
  if (auto done = apply_pod_level(spec, where, total); !done) return std::unexpected(done.error());
  const auto overhead = read_resources(json::member(&spec, "overhead"), field(where, "overhead"));
  if (!overhead) return overhead;
  add_all(total, *overhead);
  std::erase_if(total, [](const auto& entry) { return entry.second == 0 || entry.first == "pods"; });
  return total;
}

}  // namespace toposeg::kube
