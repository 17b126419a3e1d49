#include "webhook/waiting/usher.h"

#include <algorithm>
#include <utility>

#include "common/json/pointer.h"
#include "webhook/kube_api/resource.h"

namespace toposeg::webhook {
namespace {

using json::Document;

std::string pod_target(const WaitingPod& pod) {
  kube_api::Resource pods{.version = "v1", .plural = "pods", .kind = "Pod"};
  pods.only_namespace = pod.namespace_;
  return pods.collection() + '/' + kube_api::percent_encoded(pod.name);
}

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
      options_(options) {}

Usher::~Usher() { stop(); }

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
  std::set<std::string> present;
  for (const auto& pods : workloads) {
    for (const WaitingPod& pod : pods) present.insert(pod.uid);
  }
  std::erase_if(documents_, [&](const auto& entry) {
    return outdated.contains(entry.first) || !present.contains(entry.first);
  });
  std::erase_if(not_before_, [&](const auto& entry) { return !present.contains(entry.first); });
  std::erase_if(reason_written_, [&](const auto& entry) { return !present.contains(entry.first); });
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

const Document* Usher::document(const WaitingPod& pod) {
  if (const auto known = documents_.find(pod.uid); known != documents_.end()) return &known->second;
  const auto text = client_->get(pod_target(pod));
  if (!text) {
    if (!text.error().answered(404)) failed(pod, text.error().text());
    return nullptr;
  }
  auto object = json::decode(*text);
  if (!object) {
    failed(pod, object.error().text());
    return nullptr;
  }
  if (json::text_at(*object, {"metadata", "uid"}) != pod.uid) return nullptr;  // another one by now
  return &documents_.insert_or_assign(pod.uid, *std::move(object)).first->second;
}

// One pod. What comes after it in its workload must not overtake it.
Usher::Step Usher::let_in(const WaitingPod& pod) {
  const auto held = not_before_.find(pod.uid);
  if (held != not_before_.end() && environment_.clock.now() < held->second) return Step::kStopHere;
  const Document* object = document(pod);
  if (object == nullptr) return Step::kGoOn;
  const Retried retried = reviewer_.retry(*object, pod.namespace_, options_.patience);
  if (!retried.fault.empty()) {
    failed(pod, retried.fault);
    return Step::kStopHere;
  }
  if (retried.waits) {
    const auto written = reason_written_.find(pod.uid);
    const bool due = written == reason_written_.end() ||
                     environment_.clock.now() - written->second > options_.reason_every;
    if (!retried.patch.empty() && due && send(pod, *object, retried.patch)) {
      reason_written_[pod.uid] = environment_.clock.now();
    }
    if (told_ && !retried.reason.empty()) told_(pod, retried);
    return Step::kStopHere;
  }
  if (must_begin_again()) {
    reviewer_.give_back(pod.member);
    return Step::kBeginAgain;
  }
  if (!retried.patch.empty() && !send(pod, *object, retried.patch)) return Step::kStopHere;
  {
    const std::scoped_lock lock(mutex_);
    list_.remove(pod.namespace_, pod.name);
    ++statistics_.let_in;
  }
  environment_.logger.info("Pod let in", {{"namespace", pod.namespace_}, {"name", pod.name}});
  if (told_) told_(pod, retried);
  return Step::kGoOn;
}

bool Usher::send(const WaitingPod& pod, const Document& object, const Document& patch) {
  const auto sent = client_->patch(pod_target(pod), kube_api::kJsonPatch, guarded(object, patch).dump());
  documents_.erase(pod.uid);
  if (sent) return true;
  reviewer_.give_back(pod.member);
  // The pod changed in between: the next pass decides on what it is then. 422 is a test that failed.
  const bool outrun = sent.error().answered(404) || sent.error().answered(409) || sent.error().answered(422);
  if (outrun) {
    const std::scoped_lock lock(mutex_);
    wake();
  }
  if (!outrun || sent.error().answered(422)) failed(pod, sent.error().text());
  return false;
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
