#include "engine/planner/assign.h"

#include <algorithm>
#include <tuple>

namespace toposeg::engine {

namespace {

Vertex common_ancestor(const Tree& tree, Vertex a, Vertex b) {
  a = tree.ancestor(a, std::min(tree.level(a), tree.level(b)));
  b = tree.ancestor(b, tree.level(a));
  while (a != b) {
    a = tree.parent(a);
    b = tree.parent(b);
  }
  return a;
}

// Hands out the pods of one domain, leaf by leaf.
class Dealer {
 public:
  Dealer(const Spread& spread, const Spread::Domain& domain) : spread_(spread), at_(domain.begin) {}

  void deal(SegmentPlace::Kind kind, int pods, Solution& solution) {
    SegmentPlace place;
    place.kind = kind;
    place.hosts_begin = static_cast<std::uint32_t>(solution.hosts.size());
    solution.hosts.resize(solution.hosts.size() + static_cast<std::size_t>(pods));
    Vertex* host = solution.hosts.data() + place.hosts_begin;
    while (pods > 0) {
      const Spread::Leaf& leaf = spread_.leaves[at_];
      const int here = std::min(pods, leaf.pods - given_);
      for (int i = 0; i < here; ++i) *host++ = leaf.leaf;
      pods -= here;
      given_ += here;
      if (given_ < leaf.pods) break;
      ++at_;
      given_ = 0;
    }
    place.hosts_end = static_cast<std::uint32_t>(solution.hosts.size());
    solution.segments.push_back(place);
  }

 private:
  const Spread& spread_;
  std::uint32_t at_;
  int given_ = 0;
};

}  // namespace

int level_to_reach(const Problem& problem) {
  return std::max(problem.segment_preferred, problem.segment_required);
}

void name_domains(const Tree& tree, const Problem& problem, Solution& solution) {
  const int reach = level_to_reach(problem);
  for (SegmentPlace& place : solution.segments) {
    // Hosts are in depth-first order: what the first and the last share, all share.
    Vertex domain =
        common_ancestor(tree, solution.hosts[place.hosts_begin], solution.hosts[place.hosts_end - 1]);
    const bool with_extra = place.kind == SegmentPlace::Kind::kFirst && problem.extra_in_first;
    if (with_extra) domain = common_ancestor(tree, domain, solution.extra_host);
    place.domain = tree.ancestor(domain, std::min(tree.level(domain), reach));
    place.climbed = reach - tree.level(place.domain);
  }
  std::sort(solution.segments.begin(), solution.segments.end(),
            [&](const SegmentPlace& a, const SegmentPlace& b) {
              const Vertex first_a = solution.hosts[a.hosts_begin];
              const Vertex first_b = solution.hosts[b.hosts_begin];
              return std::tie(a.kind, first_a, a.hosts_begin) < std::tie(b.kind, first_b, b.hosts_begin);
            });
}

void assign(const Tree& tree, const Problem& problem, const Spread& spread, Solution& solution) {
  solution.extra_host = spread.extra_leaf;
  for (const Spread::Domain& domain : spread.domains) {
    Dealer dealer(spread, domain);
    if ((domain.set & kFirstPiece) != 0) dealer.deal(SegmentPlace::Kind::kFirst, problem.first, solution);
    for (int i = 0; i < domain.units; ++i) dealer.deal(SegmentPlace::Kind::kFull, problem.size, solution);
    if ((domain.set & kPartialPiece) != 0)
      dealer.deal(SegmentPlace::Kind::kPartial, problem.partial, solution);
  }
  name_domains(tree, problem, solution);
}

}  // namespace toposeg::engine
