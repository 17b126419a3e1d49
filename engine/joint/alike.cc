#include "engine/joint/alike.h"

#include <algorithm>
#include <map>
#include <utility>

namespace toposeg::engine {

namespace {

// The closest level whose domains have several hosts; hosts may be a level of their own.
int lowest_level(const Tree& tree) {
  int level = tree.levels() - 1;
  const auto single = [&](int of) { return tree.at_level(of).size() == tree.node_count(); };
  while (level > 0 && single(level)) --level;
  return level;
}

bool same_items(const JointProblem& problem, const std::vector<int>& a, const std::vector<int>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](int x, int y) {
    JointItem moved = problem.items[static_cast<std::size_t>(y)];
    moved.group = problem.items[static_cast<std::size_t>(x)].group;
    return moved == problem.items[static_cast<std::size_t>(x)];
  });
}

const std::vector<std::int32_t>& measured_room(const JointProblem& problem, const Room& room,
                                               const AlikeGroups& alike) {
  const JointGroup& group = problem.groups[static_cast<std::size_t>(alike.groups.front())];
  return room[static_cast<std::size_t>(group.measure)];
}

void count_pods(const JointProblem& problem, AlikeGroups& alike) {
  std::map<int, int> pods;
  for (const int index : alike.items.front()) {
    for (const JointPart& part : problem.items[static_cast<std::size_t>(index)].parts)
      pods[part.shape] += part.pods;
  }
  for (const auto& [shape, count] : pods) {
    alike.shapes.push_back(shape);
    alike.wanted.push_back(count);
  }
}

}  // namespace

std::optional<AlikeGroups> find_alike(const Tree& tree, const JointProblem& problem,
                                      const JointBound& bound) {
  // What pods that repel each other take is not told by their number alone.
  if (tree.levels() == 0 || any_repel(tree, problem.shapes)) return std::nullopt;
  std::vector<std::vector<int>> items(problem.groups.size());
  std::vector<bool> free(problem.groups.size(), true);
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const JointItem& item = problem.items[i];
    const auto group = static_cast<std::size_t>(item.group);
    items[group].push_back(static_cast<int>(i));
    if (!bound.placed[i] || item.home != kRoot || item.within != kRoot) free[group] = false;
  }
  std::vector<AlikeGroups> sets;
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const JointGroup& group = problem.groups[g];
    if (!free[g] || items[g].empty() || !group.in_use.empty() || group.within != kRoot) continue;
    auto set = std::find_if(sets.begin(), sets.end(), [&](const AlikeGroups& other) {
      return problem.groups[static_cast<std::size_t>(other.groups.front())] == group &&
             same_items(problem, other.items.front(), items[g]);
    });
    if (set == sets.end()) set = sets.insert(sets.end(), AlikeGroups{});
    set->groups.push_back(static_cast<int>(g));
    set->items.push_back(items[g]);
  }
  const auto largest = std::max_element(sets.begin(), sets.end(), [](const auto& a, const auto& b) {
    return a.groups.size() < b.groups.size();
  });
  if (largest == sets.end() || largest->groups.size() < 2) return std::nullopt;
  largest->level = lowest_level(tree);
  count_pods(problem, *largest);
  return std::move(*largest);
}

AlikePlan::AlikePlan(const Tree& tree, const JointProblem& problem, const Room& room,
                     const AlikeGroups& alike, Stock& stock, std::int64_t steps)
    : tree_(tree),
      problem_(problem),
      alike_(alike),
      steps_(steps),
      packer_(tree, stock, alike.shapes, alike.wanted, measured_room(problem, room, alike),
              static_cast<int>(alike.groups.size())),
      least_(tree, alike.level, measured_room(problem, room, alike)),
      found_(least_) {}

// Those that may need fewest hosts first; of equals, the first in path order.
std::vector<AlikePlan::DomainKind> AlikePlan::kinds() {
  std::map<Packer::Kind, std::size_t> known;
  std::vector<DomainKind> all;
  const VertexRange range = tree_.at_level(alike_.level);
  for (Vertex v = range.begin; v < range.end; ++v) {
    const auto [kind, fresh] = known.try_emplace(packer_.kind(v), all.size());
    if (fresh) all.push_back({packer_.hosts_at_least(v), {}, {}});
    all[kind->second].domains.push_back(v);
  }
  std::erase_if(all, [](const DomainKind& kind) { return kind.hosts_at_least < 0; });
  std::sort(all.begin(), all.end(), [](const DomainKind& a, const DomainKind& b) {
    return std::pair(a.hosts_at_least, a.domains.front()) < std::pair(b.hosts_at_least, b.domains.front());
  });
  return all;
}

// Once all groups have a place on as few hosts as any of them needs, domains where they need more do not
// matter: hosts summed over the groups come first.
bool AlikePlan::enough_at_least() const { return hosts_of_one_ > 0 && groups_at_least_ >= groups(); }

void AlikePlan::look_at_kinds() {
  for (DomainKind& kind : kinds()) {
    if (enough_at_least() && kind.hosts_at_least > hosts_of_one_) return;
    kind.table = packer_.table(kind.domains.front());
    const PackingTable& table = kind.table;
    if (table.least.size() < 2) continue;
    const std::int64_t hosts = table.least[1].summed;
    if (kinds_.empty() || hosts < hosts_of_one_) {
      hosts_of_one_ = hosts;
      groups_at_least_ = 0;
    }
    std::int64_t groups = 0;
    while (groups + 1 < std::ssize(table.found) &&
           table.found[static_cast<std::size_t>(groups) + 1].summed == (groups + 1) * hosts_of_one_)
      ++groups;
    groups_at_least_ += groups * std::ssize(kind.domains);
    kinds_.push_back(std::move(kind));
  }
}

void AlikePlan::share_out() {
  for (const DomainKind& kind : kinds_) {
    for (const Vertex domain : kind.domains) {
      least_.set(domain, kind.table.least);
      found_.set(domain, kind.table.found);
    }
  }
  least_.run(groups());
  found_.run(groups());
}

// A kind of domain on which the bound rests without a packing that is as good, and for how many groups.
AlikePlan::DomainKind* AlikePlan::doubtful(int& things) {
  for (const ShareOut::Share& share : least_.shares(groups())) {
    const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const DomainKind& each) {
      return std::binary_search(each.domains.begin(), each.domains.end(), share.domain);
    });
    const auto at = static_cast<std::size_t>(share.things);
    if (kind->table.exact(at) || kind->table.known[at] == PackingTable::Known::kBySearch) continue;
    things = share.things;
    return &*kind;
  }
  return nullptr;
}

void AlikePlan::run() {
  look_at_kinds();
  share_out();
  while (steps_ > 0 && hosts_of_one_ > 0 && least_.capacity() == groups()) {
    if (found_.capacity() == groups() && found_.row(groups()) == least_.row(groups())) return;
    int things = 0;
    DomainKind* kind = doubtful(things);
    if (kind == nullptr) return;
    packer_.refine(kind->domains.front(), things, kind->table, steps_);
    share_out();
  }
}

bool AlikePlan::one_measure() const {
  return std::all_of(problem_.groups.begin(), problem_.groups.end(), [&](const JointGroup& group) {
    return group.measure == problem_.groups.front().measure && group.in_use.empty();
  });
}

void AlikePlan::strengthen(JointBound& bound) const {
  if (least_.capacity() < groups() || hosts_of_one_ == 0) return;
  const JointLayout layout(problem_.items.size(), tree_.levels());
  const auto begin = static_cast<std::ptrdiff_t>(layout.domains(0));
  const auto end = static_cast<std::ptrdiff_t>(layout.first_shared());
  JointRow one(static_cast<std::size_t>(end - begin), 1);
  const auto hosts = static_cast<std::size_t>(alike_.level) + 1;
  std::fill(one.begin() + static_cast<std::ptrdiff_t>(hosts), one.end(), hosts_of_one_);
  for (const int group : alike_.groups) {
    JointRow& row = bound.groups[static_cast<std::size_t>(group)];
    const JointRow before(row.begin() + begin, row.begin() + end);
    if (one < before) return;
    std::copy(one.begin(), one.end(), row.begin() + begin);
  }
  const std::vector<std::int64_t>& all = least_.row(groups());
  for (std::size_t i = hosts; i < one.size(); ++i)
    bound.together[layout.domains(static_cast<int>(i))] += all[0] - groups() * hosts_of_one_;
  if (!one_measure()) return;
  JointRow shared(layout.size(), 0);
  for (int level = 0; level <= tree_.levels(); ++level) {
    const bool inside = level > alike_.level;
    const auto at = static_cast<std::size_t>(level);
    shared[layout.altogether(level)] = all[inside ? hosts + 1 : at + 1];
    shared[layout.leftover(level)] = inside ? all[hosts + 2] : all[all.size() - 1 - at];
  }
  if (std::lexicographical_compare(bound.together.begin() + end, bound.together.end(), shared.begin() + end,
                                   shared.end()))
    std::copy(shared.begin() + end, shared.end(), bound.together.begin() + end);
}

bool AlikePlan::keeps_rules() const {
  const JointGroup& group = problem_.groups[static_cast<std::size_t>(alike_.groups.front())];
  return group.whole_required <= alike_.level &&
         std::all_of(alike_.items.front().begin(), alike_.items.front().end(), [&](int item) {
           return problem_.items[static_cast<std::size_t>(item)].required <= alike_.level;
         });
}

std::optional<JointPods> AlikePlan::answer() {
  if (!keeps_rules() || found_.capacity() < groups()) return std::nullopt;
  JointPods pods(problem_.items.size());
  std::size_t next = 0;
  for (const auto& [domain, things] : found_.shares(groups())) {
    for (const PackedGroup& packed : packer_.pack(domain, things)) write(alike_.items[next++], packed, pods);
  }
  return pods;
}

// The pods of each shape go to the items in their order, host after host.
void AlikePlan::write(const std::vector<int>& items, const PackedGroup& packed, JointPods& pods) const {
  std::map<int, std::vector<Vertex>> leaves;  // by shape
  for (const PackedGroup::Host& host : packed.hosts) {
    for (std::size_t s = 0; s < alike_.shapes.size(); ++s)
      leaves[alike_.shapes[s]].insert(leaves[alike_.shapes[s]].end(), static_cast<std::size_t>(host.pods[s]),
                                      host.leaf);
  }
  std::map<int, std::size_t> used;
  for (const int index : items) {
    std::vector<Vertex>& own = pods[static_cast<std::size_t>(index)];
    for (const JointPart& part : problem_.items[static_cast<std::size_t>(index)].parts) {
      const auto first = leaves[part.shape].begin() + static_cast<std::ptrdiff_t>(used[part.shape]);
      own.insert(own.end(), first, first + part.pods);
      used[part.shape] += static_cast<std::size_t>(part.pods);
    }
  }
}

}  // namespace toposeg::engine
