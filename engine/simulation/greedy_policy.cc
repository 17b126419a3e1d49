#include "engine/simulation/greedy_policy.h"

#include <algorithm>

namespace toposeg::simulation {

using engine::kAnywhere;
using engine::kRoot;
using engine::Vertex;
using engine::VertexRange;

std::optional<Vertex> GreedyPolicy::choose(const Draft& draft, VertexRange domains, std::int32_t pods) {
  std::optional<Vertex> best;
  std::size_t fitting = 0;
  for (Vertex v = domains.begin; v < domains.end; ++v) {
    const std::int32_t free = draft.free(v);
    if (free < pods) continue;
    ++fitting;
    const bool better = !best || (rule_ == Rule::kWidest && free > draft.free(*best)) ||
                        (rule_ == Rule::kTightest && free < draft.free(*best)) ||
                        (rule_ == Rule::kRandom && random_.below(fitting) == 0);
    if (better) best = v;
    if (rule_ == Rule::kFirst) break;
  }
  return best;
}

// Every domain that may hold so many pods, in the order in which the rule would choose them.
GreedyPolicy::Vertices GreedyPolicy::in_order(const Draft& draft, VertexRange domains, std::int32_t pods) {
  Vertices order;
  for (Vertex v = domains.begin; v < domains.end; ++v) {
    if (draft.free(v) >= pods) order.push_back(v);
  }
  const auto by_room = [&](Vertex a, Vertex b) {
    const std::int32_t difference = draft.free(a) - draft.free(b);
    if (difference == 0) return a < b;
    return rule_ == Rule::kWidest ? difference > 0 : difference < 0;
  };
  if (rule_ == Rule::kWidest || rule_ == Rule::kTightest) {
    std::sort(order.begin(), order.end(), by_room);
  } else if (rule_ == Rule::kRandom) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
  }
  return order;
}

std::optional<Placement> GreedyPolicy::place(const Job& job, Floor& floor) {
  Draft draft(floor.room(job.pod));
  const engine::LevelIndices& levels = job.levels;
  const int goal = levels.whole_preferred != kAnywhere ? levels.whole_preferred : levels.whole_required;
  for (int level = goal; level >= levels.whole_required; --level) {
    const VertexRange domains =
        level == kAnywhere ? VertexRange{kRoot, kRoot + 1} : draft.tree().at_level(level);
    for (const Vertex whole : in_order(draft, domains, job.pods)) {
      if (auto placement = place_within(draft, job, whole)) return placement;
    }
  }
  return std::nullopt;
}

std::optional<Placement> GreedyPolicy::place_within(Draft& draft, const Job& job, Vertex whole) {
  Placement placement;
  for (const int pods : job.segments()) {
    const auto domain = job.segment > 0 ? domain_for(draft, job, pods, whole) : whole;
    if (!domain) {
      for (const Vertices& hosts : placement) {
        for (const Vertex host : hosts) draft.give_back(host);
      }
      return std::nullopt;
    }
    placement.emplace_back();
    fill(draft, *domain, pods, placement.back());
  }
  return placement;
}

std::optional<Vertex> GreedyPolicy::domain_for(const Draft& draft, const Job& job, std::int32_t pods,
                                               Vertex whole) {
  const int top = draft.tree().level(whole);
  for (int level = job.levels.goal(); level > top && level >= job.levels.segment_required; --level) {
    if (const auto domain = choose(draft, draft.tree().under(whole, level), pods)) return domain;
  }
  if (job.levels.segment_required > top || draft.free(whole) < pods) return std::nullopt;
  return whole;
}

// The children that hold the most go first where no single one holds all: few are used then.
void GreedyPolicy::fill(Draft& draft, Vertex domain, std::int32_t pods, Vertices& hosts) {
  if (draft.tree().level(domain) == draft.tree().levels()) {
    for (; pods > 0; --pods) {
      draft.take(domain);
      hosts.push_back(domain);
    }
    return;
  }
  const VertexRange children = draft.tree().children(domain);
  while (pods > 0) {
    std::optional<Vertex> child = choose(draft, children, pods);
    if (!child && rule_ != Rule::kTightest) child = choose(draft, children, 1);
    if (!child) {
      child = children.begin;
      for (Vertex v = children.begin; v < children.end; ++v) {
        if (draft.free(v) > draft.free(*child)) child = v;
      }
    }
    const std::int32_t part = std::min(pods, draft.free(*child));
    fill(draft, *child, part, hosts);
    pods -= part;
  }
}

}  // namespace toposeg::simulation
