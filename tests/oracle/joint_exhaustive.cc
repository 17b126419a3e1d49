#include "oracle/joint_exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/kube/filters.h"
#include "engine/capacity/view.h"

namespace toposeg::engine::oracle {

namespace {

using Loads = std::map<Vertex, std::vector<int>>;  // leaf -> pods of each shape

const kube::Node& node_of(const JointInstance& instance, Vertex leaf) {
  return *instance.books.node(instance.tree->name(leaf));
}

std::int64_t amount(const kube::ResourceList& list, std::string_view name) {
  const std::int64_t* value = kube::find(list, name);
  return value == nullptr ? 0 : *value;
}

// Whether one node takes these pods.
bool node_takes(const JointInstance& instance, Vertex leaf, const std::vector<int>& pods) {
  const kube::Node& node = node_of(instance, leaf);
  std::map<std::string, std::int64_t> sums;
  int with_port = 0;
  for (std::size_t s = 0; s < pods.size(); ++s) {
    if (pods[s] == 0) continue;
    const kube::PodSpec& shape = instance.problem.shapes[s];
    if (!kube::matches_selector(shape, node)) return false;
    for (const auto& [name, value] : shape.requests) sums[name] += value * pods[s];
    sums["pods"] += pods[s];
    if (!shape.host_ports.empty()) with_port += pods[s];
  }
  return with_port <= 1 && std::all_of(sums.begin(), sums.end(), [&](const auto& sum) {
           return sum.second == 0 || sum.second <= amount(node.allocatable, sum.first);
         });
}

// Whether no two pods of one shape stand in a domain that takes one of them.
bool keep_apart(const JointInstance& instance, const Loads& loads) {
  const Tree& tree = *instance.tree;
  const std::vector<kube::PodSpec>& shapes = instance.problem.shapes;
  for (const kube::PodSpec& shape : shapes) {
    if (shape.anti_affinity.empty()) continue;
    const auto& labels = tree.level_labels();
    const auto level = std::find(labels.begin(), labels.end(), shape.anti_affinity.front()) - labels.begin();
    std::map<Vertex, int> in_domain;
    for (const auto& [leaf, load] : loads) {
      for (std::size_t other = 0; other < shapes.size(); ++other)
        if (same_shape(shape, shapes[other]))
          in_domain[tree.ancestor(leaf, static_cast<int>(level))] += load[other];
    }
    if (std::any_of(in_domain.begin(), in_domain.end(), [](const auto& d) { return d.second > 1; }))
      return false;
  }
  return true;
}

std::int64_t room_on(const JointInstance& instance, Vertex leaf, int shape) {
  std::vector<int> pods(instance.problem.shapes.size(), 0);
  while (pods[static_cast<std::size_t>(shape)] < 20) {
    ++pods[static_cast<std::size_t>(shape)];
    if (!node_takes(instance, leaf, pods)) return pods[static_cast<std::size_t>(shape)] - 1;
  }
  return 20;
}

// The closest level at which all of them share a domain; -1 = only the root.
int shared_level(const Tree& tree, const std::vector<Vertex>& vertices) {
  int level = tree.levels();
  for (const Vertex v : vertices) level = std::min(level, tree.level(v));
  const auto together = [&] {
    return std::all_of(vertices.begin(), vertices.end(), [&](Vertex v) {
      return tree.ancestor(v, level) == tree.ancestor(vertices.front(), level);
    });
  };
  while (level >= 0 && !together()) --level;
  return level;
}

bool inside(const Tree& tree, Vertex leaf, Vertex domain) {
  return tree.ancestor(leaf, tree.level(domain)) == domain;
}

std::vector<Vertex> spanned(const JointItem& item, const std::vector<Vertex>& leaves) {
  std::vector<Vertex> all = leaves;
  if (item.home != kRoot) all.push_back(item.home);
  return all;
}

void count_together(const JointInstance& instance, const JointPods& pods, JointScore& score) {
  const Tree& tree = *instance.tree;
  for (int level = tree.levels(); level >= 0; --level) {
    std::int64_t room = 0;
    std::int64_t count = 0;
    for (int measure = 0; measure < std::ssize(instance.problem.shapes); ++measure) {
      std::set<Vertex> used;
      for (std::size_t i = 0; i < pods.size(); ++i) {
        const auto group = static_cast<std::size_t>(instance.problem.items[i].group);
        if (instance.problem.groups[group].measure != measure) continue;
        for (const Vertex leaf : pods[i]) used.insert(tree.ancestor(leaf, level));
      }
      for (const JointGroup& group : instance.problem.groups) {
        if (group.measure != measure) continue;
        for (const Vertex leaf : group.in_use) used.erase(tree.ancestor(leaf, level));
      }
      count += std::ssize(used);
      for (const Vertex v : used) {
        const VertexRange leaves = tree.under(v, tree.levels());
        for (Vertex leaf = leaves.begin; leaf < leaves.end; ++leaf) room += room_on(instance, leaf, measure);
      }
    }
    score.leftover.push_back(room);
    score.altogether.insert(score.altogether.begin(), count);
  }
}

void count_domains(const JointInstance& instance, const JointPods& pods, JointScore& score) {
  const Tree& tree = *instance.tree;
  score.domains.assign(static_cast<std::size_t>(tree.levels()) + 1, 0);
  for (std::size_t g = 0; g < instance.problem.groups.size(); ++g) {
    const JointGroup& group = instance.problem.groups[g];
    std::vector<Vertex> all;
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if (instance.problem.items[i].group == static_cast<int>(g))
        all.insert(all.end(), pods[i].begin(), pods[i].end());
    }
    for (int level = 0; level <= tree.levels(); ++level) {
      std::set<Vertex> used;
      for (const Vertex leaf : all) used.insert(tree.ancestor(leaf, level));
      for (const Vertex leaf : group.in_use) used.erase(tree.ancestor(leaf, level));
      score.domains[static_cast<std::size_t>(level)] += std::ssize(used);
    }
    if (all.empty() || group.whole_preferred == kAnywhere) continue;
    all.insert(all.end(), group.in_use.begin(), group.in_use.end());
    score.whole += std::max(0, group.whole_preferred - shared_level(tree, all));
  }
}

// Every way to give the chosen items their leaves.
class Search {
 public:
  explicit Search(const JointInstance& instance)
      : instance_(instance),
        items_(instance.problem.items),
        leaves_(instance.tree->at_level(instance.tree->levels())) {}

  JointScore run() {
    // Which items first: only the best choice that has any answer can hold the best answer.
    std::vector<std::pair<JointScore, std::uint32_t>> choices;
    for (std::uint32_t bits = 0; bits < (1U << items_.size()); ++bits) {
      JointScore score;
      score.placed.assign(3, 0);
      for (std::size_t i = 0; i < items_.size(); ++i) {
        const bool placed = (bits >> i & 1U) != 0;
        score.missing.push_back(placed ? 0 : 1);
        if (placed) --score.placed[static_cast<std::size_t>(items_[i].rank)];
      }
      choices.emplace_back(score, bits);
    }
    std::sort(choices.begin(), choices.end());
    for (const auto& [start, bits] : choices) {
      chosen_ = bits;
      pods_.assign(items_.size(), {});
      item(0);
      if (best_) return *best_;
    }
    return choices.back().first;
  }

 private:
  void item(std::size_t i) {
    if (i == items_.size()) return judge();
    if ((chosen_ >> i & 1U) == 0) return item(i + 1);
    part(i, 0, 0, leaves_.begin);
  }
  void part(std::size_t i, std::size_t number, int pod, Vertex from) {
    if (number == items_[i].parts.size()) return item(i + 1);
    if (pod == items_[i].parts[number].pods) return part(i, number + 1, 0, leaves_.begin);
    const auto shape = static_cast<std::size_t>(items_[i].parts[number].shape);
    for (Vertex leaf = from; leaf < leaves_.end; ++leaf) {
      std::vector<int>& load = loads_[leaf];
      load.resize(instance_.problem.shapes.size(), 0);
      ++load[shape];
      pods_[i].push_back(leaf);
      if (node_takes(instance_, leaf, load) && keep_apart(instance_, loads_) && keeps_rules(i))
        part(i, number, pod + 1, leaf);
      pods_[i].pop_back();
      --load[shape];
    }
  }
  [[nodiscard]] bool keeps_rules(std::size_t i) const {
    const Tree& tree = *instance_.tree;
    const JointItem& item = items_[i];
    const JointGroup& group = instance_.problem.groups[static_cast<std::size_t>(item.group)];
    const Vertex leaf = pods_[i].back();
    if (!inside(tree, leaf, item.within) || !inside(tree, leaf, group.within)) return false;
    if (shared_level(tree, spanned(item, pods_[i])) < item.required) return false;
    if (group.whole_required == kAnywhere) return true;
    std::vector<Vertex> all;
    for (std::size_t other = 0; other < pods_.size(); ++other) {
      if (items_[other].group == item.group) all.insert(all.end(), pods_[other].begin(), pods_[other].end());
    }
    return shared_level(tree, all) >= group.whole_required;
  }
  void judge() {
    const JointScore found = score(instance_, pods_);
    if (!best_ || found < *best_) best_ = found;
  }

  const JointInstance& instance_;
  const std::vector<JointItem>& items_;
  VertexRange leaves_;
  std::uint32_t chosen_ = 0;
  JointPods pods_;
  Loads loads_;
  std::optional<JointScore> best_;
};

}  // namespace

std::string fault(const JointInstance& instance, const JointPods& pods) {
  const Tree& tree = *instance.tree;
  Loads loads;
  std::map<int, std::vector<Vertex>> of_group;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const JointItem& item = instance.problem.items[i];
    if (pods[i].empty()) continue;
    if (std::ssize(pods[i]) != item.pods()) return fmt::format("item {} is placed in part", i);
    std::size_t at = 0;
    for (const JointPart& part : item.parts) {
      for (int pod = 0; pod < part.pods; ++pod, ++at) {
        std::vector<int>& load = loads[pods[i][at]];
        load.resize(instance.problem.shapes.size(), 0);
        ++load[static_cast<std::size_t>(part.shape)];
      }
    }
    const JointGroup& group = instance.problem.groups[static_cast<std::size_t>(item.group)];
    for (const Vertex leaf : pods[i]) {
      if (!inside(tree, leaf, item.within) || !inside(tree, leaf, group.within))
        return fmt::format("item {} stands outside its domain", i);
    }
    if (shared_level(tree, spanned(item, pods[i])) < item.required)
      return fmt::format("item {} misses its required level", i);
    std::vector<Vertex>& all = of_group[item.group];
    all.insert(all.end(), pods[i].begin(), pods[i].end());
  }
  for (const auto& [group, all] : of_group) {
    const int whole = instance.problem.groups[static_cast<std::size_t>(group)].whole_required;
    if (shared_level(tree, all) < whole) return fmt::format("group {} misses its required level", group);
  }
  if (!keep_apart(instance, loads)) return "pods that repel each other stand together";
  for (const auto& [leaf, load] : loads) {
    if (!node_takes(instance, leaf, load)) return fmt::format("{} takes too much", tree.name(leaf));
  }
  return {};
}

JointScore score(const JointInstance& instance, const JointPods& pods) {
  const Tree& tree = *instance.tree;
  JointScore score;
  score.placed.assign(3, 0);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const JointItem& item = instance.problem.items[i];
    score.missing.push_back(pods[i].empty() ? 1 : 0);
    if (pods[i].empty()) continue;
    --score.placed[static_cast<std::size_t>(item.rank)];
    score.climbed += std::max(0, item.goal - shared_level(tree, spanned(item, pods[i])));
  }
  count_domains(instance, pods, score);
  count_together(instance, pods, score);
  return score;
}

JointScore best_joint_score(const JointInstance& instance) { return Search(instance).run(); }

}  // namespace toposeg::engine::oracle
