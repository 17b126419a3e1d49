// Advice on fragmentation: the engine's facts as numbers for engine/defrag, and its answer in names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/defrag/problem.h"
#include "engine/placement/movable.h"
#include "engine/placement/state.h"

namespace toposeg::engine {

namespace {

constexpr std::string_view kPods = "pods";

// The label of a level, its alias, or what people call it.
Result<int> level_named(const std::string& name, const kube::Topology& topology) {
  std::vector<std::string> names;
  for (int level = 0; level < static_cast<int>(topology.levels.size()); ++level) {
    const kube::TopologyLevel& known = topology.levels[static_cast<std::size_t>(level)];
    names.push_back(short_name(topology, level));
    if (name == known.node_label || name == known.alias || name == names.back()) return level;
  }
  return fail(Code::kNotFound, fmt::format("topology \"{}\" has no level \"{}\"; its levels are {}",
                                           topology.name, name, fmt::join(names, ", ")));
}

class Asker {
 public:
  Asker(const Books& books, std::shared_ptr<const Tree> tree) : books_(books), tree_(std::move(tree)) {}

  defrag::Problem problem(const DefragQuestion& question, int level,
                          const std::vector<MovableSegment>& segments) {
    read_resources(question.shape, segments);
    read_hosts();
    problem_.tree = tree_;
    problem_.size = question.size;
    problem_.level = level;
    problem_.moves = question.moves;
    problem_.probe = shape_of(question.shape);
    for (const MovableSegment& segment : segments) add_segment(segment);
    return std::move(problem_);
  }

 private:
  void read_resources(const kube::PodSpec& probe, const std::vector<MovableSegment>& segments) {
    std::set<std::string> names{std::string(kPods)};
    const auto add = [&](const kube::ResourceList& requests) {
      for (const auto& [resource, amount] : requests) names.insert(resource);
    };
    add(probe.requests);
    for (const MovableSegment& segment : segments) add(segment.shape.requests);
    resources_.assign(names.begin(), names.end());
  }

  void read_hosts() {
    const VertexRange leaves = tree_->at_level(tree_->levels());
    for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
      const NodeId id = *books_.id(tree_->name(leaf));
      std::vector<std::int64_t> free;
      for (const std::string& resource : resources_)
        free.push_back(std::max<std::int64_t>(0, books_.free(id, resource)));
      problem_.free.push_back(std::move(free));
      ids_.push_back(id);
    }
  }

  void add_segment(const MovableSegment& movable) {
    defrag::Segment segment{shape_number(movable.shape), movable.level, movable.within, {}};
    const Vertex first = tree_->at_level(tree_->levels()).begin;
    for (const Vertex leaf : movable.leaves) segment.hosts.push_back(leaf - first);
    problem_.segments.push_back(std::move(segment));
  }

  [[nodiscard]] defrag::Shape shape_of(kube::PodSpec spec) const {
    defrag::Shape shape;
    for (const std::string& resource : resources_) {
      const std::int64_t* amount = kube::find(spec.requests, resource);
      shape.requests.push_back(resource == kPods ? 1 : amount == nullptr ? 0 : *amount);
    }
    spec.requests.clear();
    for (const NodeId id : ids_) {
      const Obstacle obstacle = books_.verdict(id, spec).obstacle;
      shape.allowed.push_back(obstacle == Obstacle::kNone || obstacle == Obstacle::kFull);
    }
    const bool apart = std::find(spec.anti_affinity.begin(), spec.anti_affinity.end(),
                                 "kubernetes.io/hostname") != spec.anti_affinity.end();
    if (!spec.host_ports.empty() || apart) shape.most_on_host = 1;
    return shape;
  }

  std::size_t shape_number(const kube::PodSpec& spec) {
    const auto known = std::find_if(specs_.begin(), specs_.end(),
                                    [&](const kube::PodSpec& other) { return same_shape(other, spec); });
    if (known != specs_.end()) return static_cast<std::size_t>(known - specs_.begin());
    specs_.push_back(spec);
    problem_.shapes.push_back(shape_of(spec));
    return specs_.size() - 1;
  }

  const Books& books_;
  std::shared_ptr<const Tree> tree_;
  defrag::Problem problem_;
  std::vector<std::string> resources_;
  std::vector<NodeId> ids_;  // by leaf
  std::vector<kube::PodSpec> specs_;
};

SegmentMove named(const defrag::Move& move, const MovableSegment& segment, const Tree& tree) {
  SegmentMove named;
  named.namespace_ = segment.owner.namespace_;
  named.kind = segment.owner.kind.substr(segment.owner.kind.rfind('/') + 1);
  named.workload = segment.owner.name;
  named.group = segment.group;
  named.segment = segment.segment;
  named.from = tree.path(segment.closest);
  named.to = tree.path(move.to);
  named.pods = segment.pods;
  const Vertex first = tree.at_level(tree.levels()).begin;
  for (const defrag::Leaf leaf : move.hosts) named.hosts.push_back(tree.name(first + leaf));
  for (const Vertex leaf : segment.leaves) named.old_hosts.push_back(tree.name(leaf));
  return named;
}

// Slots by level after the moves.
std::vector<std::int64_t> slots_after(const defrag::Problem& problem,
                                      const std::vector<defrag::Move>& moves) {
  std::vector<std::int64_t> slots;
  for (int level = 0; level < problem.tree->levels(); ++level) {
    slots.push_back(defrag::slots_after(problem, level, moves));
  }
  return slots;
}

bool cheaper(const DefragOption& a, const DefragOption& b) {
  const std::int64_t left = a.pods * b.gained;
  const std::int64_t right = b.pods * a.gained;
  return left != right ? left < right : a.gained < b.gained;
}

Result<void> check(const DefragQuestion& question) {
  if (question.size < 1)
    return fail(Code::kInvalid, fmt::format("segment size {} is not a positive number", question.size));
  if (question.moves < 1)
    return fail(Code::kInvalid, fmt::format("{} moves are not a positive number", question.moves));
  return {};
}

DefragAdvice in_names(const defrag::Problem& problem, const Movables& movables, const defrag::Advice& found) {
  const Tree& tree = *problem.tree;
  DefragAdvice advice;
  advice.topology = tree.topology();
  advice.levels = tree.level_labels();
  advice.level = problem.level;
  advice.size = problem.size;
  advice.moves = problem.moves;
  advice.slots = slots_after(problem, {});
  advice.movable = static_cast<int>(movables.segments.size());
  for (const MovableSegment& segment : movables.segments) advice.unknown += segment.known ? 0 : 1;
  advice.fixed = movables.fixed;
  advice.proven_moves = found.proven_moves;
  advice.at_most = found.at_most;
  for (const defrag::Option& option : found.options) {
    DefragOption out{{}, option.gained, option.pods, slots_after(problem, option.moves)};
    for (const defrag::Move& move : option.moves)
      out.moves.push_back(named(move, movables.segments[move.segment], tree));
    advice.options.push_back(std::move(out));
  }
  std::sort(advice.options.begin(), advice.options.end(), cheaper);
  return advice;
}

}  // namespace

Result<DefragAdvice> Engine::State::defrag(const DefragQuestion& question) {
  if (const Result<void> right = check(question); !right) return std::unexpected(right.error());
  const Result<const kube::Topology*> topology = find_topology(question.topology);
  if (!topology) return std::unexpected(topology.error());
  const Result<int> level = level_named(question.level, **topology);
  if (!level) return std::unexpected(level.error());
  const std::shared_ptr<const Tree> tree = views.tree((*topology)->name);
  const Movables movables =
      movable_segments(ledger, books, *tree, [this](const Owner& owner) { return known_as(owner); });
  const defrag::Problem problem = Asker(books, tree).problem(question, *level, movables.segments);
  return in_names(problem, movables, defrag::advise(problem));
}

}  // namespace toposeg::engine
