#include "webhook/kube_api/reflector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "webhook/kube_api/line_framer.h"
#include "webhook/kube_api/list_pages.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::chrono::seconds kVeryShort{1};
constexpr int kMostServerErrors = 3;

Restart reason_of(const ApiError& error) {
  switch (error.failure) {
    case Failure::kAnswered:
      if (error.expired()) return Restart::kExpired;
      if (error.status == 429) return Restart::kThrottled;
      if (error.status == 401 || error.status == 403) return Restart::kUnauthorised;
      if (error.status == 404) return Restart::kAbsent;
      return error.status >= 500 ? Restart::kServerError : Restart::kRefused;
    case Failure::kBroken:
    case Failure::kStopped:
      return Restart::kDisconnected;
    case Failure::kSilent:
      return Restart::kSilent;
    case Failure::kMalformed:
      return Restart::kMalformed;
    case Failure::kLocal:
    case Failure::kUnreachable:
    case Failure::kUntrusted:
      break;
  }
  return Restart::kUnreachable;
}

}  // namespace

std::string_view name_of(Restart reason) {
  constexpr std::array<std::string_view, kRestartReasons> kNames = {
      "ended",  "very_short", "expired",     "throttled",    "server_error", "unauthorised",
      "absent", "refused",    "unreachable", "disconnected", "silent",       "malformed"};
  return kNames.at(static_cast<std::size_t>(reason));
}

// NOLINTBEGIN(readability-redundant-member-init): GCC warns when an initialiser leaves out a member without
// one. What became of one watch.
struct Reflector::Watched {
  bool initial = false;      // initial events are still to come to their end
  std::size_t received = 0;  // events and bookmarks
  Instant began{};
  Instant ended{};
  std::optional<ApiError> error{};

  [[nodiscard]] bool is_very_short() const { return received == 0 && ended - began < kVeryShort; }
};
// NOLINTEND(readability-redundant-member-init)

Reflector::Reflector(Resource resource, std::unique_ptr<Client> client, Sink& sink, Environment environment)
    : Reflector(std::move(resource), std::move(client), sink, std::move(environment), Options{}) {}

Reflector::Reflector(Resource resource, std::unique_ptr<Client> client, Sink& sink, Environment environment,
                     Options options)
    : resource_(std::move(resource)),
      client_(std::move(client)),
      sink_(sink),
      environment_(std::move(environment)),
      options_(options),
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
  if (uses_watch_list_) {
    if (const auto next = watch_list()) return *next;
  }
  return stopping() ? Next::kList : list();
}

// --- by list
// -------------------------------------------------------------------------------------------------

Reflector::Next Reflector::list() {
  ListRequest request{.version = needs_newest_      ? std::string()
                                 : version_.empty() ? "0"
                                                    : version_,
                      .largest_object = options_.largest_object,
                      .silence = options_.silence};
  // With a version and a limit the API server would ask its store for what it has in memory.
  if (request.version.empty() || request.version == "0" || pages_any_version_)
    request.limit = options_.page_size;
  known_.begin_list();
  ListProgress progress;
  const auto take = [this](std::string_view item) {
    take_item(item);
    return !stopping();
  };
  auto done = read_list(*client_, resource_, request, take, progress);
  if (!done && done.error().expired() && progress.pages > 0) {
    // The token for the next page is too old: all at once, then, and the newest.
    known_.begin_list();
    request.version.clear();
    request.limit = 0;
    done = read_list(*client_, resource_, request, take, progress);
  }
  if (stopping()) return Next::kList;
  if (!done) return list_failed(done.error(), progress.pages);
  if (request.version == "0" && progress.pages > 1) pages_any_version_ = true;
  complete(progress.version);
  return Next::kWatch;
}

Reflector::Next Reflector::list_failed(const ApiError& error, std::size_t pages) {
  const bool is_first_page = pages == 0;
  if (error.answered(404)) return absent();
  note(reason_of(error), &error);
  if ((error.expired() || error.version_too_large) && is_first_page && !needs_newest_) {
    needs_newest_ = true;  // and at once
    return Next::kList;
  }
  needs_newest_ = needs_newest_ || error.expired() || error.version_too_large;
  pause(error.retry_after);
  return Next::kList;
}

Reflector::Next Reflector::absent() {
  for (const ObjectKey& gone : known_.clear()) sink_.remove(gone.namespace_, gone.name);
  version_.clear();
  needs_newest_ = false;
  change([](ReflectorStatistics& statistics) {
    statistics.state = ReflectorState::kAbsent;
    statistics.objects = 0;
    statistics.has_synced = true;
    statistics.last_error.clear();
  });
  sink_.synced();
  std::unique_lock lock(mutex_);
  environment_.waiter.wait(lock, changed_, options_.absent_retry, [this] { return stopping_ || woken_; });
  return Next::kList;
}

void Reflector::take_item(std::string_view text) {
  const auto item = parse_item(text, options_.filter, resource_);
  if (item) return upsert(*item);
  change([](ReflectorStatistics& statistics) { ++statistics.bad_objects; });
  environment_.logger.warn("Object passed over",
                           {{"resource", resource_.name()}, {"err", item.error().text()}});
}

// All that there is has been seen.
void Reflector::complete(const std::string& version) {
  for (const ObjectKey& gone : known_.sweep()) sink_.remove(gone.namespace_, gone.name);
  version_ = version;
  needs_newest_ = false;
  server_errors_ = 0;
  const Instant now = environment_.clock.now();
  change([&](ReflectorStatistics& statistics) {
    statistics.objects = known_.size();
    statistics.last_event = now;
    statistics.has_synced = true;
    statistics.state = ReflectorState::kLive;
    statistics.last_error.clear();
    ++statistics.lists;
  });
  sink_.synced();
}

// --- by watch
// ------------------------------------------------------------------------------------------------

Query Reflector::watch_query() const {
  // Spread, so that the watches of many clients do not end together.
  const int seconds = 300 + static_cast<int>(environment_.random.fraction() * 300);
  return {{"watch", "1"}, {"allowWatchBookmarks", "true"}, {"timeoutSeconds", std::to_string(seconds)}};
}

// None = fall back to a list.
std::optional<Reflector::Next> Reflector::watch_list() {
  Query query = watch_query();
  query.emplace_back("sendInitialEvents", "true");
  query.emplace_back("resourceVersionMatch", "NotOlderThan");
  if (!needs_newest_ && !version_.empty()) query.emplace_back("resourceVersion", version_);
  known_.begin_list();
  const Watched watched = follow(query, true);
  if (stopping()) return Next::kList;
  if (!watched.initial) return after(watched);
  // Without their end: an API server that takes the question for an ordinary watch.
  if (!watched.error || watched.error->failure == Failure::kSilent) uses_watch_list_ = false;
  if (watched.error) {
    const ApiError& error = *watched.error;
    // The API server does not know it, or not for this resource: it will not learn it while we run.
    if (error.answered(400) || error.answered(422)) uses_watch_list_ = false;
    if (error.answered(404)) return absent();
    const bool is_away = error.failure == Failure::kUnreachable || error.failure == Failure::kUntrusted ||
                         error.failure == Failure::kLocal || error.answered(429);
    if (is_away) {
      note(reason_of(error), &error);
      pause(error.retry_after);
      return Next::kList;
    }
    needs_newest_ = needs_newest_ || error.expired() || error.version_too_large;
  }
  note(watched.error ? reason_of(*watched.error) : Restart::kEnded, nullptr);
  return std::nullopt;
}

Reflector::Next Reflector::watch() {
  Query query = watch_query();
  query.emplace_back("resourceVersion", version_);
  return after(follow(query, false));
}

Reflector::Watched Reflector::follow(const Query& query, bool initial) {
  Watched watched{.initial = initial, .began = environment_.clock.now()};
  LineFramer framer(options_.largest_object);
  Result<bool> framed = true;
  const auto take = [&](std::string_view chunk) {
    framed = framer.feed(chunk, [&](std::string_view line) { return take_line(line, watched); });
    return framed && *framed;
  };
  const auto accepted = [&] {
    if (!initial) live();
  };
  const auto done = client_->stream(
      {.target = resource_.target(query), .silence = options_.silence, .on_accepted = accepted}, take);
  watched.ended = environment_.clock.now();
  if (watched.error) return watched;
  if (!framed) {
    watched.error =
        failed(Failure::kMalformed, Code::kInvalid, framed.error().text(), "watch of " + resource_.name())
            .error();
  } else if (!done) {
    watched.error = done.error();
  }
  return watched;
}

bool Reflector::take_line(std::string_view line, Watched& watched) {
  const auto event = parse_watch_event(line, options_.filter, resource_);
  if (event) return take_event(*event, watched) && !stopping();
  watched.error = ApiError{.failure = Failure::kMalformed, .error = event.error()};
  return false;
}

bool Reflector::take_event(const WatchEvent& event, Watched& watched) {
  switch (event.type) {
    case EventType::kError:
      watched.error = refused(event.object, "watch of " + resource_.name());
      return false;
    case EventType::kUnknown:
      change([](ReflectorStatistics& statistics) { ++statistics.unknown_events; });
      return true;
    case EventType::kBookmark:
      ++watched.received;
      bookmark(event.object, watched);
      return true;
    case EventType::kDeleted:
      remove(event.object);
      break;
    case EventType::kAdded:
    case EventType::kModified:
      upsert(event.object);
      break;
  }
  ++watched.received;
  server_errors_ = 0;
  if (!watched.initial) {
    if (std::string version = version_of(event.object); !version.empty()) version_ = std::move(version);
  }
  const Instant now = environment_.clock.now();
  change([&](ReflectorStatistics& statistics) {
    ++statistics.events;
    statistics.objects = known_.size();
    statistics.last_event = now;
  });
  return true;
}

void Reflector::bookmark(const json::Document& object, Watched& watched) {
  server_errors_ = 0;
  std::string version = version_of(object);
  if (version.empty()) return;
  if (watched.initial) {
    if (!ends_initial_events(object)) return;
    watched.initial = false;
    return complete(version);
  }
  version_ = std::move(version);
  const Instant now = environment_.clock.now();
  change([&](ReflectorStatistics& statistics) { statistics.last_event = now; });
}

void Reflector::upsert(const json::Document& object) {
  const auto identity = identity_of(object);
  if (!identity) return change([](ReflectorStatistics& statistics) { ++statistics.bad_objects; });
  if (known_.see(identity->key, identity->version)) sink_.upsert(object);
}

void Reflector::remove(const json::Document& object) {
  const auto identity = identity_of(object);
  if (!identity) return change([](ReflectorStatistics& statistics) { ++statistics.bad_objects; });
  if (known_.forget(identity->key)) sink_.remove(identity->key.namespace_, identity->key.name);
}

Reflector::Next Reflector::after(const Watched& watched) {
  if (stopping()) return Next::kList;
  if (watched.error) return after_error(*watched.error, watched);
  note(watched.is_very_short() ? Restart::kVeryShort : Restart::kEnded, nullptr);
  if (watched.is_very_short()) pause();
  return Next::kWatch;
}

Reflector::Next Reflector::after_error(const ApiError& error, const Watched& watched) {
  const Restart reason = reason_of(error);
  note(reason, &error);
  switch (reason) {
    case Restart::kDisconnected:
    case Restart::kSilent:
      if (watched.is_very_short()) pause();
      return Next::kWatch;
    case Restart::kThrottled:
    case Restart::kUnreachable:
    case Restart::kUnauthorised:
      // The version is as good as before; a list would only be more work for a server in trouble.
      pause(error.retry_after);
      return Next::kWatch;
    case Restart::kServerError:
      pause(error.retry_after);
      return ++server_errors_ > kMostServerErrors ? Next::kList : Next::kWatch;
    case Restart::kAbsent:
      return Next::kList;  // which finds out whether it is gone
    default:
      pause(error.retry_after);
      return Next::kList;
  }
}

// --- waiting and telling
// -------------------------------------------------------------------------------------

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
