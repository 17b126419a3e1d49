// Groups that are alike and could each live in one of the lowest domains, taken together: what all of them
// cost at least, and an answer that often costs no more.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/joint/bound.h"
#include "engine/joint/cost.h"
#include "engine/joint/packing.h"
#include "engine/joint/share_out.h"
#include "engine/joint/stock.h"

namespace toposeg::engine {

// The largest set of two or more groups of a question that are alike: none of them stands anywhere yet or is
// bound to a domain, and the bound places all that they want.
struct AlikeGroups {
  std::vector<int> groups;
  std::vector<std::vector<int>> items;  // by group
  std::vector<int> shapes;
  PodCounts wanted;  // by one group, of each of these shapes
  int level = 0;     // the closest one whose domains have several hosts
};
[[nodiscard]] std::optional<AlikeGroups> find_alike(const Tree& tree, const JointProblem& problem,
                                                    const JointBound& bound);

class AlikePlan {
 public:
  // All references must outlive the use; the stock as before anything is placed. `steps`: of all searches for
  // packings.
  AlikePlan(const Tree& tree, const JointProblem& problem, const Room& room, const AlikeGroups& alike,
            Stock& stock, std::int64_t steps);

  // Looks at each kind of domain once. O(kinds * cost of a packing + domains * groups).
  void run();

  // Makes the bound higher where the plan knows more.
  void strengthen(JointBound& bound) const;
  // All groups placed, other items not; none where a group would break a rule, or they do not all fit.
  [[nodiscard]] std::optional<JointPods> answer();

 private:
  struct DomainKind {
    int hosts_at_least = 0;
    std::vector<Vertex> domains;
    PackingTable table;
  };

  [[nodiscard]] int groups() const { return static_cast<int>(alike_.groups.size()); }
  [[nodiscard]] std::vector<DomainKind> kinds();
  void look_at_kinds();
  void share_out();
  DomainKind* doubtful(int& things);
  [[nodiscard]] bool enough_at_least() const;
  [[nodiscard]] bool keeps_rules() const;
  [[nodiscard]] bool one_measure() const;
  void write(const std::vector<int>& items, const PackedGroup& packed, JointPods& pods) const;

  const Tree& tree_;
  const JointProblem& problem_;
  const AlikeGroups& alike_;
  std::int64_t steps_;
  Packer packer_;
  std::vector<DomainKind> kinds_;  // those looked at
  ShareOut least_;
  ShareOut found_;
  std::int64_t hosts_of_one_ = 0;     // that a group needs at least, in any domain; 0 = it fits in none
  std::int64_t groups_at_least_ = 0;  // packings found for so many groups on no more hosts each
};

}  // namespace toposeg::engine
