#include "webhook/kube_api/event_recorder.h"

#include <sstream>

#include "common/json/decode.h"
#include "unit/webhook/kube_api/fake_server.h"
#include "unit/webhook/kube_api/hand_waiter.h"

namespace toposeg::webhook::kube_api::test {
namespace {

using namespace std::chrono_literals;

struct Recorder {
  explicit Recorder(EventRecorder::Options options = {})
      : events(std::make_unique<Client>(server.credentials(), clock), {.instance = "toposeg-0"},
               {clock, waiter, random, log::Logger({.stream = &log})}, options) {}
  ~Recorder() {
    events.stop();
    server.stop();
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Once `value` of the statistics is there.
  [[nodiscard]] EventStatistics reach(std::uint64_t EventStatistics::* value, std::uint64_t wanted) const {
    const auto limit = std::chrono::steady_clock::now() + kDeadline;
    while (events.statistics().*value < wanted && std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
    return events.statistics();
  }

  std::ostringstream log;
  ManualClock clock;
  HandWaiter waiter{clock};
  FixedRandom random{0.0};
  FakeServer server;
  EventRecorder events;
};

Event placed(const std::string& note = "4 of 4 segments placed") {
  return {.regarding = {.api_version = "kubeflow.org/v1",
                        .kind = "PyTorchJob",
                        .namespace_ = "research",
                        .name = "llm",
                        .uid = "u1"},
          .reason = "Placed",
          .action = "Plan",
          .note = note};
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

json::Document body_of(const Seen& seen) { return json::decode(seen.body).value(); }

TEST_CASE("an event is created in the namespace of its object") {
  Recorder recorder;
  recorder.server.then(says(201, "{}"));
  recorder.events.start();
  recorder.events.record(placed());
  const Seen seen = recorder.server.request(0);
  CHECK(seen.method == "POST");
  CHECK(seen.target == "/apis/events.k8s.io/v1/namespaces/research/events");
  const auto body = body_of(seen);
  CHECK(body["metadata"]["name"].get<std::string>().starts_with("llm."));
  CHECK(body["eventTime"] == "2027-01-15T08:00:00.000000Z");
  CHECK(body["reportingController"] == "toposeg.io/webhook");
  CHECK(body["reportingInstance"] == "toposeg-0");
  CHECK(body["type"] == "Normal");
  CHECK(body["reason"] == "Placed");
  CHECK(body["action"] == "Plan");
  CHECK(body["note"] == "4 of 4 segments placed");
  CHECK(
      body["regarding"] ==
      json::decode(
          R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","namespace":"research","name":"llm","uid":"u1"})")
          .value());
  CHECK_FALSE(body.contains("series"));
}

TEST_CASE("an event on an object without a namespace stands in default") {
  Recorder recorder;
  recorder.server.then(says(201, "{}"));
  recorder.events.start();
  recorder.events.record(
      {.regarding = {.api_version = "kai.scheduler/v1alpha1", .kind = "Topology", .name = "t"},
       .is_warning = true});
  const Seen seen = recorder.server.request(0);
  CHECK(seen.target == "/apis/events.k8s.io/v1/namespaces/default/events");
  CHECK(body_of(seen)["type"] == "Warning");
  CHECK_FALSE(body_of(seen)["regarding"].contains("namespace"));
}

TEST_CASE("an event that repeats makes its first one a series") {
  Recorder recorder;
  recorder.server.then(says(201, "{}")).then(says(200, "{}")).then(says(201, "{}"));
  recorder.events.start();
  recorder.events.record(placed());
  REQUIRE(recorder.reach(&EventStatistics::created, 1).created == 1);
  recorder.clock.advance(1s);
  recorder.events.record(placed());
  REQUIRE(recorder.reach(&EventStatistics::extended, 1).extended == 1);
  recorder.events.record(placed("3 of 4 segments placed"));
  const auto first = body_of(recorder.server.request(0));
  const Seen patch = recorder.server.request(1);
  CHECK(patch.method == "PATCH");
  CHECK(patch.target ==
        "/apis/events.k8s.io/v1/namespaces/research/events/" + first["metadata"]["name"].get<std::string>());
  CHECK(patch.header("content-type") == "application/merge-patch+json");
  CHECK(patch.body == R"({"series":{"count":2,"lastObservedTime":"2027-01-15T08:00:01.000000Z"}})");
  CHECK(recorder.server.request(2).method == "POST");  // another note is another event
}

TEST_CASE("events that are equal while they wait are sent as one with a count") {
  Recorder recorder;
  recorder.server.then(says(201, "{}"));
  for (int i = 0; i < 5; ++i) recorder.events.record(placed());
  CHECK(recorder.events.statistics().waiting == 1);
  recorder.events.start();
  CHECK(body_of(recorder.server.request(0))["series"]["count"] == 5);
}

TEST_CASE("a series that the API server has dropped begins anew, and so does one that is old") {
  Recorder recorder;
  recorder.server.then(says(201, "{}"))
      .then(refuses(404, "NotFound", "gone"))
      .then(says(201, "{}"))
      .then(says(201, "{}"));
  recorder.events.start();
  recorder.events.record(placed());
  REQUIRE(recorder.reach(&EventStatistics::created, 1).created == 1);
  recorder.events.record(placed());
  REQUIRE(recorder.reach(&EventStatistics::created, 2).created == 2);
  CHECK(recorder.server.request(2).method == "POST");
  recorder.clock.advance(361s);
  recorder.events.record(placed());
  REQUIRE(recorder.reach(&EventStatistics::created, 3).created == 3);
  CHECK(recorder.events.statistics().failed == 0);
}

TEST_CASE("an API server that is busy is asked again, up to the limit") {
  Recorder recorder({.attempts = 3});
  recorder.server.then(refuses(429, "TooManyRequests", "later", "Retry-After: 9\r\n"))
      .then(says(503, ""))
      .then(says(201, "{}"));
  recorder.server.then(says(503, "")).then(says(503, "")).then(says(503, ""));
  recorder.events.start();
  recorder.events.record(placed());
  REQUIRE(recorder.reach(&EventStatistics::created, 1).created == 1);
  CHECK(recorder.waiter.times() == std::vector<std::chrono::nanoseconds>{9s, 1600ms});
  recorder.events.record(placed("other"));
  CHECK(recorder.reach(&EventStatistics::failed, 1).failed == 1);
  CHECK(recorder.server.seen().size() == 6);
}

TEST_CASE("what the API server will not have is told in the log and dropped") {
  Recorder recorder;
  recorder.server.then(refuses(403, "Forbidden", "namespace is terminating")).then(says(201, "{}"));
  recorder.events.start();
  recorder.events.record(placed());
  REQUIRE(recorder.reach(&EventStatistics::failed, 1).failed == 1);
  recorder.events.record(placed("other"));
  REQUIRE(recorder.reach(&EventStatistics::created, 1).created == 1);
  recorder.events.stop();
  CHECK(recorder.log.str().find("namespace is terminating") != std::string::npos);
}

TEST_CASE("an event whose answer was lost and that is there already counts as created") {
  Recorder recorder;
  recorder.server.then([](Exchange& exchange) { exchange.close(); })
      .then(refuses(409, "AlreadyExists", "exists"));
  recorder.events.start();
  recorder.events.record(placed());
  CHECK(recorder.reach(&EventStatistics::created, 1).created == 1);
}

TEST_CASE("more events than there is room for are dropped and counted, and nobody waits") {
  Recorder recorder({.most_waiting = 3});
  for (int i = 0; i < 5; ++i) recorder.events.record(placed(std::to_string(i)));
  CHECK(recorder.events.statistics().waiting == 3);
  CHECK(recorder.events.statistics().dropped == 2);
}

TEST_CASE("after a burst, events go at their pace") {
  Recorder recorder({.burst = 2, .pace = 100ms});
  for (int i = 0; i < 4; ++i) {
    recorder.server.then(says(201, "{}"));
    recorder.events.record(placed(std::to_string(i)));
  }
  recorder.events.start();
  REQUIRE(recorder.reach(&EventStatistics::created, 4).created == 4);
  CHECK(recorder.waiter.times() == std::vector<std::chrono::nanoseconds>{100ms, 100ms});
}

TEST_CASE("stop ends a call that waits") {
  Recorder recorder;
  recorder.events.start();
  recorder.events.record(placed());
  REQUIRE(recorder.server.request(0).method == "POST");
  recorder.events.stop();
  CHECK(recorder.events.statistics().created == 0);
  CHECK(recorder.events.statistics().failed == 0);
}

TEST_CASE("long texts are cut to what the API takes") {
  Event event = placed(std::string(2000, 'n'));
  event.regarding.name = std::string(252, 'a') + ".b";
  const ManualClock clock;
  const std::string name = event_name(event, clock.wall());
  CHECK(name.size() <= 253);
  CHECK(name.find("..") == std::string::npos);
  const auto body =
      json::decode(event_text(event, {.instance = std::string(300, 'i')}, name, clock.wall(), 1)).value();
  CHECK(body["note"] == std::string(1021, 'n') + "…");
  CHECK(body["reportingInstance"].get<std::string>().size() == 128);
  const auto umlauts =
      json::decode(event_text(placed(std::string(1, 'n') + repeated("ö", 600)), {}, name, clock.wall(), 1))
          .value();
  CHECK(umlauts["note"] == "n" + repeated("ö", 510) + "…");
}

TEST_CASE("a note that is no UTF-8 is still an event") {
  const ManualClock clock;
  CHECK(json::decode(event_text(placed("bad \xFF"), {}, "n", clock.wall(), 1)).has_value());
}

}  // namespace
}  // namespace toposeg::webhook::kube_api::test
