// What every leaf has free, resource by resource, for the shapes of one question; pods are put on leaves and
// taken off again in any number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/capacity/books.h"
#include "engine/joint/problem.h"

namespace toposeg::engine {

class Stock {
 public:
  // O(leaves * shapes * resources). Two shapes whose host ports collide, shapes that stand once a node at
  // most and those whose pods repel each other on a level are seen to. The tree must outlive the stock.
  Stock(const Tree& tree, const Books& books, const std::vector<kube::PodSpec>& shapes);

  // How many more pods of the shape the leaf takes.
  [[nodiscard]] int room(int shape, Vertex leaf) const;
  // `pods` may be negative: they are taken off.
  void put(int shape, Vertex leaf, int pods);

  // Resource by resource; what shapes that repel each other want counts as one, too.
  [[nodiscard]] std::size_t resources() const { return resources_; }
  [[nodiscard]] std::int64_t request(int shape, std::size_t resource) const {
    return requests_[static_cast<std::size_t>(shape) * resources_ + resource];
  }
  [[nodiscard]] std::int64_t free(Vertex leaf, std::size_t resource) const {
    return free_[at(leaf) * resources_ + resource];
  }

  // Equal for leaves that take the same pods in every company (a 64-bit mix of all that counts).
  [[nodiscard]] std::uint64_t signature(Vertex leaf) const;

 private:
  [[nodiscard]] std::size_t at(Vertex leaf) const { return static_cast<std::size_t>(leaf - first_leaf_); }

  // The domain that takes one pod of the shape, around the leaf; none when its pods repel nobody.
  [[nodiscard]] std::optional<Vertex> lone_domain(std::size_t shape, Vertex leaf) const;

  const Tree* tree_;
  Vertex first_leaf_;
  std::size_t resources_ = 0;
  std::size_t shapes_;
  std::vector<std::int64_t> requests_;  // [shape][resource]
  std::vector<std::int64_t> free_;      // [leaf][resource]
  std::vector<std::int32_t> most_;      // [leaf][shape]: of this shape alone
  std::vector<std::int32_t> placed_;    // [leaf][shape]
  std::vector<int> repel_;              // [shape]: repel_level()
  std::vector<std::size_t> like_;       // [shape]: the first of the same shape; they repel each other
  std::vector<std::int32_t> lone_;      // [vertex][shape]: placed below, of shapes that repel their like
};

}  // namespace toposeg::engine
