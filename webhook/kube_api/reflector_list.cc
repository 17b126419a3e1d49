// Following a resource: its list, and that there may be no such resource.
#include <utility>

#include "webhook/kube_api/list_pages.h"
#include "webhook/kube_api/reflector.h"

namespace toposeg::webhook::kube_api {

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
  auto done = read_list(*client_, followed_, request, take, progress);
  if (!done && done.error().expired() && progress.pages > 0) {
    // The token for the next page is too old: all at once, then, and the newest.
    known_.begin_list();
    request.version.clear();
    request.limit = 0;
    done = read_list(*client_, followed_, request, take, progress);
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
  const auto item = parse_item(text, options_.filter, followed_);
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

}  // namespace toposeg::webhook::kube_api
