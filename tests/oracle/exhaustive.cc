#include "oracle/exhaustive.h"

#include <algorithm>
#include <map>
#include <set>

namespace toposeg::engine::oracle {

namespace {

int bound_level(const Problem& p) { return std::max(p.segment_preferred, p.segment_required); }

// The closest level, no closer than `most`, at which all these leaves share a domain; -1 = only the root.
int shared_level(const Tree& tree, const std::vector<Vertex>& leaves, int most) {
  int level = most;
  const auto together = [&] {
    return std::all_of(leaves.begin(), leaves.end(), [&](Vertex leaf) {
      return tree.ancestor(leaf, level) == tree.ancestor(leaves.front(), level);
    });
  };
  while (level >= 0 && !together()) --level;
  return level;
}

std::vector<Vertex> everything(const Answer& a) {
  std::vector<Vertex> all = a.first;
  all.insert(all.end(), a.partial.begin(), a.partial.end());
  for (const auto& segment : a.full) all.insert(all.end(), segment.begin(), segment.end());
  return all;
}

bool room(const Instance& instance, const std::vector<Vertex>& pods, const std::optional<Vertex>& extra) {
  std::map<Vertex, int> load;
  for (const Vertex leaf : pods) ++load[leaf];
  if (extra) load[*extra] += 0;
  return std::all_of(load.begin(), load.end(), [&](const auto& entry) {
    const bool carries = extra && *extra == entry.first;
    return entry.second <=
           (carries ? instance.view->beside(entry.first) : instance.view->capacity(entry.first));
  });
}

// Needed and optional segments placed, in the order in which a user numbers them: first, full, partial.
void count_placed(const Problem& p, const Answer& a, Score& score) {
  int needed = 0;
  int optional = 0;
  int index = 0;
  const auto place = [&](bool placed) { placed ? ++(index < p.needed ? needed : optional) : 0; };
  if (p.first > 0) place(!a.first.empty()), ++index;
  for (int i = 0; i < p.full; ++i, ++index) place(i < std::ssize(a.full));
  if (p.partial > 0) place(!a.partial.empty()), ++index;
  const bool apart = p.extra_apart && a.extra;
  score.placed = {-needed, -optional, apart ? -1 : 0, a.first.empty() ? 0 : -1, -std::ssize(a.full)};
}

void count_domains(const Instance& instance, const std::vector<Vertex>& pods,
                   const std::optional<Vertex>& extra, Score& score) {
  const Tree& tree = instance.view->tree();
  for (int level = 0; level <= tree.levels(); ++level) {
    std::set<Vertex> used;
    std::map<Vertex, std::int64_t> load;
    for (const Vertex leaf : pods) {
      used.insert(tree.ancestor(leaf, level));
      ++load[tree.ancestor(leaf, level)];
    }
    if (extra) used.insert(tree.ancestor(*extra, level));
    for (const Vertex v : instance.problem.in_use) used.erase(tree.ancestor(v, level));  // these cost nothing
    std::int64_t capacity = 0;
    for (const Vertex v : used) capacity += instance.view->capacity(v);
    score.domains.push_back(std::ssize(used));
    score.leftover.insert(score.leftover.begin(), capacity);
    const VertexRange range = tree.at_level(level);
    for (Vertex v = range.begin; v < range.end; ++v) score.path.push_back(-load[v]);
  }
}

// Every way to give the pieces of a group their leaves.
class Search {
 public:
  explicit Search(const Instance& instance) : instance_(instance), problem_(instance.problem) {
    const Tree& tree = instance.view->tree();
    leaves_ = tree.at_level(tree.levels());
    load_.resize(leaves_.size(), 0);
  }

  Score run() {
    // Numbers first: only the best of them can hold the best answer, so try them best first and stop at the
    // first that has any answer.
    std::vector<std::pair<Score, Answer>> shapes;
    for (int full = 0; full <= problem_.full; ++full) {
      for (int bits = 0; bits < 8; ++bits) {
        Answer shape;
        shape.full.assign(static_cast<std::size_t>(full),
                          std::vector<Vertex>(static_cast<std::size_t>(problem_.size)));
        if ((bits & 1) != 0) shape.first.resize(static_cast<std::size_t>(problem_.first));
        if ((bits & 2) != 0) shape.partial.resize(static_cast<std::size_t>(problem_.partial));
        const bool with_extra = (bits & 4) != 0;
        if (with_extra != (problem_.extra_apart ? with_extra : problem_.extra_in_first && (bits & 1) != 0))
          continue;
        if (((bits & 1) != 0 && problem_.first == 0) || ((bits & 2) != 0 && problem_.partial == 0)) continue;
        if (with_extra) shape.extra = leaves_.begin;
        Score score;
        count_placed(problem_, shape, score);
        shapes.emplace_back(score, shape);
      }
    }
    std::sort(shapes.begin(), shapes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [placed, shape] : shapes) {
      answer_ = shape;
      best_.reset();
      place_extra();
      if (best_) return *best_;
    }
    return shapes.back().first;
  }

 private:
  void place_extra() {
    if (!answer_.extra) return place_first();
    for (Vertex leaf = leaves_.begin; leaf < leaves_.end; ++leaf) {
      if (instance_.view->beside(leaf) < 0) continue;
      answer_.extra = leaf;
      place_first();
    }
  }
  void place_first() {
    each(answer_.first, leaves_.begin, [this] { place_partial(); });
  }
  void place_partial() {
    each(answer_.partial, leaves_.begin, [this] { place_full(0); });
  }
  void place_full(std::size_t i) {
    if (i == answer_.full.size()) return judge();
    // Full segments are alike: only non-decreasing sequences.
    each(answer_.full[i], leaves_.begin, [this, i] {
      if (i > 0 && answer_.full[i] < answer_.full[i - 1]) return;
      place_full(i + 1);
    });
  }
  // Every multiset of leaves of this size that still has room.
  template <typename Next>
  void each(std::vector<Vertex>& pods, Vertex from, const Next& next, std::size_t at = 0) {
    if (at == pods.size()) return next();
    for (Vertex leaf = from; leaf < leaves_.end; ++leaf) {
      int& load = load_[leaf - leaves_.begin];
      const bool carries = answer_.extra && *answer_.extra == leaf;
      if (load >= (carries ? instance_.view->beside(leaf) : instance_.view->capacity(leaf))) continue;
      ++load;
      pods[at] = leaf;
      each(pods, leaf, next, at + 1);
      --load;
    }
  }
  void judge() {
    const std::optional<Score> found = score(instance_, answer_);
    if (found && (!best_ || *found < *best_)) best_ = found;
  }

  const Instance& instance_;
  const Problem& problem_;
  VertexRange leaves_;
  std::vector<int> load_;
  Answer answer_;
  std::optional<Score> best_;
};

}  // namespace

std::optional<Score> score(const Instance& instance, const Answer& answer) {
  const Problem& p = instance.problem;
  const Tree& tree = instance.view->tree();
  std::vector<Vertex> pods = everything(answer);
  std::vector<Vertex> all = pods;
  if (answer.extra) all.push_back(*answer.extra);
  const int within = tree.level(p.within);
  const bool inside = std::all_of(all.begin(), all.end(),
                                  [&](Vertex leaf) { return tree.ancestor(leaf, within) == p.within; });
  if (!inside || !room(instance, pods, answer.extra)) return std::nullopt;
  Score score;
  count_placed(p, answer, score);
  std::vector<std::vector<Vertex>> segments = answer.full;
  if (!answer.partial.empty()) segments.push_back(answer.partial);
  if (!answer.first.empty()) {
    segments.push_back(answer.first);
    if (p.extra_in_first) segments.back().push_back(*answer.extra);
  }
  for (const auto& segment : segments) {
    const int level = shared_level(tree, segment, bound_level(p));
    if (level < p.segment_required) return std::nullopt;
    score.climbed += bound_level(p) - level;
  }
  if (!all.empty() && shared_level(tree, all, p.whole_required) < p.whole_required) return std::nullopt;
  count_domains(instance, pods, answer.extra, score);
  return score;
}

Score best_score(const Instance& instance) { return Search(instance).run(); }

}  // namespace toposeg::engine::oracle
