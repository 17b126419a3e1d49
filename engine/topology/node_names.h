// A number for every node name ever seen, so that trees and books speak of a node without a string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace toposeg::engine {

using NodeId = std::uint32_t;  // dense from 0 in the order of arrival; never given to another name

// Grows only: a node that goes and comes back is the same one. Reading is not safe beside intern(); the
// engine's lock holds both apart.
class NodeNames {
 public:
  NodeNames() = default;
  NodeNames(const NodeNames&) = delete;  // ids_ looks into names_
  NodeNames& operator=(const NodeNames&) = delete;

  NodeId intern(std::string_view name);                           // O(1)
  [[nodiscard]] const NodeId* find(std::string_view name) const;  // null = never seen; O(1)
  [[nodiscard]] const std::string& name(NodeId id) const { return names_[id]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // a deque: growing moves no name
  std::unordered_map<std::string_view, NodeId> ids_;
};

}  // namespace toposeg::engine
