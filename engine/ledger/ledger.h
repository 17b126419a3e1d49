// Who holds which space until it is bound (placement design, section 6). Each seat (one pod of one workload)
// stands on a nominal node and is charged there in the books under a key of its own; once its pod is bound,
// the pod's own charge takes over and the seat only remembers where the pod lives.
//
//   Ledger ledger(books, {});
//   ledger.settle(owner, uid, Ledger::Word::kFirm);
//   ledger.reserve(owner, seat, "node-1", claim, spot, now);   // planned
//   ledger.admit(owner, seat, now);                            // its pod is being created
//   ledger.see(owner, seat, {.uid = "…", .node = "node-1"}, now);  // bound: the reservation ends
//
// How long a seat holds its space:
//   planned  until plan_ttl;
//   admitted until pod_ttl after its admission;
//   either   longer while a pod of its group lives: until group_ttl after it was taken;
//   pending  (the pod exists, unbound) until pod_ttl after its admission; the seat itself stays;
//   bound    no space of its own.
//
// Not thread safe. Iteration is in the order of owners, groups and seats.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/base/clock.h"
#include "common/kube/records.h"
#include "engine/capacity/books.h"
#include "engine/ledger/seat.h"

namespace toposeg::engine {

struct LedgerLimits {
  std::chrono::nanoseconds plan_ttl = std::chrono::seconds(300);
  std::chrono::nanoseconds pod_ttl = std::chrono::seconds(300);
  std::chrono::nanoseconds group_ttl = std::chrono::seconds(3600);
};

// What one pod takes; shared by all seats of one shape.
struct Claim {
  kube::ResourceList requests;
  std::vector<kube::HostPort> ports;
};

// Where a seat belongs; shared by the seats of one segment. Paths are label values, top level first.
struct Spot {
  std::string topology;
  std::optional<int> segment;       // none: a pod outside all segments
  std::vector<std::string> domain;  // chosen domain; empty = anywhere
  std::vector<std::string> whole;   // domain that all pods of the group must share; empty = none
};

enum class SeatState : std::uint8_t { kPlanned, kAdmitted, kPending, kBound };

struct SeatEntry {
  SeatState state = SeatState::kPlanned;
  std::string node;   // nominal, or real when bound; may be empty when pending
  bool held = false;  // charged in the books under the seat's key
  std::shared_ptr<const Claim> claim;
  std::shared_ptr<const Spot> spot;  // may be null for pods that say nothing about themselves
  std::string pod;                   // uid, once seen
  Instant expires;                   // own limit
  Instant taken;                     // when the space was taken, start of group_ttl

  // A pod of this seat exists.
  [[nodiscard]] bool living() const { return state == SeatState::kPending || state == SeatState::kBound; }
  // A pod exists or is on its way with its place already written on it.
  [[nodiscard]] bool committed() const { return state != SeatState::kPlanned; }
};

struct GroupEntry {
  std::map<Seat, SeatEntry> seats;
  int living = 0;
};

struct OwnerEntry {
  std::string uid;    // empty until known
  bool firm = false;  // the uid comes from the workload itself, not from one of its pods
  std::uint64_t id = 0;
  std::map<int, GroupEntry> groups;
};

// A pod as it was seen in the cluster.
struct SeenPod {
  std::string uid;
  std::string node;     // empty = not bound
  std::string nominal;  // node written on it at admission; empty = none
  std::shared_ptr<const Claim> claim;
  std::shared_ptr<const Spot> spot;  // null = nothing written on it: what was planned stays
  std::chrono::nanoseconds age{0};   // since its creation; past pod_ttl it reserves nothing any more
};

class Ledger {
 public:
  enum class Word : std::uint8_t { kFirm, kHearsay };
  enum class Settled : std::uint8_t {
    kSame,     // the uid is the known one, or the first one
    kFresh,    // another uid under an old name: everything of the old one was dropped
    kForeign,  // hearsay of another uid than the firmly known one: nothing changed
  };

  Ledger(Books& books, LedgerLimits limits) : books_(books), limits_(limits) {}

  // Must come before anything is written for an owner. An empty uid changes nothing.
  Settled settle(const Owner& owner, std::string_view uid, Word word);

  // Plans a seat, or moves it. A seat whose pod lives is left alone (false).
  bool reserve(const Owner& owner, const Seat& seat, std::string_view node,
               std::shared_ptr<const Claim> claim, std::shared_ptr<const Spot> spot, Instant now);
  // The pod of a reserved seat is being created, perhaps with another claim than planned.
  void admit(const Owner& owner, const Seat& seat, std::shared_ptr<const Claim> claim, Instant now);
  // A living pod. Unbound without a seat, it is reserved on its nominal node for what is left of its time
  // (rebuilding after a restart).
  void see(const Owner& owner, const Seat& seat, const SeenPod& pod, Instant now);
  // The pod ended, terminates or is gone. Ignored when the seat's pod is another one by now.
  void lose(const Owner& owner, const Seat& seat, std::string_view pod);
  // Holds the space that a pod left for its successor, as long as its group lives and the seat is not taken
  // again.
  void keep(const Owner& owner, const Seat& seat, std::string_view node, std::shared_ptr<const Claim> claim,
            std::shared_ptr<const Spot> spot, Instant now);
  // Gives a seat's space back; a living pod's seat stays, without space.
  void withdraw(const Owner& owner, const Seat& seat);
  void drop(const Owner& owner);
  // Forgets an owner that holds no seats.
  void prune(const Owner& owner);

  // Ends what is over. O(1) when nothing is.
  void expire(Instant now);

  [[nodiscard]] const OwnerEntry* find(const Owner& owner) const;
  [[nodiscard]] const GroupEntry* find(const Owner& owner, int group) const;
  [[nodiscard]] const SeatEntry* find(const Owner& owner, const Seat& seat) const;
  [[nodiscard]] const std::map<Owner, OwnerEntry>& owners() const { return owners_; }
  // When the seat's space would be given back; none when it holds none.
  [[nodiscard]] std::optional<Instant> limit(const Owner& owner, const Seat& seat) const;

  // For trials: everything of an owner as it is now, and back to it (none = nothing). O(seats).
  [[nodiscard]] std::optional<OwnerEntry> copy(const Owner& owner) const;
  void restore(const Owner& owner, std::optional<OwnerEntry> entry);

 private:
  struct Timer {
    Instant at;
    std::uint64_t owner;
    Seat seat;
    friend bool operator>(const Timer& a, const Timer& b) { return a.at > b.at; }
  };

  OwnerEntry& open(const Owner& owner);
  SeatEntry* seat_of(const Owner& owner, const Seat& seat);
  void hold(const Owner& owner, const Seat& seat, SeatEntry& entry);
  void release(const Owner& owner, const Seat& seat, SeatEntry& entry);
  void erase(const Owner& owner, const Seat& seat);
  void count(const Owner& owner, int group, bool before, bool after);
  void arm(const Owner& owner, const Seat& seat);
  [[nodiscard]] Instant limit(const GroupEntry& group, const SeatEntry& entry) const;

  Books& books_;
  LedgerLimits limits_;
  std::map<Owner, OwnerEntry> owners_;
  std::unordered_map<std::uint64_t, Owner> by_id_;
  std::uint64_t next_id_ = 1;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
};

}  // namespace toposeg::engine
