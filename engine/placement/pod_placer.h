// Places one pod: on its reservation, else beside its siblings, else its whole segment anew.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "engine/placement/engine.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

class PodPlacer {
 public:
  // `whole_known`: the workload is the live object; false: it was made from the pod alone, and Segments::pods
  // is only a lower bound. The ledger's owner must be settled before.
  PodPlacer(Desk& desk, const Scope& scope, const workload::Member& member, const kube::PodSpec& pod,
            bool whole_known, std::size_t cluster_nodes);

  PodDecision place();

 private:
  std::optional<PodDecision> from_ledger();
  PodDecision in_segment(int segment);
  PodDecision outside_segments();
  PodDecision with_the_group();
  std::optional<PodDecision> beside_siblings(int segment);
  std::optional<PodDecision> anew(int segment, int pods, std::string& reason);
  std::optional<PodDecision> join(Vertex from, int up_to, std::optional<int> segment);
  std::optional<PodDecision> admitted();
  PodDecision homeless(std::string reason);
  void give_back_planned(int segment);

  Desk& desk_;
  const Scope& scope_;
  const workload::Member& member_;
  Seat seat_;
  std::shared_ptr<const Claim> claim_;
  const kube::PodSpec& pod_;
  bool whole_known_;
  std::size_t cluster_nodes_;
};

}  // namespace toposeg::engine
