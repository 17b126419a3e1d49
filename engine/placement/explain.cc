// Why a segment went where it went: the numbers of each level and the next best domains, seen as the plan saw
// them, with everything else of the plan in place and this segment taken out again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "engine/placement/reasons.h"
#include "engine/placement/state.h"
#include "engine/placement/stickiness.h"
#include "engine/placement/trial.h"

namespace toposeg::engine {

namespace {

constexpr std::size_t kMostCandidates = 5;

std::vector<LevelNumbers> level_numbers(const CapacityView& view, int pods) {
  std::vector<LevelNumbers> numbers;
  const Tree& tree = view.tree();
  numbers.reserve(static_cast<std::size_t>(tree.levels()));
  for (int level = 0; level < tree.levels(); ++level) {
    const VertexRange domains = tree.at_level(level);
    LevelNumbers row{level, domains.size(), 0, 0};
    for (Vertex v = domains.begin; v < domains.end; ++v) {
      row.slots += view.capacity(v) / pods;
      row.largest = std::max<std::int64_t>(row.largest, view.capacity(v));
    }
    numbers.push_back(row);
  }
  return numbers;
}

// What decides between domains of one level, in the order of the objective.
struct Rank {
  bool fits = false;
  bool allowed = false;     // inside the domain that the whole workload is held to
  std::vector<int> opened;  // per level, top first: 1 = the domain there is not used by the rest of the plan
  std::int64_t left = 0;    // pods of the shape left over in it
  Vertex vertex = kRoot;    // path order
  [[nodiscard]] auto key() const { return std::tuple(!fits, !allowed, opened, left, vertex); }
};

struct Judge {
  const CapacityView& view;
  const Scope& scope;
  std::vector<Vertex> used;
  Vertex whole = kRoot;
  int pods = 1;

  [[nodiscard]] Rank rank(Vertex v) const {
    const Tree& tree = view.tree();
    Rank rank;
    rank.vertex = v;
    rank.fits = view.capacity(v) >= pods;
    rank.allowed = tree.level(v) < tree.level(whole) || tree.ancestor(v, tree.level(whole)) == whole;
    rank.left = view.capacity(v) - pods;
    for (int level = 0; level <= tree.level(v); ++level) {
      rank.opened.push_back(std::binary_search(used.begin(), used.end(), tree.ancestor(v, level)) ? 0 : 1);
    }
    return rank;
  }

  [[nodiscard]] std::string verdict(const Rank& other, const Rank& chosen) const {
    if (other.vertex == chosen.vertex) return "chosen";
    if (!other.fits) return fmt::format("holds {} of {} pods", other.left + pods, pods);
    if (!other.allowed)
      return fmt::format("outside {}, which the workload is held to", path_text(view.tree(), whole));
    for (std::size_t level = 0; level < other.opened.size(); ++level) {
      if (other.opened[level] > chosen.opened[level]) {
        return fmt::format("would open one more {}", short_name(scope.topology, static_cast<int>(level)));
      }
      if (other.opened[level] < chosen.opened[level]) break;
    }
    if (other.left > chosen.left)
      return fmt::format("would leave {} free instead of {}", other.left, chosen.left);
    return other.key() > chosen.key() ? "as good, but later in the order of names"
                                      : "worse for the plan as a whole";
  }
};

std::vector<Candidate> candidates(const Judge& judge, int level, Vertex chosen) {
  const Tree& tree = judge.view.tree();
  const VertexRange domains = tree.at_level(level);
  std::vector<Rank> ranks;
  ranks.reserve(domains.size());
  for (Vertex v = domains.begin; v < domains.end; ++v) ranks.push_back(judge.rank(v));
  std::sort(ranks.begin(), ranks.end(), [&](const Rank& a, const Rank& b) {
    return std::tuple(a.vertex != chosen, a.key()) < std::tuple(b.vertex != chosen, b.key());
  });
  if (ranks.size() > kMostCandidates) ranks.resize(kMostCandidates);
  std::vector<Candidate> out;
  out.reserve(ranks.size());
  const Rank best = judge.rank(chosen == kRoot ? domains.begin : chosen);
  for (const Rank& rank : ranks) {
    std::string verdict = chosen == kRoot
                              ? fmt::format("holds {} of {} pods", rank.left + judge.pods, judge.pods)
                              : judge.verdict(rank, best);
    out.push_back({tree.path(rank.vertex), judge.view.capacity(rank.vertex), std::move(verdict)});
  }
  return out;
}

std::vector<std::string> sentences(const PlannedSegment& segment, const Scope& scope, int pods) {
  std::vector<std::string> out;
  const int goal = scope.levels.goal();
  const std::string where = segment.level ? fmt::format("{} {}", short_name(scope.topology, *segment.level),
                                                        fmt::join(segment.domain, "/"))
                                          : "no single domain";
  if (segment.status == SegmentStatus::kWaiting) {
    out.push_back(fmt::format("Segment {} waits: its {} pods fit nowhere now.", segment.segment, pods));
  } else {
    out.push_back(fmt::format("Segment {} has {} pods and goes to {}.", segment.segment, pods, where));
  }
  if (goal != kAnywhere && segment.status == SegmentStatus::kPlaced) {
    const std::string name = short_name(scope.topology, goal);
    out.push_back(segment.climbed == 0
                      ? fmt::format("That is the level it tries to reach ({}).", name)
                      : fmt::format("It tries to reach {} and climbed {} above it.", name, segment.climbed));
  }
  out.insert(out.end(), segment.reasons.begin(), segment.reasons.end());
  return out;
}

}  // namespace

Result<Explanation> Engine::State::explain(const workload::Workload& workload, int group, int segment) {
  const Result<Scope> scope = scope_of(workload, group);
  if (!scope) return std::unexpected(scope.error());
  if (group < 0 || group >= workload.groups) {
    return fail(Code::kNotFound,
                fmt::format("there is no replica group {}; the workload has {}", group, workload.groups));
  }
  const int count = workload.segments.count();
  if (segment < 0 || segment >= count) {
    return fail(Code::kNotFound, count == 0 ? "the workload has no segments"
                                            : fmt::format("there is no segment {}; they are numbered 0 to {}",
                                                          segment, count - 1));
  }
  const Trial trial(ledger, scope->owner);
  const Plan plan = plan_groups(workload, {});
  const PlannedGroup& planned = plan.groups[static_cast<std::size_t>(group)];
  Explanation out;
  out.segment = planned.segments[static_cast<std::size_t>(segment)];
  for (const PlannedPod& pod : out.segment.pods) ledger.withdraw(scope->owner, scope->member(pod.index));

  const bool own_leader = segment == 0 && scope->leader_differs() && !scope->leader_stands_apart();
  const int pods = std::max(1, static_cast<int>(out.segment.pods.size()) - (own_leader ? 1 : 0));
  Desk tools = desk({});
  const auto view = views.view(scope->tree, workload.worker);
  out.levels = level_numbers(*view, pods);
  const Vertex whole = whole_foothold(tools, *scope).value_or(kRoot);
  const Judge judge{*view, *scope, vertices_in_use(tools, *scope), whole, pods};
  const Vertex chosen = scope->tree->find(out.segment.domain).value_or(kRoot);
  const int level = chosen != kRoot ? scope->tree->level(chosen) : std::max(0, scope->levels.goal());
  out.candidates = candidates(judge, level, chosen);
  out.sentences = sentences(out.segment, *scope, static_cast<int>(out.segment.pods.size()));
  return out;
}

}  // namespace toposeg::engine
