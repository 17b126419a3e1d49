// Events on their way to the API server, off the path of requests: queued, sent by a thread of their own, not
// too many, and told once with a count when they repeat.
//
//   EventRecorder events(std::make_unique<Client>(credentials, clock), {.instance = pod_name}, environment);
//   events.start();
//   events.record({.regarding = job, .reason = "Placed", .action = "Plan", .note = "4 of 4 segments
//   placed"});
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "webhook/kube_api/backoff.h"
#include "webhook/kube_api/client.h"
#include "webhook/kube_api/environment.h"
#include "webhook/kube_api/event.h"

namespace toposeg::webhook::kube_api {

struct EventStatistics {
  std::uint64_t created = 0;
  std::uint64_t extended = 0;  // series made longer
  std::uint64_t dropped = 0;   // no room in the queue
  std::uint64_t failed = 0;    // the API server would not have it, or was away too long
  std::size_t waiting = 0;
};

class EventRecorder {
 public:
  struct Options {
    std::size_t most_waiting = 1'000;       // different ones
    std::size_t burst = 25;                 // calls at once
    std::chrono::milliseconds pace{200};    // one more call each
    std::chrono::seconds series_life{360};  // without a repetition; the API server keeps an Event for an hour
    int attempts = 4;                       // of one call while the API server is away
  };

  EventRecorder(std::unique_ptr<Client> client, Reporter reporter, Environment environment);
  EventRecorder(std::unique_ptr<Client> client, Reporter reporter, Environment environment, Options options);
  ~EventRecorder();  // stops
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  void start();  // once
  // What still waits is not sent. Thread safe.
  void stop();

  // Never waits for the API server. An Event that is equal to one that still waits is counted with it; one
  // for which there is no room is dropped. Thread safe.
  void record(Event event);

  [[nodiscard]] EventStatistics statistics() const;  // thread safe

 private:
  struct Waiting {
    std::uint64_t count = 0;
    WallTime last;
  };
  struct Series {
    std::string name;
    std::uint64_t count = 0;
    Instant last;
  };

  void run();
  [[nodiscard]] bool take(Event& event, Waiting& waiting);
  void send(const Event& event, const Waiting& waiting);
  [[nodiscard]] Answer<void> extend(const Event& event, const Waiting& waiting, Series& series);
  [[nodiscard]] Answer<void> create(const Event& event, const Waiting& waiting);
  [[nodiscard]] Answer<void> patiently(const Call& call);
  void keep_pace();
  void forget_old_series();
  void pause(std::chrono::nanoseconds time);
  [[nodiscard]] bool stopping() const;

  const std::unique_ptr<Client> client_;
  const Reporter reporter_;
  const Environment environment_;
  const Options options_;

  // Of the recorder's thread.
  Backoff backoff_;
  std::map<Event, Series> series_;
  Instant paid_until_;  // calls made so far are paid for at the pace when this has come

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> order_;
  std::map<Event, Waiting> waiting_;
  EventStatistics statistics_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace toposeg::webhook::kube_api
