#include "engine/topology/node_names.h"

namespace toposeg::engine {

NodeId NodeNames::intern(std::string_view name) {
  if (const NodeId* known = find(name); known != nullptr) return *known;
  const auto id = static_cast<NodeId>(names_.size());
  ids_.emplace(names_.emplace_back(name), id);
  return id;
}

const NodeId* NodeNames::find(std::string_view name) const {
  const auto it = ids_.find(name);
  return it == ids_.end() ? nullptr : &it->second;
}

}  // namespace toposeg::engine
