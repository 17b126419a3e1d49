// Following a resource: its watch, which may begin with what there is.
#include <utility>

#include "webhook/kube_api/frame_framer.h"
#include "webhook/kube_api/line_framer.h"
#include "webhook/kube_api/reflector.h"

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::chrono::seconds kVeryShort{1};
constexpr int kMostServerErrors = 3;

}  // namespace

// What became of one watch.
struct Reflector::Watched {
  bool initial = false;      // initial events are still to come to their end
  std::size_t received = 0;  // events and bookmarks
  Instant began;
  Instant ended;
  std::optional<ApiError> error;

  [[nodiscard]] bool is_very_short() const { return received == 0 && ended - began < kVeryShort; }
};

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
  Watched watched;
  watched.initial = initial;
  watched.began = environment_.clock.now();
  LineFramer lines(options_.largest_object);
  FrameFramer frames(options_.largest_object);
  bool in_frames = false;
  const auto take_line = [&](std::string_view line) {
    return take(parse_watch_event(line, options_.filter, followed_), watched);
  };
  const auto take_frame = [&](std::string_view frame) {
    return take(parse_watch_frame(frame, followed_), watched);
  };
  Result<bool> framed = true;
  const auto take_chunk = [&](std::string_view chunk) {
    framed = in_frames ? frames.feed(chunk, take_frame) : lines.feed(chunk, take_line);
    return framed && *framed;
  };
  const auto accepted = [&](std::string_view type) {
    in_frames = type.starts_with(kProtobuf);
    if (!initial) live();
  };
  Call call{.target = followed_.target(query), .silence = options_.silence, .on_accepted = accepted};
  if (options_.protobuf) call.accept = std::string(kProtobuf) + ", " + call.accept;
  const auto done = client_->stream(call, take_chunk);
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

bool Reflector::take(const Result<WatchEvent>& event, Watched& watched) {
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
    was_expired_ = false;
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
  was_expired_ = was_expired_ && watched.initial;
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
    case Restart::kExpired:
      // So it is after each restart of the API server: nobody is in trouble, and we see nothing until we
      // list.
      if (!std::exchange(was_expired_, true)) return Next::kList;
      pause(error.retry_after);
      return Next::kList;
    default:
      pause(error.retry_after);
      return Next::kList;
  }
}

}  // namespace toposeg::webhook::kube_api
