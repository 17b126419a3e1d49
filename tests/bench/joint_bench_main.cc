// joint_bench [INSTANCES]: how often, and how fast, the joint planner knows that its answer is the best one.
//
//   run        instances  proven  within 50 ms   p50 ms   p95 ms  first gap
//
// Trees, books and capacity views are ready; the time is processor time of one decision. Instances are
// seeded, so the shares are the same on every machine and the times are not.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "bench/joint_questions.h"
#include "engine/joint/joint_planner.h"
#include "engine/placement/views.h"

namespace toposeg::bench {
namespace {

constexpr int kRunsPerCluster = 20;
constexpr double kGoal = 50;  // milliseconds

struct Measured {
  int proven = 0;
  int in_time = 0;
  std::vector<double> times;
  std::map<std::string, int> gaps;
};

std::string gap_name(const engine::JointTerm& term) {
  using Kind = engine::JointTerm::Kind;
  static const std::map<Kind, std::string> kNames{
      {Kind::kNeeded, "needed"},   {Kind::kOptional, "optional"},     {Kind::kApart, "apart"},
      {Kind::kPattern, "earlier"}, {Kind::kClimbed, "climbed"},       {Kind::kWhole, "whole"},
      {Kind::kDomains, "domains"}, {Kind::kAltogether, "altogether"}, {Kind::kLeftover, "leftover"}};
  const bool of_level = term.kind >= Kind::kDomains;
  return of_level ? fmt::format("{} {}", kNames.at(term.kind), term.level) : kNames.at(term.kind);
}

// Milliseconds: a decision is one thread's work, and other work on the machine does not count.
double processor_time() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(MixedCluster& cluster, engine::Views& views, const engine::JointProblem& problem,
             Measured& into) {
  engine::Planner planner;
  const engine::ViewSource source = [&](const kube::PodSpec& shape,
                                        const std::optional<kube::PodSpec>& extra) {
    return views.view(cluster.tree, shape, extra);
  };
  for (const kube::PodSpec& shape : problem.shapes) (void)source(shape, std::nullopt);
  for (const engine::Unit& unit : engine::cut_into_units(*cluster.tree, problem)) {
    if (unit.extra < 0) continue;
    (void)source(problem.shapes[static_cast<std::size_t>(unit.shape)],
                 problem.shapes[static_cast<std::size_t>(unit.extra)]);
  }
  engine::JointPlanner joint(cluster.tree, cluster.books, planner, source);
  const double start = processor_time();
  joint.begin(problem);
  joint.improve({});
  const double took = processor_time() - start;
  into.times.push_back(took);
  const engine::JointAnswer& answer = joint.answer();
  if (answer.proven) ++into.proven;
  if (answer.proven && took <= kGoal) ++into.in_time;
  if (answer.gap) ++into.gaps[gap_name(answer.gap->term)];
}

Measured measure_all(Run run, int instances) {
  Measured measured;
  for (int i = 0; i < instances; i += kRunsPerCluster) {
    const auto cluster = make_mixed_cluster(static_cast<std::uint64_t>(i) + 1);
    engine::Views views(cluster->books);
    views.upsert(cluster->topology);
    for (int k = i; k < std::min(instances, i + kRunsPerCluster); ++k)
      measure(*cluster, views, make_mixed_run(run, static_cast<std::uint64_t>(k) + 1), measured);
  }
  std::sort(measured.times.begin(), measured.times.end());
  return measured;
}

double percentile(const std::vector<double>& sorted, int percent) {
  return sorted.empty() ? 0 : sorted[(sorted.size() - 1) * static_cast<std::size_t>(percent) / 100];
}

void print(std::string_view name, const Measured& measured) {
  const auto count = static_cast<double>(measured.times.size());
  std::string gaps;
  for (const auto& [gap, times] : measured.gaps)
    gaps += fmt::format("{}{} {}x", gaps.empty() ? "" : ", ", gap, times);
  fmt::print("{:<10} {:>9}  {:>5.1f}%  {:>11.1f}%  {:>7.1f}  {:>7.1f}  {}\n", name, measured.times.size(),
             100 * measured.proven / count, 100 * measured.in_time / count, percentile(measured.times, 50),
             percentile(measured.times, 95), gaps.empty() ? "none" : gaps);
}

}  // namespace
}  // namespace toposeg::bench

int main(int argc, char** argv) {
  using namespace toposeg::bench;  // NOLINT(google-build-using-namespace): a main of a few lines
  const int instances = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1000;
  fmt::print("{:<10} {:>9}  {:>6}  {:>12}  {:>7}  {:>7}  {}\n", "run", "instances", "proven", "within 50 ms",
             "p50 ms", "p95 ms", "first gap");
  print("roles", measure_all(Run::kRoles, instances));
  print("sets", measure_all(Run::kSets, instances));
  print("replicas", measure_all(Run::kReplicas, instances));
  return 0;
}
