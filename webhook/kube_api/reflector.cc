#include "webhook/kube_api/reflector.h"

#include <algorithm>
#include <utility>

#include "webhook/kube_api/served_version.h"

namespace toposeg::webhook::kube_api {

Reflector::Reflector(Resource resource, std::unique_ptr<Client> client, Sink& sink, Environment environment)
    : Reflector(std::move(resource), std::move(client), sink, std::move(environment), Options{}) {}

Reflector::Reflector(Resource resource, std::unique_ptr<Client> client, Sink& sink, Environment environment,
                     Options options)
    : resource_(std::move(resource)),
      client_(std::move(client)),
      sink_(sink),
      environment_(std::move(environment)),
      options_(options),
      followed_(resource_),
      backoff_(environment_.clock, environment_.random),
      uses_watch_list_(options.watch_list) {}

Reflector::~Reflector() { stop(); }

void Reflector::start() {
  thread_ = std::thread([this] { run(); });
}

void Reflector::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  client_->stop();
  if (thread_.joinable()) thread_.join();
}

void Reflector::wake() {
  const std::scoped_lock lock(mutex_);
  woken_ = true;
  changed_.notify_all();
}

ReflectorStatistics Reflector::statistics() const {
  const std::scoped_lock lock(mutex_);
  return statistics_;
}

void Reflector::run() {
  Next next = Next::kList;
  while (!stopping()) next = next == Next::kWatch ? watch() : synchronise();
}

Reflector::Next Reflector::synchronise() {
  {
    const std::scoped_lock lock(mutex_);
    woken_ = false;  // before looking, so that nothing that comes later is missed
  }
  if (const auto next = discover()) return *next;
  if (uses_watch_list_) {
    if (const auto next = watch_list()) return *next;
  }
  return stopping() ? Next::kList : list();
}

// None = there is something to list.
std::optional<Reflector::Next> Reflector::discover() {
  if (resource_.versions.empty()) return std::nullopt;
  const auto version = served_version(*client_, resource_);
  if (stopping()) return Next::kList;
  if (version) {
    if (followed_.version != *version) {
      environment_.logger.info("Version followed", {{"resource", resource_.name()}, {"version", *version}});
    }
    followed_.version = *version;
    return std::nullopt;
  }
  const ApiError& error = version.error();
  if (error.answered(404)) return absent();
  note(reason_of(error), &error);
  pause(error.retry_after);
  return Next::kList;
}

bool Reflector::stopping() const {
  const std::scoped_lock lock(mutex_);
  return stopping_;
}

void Reflector::pause(std::optional<std::chrono::seconds> at_least) {
  std::chrono::nanoseconds time = backoff_.next();
  if (at_least) time = std::max<std::chrono::nanoseconds>(time, *at_least);
  std::unique_lock lock(mutex_);
  environment_.waiter.wait(lock, changed_, time, [this] { return stopping_; });
}

void Reflector::note(Restart reason, const ApiError* error) {
  change([&](ReflectorStatistics& statistics) {
    ++statistics.restarts.at(static_cast<std::size_t>(reason));
    if (error == nullptr) return;
    statistics.state = ReflectorState::kFailing;
    statistics.last_error = error->text();
  });
  if (error == nullptr) {
    environment_.logger.debug("Watch begins again",
                              {{"resource", resource_.name()}, {"reason", name_of(reason)}});
  } else {
    environment_.logger.warn(
        "Watch begins again",
        {{"resource", resource_.name()}, {"reason", name_of(reason)}, {"err", error->text()}});
  }
}

void Reflector::change(const std::function<void(ReflectorStatistics&)>& change) {
  const std::scoped_lock lock(mutex_);
  change(statistics_);
}

void Reflector::live() {
  change([](ReflectorStatistics& statistics) {
    statistics.state = ReflectorState::kLive;
    statistics.last_error.clear();
  });
}

}  // namespace toposeg::webhook::kube_api
