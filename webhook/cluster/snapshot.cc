#include "webhook/cluster/snapshot.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "common/kube/read.h"
#include "common/workload/kinds/kind.h"
#include "webhook/cluster/workloads_in_file.h"

namespace toposeg::webhook {
namespace {

bool is_workload_kind(const std::string& kind) {
  const auto& kinds = workload::kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const auto& known) { return known->name() == kind; });
}

Result<std::string> text_of(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  if (input) text << input.rdbuf();
  if (!input) return fail(Code::kUnavailable, "cannot be read", file);
  return std::move(text).str();
}

// One file's records go to `cluster`; says whether there are workloads in it, and counts what is passed over.
Result<bool> read_file(const std::string& file, kube::Cluster& cluster,
                       std::map<std::string, int>& passed_over) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return fail(Code::kUnavailable, "cannot be opened", file);
  bool workloads = false;
  const auto read =
      kube::read_cluster(input, file, cluster, [&](const std::string& kind, const std::string&) {
        if (is_workload_kind(kind)) {
          workloads = true;
        } else {
          ++passed_over[kind];
        }
      });
  if (!read) return std::unexpected(read.error());
  return workloads;
}

}  // namespace

Snapshot::Snapshot(std::vector<std::string> files, engine::Engine& engine,
                   const config::WorkloadConfig& config, const Clock& clock)
    : files_(std::move(files)), engine_(engine), config_(config), clock_(clock) {}

Snapshot::Stamp Snapshot::stamp(const std::string& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ino,
          static_cast<std::uint64_t>(status.st_size)};
}

std::vector<Snapshot::Stamp> Snapshot::stamps() const {
  std::vector<Stamp> result;
  result.reserve(files_.size());
  for (const std::string& file : files_) result.push_back(stamp(file));
  return result;
}

void Snapshot::take_workloads(const std::vector<workload::Workload>& workloads) {
  std::set<workload::Identity> present;
  for (const workload::Workload& workload : workloads) present.insert(workload.identity);
  for (const workload::Identity& identity : workloads_) {
    if (!present.contains(identity)) engine_.remove_workload(identity);
  }
  for (const workload::Workload& workload : workloads) engine_.upsert_workload(workload);
  workloads_ = std::move(present);
}

Result<SnapshotContent> Snapshot::read() {
  kube::Cluster cluster;
  std::map<std::string, int> passed_over;
  std::vector<std::string> with_workloads;
  for (const std::string& file : files_) {
    const auto workloads = read_file(file, cluster, passed_over);
    if (!workloads) return std::unexpected(workloads.error());
    if (*workloads) with_workloads.push_back(file);
  }
  SnapshotContent content{cluster.nodes.size(), cluster.pods.size(), cluster.topologies.size(), 0, {}};
  for (const auto& [kind, count] : passed_over) {
    content.notes.push_back(std::to_string(count) + " " + kind + " passed over");
  }
  const auto topologies = kube::counting_topologies(cluster.topologies);
  std::vector<workload::Workload> workloads;
  for (const std::string& file : with_workloads) {
    const auto text = text_of(file);
    if (!text) return std::unexpected(text.error());
    auto found = workloads_in(*text, file, topologies, config_);
    if (!found) return std::unexpected(found.error());
    std::move(found->workloads.begin(), found->workloads.end(), std::back_inserter(workloads));
    std::move(found->notes.begin(), found->notes.end(), std::back_inserter(content.notes));
  }
  content.workloads = workloads.size();
  engine_.replace(cluster);
  take_workloads(workloads);
  return content;
}

Result<SnapshotContent> Snapshot::load() {
  const std::scoped_lock one_at_a_time(reading_);
  {
    const std::scoped_lock lock(mutex_);
    stamps_ = stamps();  // taken first: a change during the reading is seen by the next poll
  }
  auto content = read();
  const std::scoped_lock lock(mutex_);
  last_was_good_ = content.has_value();
  if (content) {
    ++readings_;
    confirmed_ = clock_.now();
  } else {
    ++faults_;
  }
  return content;
}

std::optional<Result<SnapshotContent>> Snapshot::poll() {
  const std::vector<Stamp> now = stamps();
  {
    const std::scoped_lock lock(mutex_);
    if (now == stamps_) {
      if (last_was_good_) confirmed_ = clock_.now();
      return std::nullopt;
    }
  }
  return load();
}

std::chrono::seconds Snapshot::age() const {
  const std::scoped_lock lock(mutex_);
  if (!confirmed_) return std::chrono::seconds(0);
  return std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - *confirmed_);
}

bool Snapshot::loaded() const {
  const std::scoped_lock lock(mutex_);
  return confirmed_.has_value();
}

std::uint64_t Snapshot::readings() const {
  const std::scoped_lock lock(mutex_);
  return readings_;
}

std::uint64_t Snapshot::faults() const {
  const std::scoped_lock lock(mutex_);
  return faults_;
}

}  // namespace toposeg::webhook
