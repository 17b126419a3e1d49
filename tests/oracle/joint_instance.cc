#include "oracle/joint_instance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "engine/capacity/view.h"
#include "oracle/dice.h"

namespace toposeg::engine::oracle {

namespace {

using Rank = JointItem::Rank;

// Replicas stand on few kinds of nodes.
void make_nodes(Dice& dice, JointInstance& instance, bool replicas) {
  const int levels = dice.roll(1, 3);
  const int nodes = dice.roll(2, replicas ? 4 : dice.chance(30) ? 8 : 5);
  const int most = dice.roll(1, 4);
  instance.topology.name = "t";
  for (int level = 0; level < levels; ++level)
    instance.topology.levels.push_back({fmt::format("level-{}", level), ""});
  for (int i = 0; i < nodes; ++i) {
    kube::Node node;
    node.name = fmt::format("node-{}", i);
    for (int level = 0; level < levels; ++level) {
      const std::string value(1, static_cast<char>('a' + dice.roll(0, level == 0 ? 1 : 2)));
      kube::put(node.labels, fmt::format("level-{}", level), value);
    }
    kube::put(node.labels, "kind", std::string(dice.chance(60) ? "x" : "y"));
    const int pods = dice.chance(20) ? dice.roll(1, 3) : 100;
    node.allocatable = {{"cpu", dice.roll(0, 4)}, {"gpu", dice.roll(0, most)}, {"pods", pods}};
    if (replicas && i > 0 && dice.chance(60))
      node.allocatable = instance.books.node("node-" + std::to_string(dice.roll(0, i - 1)))->allocatable;
    instance.books.upsert(node);
  }
  instance.tree = Tree::build(instance.topology, instance.books.nodes(), instance.books.names());
}

kube::PodSpec make_shape(Dice& dice, int number) {
  kube::PodSpec shape;
  const int gpus = number == 0 ? 1 : dice.roll(0, 2);
  const int cpus = number == 0 ? dice.roll(0, 1) : dice.roll(gpus == 0 ? 1 : 0, 2);
  shape.requests = {{"cpu", cpus}, {"gpu", gpus}};
  if (dice.chance(15)) shape.node_selector = {{"kind", "x"}};
  if (dice.chance(8)) shape.host_ports = {kube::HostPort{.port = 80}};
  return shape;
}

// The items of one group, in the order that the planner is promised.
class GroupMaker {
 public:
  GroupMaker(Dice& dice, JointInstance& instance, bool replicas)
      : dice_(dice),
        tree_(*instance.tree),
        problem_(instance.problem),
        levels_(tree_.levels()),
        replicas_(replicas) {}

  void make(int number) {
    JointGroup group;
    group.measure = dice_.chance(75) ? 0 : dice_.roll(0, shapes() - 1);
    required_ = dice_.chance(50) ? dice_.roll(0, levels_ - 1) : kAnywhere;
    goal_ = dice_.chance(40) ? dice_.roll(std::max(0, required_), levels_ - 1) : required_;
    if (dice_.chance(30)) group.whole_required = dice_.roll(0, levels_ - 1);
    if (dice_.chance(30) && group.whole_required < levels_ - 1)
      group.whole_preferred = dice_.roll(group.whole_required + 1, levels_ - 1);
    if (dice_.chance(replicas_ ? 5 : 35)) settle(group);
    number_ = number;
    needed_left_ = dice_.chance(70) ? 9 : dice_.roll(0, 2);
    if (!group.in_use.empty()) begun_items(group);
    problem_.groups.push_back(group);
    open_items(group);
  }

 private:
  [[nodiscard]] int shapes() const { return static_cast<int>(problem_.shapes.size()); }

  // Pods of it live on one node, or on two.
  void settle(JointGroup& group) {
    const VertexRange leaves = tree_.at_level(levels_);
    const auto some = [&] {
      return leaves.begin + static_cast<Vertex>(dice_.roll(0, static_cast<int>(leaves.size()) - 1));
    };
    group.in_use.push_back(some());
    if (dice_.chance(30)) group.in_use.push_back(some());
    if (group.whole_required == kAnywhere) return;
    group.within = tree_.ancestor(group.in_use.front(), group.whole_required);
    group.in_use.resize(1);
    group.whole_required = kAnywhere;
  }

  JointItem item(std::vector<JointPart> parts) {
    JointItem item;
    item.group = number_;
    item.parts = std::move(parts);
    item.required = required_;
    item.goal = goal_;
    item.rank = needed_left_-- > 0 ? Rank::kNeeded : Rank::kOptional;
    return item;
  }
  void begun_items(const JointGroup& group) {
    for (int i = dice_.roll(0, 2); i > 0; --i) {
      const int least = std::max({required_, tree_.level(group.within), 0});
      const int level = dice_.roll(least, levels_ - 1);
      std::vector<JointPart> parts{{0, dice_.roll(1, 2)}};
      if (dice_.chance(25)) parts.insert(parts.begin(), {shapes() - 1, 1});
      JointItem missing = item(std::move(parts));
      const auto which = static_cast<std::size_t>(dice_.roll(0, static_cast<int>(group.in_use.size()) - 1));
      missing.home = tree_.ancestor(group.in_use[which], level);
      missing.goal = std::max(goal_, level);
      problem_.items.push_back(missing);
    }
  }
  void open_items(const JointGroup& group) {
    const int shape = dice_.chance(70) ? group.measure : dice_.roll(0, shapes() - 1);
    const int size = dice_.roll(1, 3);
    const int other = (shape + 1) % shapes();
    if (dice_.chance(25)) problem_.items.push_back(item({{other, 1}, {shape, size}}));
    for (int i = dice_.roll(0, 2); i > 0; --i) problem_.items.push_back(item({{shape, size}}));
    if (dice_.chance(15)) problem_.items.push_back(item({{other, dice_.roll(1, 2)}}));
    if (size > 1 && dice_.chance(25)) problem_.items.push_back(item({{shape, size - 1}}));
    for (int i = dice_.chance(25) ? dice_.roll(1, 2) : 0; i > 0; --i) {
      JointItem apart = item({{other, 1}});
      apart.required = apart.goal = kAnywhere;
      apart.rank = Rank::kApart;
      problem_.items.push_back(apart);
    }
  }

  Dice& dice_;
  const Tree& tree_;
  JointProblem& problem_;
  int levels_;
  bool replicas_;
  int number_ = 0;
  int required_ = kAnywhere;
  int goal_ = kAnywhere;
  int needed_left_ = 0;
};

// Ways to put the items down, were there room everywhere.
double ways(const JointInstance& instance) {
  const double leaves = instance.tree->at_level(instance.tree->levels()).size();
  double all = 1;
  for (const JointItem& item : instance.problem.items) {
    double own = 1;
    for (const JointPart& part : item.parts) {
      for (int pod = 1; pod <= part.pods; ++pod) own *= (leaves + pod - 1) / pod;
    }
    all *= own + 1;
  }
  return all;
}

// The last item of each group, so that groups which are alike stay so; of groups with one item the last
// group.
void shrink_replicas(JointProblem& problem) {
  std::vector<JointItem>& items = problem.items;
  const auto last_of_group = [&](std::size_t i) {
    return i + 1 == items.size() || items[i + 1].group != items[i].group;
  };
  const auto first_of_group = [&](std::size_t i) { return i == 0 || items[i - 1].group != items[i].group; };
  std::vector<JointItem> kept;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!last_of_group(i) || first_of_group(i)) kept.push_back(items[i]);
  }
  if (kept.size() == items.size()) kept.pop_back();
  items = std::move(kept);
}

}  // namespace

JointInstance make_joint_instance(std::uint64_t seed) {
  Dice dice(seed * 0x9e3779b97f4a7c15U + 1);
  JointInstance instance;
  instance.seed = seed;
  const bool replicas = dice.chance(35);
  make_nodes(dice, instance, replicas);
  const int shapes = dice.roll(2, 3);
  for (int i = 0; i < shapes; ++i) instance.problem.shapes.push_back(make_shape(dice, i));
  // Groups that are alike are what replicas are.
  const int groups = dice.roll(replicas ? 2 : 1, 3);
  GroupMaker maker(dice, instance, replicas);
  for (int group = 0; group < groups; ++group) {
    if (group > 0 && dice.chance(replicas ? 100 : 40) && instance.problem.groups.back().in_use.empty()) {
      instance.problem.groups.push_back(instance.problem.groups.back());
      const std::vector<JointItem> before = instance.problem.items;
      for (JointItem item : before) {
        if (item.group != group - 1) continue;
        item.group = group;
        instance.problem.items.push_back(item);
      }
    } else {
      maker.make(group);
    }
  }
  std::vector<JointItem>& items = instance.problem.items;
  std::vector<JointItem> in_turn;
  for (const bool begun : {true, false}) {
    std::copy_if(items.begin(), items.end(), std::back_inserter(in_turn),
                 [&](const JointItem& item) { return (item.home != kRoot) == begun; });
  }
  items = std::move(in_turn);
  // Long enumerations prove no more than short ones.
  const double most = dice.chance(5) ? 40'000 : 4'000;
  while (items.size() > (replicas ? 6U : 5U) || (items.size() > 1 && ways(instance) > most)) {
    if (replicas) {
      shrink_replicas(instance.problem);
    } else {
      items.pop_back();
    }
  }
  return instance;
}

JointInstance make_repelling_instance(std::uint64_t seed) {
  JointInstance instance = make_joint_instance(seed);
  Dice dice(seed * 0x9e3779b97f4a7c15U + 2);
  std::vector<kube::PodSpec>& shapes = instance.problem.shapes;
  const auto level = [&] { return dice.roll(0, instance.tree->levels() - 1); };
  for (kube::PodSpec& shape : shapes) {
    if (dice.chance(40))
      shape.anti_affinity = {instance.tree->level_labels()[static_cast<std::size_t>(level())]};
  }
  if (shapes.front().anti_affinity.empty() && shapes.back().anti_affinity.empty())
    shapes.front().anti_affinity = {instance.tree->level_labels()[static_cast<std::size_t>(level())]};
  return instance;
}

bool JointInstance::rooms_are_sums() const { return !any_repel(*tree, problem.shapes); }

std::string JointInstance::text() const {
  std::string out = fmt::format("seed {}\n", seed);
  const auto path = [&](Vertex v) { return fmt::format("{}", fmt::join(tree->path(v), "/")); };
  const VertexRange leaves = tree->at_level(tree->levels());
  for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    const kube::Node& node = *books.node(tree->name(leaf));
    out += fmt::format("  {} kind {} {}\n", path(leaf), *kube::find(node.labels, "kind"),
                       fmt::join(node.allocatable, " "));
  }
  for (std::size_t i = 0; i < problem.shapes.size(); ++i) {
    const kube::PodSpec& shape = problem.shapes[i];
    out += fmt::format("  shape {}: {}{}{} {}\n", i, fmt::join(shape.requests, " "),
                       shape.node_selector.empty() ? "" : " kind x only",
                       shape.host_ports.empty() ? "" : " port", fmt::join(shape.anti_affinity, " "));
  }
  for (const JointGroup& group : problem.groups) {
    out += fmt::format("  group: whole required {} preferred {} within [{}] measure {}", group.whole_required,
                       group.whole_preferred, path(group.within), group.measure);
    for (const Vertex v : group.in_use) out += " in use " + path(v);
    out += '\n';
  }
  for (const JointItem& item : problem.items) {
    out += fmt::format("  item of {}: rank {} required {} goal {} home [{}]", item.group,
                       static_cast<int>(item.rank), item.required, item.goal, path(item.home));
    for (const JointPart& part : item.parts) out += fmt::format(" {}x{}", part.pods, part.shape);
    out += '\n';
  }
  return out;
}

}  // namespace toposeg::engine::oracle
