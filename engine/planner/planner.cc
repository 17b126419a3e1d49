#include "engine/planner/planner.h"

#include <algorithm>
#include <optional>

#include "engine/planner/assign.h"
#include "engine/planner/closed.h"
#include "engine/planner/fit.h"
#include "engine/planner/mixed.h"

namespace toposeg::engine {

namespace {

// One candidate for the domain of the whole group, and its price.
struct Region {
  Vertex vertex = kRoot;
  Fit fit;
  int closing = kAnywhere;  // closest level at which every segment closes
  int deepest = kAnywhere;  // closest level at which any segment closes, closing or below it
  std::int64_t climbed = 0;
};

}  // namespace

class Planner::Impl {
 public:
  const Solution& solve(const CapacityView& view, const Problem& problem, const Deadline& deadline);

 private:
  void begin(const CapacityView& view, const Problem& problem, const Deadline& deadline);
  void mark_used();
  void find_regions();
  [[nodiscard]] UnitsBeside room_at(const Region& region, int level) const;
  void find_levels(Region& region) const;
  [[nodiscard]] bool anything_closes(const Region& region, int level) const;
  [[nodiscard]] bool same_inside(Vertex a, Vertex b) const;
  [[nodiscard]] bool like_best(const Region& region) const;
  void price_inside(Region& region);
  void price(Region& region, CostRow row);
  void close(const Region& region);
  void choose();
  void write(const Region& region);
  void write_cost();

  const CapacityView* view_ = nullptr;
  const Tree* tree_ = nullptr;
  const Problem* problem_ = nullptr;
  Deadline deadline_;
  int region_level_ = kAnywhere;
  int must_close_ = kAnywhere;  // level at which every segment closes at the latest
  int reach_ = kAnywhere;       // level to reach, no broader than the region
  std::vector<std::uint8_t> used_;
  std::vector<Region> regions_;
  Region best_;
  std::optional<Region> priced_;     // the last one
  std::optional<Vertex> closed_at_;  // the region for which closed_ knows the units
  std::vector<CostItem> below_;      // of priced_
  std::vector<CostItem> row_;
  std::vector<CostItem> best_row_;
  Closed closed_;
  Mixed mixed_{closed_};
  Spread spread_;
  Solution solution_;
};

void Planner::Impl::begin(const CapacityView& view, const Problem& problem, const Deadline& deadline) {
  view_ = &view;
  tree_ = &view.tree();
  problem_ = &problem;
  deadline_ = deadline;
  region_level_ = std::max(tree_->level(problem.within), problem.whole_required);
  must_close_ = std::max(problem.segment_required, region_level_);
  reach_ = std::max(level_to_reach(problem), region_level_);
  mark_used();
  closed_.begin(view, problem, used_, deadline);
  priced_.reset();
  closed_at_.reset();
  solution_.segments.clear();
  solution_.hosts.clear();
  solution_.extra_host = kRoot;
  solution_.extra_placed = false;
  solution_.needed_placed = 0;
  solution_.optional_placed = 0;
  solution_.proven = !view.picks_nodes();
  solution_.whole = kRoot;
}

void Planner::Impl::mark_used() {
  used_.clear();
  if (problem_->in_use.empty()) return;
  used_.resize(tree_->size(), 0);
  for (Vertex v : problem_->in_use) {
    for (; v != kRoot && used_[v] == 0; v = tree_->parent(v)) used_[v] = 1;
    used_[kRoot] = 1;
  }
}

UnitsBeside Planner::Impl::room_at(const Region& region, int level) const {
  return units_over(*view_, *problem_, tree_->under(region.vertex, level), pieces_of(*problem_));
}

// Keeps the regions in which most fits.
void Planner::Impl::find_regions() {
  regions_.clear();
  const VertexRange range = tree_->under(problem_->within, region_level_);
  Fit fit;
  for (Vertex v = range.begin; v < range.end; ++v) {
    Region region;
    region.vertex = v;
    const bool like_before = v > range.begin && same_inside(v, v - 1);
    if (!like_before) fit = best_fit(*problem_, room_at(region, must_close_));
    region.fit = fit;
    const int order = regions_.empty() ? 1 : Fit::compare(region.fit, regions_.front().fit);
    if (order > 0) regions_.clear();
    if (order >= 0) regions_.push_back(region);
  }
}

bool Planner::Impl::anything_closes(const Region& region, int level) const {
  const VertexRange domains = tree_->under(region.vertex, level);
  for (Vertex v = domains.begin; v < domains.end; ++v) {
    if (region.fit.full > 0 && view_->capacity(v) >= problem_->size) return true;
    for (const PieceSet piece : {kFirstPiece, kPartialPiece}) {
      if ((region.fit.set & piece) != 0 && units_in(*view_, *problem_, v, piece) >= 0) return true;
    }
  }
  return false;
}

void Planner::Impl::find_levels(Region& region) const {
  region.closing = reach_;
  while (region.closing > must_close_ && room_at(region, region.closing)[region.fit.set] < region.fit.full) {
    --region.closing;
  }
  region.deepest = reach_;
  while (region.deepest > region.closing && !anything_closes(region, region.deepest)) --region.deepest;
  region.climbed = static_cast<std::int64_t>(region.fit.segments()) * (reach_ - region.closing);
}

// The same question inside, and the same answer.
bool Planner::Impl::same_inside(Vertex a, Vertex b) const {
  return used_.empty() && view_->signature(a) == view_->signature(b) &&
         view_->capacity(a) == view_->capacity(b) && view_->beside(a) == view_->beside(b);
}

// Dearer or equal to the best one for sure.
bool Planner::Impl::like_best(const Region& region) const {
  return same_inside(region.vertex, best_.vertex) &&
         tree_->parent(region.vertex) == tree_->parent(best_.vertex);
}

// What it costs below the region. Regions that are alike inside follow one another often: one is computed.
void Planner::Impl::price_inside(Region& region) {
  if (priced_ && same_inside(region.vertex, priced_->vertex)) {
    const Vertex vertex = region.vertex;
    region = *priced_;
    region.vertex = vertex;
    return;
  }
  find_levels(region);
  below_.resize(closed_.layout().size());
  if (region.deepest > region.closing) {
    mixed_.solve(*view_, *problem_, region.vertex,
                 {region.fit, must_close_, region.closing, region.deepest, reach_}, deadline_);
    if (mixed_.solved()) {
      region.climbed = mixed_.climbed();
      std::copy(mixed_.row().begin(), mixed_.row().end(), below_.begin());
    } else {
      solution_.proven = false;
    }
  }
  if (region.deepest == region.closing || !mixed_.solved()) {
    close(region);
    const ConstCostRow below = closed_.row(closed_.segments(region.vertex, region.fit.full, region.fit.set));
    std::copy(below.begin(), below.end(), below_.begin());
  }
  priced_ = region;
}

void Planner::Impl::price(Region& region, CostRow row) {
  price_inside(region);
  std::copy(below_.begin(), below_.end(), row.begin());
  for (Vertex v = region.vertex; v != kRoot; v = tree_->parent(v)) closed_.add_own(v, row);
}

void Planner::Impl::close(const Region& region) {
  if (closed_at_ == region.vertex) return;
  closed_.close_at(region.closing, region.vertex, region.fit.set);
  closed_at_ = region.vertex;
}

// The cheapest region; the first of equals in path order.
void Planner::Impl::choose() {
  const std::size_t width = closed_.layout().size();
  row_.resize(width);
  best_row_.resize(width);
  bool any = false;
  best_.vertex = kRoot;
  for (Region& region : regions_) {
    if (any && like_best(region)) continue;
    if (any && deadline_.expired()) {
      solution_.proven = false;
      break;
    }
    price(region, row_);
    const int order = !any ? -1
                      : region.climbed != best_.climbed
                          ? (region.climbed < best_.climbed ? -1 : 1)
                          : compare(ConstCostRow(row_), ConstCostRow(best_row_));
    if (order >= 0) continue;
    best_ = region;
    best_row_.swap(row_);
    any = true;
  }
}

void Planner::Impl::write(const Region& region) {
  const Fit& fit = region.fit;
  solution_.needed_placed = fit.needed;
  solution_.optional_placed = fit.optional;
  solution_.extra_placed = hosts_extra(*problem_, fit.set);
  solution_.whole =
      problem_->whole_required > kAnywhere ? tree_->ancestor(region.vertex, problem_->whole_required) : kRoot;
  bool mixed = region.deepest > region.closing;
  if (mixed) {
    mixed_.solve(*view_, *problem_, region.vertex, {fit, must_close_, region.closing, region.deepest, reach_},
                 deadline_);
    mixed = mixed_.solved();
  }
  if (mixed) {
    mixed_.write(solution_);
  } else {
    close(region);
    spread_.clear();
    closed_.spread_segments(region.vertex, fit.full, fit.set, spread_);
    assign(*tree_, *problem_, spread_, solution_);
  }
  solution_.proven = solution_.proven && closed_.proven();
}

void Planner::Impl::write_cost() {
  const CostLayout& layout = closed_.layout();
  const auto levels = static_cast<std::size_t>(tree_->levels()) + 1;
  solution_.cost.climbed = 0;
  for (const SegmentPlace& place : solution_.segments) solution_.cost.climbed += place.climbed;
  solution_.cost.domains.assign(levels, 0);
  solution_.cost.leftover.assign(levels, 0);
  if (solution_.segments.empty() && solution_.extra_host == kRoot) return;
  const auto placed = static_cast<std::int64_t>(solution_.hosts.size());
  for (int level = 0; level <= tree_->levels(); ++level) {
    const auto at = static_cast<std::size_t>(level);
    solution_.cost.domains[at] = best_row_[layout.domains(level)];
    solution_.cost.leftover[at] = std::max<std::int64_t>(0, best_row_[layout.leftover(level)] - placed);
  }
}

const Solution& Planner::Impl::solve(const CapacityView& view, const Problem& problem,
                                     const Deadline& deadline) {
  begin(view, problem, deadline);
  find_regions();
  const bool nothing =
      regions_.empty() || (regions_.front().fit.segments() == 0 && regions_.front().fit.set == 0);
  if (!nothing) {
    choose();
    write(best_);
  }
  write_cost();
  return solution_;
}

Planner::Planner() : impl_(std::make_unique<Impl>()) {}
Planner::~Planner() = default;
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;

const Solution& Planner::solve(const CapacityView& view, const Problem& problem, const Deadline& deadline) {
  return impl_->solve(view, problem, deadline);
}

}  // namespace toposeg::engine
