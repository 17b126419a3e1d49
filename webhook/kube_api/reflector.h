// One resource of the API server, followed: listed once, watched from there, listed again when the watch
// cannot go on. Of a resource with several versions one that is served is followed, and looked for again
// before each list. Rules: KEP-3157 (WatchList), KEP-956 (bookmarks), and what the API documents about
// resourceVersion and 410.
//
//   Reflector pods(resource, std::make_unique<Client>(credentials, clock), sink, {clock, waiter, random,
//   logger}); pods.start(); …                                          // sink.upsert(…), sink.remove(…),
//   sink.synced() pods.stop();
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "common/json/decode.h"
#include "common/kube/parse_object.h"
#include "webhook/kube_api/backoff.h"
#include "webhook/kube_api/client.h"
#include "webhook/kube_api/environment.h"
#include "webhook/kube_api/known_objects.h"
#include "webhook/kube_api/object_text.h"
#include "webhook/kube_api/resource.h"
#include "webhook/kube_api/restart.h"

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

// Called on the reflector's thread, which waits for it. Must not throw.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void upsert(const json::Document& object) = 0;  // new, or another version of it; filtered
  virtual void remove(std::string_view namespace_, std::string_view name) = 0;  // was upserted before
  // Everything that there was has been told. Comes after every complete list, also an empty one and that of a
  // resource that the API server does not have.
  virtual void synced() = 0;
};

enum class ReflectorState : std::uint8_t {
  kSyncing,  // the first list is not complete
  kLive,     // a watch is open, or only just ended
  kAbsent,   // the API server has no such resource
  kFailing,  // the last attempt failed: what was told may be old
};

struct ReflectorStatistics {
  ReflectorState state = ReflectorState::kSyncing;
  bool has_synced = false;   // synced() was called at least once
  std::string last_error{};  // of kFailing
  std::size_t objects = 0;
  std::optional<Instant> last_event{};                    // or bookmark, or complete list
  std::array<std::uint64_t, kRestartReasons> restarts{};  // by Restart
  std::uint64_t lists = 0;                                // complete ones, WatchList's too
  std::uint64_t events = 0;                               // without bookmarks
  std::uint64_t unknown_events = 0;                       // of types that we do not know; passed over
  std::uint64_t bad_objects = 0;                          // that could not be read; passed over
};

class Reflector {
 public:
  struct Options {
    kube::Filter filter = kube::Filter::kRecords;
    bool watch_list = true;  // try initial events by watch first
    bool protobuf =
        false;  // of watches, where the API server has it; kind and filter must be of kube::parse_protobuf
    std::size_t page_size = 500;
    std::size_t largest_object = std::size_t{4} << 20U;  // the API server stores up to 3 MiB
    std::chrono::milliseconds silence{180'000};          // bookmarks come every minute where there are any
    std::chrono::seconds absent_retry{30};
  };
  // The sink outlives the reflector.
  Reflector(Resource resource, std::unique_ptr<Client> client, Sink& sink, Environment environment);
  Reflector(Resource resource, std::unique_ptr<Client> client, Sink& sink, Environment environment,
            Options options);
  ~Reflector();  // stops
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;

  void start();  // once
  // Returns when the thread has ended, which is at once unless the sink takes its time. No call of the sink
  // comes after it. Not to be called by the sink. Thread safe.
  void stop();
  // A resource that was absent may be there now: looks at once. Thread safe.
  void wake();

  [[nodiscard]] ReflectorStatistics statistics() const;  // thread safe
  [[nodiscard]] const Resource& resource() const { return resource_; }

 private:
  enum class Next : std::uint8_t { kList, kWatch };
  struct Watched;

  void run();
  [[nodiscard]] Next synchronise();
  [[nodiscard]] std::optional<Next> discover();
  [[nodiscard]] Next list();
  [[nodiscard]] Next list_failed(const ApiError& error, std::size_t pages);
  [[nodiscard]] Next absent();
  [[nodiscard]] std::optional<Next> watch_list();
  [[nodiscard]] Next watch();
  [[nodiscard]] Watched follow(const Query& query, bool initial);
  [[nodiscard]] bool take(const Result<WatchEvent>& event, Watched& watched);
  [[nodiscard]] bool take_event(const WatchEvent& event, Watched& watched);
  void take_item(std::string_view text);
  void upsert(const json::Document& object);
  void remove(const json::Document& object);
  void bookmark(const json::Document& object, Watched& watched);
  void complete(const std::string& version);
  [[nodiscard]] Next after(const Watched& watched);
  [[nodiscard]] Next after_error(const ApiError& error, const Watched& watched);
  [[nodiscard]] Query watch_query() const;

  [[nodiscard]] bool stopping() const;
  void pause(std::optional<std::chrono::seconds> at_least = {});
  void note(Restart reason, const ApiError* error);
  void change(const std::function<void(ReflectorStatistics&)>& change);
  void live();

  const Resource resource_;
  const std::unique_ptr<Client> client_;
  Sink& sink_;
  const Environment environment_;
  const Options options_;

  // Of the reflector's thread.
  Resource followed_;  // in the version that the API server has
  KnownObjects known_;
  Backoff backoff_;
  std::string version_;             // resourceVersion to go on from; empty before the first list
  bool needs_newest_ = false;       // what we have is no start for a list
  bool pages_any_version_ = false;  // the API server pages also what it could give from memory
  bool uses_watch_list_;
  int server_errors_ = 0;     // one after another
  bool was_expired_ = false;  // the last watch was, and nothing came since

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool woken_ = false;
  ReflectorStatistics statistics_;

  std::thread thread_;
};

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
