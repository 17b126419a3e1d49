#include "engine/placement/roster.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "common/base/whole_number.h"
#include "common/json/decode.h"
#include "common/workload/keys.h"
#include "common/workload/normalise.h"
#include "engine/placement/scope.h"

namespace toposeg::engine {

namespace keys = workload::keys;

namespace {

std::string charge_key(const std::string& uid) { return "p/" + uid; }

// Some recorded clusters have no uids.
std::string uid_of(const kube::Pod& pod) {
  return pod.uid.empty() ? kube::full_name(pod.namespace_, pod.name) : pod.uid;
}

// The domain written on a pod: a JSON array of label values. Anything else counts as not written.
std::optional<std::vector<std::string>> written_domain(const kube::Pod& pod) {
  const std::string* text = kube::find(pod.annotations, keys::kDomain);
  if (text == nullptr) return std::nullopt;
  const Result<json::Document> document = json::decode(*text);
  if (!document || !document->is_array()) return std::nullopt;
  std::vector<std::string> path;
  for (const json::Document& label : *document) {
    if (!label.is_string()) return std::nullopt;
    path.push_back(label.get<std::string>());
  }
  return path;
}

std::optional<int> written_segment(const kube::Pod& pod) {
  const std::string* text = kube::find(pod.annotations, keys::kSegment);
  return text == nullptr ? std::nullopt : whole_number<int>(*text);
}

// Held by our gate: it has no place yet, so it is no foothold for its siblings, and holds nothing.
bool waits(const kube::Pod& pod) {
  return pod.node_name.empty() &&
         std::find(pod.gates.begin(), pod.gates.end(), keys::kWaitingGate) != pod.gates.end();
}

std::shared_ptr<const Spot> written_spot(const kube::Pod& pod, const workload::Workload* known) {
  std::optional<std::vector<std::string>> domain = written_domain(pod);
  if (!domain) return nullptr;
  const std::string* topology = kube::find(pod.annotations, keys::kTopology);
  Spot spot;
  if (topology != nullptr) {
    spot.topology = *topology;
  } else if (known != nullptr) {
    spot.topology = known->topology;
  }
  spot.segment = written_segment(pod);
  spot.domain = *std::move(domain);
  return std::make_shared<Spot>(std::move(spot));
}

std::string written_host(const kube::Pod& pod) {
  const std::string* host = kube::find(pod.annotations, keys::kHost);
  return host == nullptr ? std::string() : *host;
}

}  // namespace

void Roster::upsert(const kube::Pod& pod) {
  Record& record = pods_[kube::full_name(pod.namespace_, pod.name)];
  const std::string uid = uid_of(pod);
  if (!record.uid.empty() && record.uid != uid) {
    leave(record);
    record = Record{};
  }
  record.uid = uid;
  charge(pod, record);
  read_membership(pod, record);
  if (record.member == nullptr) return;
  count_done(record, record.succeeded);
  report(record, !pod.ended() && !pod.terminating && !waits(pod));
  if (pod.phase == kube::PodPhase::kFailed) keep_space(record);
}

void Roster::charge(const kube::Pod& pod, Record& record) {
  record.node = pod.node_name;
  record.succeeded = pod.phase == kube::PodPhase::kSucceeded;
  if (pod.node_name.empty() || pod.ended()) {
    books_.release(charge_key(record.uid));
  } else {
    books_.charge(charge_key(record.uid), pod.node_name, pod.requests, pod.host_ports);
  }
}

void Roster::read_membership(const kube::Pod& pod, Record& record) {
  if (record.member == nullptr) {
    std::optional<workload::Member> member = workload::member_of(pod);
    if (!member) return;
    record.member = std::make_unique<Membership>();
    record.member->owner = owner_of(member->workload);
    record.member->workload_uid = member->workload.uid;
    record.member->seat = seat_of(*member);
  }
  Membership& member = *record.member;
  member.claim = std::make_shared<Claim>(Claim{pod.requests, pod.host_ports});
  member.spot = written_spot(pod, known_(member.owner));
  member.nominal = written_host(pod);
  member.created = pod.created;
}

void Roster::report(Record& record, bool alive) {
  Membership& member = *record.member;
  const bool was_alive = std::exchange(member.alive, alive);
  if (alive) {
    const auto settled = ledger_.settle(member.owner, member.workload_uid, Ledger::Word::kHearsay);
    if (settled == Ledger::Settled::kForeign) return;
    const std::string& nominal = books_.node(member.nominal) == nullptr ? std::string() : member.nominal;
    ledger_.see(member.owner, member.seat,
                {record.uid, record.node, nominal, member.claim, member.spot, age(member)}, clock_.now());
  } else if (was_alive) {
    ledger_.lose(member.owner, member.seat, record.uid);
    ledger_.prune(member.owner);
  }
}

std::chrono::nanoseconds Roster::age(const Membership& member) const {
  if (member.created == 0) return {};
  const auto age = clock_.wall() - WallTime(std::chrono::seconds(member.created));
  return std::max(std::chrono::nanoseconds(age), std::chrono::nanoseconds(0));
}

// Whether the workload, as far as it is known, still has such a pod.
bool Roster::wanted(const Membership& member) const {
  const Seat& seat = member.seat;
  const workload::Workload* workload = known_(member.owner);
  if (workload == nullptr) return !graves_.holds(member.owner, member.workload_uid);
  const int pods = seat.part == Part::kMaster ? workload->masters : workload->segments.pods;
  return !workload->suspended && seat.group < workload->groups && seat.index < pods;
}

// A pod of a living group left a node: its successor will want the place.
void Roster::keep_space(const Record& record) {
  const Membership& member = *record.member;
  const OwnerEntry* owner = ledger_.find(member.owner);
  const kube::Node* node = books_.node(record.node);
  if (owner == nullptr || node == nullptr || node->unschedulable || !node->ready) return;
  if (!member.workload_uid.empty() && !owner->uid.empty() && owner->uid != member.workload_uid) return;
  if (!wanted(member)) return;
  ledger_.keep(member.owner, member.seat, record.node, member.claim, member.spot, clock_.now());
}

void Roster::leave(Record& record) {
  books_.release(charge_key(record.uid));
  if (record.member == nullptr) return;
  count_done(record, false);
  report(record, false);
  if (!record.succeeded && !record.node.empty()) keep_space(record);
}

void Roster::remove(std::string_view namespace_, std::string_view name) {
  const auto it = pods_.find(kube::full_name(namespace_, name));
  if (it == pods_.end()) return;
  leave(it->second);
  pods_.erase(it);
}

void Roster::retain(const std::vector<kube::Pod>& pods) {
  std::unordered_set<std::string> there;
  for (const kube::Pod& pod : pods) there.insert(kube::full_name(pod.namespace_, pod.name));
  std::vector<std::string> gone;
  for (const auto& [name, record] : pods_) {
    if (!there.contains(name)) gone.push_back(name);
  }
  std::sort(gone.begin(), gone.end());
  for (const std::string& name : gone) {
    leave(pods_.at(name));
    pods_.erase(name);
  }
}

// Only pods that know their workload's uid count: they are of this workload and no other of its name.
void Roster::count_done(const Record& record, bool done) {
  const Membership& member = *record.member;
  if (member.workload_uid.empty()) return;
  const std::pair key{member.owner, member.workload_uid};
  if (done) {
    done_[key].insert(member.seat);
  } else if (const auto found = done_.find(key); found != done_.end()) {
    found->second.erase(member.seat);
    if (found->second.empty()) done_.erase(found);
  }
}

const std::set<Seat>* Roster::done(const Owner& owner, const std::string& uid) const {
  const auto found = done_.find({owner, uid});
  return found == done_.end() ? nullptr : &found->second;
}

void Roster::recount(const Owner& owner, std::string_view uid) {
  std::vector<std::pair<Seat, Record*>> found;
  for (auto& [name, record] : pods_) {
    const Membership* member = record.member.get();
    if (member == nullptr || member->owner != owner || record.succeeded) continue;
    if (member->workload_uid == uid) found.emplace_back(member->seat, &record);
  }
  std::sort(found.begin(), found.end());
  for (const auto& [seat, record] : found) {
    if (record->member->alive) report(*record, true);
  }
}

}  // namespace toposeg::engine
