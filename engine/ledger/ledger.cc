#include "engine/ledger/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace toposeg::engine {

namespace {

std::string charge_key(const Owner& owner, const Seat& seat) {
  return fmt::format("r/{}/{}/{}/{}/{}/{}", owner.namespace_, owner.kind, owner.name, seat.group,
                     seat.part == Part::kMaster ? "master" : "member", seat.index);
}

}  // namespace

const OwnerEntry* Ledger::find(const Owner& owner) const {
  const auto it = owners_.find(owner);
  return it == owners_.end() ? nullptr : &it->second;
}

const GroupEntry* Ledger::find(const Owner& owner, int group) const {
  const OwnerEntry* entry = find(owner);
  if (entry == nullptr) return nullptr;
  const auto it = entry->groups.find(group);
  return it == entry->groups.end() ? nullptr : &it->second;
}

const SeatEntry* Ledger::find(const Owner& owner, const Seat& seat) const {
  const GroupEntry* group = find(owner, seat.group);
  if (group == nullptr) return nullptr;
  const auto it = group->seats.find(seat);
  return it == group->seats.end() ? nullptr : &it->second;
}

SeatEntry* Ledger::seat_of(const Owner& owner, const Seat& seat) {
  return const_cast<SeatEntry*>(std::as_const(*this).find(owner, seat));
}

OwnerEntry& Ledger::open(const Owner& owner) {
  OwnerEntry& entry = owners_[owner];
  if (entry.id == 0) {
    entry.id = next_id_++;
    by_id_.emplace(entry.id, owner);
  }
  return entry;
}

Ledger::Settled Ledger::settle(const Owner& owner, std::string_view uid, Word word) {
  Settled settled = Settled::kSame;
  if (const OwnerEntry* known = find(owner);
      known != nullptr && !uid.empty() && !known->uid.empty() && known->uid != uid) {
    if (known->firm && word == Word::kHearsay) return Settled::kForeign;
    drop(owner);
    settled = Settled::kFresh;
  }
  OwnerEntry& entry = open(owner);
  if (uid.empty()) return settled;
  entry.uid = uid;
  entry.firm = entry.firm || word == Word::kFirm;
  return settled;
}

void Ledger::hold(const Owner& owner, const Seat& seat, SeatEntry& entry) {
  books_.charge(charge_key(owner, seat), entry.node, entry.claim->requests, entry.claim->ports);
  entry.held = true;
}

void Ledger::release(const Owner& owner, const Seat& seat, SeatEntry& entry) {
  if (!entry.held) return;
  books_.release(charge_key(owner, seat));
  entry.held = false;
}

bool Ledger::reserve(const Owner& owner, const Seat& seat, std::string_view node,
                     std::shared_ptr<const Claim> claim, std::shared_ptr<const Spot> spot, Instant now) {
  SeatEntry& entry = open(owner).groups[seat.group].seats[seat];
  if (entry.living()) return false;
  entry = SeatEntry{.state = SeatState::kPlanned,
                    .node = std::string(node),
                    .held = false,
                    .claim = std::move(claim),
                    .spot = std::move(spot),
                    .pod = {},
                    .expires = now + limits_.plan_ttl,
                    .taken = now};
  hold(owner, seat, entry);
  arm(owner, seat);
  return true;
}

void Ledger::admit(const Owner& owner, const Seat& seat, std::shared_ptr<const Claim> claim, Instant now) {
  SeatEntry* entry = seat_of(owner, seat);
  if (entry == nullptr || entry->living()) return;
  const bool same = entry->claim == claim ||
                    (entry->claim->requests == claim->requests && entry->claim->ports == claim->ports);
  if (!same) {
    entry->claim = std::move(claim);
    hold(owner, seat, *entry);
  }
  entry->state = SeatState::kAdmitted;
  entry->expires = now + limits_.pod_ttl;
  arm(owner, seat);
}

void Ledger::see(const Owner& owner, const Seat& seat, const SeenPod& pod, Instant now) {
  SeatEntry& entry = open(owner).groups[seat.group].seats[seat];
  const bool lived = entry.living();
  const bool expected = entry.held;
  if (lived && entry.pod != pod.uid) {
    release(owner, seat, entry);
    entry = SeatEntry{};
  }
  const bool fresh = entry.claim == nullptr;
  entry.pod = pod.uid;
  entry.claim = pod.claim;
  if (pod.spot != nullptr) entry.spot = pod.spot;
  if (!pod.node.empty()) {
    release(owner, seat, entry);
    entry.state = SeatState::kBound;
    entry.node = pod.node;
  } else {
    if (fresh || entry.state == SeatState::kPlanned) entry.expires = now + limits_.pod_ttl - pod.age;
    if (fresh) entry.taken = now;
    entry.state = SeatState::kPending;
    if ((fresh || expected) && !pod.nominal.empty()) entry.node = pod.nominal;
    const bool in_time = expected || (fresh && entry.expires > now);
    if (in_time && !entry.node.empty()) hold(owner, seat, entry);
  }
  count(owner, seat.group, lived, true);
  arm(owner, seat);
}

void Ledger::lose(const Owner& owner, const Seat& seat, std::string_view pod) {
  SeatEntry* entry = seat_of(owner, seat);
  if (entry == nullptr || !entry->living() || entry->pod != pod) return;
  erase(owner, seat);
}

void Ledger::keep(const Owner& owner, const Seat& seat, std::string_view node,
                  std::shared_ptr<const Claim> claim, std::shared_ptr<const Spot> spot, Instant now) {
  const GroupEntry* group = find(owner, seat.group);
  if (group == nullptr || group->living == 0 || group->seats.contains(seat)) return;
  reserve(owner, seat, node, std::move(claim), std::move(spot), now);
  seat_of(owner, seat)->expires = now;
  arm(owner, seat);
}

void Ledger::withdraw(const Owner& owner, const Seat& seat) {
  SeatEntry* entry = seat_of(owner, seat);
  if (entry == nullptr) return;
  release(owner, seat, *entry);
  if (!entry->living()) erase(owner, seat);
}

void Ledger::erase(const Owner& owner, const Seat& seat) {
  const auto owner_it = owners_.find(owner);
  if (owner_it == owners_.end()) return;
  auto& groups = owner_it->second.groups;
  const auto group_it = groups.find(seat.group);
  if (group_it == groups.end()) return;
  const auto it = group_it->second.seats.find(seat);
  if (it == group_it->second.seats.end()) return;
  release(owner, seat, it->second);
  const bool lived = it->second.living();
  group_it->second.seats.erase(it);
  count(owner, seat.group, lived, false);
  if (group_it->second.seats.empty()) groups.erase(group_it);
}

void Ledger::count(const Owner& owner, int group, bool before, bool after) {
  if (before == after) return;
  GroupEntry& entry = owners_.at(owner).groups.at(group);
  entry.living += after ? 1 : -1;
  if (entry.living > 0) return;
  // Nobody is left for whom the missing pods' space was kept: each seat falls back to its own limit.
  for (const auto& [seat, unused] : entry.seats) arm(owner, seat);
}

void Ledger::drop(const Owner& owner) {
  const auto it = owners_.find(owner);
  if (it == owners_.end()) return;
  for (auto& [number, group] : it->second.groups) {
    for (auto& [seat, entry] : group.seats) release(owner, seat, entry);
  }
  by_id_.erase(it->second.id);
  owners_.erase(it);
}

void Ledger::prune(const Owner& owner) {
  const auto it = owners_.find(owner);
  if (it == owners_.end() || !it->second.groups.empty()) return;
  by_id_.erase(it->second.id);
  owners_.erase(it);
}

Instant Ledger::limit(const GroupEntry& group, const SeatEntry& entry) const {
  if (entry.living() || group.living == 0) return entry.expires;
  return std::max(entry.expires, entry.taken + limits_.group_ttl);
}

std::optional<Instant> Ledger::limit(const Owner& owner, const Seat& seat) const {
  const SeatEntry* entry = find(owner, seat);
  if (entry == nullptr || !entry->held) return std::nullopt;
  return limit(*find(owner, seat.group), *entry);
}

void Ledger::arm(const Owner& owner, const Seat& seat) {
  const OwnerEntry& entry = owners_.at(owner);
  const GroupEntry& group = entry.groups.at(seat.group);
  const SeatEntry& held = group.seats.at(seat);
  if (held.held) timers_.push({limit(group, held), entry.id, seat});
}

// Timers are never taken back: one that rings too early sets itself again, one for a vanished seat is silent.
void Ledger::expire(Instant now) {
  while (!timers_.empty() && timers_.top().at <= now) {
    const Timer timer = timers_.top();
    timers_.pop();
    const auto known = by_id_.find(timer.owner);
    if (known == by_id_.end()) continue;
    const Owner owner = known->second;
    SeatEntry* entry = seat_of(owner, timer.seat);
    if (entry == nullptr || !entry->held) continue;
    if (limit(*find(owner, timer.seat.group), *entry) > now) {
      arm(owner, timer.seat);
      continue;
    }
    withdraw(owner, timer.seat);
    prune(owner);
  }
}

std::optional<OwnerEntry> Ledger::copy(const Owner& owner) const {
  const OwnerEntry* entry = find(owner);
  return entry == nullptr ? std::nullopt : std::optional(*entry);
}

void Ledger::restore(const Owner& owner, std::optional<OwnerEntry> entry) {
  drop(owner);
  if (!entry) return;
  OwnerEntry& place = open(owner);
  const std::uint64_t id = place.id;
  place = std::move(*entry);
  place.id = id;
  for (auto& [number, group] : place.groups) {
    for (auto& [seat, held] : group.seats) {
      if (!held.held) continue;
      hold(owner, seat, held);
      arm(owner, seat);
    }
  }
}

}  // namespace toposeg::engine
