#include "webhook/waiting/usher.h"

#include <algorithm>
#include <utility>

#include "common/json/pointer.h"
#include "common/kube/read.h"
#include "webhook/kube_api/resource.h"

namespace toposeg::webhook {
namespace {

using json::Document;

// The patch, which applies only to the very version of the pod that was decided on.
Document guarded(const Document& object, const Document& patch) {
  Document guarded = Document::array();
  for (const char* field : {"uid", "resourceVersion"}) {
    guarded.push_back({{"op", "test"},
                       {"path", std::string("/metadata/") + field},
                       {"value", json::text_at(object, {"metadata", field})}});
  }
  for (const Document& operation : patch) guarded.push_back(operation);
  return guarded;
}

}  // namespace

Usher::Usher(Reviewer& reviewer, std::unique_ptr<kube_api::Client> client, Environment environment)
    : Usher(reviewer, std::move(client), std::move(environment), Options()) {}

Usher::Usher(Reviewer& reviewer, std::unique_ptr<kube_api::Client> client, Environment environment,
             Options options)
    : reviewer_(reviewer),
      client_(std::move(client)),
      environment_(std::move(environment)),
      options_(options),
      reasons_(options.reason_every) {}

Usher::~Usher() { stop(); }

std::string Usher::target_of(const WaitingPod& pod) {
  kube_api::Resource pods{.version = "v1", .plural = "pods", .kind = "Pod"};
  pods.only_namespace = pod.namespace_;
  return pods.collection() + '/' + kube_api::percent_encoded(pod.name);
}

void Usher::start() {
  thread_ = std::thread([this] { run(); });
}

void Usher::open() {
  const std::scoped_lock lock(mutex_);
  open_ = true;
  woken_ = true;
  changed_.notify_all();
}

void Usher::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  client_->stop();
  if (thread_.joinable()) thread_.join();
}

void Usher::wake() {
  woken_ = true;
  changed_.notify_all();
}

void Usher::pod_seen(const kube::Pod& pod) {
  const std::scoped_lock lock(mutex_);
  const bool changed = list_.upsert(pod);
  if (list_.holds(pod.namespace_, pod.name)) outdated_.insert(pod.uid);
  if (changed || pod.ended() || pod.terminating) wake();
}

void Usher::pod_gone(std::string_view namespace_, std::string_view name) {
  const std::scoped_lock lock(mutex_);
  list_.remove(namespace_, name);
  wake();
}

void Usher::workload_seen(const workload::Workload& /*workload*/, const Document& /*object*/,
                          bool /*fresh*/) {
  room_changed();
}

void Usher::workload_gone(const workload::Identity& /*identity*/) { room_changed(); }

void Usher::room_changed() {
  const std::scoped_lock lock(mutex_);
  wake();
}

UsherStatistics Usher::statistics() const {
  const std::scoped_lock lock(mutex_);
  UsherStatistics statistics = statistics_;
  statistics.waiting_pods = list_.size();
  return statistics;
}

void Usher::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto ready = [&] { return stopping_ || (open_ && woken_ && !list_.empty()); };
    environment_.waiter.wait(lock, changed_, options_.longest_wait, ready);
    if (stopping_) return;
    if (!open_ || list_.empty()) continue;
    woken_ = false;
    lock.unlock();
    const Instant start = environment_.clock.now();
    pass();
    const std::chrono::nanoseconds took = environment_.clock.now() - start;
    lock.lock();
    ++statistics_.passes;
    // What changes meanwhile is looked at together.
    const auto pause = std::max<std::chrono::nanoseconds>(options_.least_pause, took);
    environment_.waiter.wait(lock, changed_, pause, [&] { return stopping_; });
  }
}

void Usher::pass() {
  std::vector<std::vector<WaitingPod>> workloads;
  std::set<std::string> outdated;
  {
    const std::scoped_lock lock(mutex_);
    workloads = list_.by_age();
    outdated = std::exchange(outdated_, {});
  }
  begin_pass(workloads, outdated);
  overtakes_ = false;
  for (const auto& pods : workloads) {
    for (const WaitingPod& pod : pods) {
      const Step step = let_in(pod);
      if (step == Step::kBeginAgain) return;
      if (step == Step::kGoOn) continue;
      overtakes_ = true;
      break;
    }
  }
  begun_again_ = 0;
  renew_reasons();
}

// What is kept of pods that are not there any more, or have changed, is forgotten.
void Usher::begin_pass(const std::vector<std::vector<WaitingPod>>& workloads,
                       const std::set<std::string>& outdated) {
  std::set<std::string> present;
  std::set<WaitingSegment> segments;
  for (const auto& pods : workloads) {
    for (const WaitingPod& pod : pods) {
      present.insert(pod.uid);
      segments.insert(segment_of(pod));
    }
  }
  std::erase_if(documents_, [&](const auto& entry) {
    return outdated.contains(entry.first) || !present.contains(entry.first);
  });
  std::erase_if(not_before_, [&](const auto& entry) { return !present.contains(entry.first); });
  reasons_.forget();
  reasons_.retain(segments);
}

// Something changed since the pass began, so an older workload that was tried before may have room now: it
// must not be overtaken. Under changes without end the pass is finished all the same, now and then.
bool Usher::must_begin_again() {
  constexpr int kMostTimes = 5;
  const std::scoped_lock lock(mutex_);
  if (!overtakes_ || !woken_ || begun_again_ >= kMostTimes) return false;
  ++begun_again_;
  return true;
}

// It is gone, another one, or let in by others: the cluster is about to tell.
void Usher::forget(const WaitingPod& pod) {
  const std::scoped_lock lock(mutex_);
  list_.drop(pod);
}

const Document* Usher::document(const WaitingPod& pod) {
  if (const auto known = documents_.find(pod.uid); known != documents_.end()) return &known->second;
  const auto text = client_->get(target_of(pod));
  if (!text) {
    if (text.error().answered(404)) {
      forget(pod);
    } else {
      failed(pod, text.error().text());
    }
    return nullptr;
  }
  auto object = json::decode(*text);
  if (!object) {
    failed(pod, object.error().text());
    return nullptr;
  }
  const auto record = kube::read_pod(*object);
  if (record && (record->uid != pod.uid || !held_by_our_gate(*record))) {
    forget(pod);
    return nullptr;
  }
  return &documents_.insert_or_assign(pod.uid, *std::move(object)).first->second;
}

// One pod. What comes after it in its workload must not overtake it.
Usher::Step Usher::let_in(const WaitingPod& pod) {
  constexpr int kMostTimes = 5;
  const auto held = not_before_.find(pod.uid);
  if (held != not_before_.end() && environment_.clock.now() < held->second) return Step::kStopHere;
  for (int time = 0; time < kMostTimes; ++time) {
    if (const auto step = try_once(pod)) return *step;
  }
  const std::scoped_lock lock(mutex_);
  wake();  // it changes all the time; the others have their turn first
  return Step::kStopHere;
}

// None when the pod changed while it was decided on.
std::optional<Usher::Step> Usher::try_once(const WaitingPod& pod) {
  const Document* object = document(pod);
  if (object == nullptr) return Step::kGoOn;
  const Retried retried = reviewer_.retry(*object, pod.namespace_, options_.patience);
  if (!retried.fault.empty()) {
    failed(pod, retried.fault);
    return Step::kStopHere;
  }
  if (retried.waits) {
    if (!retried.reason.empty()) {
      reasons_.learned(segment_of(pod), retried.reason);
      if (told_) told_(pod, retried);
    }
    return Step::kStopHere;
  }
  if (must_begin_again()) {
    reviewer_.give_back(pod.member);
    return Step::kBeginAgain;
  }
  const Sent sent = retried.patch.empty() ? Sent::kDone : send(pod, *object, retried.patch);
  switch (sent) {
    case Sent::kOutrun:
      return std::nullopt;
    case Sent::kGone:
      forget(pod);
      return Step::kGoOn;
    case Sent::kRefused:
      return Step::kStopHere;
    case Sent::kDone:
      break;
  }
  was_let_in(pod, retried);
  return Step::kGoOn;
}

void Usher::was_let_in(const WaitingPod& pod, const Retried& retried) {
  {
    const std::scoped_lock lock(mutex_);
    list_.drop(pod);
    ++statistics_.let_in;
  }
  environment_.logger.info("Pod let in", {{"namespace", pod.namespace_}, {"name", pod.name}});
  if (told_) told_(pod, retried);
}

Usher::Sent Usher::send(const WaitingPod& pod, const Document& object, const Document& patch) {
  const std::string version = json::text_at(object, {"metadata", "resourceVersion"});
  const auto sent = client_->patch(target_of(pod), kube_api::kJsonPatch, guarded(object, patch).dump());
  documents_.erase(pod.uid);  // and `object` with it
  if (sent) return Sent::kDone;
  reviewer_.give_back(pod.member);
  return why_not(pod, version, sent.error());
}

// A test that failed and a change that is not allowed are both answered 422: the pod itself tells which it
// was.
Usher::Sent Usher::why_not(const WaitingPod& pod, const std::string& version,
                           const kube_api::ApiError& error) {
  if (error.answered(404)) return Sent::kGone;
  if (error.answered(409)) return Sent::kOutrun;
  if (error.answered(422)) {
    const Document* now = document(pod);
    if (now == nullptr) return Sent::kGone;
    if (json::text_at(*now, {"metadata", "resourceVersion"}) != version) return Sent::kOutrun;
  }
  failed(pod, error.text());
  return Sent::kRefused;
}

void Usher::failed(const WaitingPod& pod, const std::string& error) {
  not_before_[pod.uid] = environment_.clock.now() + options_.after_failure;
  {
    const std::scoped_lock lock(mutex_);
    ++statistics_.failed;
    if (stopping_) return;
  }
  environment_.logger.warn("Waiting pod not let in",
                           {{"namespace", pod.namespace_}, {"name", pod.name}, {"err", error}});
}

}  // namespace toposeg::webhook
