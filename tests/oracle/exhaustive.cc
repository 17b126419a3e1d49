#include "oracle/exhaustive.h"

#include <algorithm>
#include <map>
#include <optional>

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
  std::vector<std::int64_t> load;
  std::vector<bool> used;
  for (int level = 0; level <= tree.levels(); ++level) {
    const VertexRange range = tree.at_level(level);
    load.assign(range.size(), 0);
    used.assign(range.size(), false);
    const auto index = [&](Vertex v) { return tree.ancestor(v, level) - range.begin; };
    for (const Vertex leaf : pods) {
      used[index(leaf)] = true;
      ++load[index(leaf)];
    }
    if (extra) used[index(*extra)] = true;
    for (const Vertex v : instance.problem.in_use) used[index(v)] = false;  // these cost nothing
    std::int64_t domains = 0;
    std::int64_t capacity = 0;
    for (Vertex v = range.begin; v < range.end; ++v) {
      domains += used[v - range.begin] ? 1 : 0;
      capacity += used[v - range.begin] ? instance.view->capacity(v) : 0;
      score.path.push_back(-load[v - range.begin]);
    }
    score.domains.push_back(domains);
    score.leftover.push_back(capacity);
  }
  std::reverse(score.leftover.begin(), score.leftover.end());
}

bool is_inside(const Instance& instance, Vertex leaf) {
  const Tree& tree = instance.view->tree();
  return tree.ancestor(leaf, tree.level(instance.problem.within)) == instance.problem.within;
}

// The levels that a segment climbs, with the extra pod if that belongs to it; none when it may not climb so
// far.
std::optional<int> climb(const Instance& instance, const std::vector<Vertex>& segment) {
  const Problem& p = instance.problem;
  const int level = shared_level(instance.view->tree(), segment, bound_level(p));
  if (level < p.segment_required) return std::nullopt;
  return bound_level(p) - level;
}

std::vector<Vertex> first_with_extra(const Problem& p, const Answer& a) {
  std::vector<Vertex> segment = a.first;
  if (!a.first.empty() && p.extra_in_first) segment.push_back(*a.extra);
  return segment;
}

// Of an answer that breaks no rule but perhaps the workload's own level.
std::optional<Score> rate(const Instance& instance, const Answer& answer, std::int64_t climbed) {
  const Problem& p = instance.problem;
  const Tree& tree = instance.view->tree();
  const std::vector<Vertex> pods = everything(answer);
  std::vector<Vertex> all = pods;
  if (answer.extra) all.push_back(*answer.extra);
  if (!all.empty() && shared_level(tree, all, p.whole_required) < p.whole_required) return std::nullopt;
  Score score;
  count_placed(p, answer, score);
  score.climbed = climbed;
  count_domains(instance, pods, answer.extra, score);
  return score;
}

// Every way to give the pieces of a group their leaves.
class Search {
 public:
  explicit Search(const Instance& instance) : instance_(instance), problem_(instance.problem) {
    const Tree& tree = instance.view->tree();
    leaves_ = tree.at_level(tree.levels());
    load_.resize(leaves_.size(), 0);
    for (Vertex leaf = leaves_.begin; leaf < leaves_.end; ++leaf)
      inside_.push_back(is_inside(instance, leaf));
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
      if (!inside_[leaf - leaves_.begin] || instance_.view->beside(leaf) < 0) continue;
      answer_.extra = leaf;
      place_first();
    }
  }
  void place_first() {
    each(answer_.first, leaves_.begin,
         [this] { close(first_with_extra(problem_, answer_), [this] { place_partial(); }); });
  }
  void place_partial() {
    each(answer_.partial, leaves_.begin, [this] { close(answer_.partial, [this] { place_full(0); }); });
  }
  void place_full(std::size_t i) {
    if (i == answer_.full.size()) return judge();
    // Full segments are alike: only non-decreasing sequences.
    each(answer_.full[i], leaves_.begin, [this, i] {
      if (i > 0 && answer_.full[i] < answer_.full[i - 1]) return;
      close(answer_.full[i], [this, i] { place_full(i + 1); });
    });
  }
  // Goes on with a segment, unless it stands where it may not or climbs so far that the best answer is
  // better.
  template <typename Next>
  void close(const std::vector<Vertex>& segment, const Next& next) {
    if (segment.empty()) return next();
    const std::optional<int> levels = climb(instance_, segment);
    if (!levels || (best_ && climbed_ + *levels > best_->climbed)) return;
    climbed_ += *levels;
    next();
    climbed_ -= *levels;
  }
  // Every multiset of leaves of this size that still has room.
  template <typename Next>
  void each(std::vector<Vertex>& pods, Vertex from, const Next& next, std::size_t at = 0) {
    if (at == pods.size()) return next();
    for (Vertex leaf = from; leaf < leaves_.end; ++leaf) {
      int& load = load_[leaf - leaves_.begin];
      const bool carries = answer_.extra && *answer_.extra == leaf;
      if (!inside_[leaf - leaves_.begin] ||
          load >= (carries ? instance_.view->beside(leaf) : instance_.view->capacity(leaf)))
        continue;
      ++load;
      pods[at] = leaf;
      each(pods, leaf, next, at + 1);
      --load;
    }
  }
  void judge() {
    const std::optional<Score> found = rate(instance_, answer_, climbed_);
    if (found && (!best_ || *found < *best_)) best_ = found;
  }

  const Instance& instance_;
  const Problem& problem_;
  VertexRange leaves_;
  std::vector<int> load_;
  std::vector<bool> inside_;
  Answer answer_;
  std::int64_t climbed_ = 0;
  std::optional<Score> best_;
};

}  // namespace

std::optional<Score> score(const Instance& instance, const Answer& answer) {
  const Problem& p = instance.problem;
  const std::vector<Vertex> pods = everything(answer);
  std::vector<Vertex> all = pods;
  if (answer.extra) all.push_back(*answer.extra);
  const bool inside =
      std::all_of(all.begin(), all.end(), [&](Vertex leaf) { return is_inside(instance, leaf); });
  if (!inside || !room(instance, pods, answer.extra)) return std::nullopt;
  std::vector<std::vector<Vertex>> segments = answer.full;
  segments.push_back(answer.partial);
  segments.push_back(first_with_extra(p, answer));
  std::int64_t climbed = 0;
  for (const auto& segment : segments) {
    const std::optional<int> levels = segment.empty() ? 0 : climb(instance, segment);
    if (!levels) return std::nullopt;
    climbed += *levels;
  }
  return rate(instance, answer, climbed);
}

Score best_score(const Instance& instance) { return Search(instance).run(); }

}  // namespace toposeg::engine::oracle
