#include "run_case.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>

#include "case_file.h"
#include "cluster_text.h"
#include "common/base/clock.h"
#include "common/config/config.h"
#include "common/kube/read.h"
#include "common/workload/normalise.h"
#include "expectation.h"
#include "outcome.h"
#include "workload_text.h"

namespace toposeg::cases {

namespace {

// Walks the sections in order; each [workload] or [manifest] is planned at once on the cluster as it stands
// then, and the [expect] after it looks at that plan.
class Run final : public Placer {
 public:
  explicit Run(std::string path) : path_(std::move(path)), engine_({}, clock_), config_(config::defaults()) {
    requester_.user = "kubernetes-admin";
    requester_.field_manager = "kubectl-create";
  }

  Result<void> section(const Section& section) {
    const std::string where = fmt::format("{}:{}", path_, section.number);
    if (section.name == "cluster") return facts(read_cluster_section(section, path_, cluster_));
    if (section.name == "pods") return facts(read_pods_section(section, path_, cluster_));
    if (section.name == "objects") return facts(read_objects(section));
    if (section.name == "options") return options(section);
    if (section.name == "config") return configuration(section, where);
    if (section.name == "workload") return plan(read_workload(section, path_));
    if (section.name == "manifest") return plan(read_manifest(section, where));
    if (section.name == "expect") return expect(section, where);
    return fail(Code::kInvalid, fmt::format("[{}] is no section of a case", section.name), where);
  }

  CaseResult finish(CaseResult result) {
    if (expectations_ == 0) differences_.push_back("there is no [expect] section");
    result.differences = std::move(differences_);
    result.came = std::move(came_);
    return result;
  }

  engine::PodDecision place(int group, workload::Role role, int index) override {
    const workload::Workload& planned = outcome_->meaning.workload;
    const workload::Member member{.workload = planned.identity, .group = group, .role = role, .index = index};
    const bool other = role != workload::Role::kWorker && planned.extra_spec;
    return engine_.place(member, planned, other ? *planned.extra_spec : planned.worker,
                         {.reserve = reserve_, .budget = {}});
  }

 private:
  Result<void> facts(Result<void> read) {
    if (read) engine_.replace(cluster_);
    return read;
  }

  // Nodes, pods and topologies as kubectl prints them.
  Result<void> read_objects(const Section& section) {
    std::istringstream input(section.raw);
    return kube::read_cluster(input, path_, cluster_, [](const std::string&, const std::string&) {});
  }

  Result<void> options(const Section& section) {
    for (const Line& line : section.lines) {
      const auto parts = words(line.text);
      const std::string value = parts.size() == 2 ? parts[1] : "";
      if (parts.front() == "user") {
        requester_.user = value;
      } else if (parts.front() == "group") {
        requester_.groups.push_back(value);
      } else if (parts.front() == "field-manager") {
        requester_.field_manager = value == "none" ? "" : value;
      } else if (line.text == "dry-run") {
        reserve_ = false;
      } else {
        return fail(Code::kInvalid, fmt::format("'{}' is no option", line.text),
                    fmt::format("{}:{}", path_, line.number));
      }
    }
    return {};
  }

  Result<void> configuration(const Section& section, const std::string& where) {
    auto parsed = config::parse(section.raw, path_);
    if (!parsed) return fail(Code::kInvalid, parsed.error().front().text(), where);
    config_ = *std::move(parsed);
    return {};
  }

  static Result<json::Document> read_manifest(const Section& section, const std::string& where) {
    auto documents = kube::read_documents(section.raw, where);
    if (!documents) return std::unexpected(documents.error());
    if (documents->size() != 1) return fail(Code::kInvalid, "[manifest] must hold one object", where);
    return std::move(documents->front());
  }

  Result<void> plan(Result<json::Document> object) {
    if (!object) return std::unexpected(object.error());
    const auto topologies = engine_.topologies();
    const workload::NormaliseContext context{topologies, config_.workloads, requester_};
    outcome_.emplace(Outcome{.meaning = workload::normalise(*object, context), .plan = {}});
    if (outcome_->meaning.causes.empty()) {
      outcome_->plan = engine_.plan(outcome_->meaning.workload, {.reserve = reserve_, .budget = {}});
    }
    came_ += describe(*outcome_);
    return {};
  }

  Result<void> expect(const Section& section, const std::string& where) {
    if (!outcome_) return fail(Code::kInvalid, "[expect] needs a [workload] or [manifest] before it", where);
    ++expectations_;
    for (std::string& difference : compare(section, *outcome_, *this))
      differences_.push_back(std::move(difference));
    return {};
  }

  std::string path_;
  ManualClock clock_;
  engine::Engine engine_;
  config::Config config_;
  workload::Requester requester_;
  kube::Cluster cluster_;
  std::optional<Outcome> outcome_;
  std::vector<std::string> differences_;
  std::string came_;
  int expectations_ = 0;
  bool reserve_ = true;
};

}  // namespace

CaseResult run_case(const std::string& path, std::string_view text) {
  auto file = cut(path, text);
  if (!file) return {.title = path, .differences = {file.error().text()}, .came = {}};
  Run run(path);
  for (const Section& section : file->sections) {
    if (auto done = run.section(section); !done) {
      return {.title = file->title, .differences = {done.error().text()}, .came = {}};
    }
  }
  return run.finish({.title = file->title, .differences = {}, .came = {}});
}

}  // namespace toposeg::cases
