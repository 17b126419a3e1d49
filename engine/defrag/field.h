// The hosts while pods are lifted off and put down: what is free, and how many slots that makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/defrag/problem.h"

namespace toposeg::engine::defrag {

class Field {
 public:
  // Keeps a reference to the problem. O(hosts).
  explicit Field(const Problem& problem);

  // Pods of the shape that the host takes. O(resources).
  [[nodiscard]] std::int64_t room(const Shape& shape, Leaf leaf) const;
  // Further pods of the shape that cost the host none of the probes it could take.
  [[nodiscard]] std::int64_t spare(const Shape& shape, Leaf leaf) const;
  [[nodiscard]] std::int64_t probes(Leaf leaf) const { return probes_[leaf]; }

  // One pod of the shape comes to the host, or leaves it. O(resources).
  void put(const Shape& shape, Leaf leaf);
  void lift(const Shape& shape, Leaf leaf);
  void put(const Shape& shape, std::span<const Leaf> leaves);
  void lift(const Shape& shape, std::span<const Leaf> leaves);

  // Domains of the level of the slots, numbered from 0.
  [[nodiscard]] std::size_t domain_of(Leaf leaf) const { return domain_of_[leaf]; }
  [[nodiscard]] std::size_t domains() const { return capacity_.size(); }
  [[nodiscard]] std::int64_t capacity(std::size_t domain) const { return capacity_[domain]; }
  // Probes of the domain beyond its whole slots.
  [[nodiscard]] std::int64_t remainder(std::size_t domain) const { return capacity_[domain] % size_; }
  [[nodiscard]] std::int64_t slots() const { return slots_; }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  // Hosts under a vertex: [first, last).
  struct Hosts {
    Leaf first = 0;
    Leaf last = 0;
  };
  [[nodiscard]] Hosts hosts(Vertex v) const;

 private:
  void add(const Shape& shape, Leaf leaf, std::int64_t sign);

  const Problem& problem_;
  std::int64_t size_;
  std::size_t resources_;
  Vertex first_leaf_;
  std::vector<std::int64_t> free_;  // leaf * resources + resource
  std::vector<std::int64_t> probes_;
  std::vector<std::size_t> domain_of_;
  std::vector<std::int64_t> capacity_;
  std::int64_t slots_ = 0;
};

}  // namespace toposeg::engine::defrag
