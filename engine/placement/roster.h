// The pods of the cluster: charges bound ones to their nodes and tells the ledger which members of workloads
// live.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/kube/records.h"
#include "common/workload/workload.h"
#include "engine/capacity/books.h"
#include "engine/ledger/ledger.h"
#include "engine/placement/graves.h"

namespace toposeg::engine {

// Not thread safe. O(seats of the pod's group) per pod at worst, memory only for what is needed to take a pod
// back.
class Roster {
 public:
  // What is known of a workload, or null.
  using Known = std::function<const workload::Workload*(const Owner&)>;

  Roster(Books& books, Ledger& ledger, const Graves& graves, const Clock& clock, Known known)
      : books_(books), ledger_(ledger), graves_(graves), clock_(clock), known_(std::move(known)) {}

  void upsert(const kube::Pod& pod);
  void remove(std::string_view namespace_, std::string_view name);
  // Removes every pod that is not in the list.
  void retain(const std::vector<kube::Pod>& pods);
  // Tells the ledger again which pods of this owner and uid live (it had forgotten them).
  void recount(const Owner& owner, std::string_view uid);
  // The seats of this owner and uid whose pods are there and have succeeded; null = none.
  [[nodiscard]] const std::set<Seat>* done(const Owner& owner, const std::string& uid) const;

 private:
  // A pod that belongs to a workload.
  struct Membership {
    Owner owner;
    std::string workload_uid;  // empty when the pod does not say
    Seat seat;
    std::shared_ptr<const Claim> claim;
    std::shared_ptr<const Spot> spot;
    std::string nominal;
    std::int64_t created = 0;  // seconds since the epoch, 0 = unknown
    bool alive = false;        // neither ended, nor terminating, nor held by our gate
  };
  struct Record {
    std::string uid;
    std::string node;
    bool succeeded = false;
    std::unique_ptr<Membership> member;
  };

  void charge(const kube::Pod& pod, Record& record);
  void read_membership(const kube::Pod& pod, Record& record);
  void report(Record& record, bool alive);
  void leave(Record& record);
  void count_done(const Record& record, bool done);
  void keep_space(const Record& record);
  [[nodiscard]] std::chrono::nanoseconds age(const Membership& member) const;
  [[nodiscard]] bool wanted(const Membership& member) const;

  Books& books_;
  Ledger& ledger_;
  const Graves& graves_;
  const Clock& clock_;
  Known known_;
  std::unordered_map<std::string, Record> pods_;                  // by namespace/name
  std::map<std::pair<Owner, std::string>, std::set<Seat>> done_;  // by owner and its uid
};

}  // namespace toposeg::engine
