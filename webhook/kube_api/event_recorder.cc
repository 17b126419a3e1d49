#include "webhook/kube_api/event_recorder.h"

#include <algorithm>
#include <utility>

#include "webhook/kube_api/resource.h"

namespace toposeg::webhook::kube_api {

namespace {

std::string events_of(const Event& event) {
  return Resource{.group = "events.k8s.io",
                  .version = "v1",
                  .plural = "events",
                  .kind = "Event",
                  .only_namespace = namespace_of(event)}
      .collection();
}

// The API server is away or busy: the same call may succeed later.
bool may_pass(const ApiError& error) {
  if (error.failure == Failure::kAnswered) return error.status == 429 || error.status >= 500;
  return error.failure != Failure::kStopped;
}

}  // namespace

EventRecorder::EventRecorder(std::unique_ptr<Client> client, Reporter reporter, Environment environment)
    : EventRecorder(std::move(client), std::move(reporter), std::move(environment), Options{}) {}

EventRecorder::EventRecorder(std::unique_ptr<Client> client, Reporter reporter, Environment environment,
                             Options options)
    : client_(std::move(client)),
      reporter_(std::move(reporter)),
      environment_(std::move(environment)),
      options_(options),
      backoff_(environment_.clock, environment_.random) {}

EventRecorder::~EventRecorder() { stop(); }

void EventRecorder::start() {
  thread_ = std::thread([this] { run(); });
}

void EventRecorder::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  client_->stop();
  if (thread_.joinable()) thread_.join();
}

void EventRecorder::record(Event event) {
  const WallTime now = environment_.clock.wall();
  const std::scoped_lock lock(mutex_);
  const auto known = waiting_.find(event);
  if (known != waiting_.end()) {
    ++known->second.count;
    known->second.last = now;
    return;
  }
  if (stopping_ || order_.size() >= options_.most_waiting) {
    ++statistics_.dropped;
    return;
  }
  order_.push_back(event);
  waiting_.emplace(std::move(event), Waiting{.count = 1, .last = now});
  changed_.notify_all();
}

EventStatistics EventRecorder::statistics() const {
  const std::scoped_lock lock(mutex_);
  EventStatistics statistics = statistics_;
  statistics.waiting = order_.size();
  return statistics;
}

void EventRecorder::run() {
  Event event;
  Waiting waiting;
  while (take(event, waiting)) send(event, waiting);
}

// Waits for the next one; false when stopping. It waits for its turn in the queue, where repetitions find it.
bool EventRecorder::take(Event& event, Waiting& waiting) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || !order_.empty(); });
  }
  keep_pace();
  const std::scoped_lock lock(mutex_);
  if (stopping_) return false;
  event = std::move(order_.front());
  order_.pop_front();
  waiting = waiting_.extract(event).mapped();
  return true;
}

void EventRecorder::send(const Event& event, const Waiting& waiting) {
  forget_old_series();
  const auto known = series_.find(event);
  const bool is_repeated = known != series_.end();
  auto done = is_repeated ? extend(event, waiting, known->second) : create(event, waiting);
  if (!done && is_repeated && done.error().answered(404)) {
    series_.erase(known);  // too old: the API server has dropped it
    done = create(event, waiting);
  }
  if (done || stopping()) return;
  {
    const std::scoped_lock lock(mutex_);
    ++statistics_.failed;
  }
  environment_.logger.warn("Event not recorded", {{"kind", event.regarding.kind},
                                                  {"namespace", event.regarding.namespace_},
                                                  {"name", event.regarding.name},
                                                  {"reason", event.reason},
                                                  {"err", done.error().text()}});
}

Answer<void> EventRecorder::extend(const Event& event, const Waiting& waiting, Series& series) {
  series.count += waiting.count;
  series.last = environment_.clock.now();
  auto done = patiently({.method = "PATCH",
                         .target = events_of(event) + '/' + percent_encoded(series.name),
                         .body = series_patch(waiting.last, series.count),
                         .content_type = std::string(kMergePatch)});
  if (!done) return done;
  const std::scoped_lock lock(mutex_);
  ++statistics_.extended;
  return done;
}

Answer<void> EventRecorder::create(const Event& event, const Waiting& waiting) {
  const std::string name = event_name(event, environment_.clock.wall());
  auto done = patiently({.method = "POST",
                         .target = events_of(event),
                         .body = event_text(event, reporter_, name, waiting.last, waiting.count)});
  // It can be there already when an answer was lost.
  const bool is_there = done || (done.error().answered(409) && done.error().reason == "AlreadyExists");
  if (!is_there) return done;
  series_[event] = {.name = name, .count = waiting.count, .last = environment_.clock.now()};
  const std::scoped_lock lock(mutex_);
  ++statistics_.created;
  return {};
}

Answer<void> EventRecorder::patiently(const Call& call) {
  for (int attempt = 1;; ++attempt) {
    auto answer = client_->call(call);
    if (answer) return {};
    if (!may_pass(answer.error()) || attempt >= options_.attempts)
      return std::unexpected(std::move(answer.error()));
    std::chrono::nanoseconds time = backoff_.next();
    if (answer.error().retry_after)
      time = std::max<std::chrono::nanoseconds>(time, *answer.error().retry_after);
    pause(time);
    if (stopping()) return std::unexpected(std::move(answer.error()));
  }
}

// A bucket of `burst` calls that fills by one each `pace`.
void EventRecorder::keep_pace() {
  const Instant now = environment_.clock.now();
  const auto credit = options_.pace * static_cast<int>(options_.burst);
  paid_until_ = std::max(paid_until_, now) + options_.pace;
  if (paid_until_ > now + credit) pause(paid_until_ - now - credit);
}

void EventRecorder::forget_old_series() {
  const Instant now = environment_.clock.now();
  std::erase_if(series_, [&](const auto& entry) { return now - entry.second.last > options_.series_life; });
  // Many different ones in a short time: the memory of which ones repeat is not worth more.
  if (series_.size() >= 4 * options_.most_waiting) series_.clear();
}

void EventRecorder::pause(std::chrono::nanoseconds time) {
  std::unique_lock lock(mutex_);
  environment_.waiter.wait(lock, changed_, time, [this] { return stopping_; });
}

bool EventRecorder::stopping() const {
  const std::scoped_lock lock(mutex_);
  return stopping_;
}

}  // namespace toposeg::webhook::kube_api
