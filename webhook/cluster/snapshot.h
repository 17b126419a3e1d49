// A cluster that is described by files: what `kubectl get nodes,pods,topologies,… -A -o yaml|json` prints.
// Read at the start, read again when a file changes, and kept when the new text is broken.
//
//   Snapshot snapshot({"cluster.yaml"}, engine, config.workloads, clock);
//   if (auto read = snapshot.load(); !read) die(read.error());
//   …                                     // now and then:
//   snapshot.poll();
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/error.h"
#include "common/config/config.h"
#include "common/workload/workload.h"
#include "engine/placement/engine.h"
#include "webhook/cluster/cluster_view.h"

namespace toposeg::webhook {

// What one reading found.
struct SnapshotContent {
  std::size_t nodes = 0;
  std::size_t pods = 0;
  std::size_t topologies = 0;
  std::size_t workloads = 0;
  std::vector<std::string>
      notes;  // objects that were passed over, workloads that are faulty; in the order of the files
};

// Thread safe; readings never overlap.
class Snapshot final : public ClusterView {
 public:
  // At least one file. `engine`, `config` and `clock` outlive the snapshot.
  Snapshot(std::vector<std::string> files, engine::Engine& engine, const config::WorkloadConfig& config,
           const Clock& clock);

  // Reads every file and gives the engine nodes, pods, topologies and workloads as one; reservations stay. On
  // an error the engine keeps what it has: kUnavailable for a file that cannot be read, else what the reader
  // says, with file:line.
  [[nodiscard]] Result<SnapshotContent> load();

  // load() if a file's time, size or inode differs from the last reading; none when nothing changed. A broken
  // file is reported once, not at every poll. Costs one stat() a file.
  std::optional<Result<SnapshotContent>> poll();

  // Since the files were last read, or found unchanged since a good reading. Zero before the first.
  [[nodiscard]] std::chrono::seconds age() const override;
  [[nodiscard]] bool loaded() const override;
  [[nodiscard]] std::uint64_t readings() const;  // good ones
  [[nodiscard]] std::uint64_t faults() const;    // broken ones

 private:
  // What stat() says about a file; a missing file has all zero.
  struct Stamp {
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  [[nodiscard]] static Stamp stamp(const std::string& file);
  [[nodiscard]] std::vector<Stamp> stamps() const;
  [[nodiscard]] Result<SnapshotContent> read();
  void take_workloads(const std::vector<workload::Workload>& workloads);

  const std::vector<std::string> files_;
  engine::Engine& engine_;
  const config::WorkloadConfig& config_;
  const Clock& clock_;

  std::set<workload::Identity> workloads_;  // of the last good reading; guarded by reading_
  std::mutex reading_;                      // held during a reading, so that readings never overlap
  mutable std::mutex mutex_;                // guards what follows; never held during a reading
  std::vector<Stamp> stamps_;
  std::optional<Instant> confirmed_;
  bool last_was_good_ = false;
  std::uint64_t readings_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace toposeg::webhook
