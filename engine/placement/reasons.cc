#include "engine/placement/reasons.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/placement/scope.h"

namespace toposeg::engine {

namespace {

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string obstacle_text(const CapacityView::ObstacleCount& count) {
  switch (count.obstacle) {
    case Obstacle::kNone:
      return fmt::format("{} can take a pod", count.nodes);
    case Obstacle::kGone:
      return fmt::format("{} removed", count.nodes);
    case Obstacle::kCordoned:
      return fmt::format("{} cordoned", count.nodes);
    case Obstacle::kNotReady:
      return fmt::format("{} not ready", count.nodes);
    case Obstacle::kTaint:
      return fmt::format("{} taint {}", count.nodes, count.detail);
    case Obstacle::kNodeSelector:
      return fmt::format("{} nodeSelector", count.nodes);
    case Obstacle::kAffinity:
      return fmt::format("{} node affinity", count.nodes);
    case Obstacle::kHostPort:
      return fmt::format("{} host port taken", count.nodes);
    case Obstacle::kFull:
      return fmt::format("{} {} full", count.nodes, count.detail);
    case Obstacle::kHeld:
      return fmt::format("{} kept for {}, which waits longer", count.nodes, count.detail);
  }
  return {};
}

// Those that take pods first, then the full ones (by resource), then what a person changed on the nodes.
std::vector<std::string> obstacle_texts(std::vector<CapacityView::ObstacleCount> counts) {
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    const auto rank = [](Obstacle obstacle) {
      if (obstacle == Obstacle::kNone) return -2;
      return obstacle == Obstacle::kFull ? -1 : static_cast<int>(obstacle);
    };
    return std::pair(rank(a.obstacle), std::string_view(a.detail)) <
           std::pair(rank(b.obstacle), std::string_view(b.detail));
  });
  std::vector<std::string> texts;
  texts.reserve(counts.size() + 1);
  std::transform(counts.begin(), counts.end(), std::back_inserter(texts), obstacle_text);
  return texts;
}

std::int32_t room_of(const CapacityView& view, Vertex domain, bool beside_extra) {
  return std::max(0, beside_extra ? view.beside(domain) : view.capacity(domain));
}

std::string best_text(const Tree& tree, const Roomiest& best, int pods) {
  if (best.domains.empty() || best.holds <= 0) return "none holds even one";
  const std::string first = path_text(tree, best.domains[0]);
  if (best.count == 1) return fmt::format("best: {} holds {} of {}", first, best.holds, pods);
  const std::string others =
      best.count == 2 ? path_text(tree, best.domains[1]) : fmt::format("{} more", best.count - 1);
  return fmt::format("best: {} and {} hold {} of {}", first, others, best.holds, pods);
}

std::string what_text(int pods, bool beside_extra) {
  return plural(pods, "pod") + (beside_extra ? " beside the leader" : "");
}

std::string cannot_hold(const CapacityView& view, Vertex domain, int pods, bool beside_extra) {
  return fmt::format("{} cannot hold {} (it holds {} of {})", path_text(view.tree(), domain),
                     what_text(pods, beside_extra), room_of(view, domain, beside_extra), pods);
}

}  // namespace

std::string path_text(const Tree& tree, Vertex domain) {
  if (domain == kRoot) return fmt::format("topology {}", tree.topology());
  return fmt::format("{}", fmt::join(tree.path(domain), "/"));
}

void Roomiest::add(Vertex domain, std::int32_t room) {
  if (room < holds) return;
  if (room > holds) *this = {room, 0, {}};
  ++count;
  domains.insert(std::upper_bound(domains.begin(), domains.end(), domain), domain);
  if (domains.size() > 2) domains.pop_back();
}

Roomiest roomiest(const CapacityView& view, int level, Vertex within, bool beside_extra) {
  Roomiest best;
  const VertexRange range = view.tree().under(within, level);
  for (Vertex v = range.begin; v < range.end; ++v) best.add(v, room_of(view, v, beside_extra));
  return best;
}

std::string no_domain(const CapacityView& view, const kube::Topology& topology, int level, Vertex within,
                      int pods, bool beside_extra) {
  const Tree& tree = view.tree();
  if (level <= tree.level(within)) return cannot_hold(view, within, pods, beside_extra);
  return no_domain(tree, topology, level, within, pods, beside_extra,
                   roomiest(view, level, within, beside_extra));
}

std::string no_domain(const Tree& tree, const kube::Topology& topology, int level, Vertex within, int pods,
                      bool beside_extra, const Roomiest& best) {
  const std::string where = within == kRoot ? "" : " in " + path_text(tree, within);
  return fmt::format("no {}{} can hold {} ({})", short_name(topology, level), where,
                     what_text(pods, beside_extra), best_text(tree, best, pods));
}

std::string node_counts(const CapacityView& view) {
  const Tree& tree = view.tree();
  std::vector<std::string> texts = obstacle_texts(view.obstacles(kRoot));
  texts.push_back(fmt::format("{} outside the topology", tree.outside().size()));
  return fmt::format("{}: {}",
                     plural(static_cast<std::int64_t>(tree.node_count() + tree.outside().size()), "node"),
                     fmt::join(texts, ", "));
}

std::string node_counts_under(const CapacityView& view, Vertex domain) {
  const Tree& tree = view.tree();
  return fmt::format("{} there: {}", plural(tree.under(domain, tree.levels()).size(), "node"),
                     fmt::join(obstacle_texts(view.obstacles(domain)), ", "));
}

}  // namespace toposeg::engine
