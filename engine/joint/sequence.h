// Answers by planning the units one after the other, each exactly on what the earlier ones left. Which comes
// first matters, so several orders are tried.
#pragma once

#include <span>
#include <vector>

#include "engine/capacity/books.h"
#include "engine/joint/crowd.h"
#include "engine/joint/units.h"

namespace toposeg::engine {

class Sequence {
 public:
  // All arguments must outlive the use.
  Sequence(const Tree& tree, const JointProblem& problem, const std::vector<Unit>& units, Books& books,
           const ViewSource& views, Planner& planner)
      : tree_(tree), problem_(problem), units_(units), books_(books), views_(views), planner_(planner) {}

  // The orders worth trying, the natural one first; indices of units. At most `most`.
  [[nodiscard]] std::vector<std::vector<int>> orders(std::size_t most) const;

  // Plans in that order. The books are the same afterwards.
  [[nodiscard]] JointPods run(const std::vector<int>& order, const Deadline& deadline);

  // Plans a crowd as one group and deals its segments out, then leaders beside their workers, then everything
  // else. Places nothing where a group of it is bound to a domain.
  [[nodiscard]] JointPods run_crowd(const Crowd& crowd, const Deadline& deadline);

  // Plans group after group, all units of a group in one domain of a level that suits them all, if one of the
  // tightest few takes them; else one after the other.
  [[nodiscard]] JointPods run_by_group(const Deadline& deadline);

 private:
  struct Ongoing {
    JointPods pods;
    std::vector<std::vector<Vertex>> in_use;  // by group, what was placed so far
    std::vector<Vertex> whole;                // by group, its domain once known
  };
  [[nodiscard]] bool inside(Vertex v, Vertex domain) const;
  [[nodiscard]] Ongoing start() const;
  // As the books stand, less the domains where a pod of the shape keeps its like away.
  [[nodiscard]] std::shared_ptr<const CapacityView> view_for(const Ongoing& so_far,
                                                             const kube::PodSpec& shape,
                                                             const std::optional<kube::PodSpec>& extra) const;
  [[nodiscard]] std::vector<Vertex> lone_domains(const Ongoing& so_far, const kube::PodSpec& shape) const;
  bool place(const Unit& unit, const Deadline& deadline, Ongoing& so_far);
  [[nodiscard]] bool bound_to_domains(const Crowd& crowd) const;
  void deal(const Crowd& crowd, const Solution& solution, Ongoing& so_far);
  void add_leader(int item, const Deadline& deadline, Ongoing& so_far);
  void drop_scattered(Ongoing& so_far) const;
  void place_others(const Crowd& crowd, const Deadline& deadline, Ongoing& so_far);
  void charge(const Unit& unit, const JointPods& pods);
  void charge(const kube::PodSpec& shape, std::span<const Vertex> leaves);
  bool place_in(Vertex domain, std::span<const Unit> units, const Deadline& deadline, Ongoing& so_far);
  [[nodiscard]] std::vector<Vertex> tightest_for(std::span<const Unit> units) const;
  // Gives back all charges but the first `kept`.
  void release(int kept = 0);

  const Tree& tree_;
  const JointProblem& problem_;
  const std::vector<Unit>& units_;
  Books& books_;
  const ViewSource& views_;
  Planner& planner_;
  int charges_ = 0;
};

}  // namespace toposeg::engine
