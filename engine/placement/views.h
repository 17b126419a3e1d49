// The trees and capacity arrays that decisions read, kept current: one tree a topology, one array a shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/kube/records.h"
#include "engine/capacity/books.h"
#include "engine/capacity/view.h"
#include "engine/topology/tree.h"

namespace toposeg::engine {

// Not thread safe. Trees are brought up to date at the next question after a change: for a few nodes that
// came, went or moved by editing the tree and its views, for many by building anew. Capacities follow at each
// question in O(levels) per node touched and live view.
class Views {
 public:
  static constexpr std::size_t kMostLive = 64;
  static constexpr std::size_t kMostEdits = 32;  // beyond that building anew is no dearer

  explicit Views(Books& books) : books_(books) {}

  // Of several topologies of one name the one of the first API group counts.
  void upsert(kube::Topology topology);
  void remove(std::string_view name, std::string_view api_group);
  void replace(const std::vector<kube::Topology>& topologies);
  // A node came, went or changed; null = it was not there, or is there no more. Told before the books.
  void node_changed(const kube::Node* before, const kube::Node* after);

  // Null when there is no such topology.
  [[nodiscard]] const kube::Topology* topology(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, kube::Topology, std::less<>>& topologies() const {
    return topologies_;
  }
  [[nodiscard]] std::shared_ptr<const Tree> tree(std::string_view topology);

  // Current until the books change; asking again brings the same object up to date. The least recently asked
  // for is forgotten beyond kMostLive.
  std::shared_ptr<const CapacityView> view(const std::shared_ptr<const Tree>& tree,
                                           const kube::PodSpec& shape,
                                           const std::optional<kube::PodSpec>& extra = std::nullopt);
  // Pods of the shape that every domain would take with nothing running on its nodes, ready and not cordoned,
  // by vertex. Current until a node changes; asking again gives the same. O(nodes) for a shape not asked for
  // among the last kMostLive.
  std::shared_ptr<const std::vector<std::int64_t>> when_empty(const std::shared_ptr<const Tree>& tree,
                                                              const kube::PodSpec& shape);
  [[nodiscard]] std::size_t live() const { return live_.size(); }
  // Arrays computed from nothing so far: the price of new shapes and new trees.
  [[nodiscard]] std::size_t built() const { return built_; }

 private:
  struct EmptyRooms {
    std::shared_ptr<const Tree> tree;
    kube::PodSpec shape;
    std::shared_ptr<const std::vector<std::int64_t>> rooms;
  };

  // Name, then API group.
  using TopologyKey = std::pair<std::string, std::string>;

  void forget(std::string_view topology);
  void settle(const std::string& name);
  void edit(std::shared_ptr<const Tree>& tree, const std::string& name);

  Books& books_;
  std::map<TopologyKey, kube::Topology> known_;
  std::map<std::string, kube::Topology, std::less<>> topologies_;  // those of known_ that count
  std::map<std::string, std::shared_ptr<const Tree>, std::less<>> trees_;
  std::map<std::string, std::vector<std::string>, std::less<>> pending_;  // nodes to edit trees_ by
  std::list<std::shared_ptr<CapacityView>> live_;                         // most recently asked for first
  std::list<EmptyRooms> empty_;                                           // the same
  std::size_t built_ = 0;
};

}  // namespace toposeg::engine
