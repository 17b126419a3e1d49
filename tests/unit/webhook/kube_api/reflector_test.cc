#include "webhook/kube_api/reflector.h"

#include <fmt/format.h>

#include <sstream>

#include "unit/webhook/kube_api/reflector_desk.h"

namespace toposeg::webhook::kube_api::test {
namespace {

using Lines = std::vector<std::string>;

Reflector::Options by_list() { return {.watch_list = false}; }

// --- the first list
// ------------------------------------------------------------------------------------------

TEST_CASE("the first list may be any state, then the watch goes on from it") {
  Desk desk(by_list());
  desk.server.then(lists("40", {pod("a", 7), pod("b", 8)})).then(watches({event("MODIFIED", pod("a", 41))}));
  desk.start();
  CHECK(desk.told(4) == Lines{"+default/a@7", "+default/b@8", "synced", "+default/a@41"});
  const Seen list = desk.server.request(0);
  CHECK(list.target.starts_with("/api/v1/pods?"));
  CHECK(list.asks("resourceVersion=0"));
  CHECK(list.asks("limit=500"));
  CHECK(list.asks("fieldSelector=spec.nodeName%21%3D"));
  const Seen watch = desk.server.request(1);
  CHECK(watch.asks("watch=1"));
  CHECK(watch.asks("allowWatchBookmarks=true"));
  CHECK(watch.asks("resourceVersion=40"));
  CHECK(watch.asks("timeoutSeconds=450"));
  CHECK(watch.asks("fieldSelector=spec.nodeName%21%3D"));
  CHECK_FALSE(watch.asks_for("limit"));
}

TEST_CASE("items get the kind that lists leave out, and lose what no record holds") {
  Desk desk(by_list());
  desk.server.then(lists(
      "1", {R"({"metadata":{"name":"a","managedFields":[{"x":1}]},"spec":{"containers":[{"env":[]}]}})"}));
  desk.start();
  REQUIRE(desk.told(2).size() == 2);
  CHECK(desk.sink.object(0) ==
        json::decode(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"containers":[{}]}})")
            .value());
}

TEST_CASE("pages are asked for until there is none left, also behind an empty one") {
  Desk desk(by_list());
  desk.server.then(lists("40", {pod("a", 1)}, "next/1"))
      .then(lists("40", {}, "next2"))
      .then(lists("40", {pod("b", 2)}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(3) == Lines{"+default/a@1", "+default/b@2", "synced"});
  const Seen second = desk.server.request(1);
  CHECK(second.asks("continue=next%2F1"));
  CHECK(second.asks("limit=500"));
  CHECK(second.asks("fieldSelector=spec.nodeName%21%3D"));
  CHECK_FALSE(second.asks_for("resourceVersion"));
  CHECK(desk.server.request(2).asks("continue=next2"));
  CHECK(desk.server.request(3).asks("resourceVersion=40"));
}

TEST_CASE("a token for the next page that is too old makes one newest list without pages") {
  Desk desk(by_list());
  desk.server.then(lists("40", {pod("gone", 1), pod("b", 2)}, "old"))
      .then(refuses(410, "Expired", "The provided continue parameter is too old"))
      .then(lists("50", {pod("b", 2)}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(4) == Lines{"+default/gone@1", "+default/b@2", "-default/gone", "synced"});
  CHECK_FALSE(desk.server.request(2).asks_for("limit"));
  CHECK_FALSE(desk.server.request(2).asks_for("continue"));
  CHECK_FALSE(desk.server.request(2).asks_for("resourceVersion"));
  CHECK(desk.server.request(3).asks("resourceVersion=50"));
}

TEST_CASE("an API server that pages any state is asked for pages later too") {
  Desk desk(by_list());
  desk.server.then(lists("40", {}, "x"))
      .then(lists("40", {}))
      .then(refuses(410, "Gone", "old"))
      .then(lists("50", {}));
  desk.start();
  CHECK(desk.server.request(3).asks("limit=500"));
  CHECK(desk.server.request(3).asks("resourceVersion=40"));
}

TEST_CASE("a list that repeats its page for ever is given up") {
  Desk desk(by_list());
  desk.server.then(lists("40", {}, "x")).then(lists("40", {}, "x")).then(lists("41", {}));
  desk.start();
  CHECK(desk.told(1) == Lines{"synced"});
  CHECK(desk.restarts(Restart::kMalformed) == 1);
}

TEST_CASE("an item that cannot be read is passed over and counted, the others are told") {
  Desk desk(by_list());
  desk.server.then(lists("1", {R"({"metadata":{"name":"big"},"x":123456789012345678901234567890})",
                               pod("b", 2), R"({"metadata":{}})"}));
  desk.start();
  CHECK(desk.told(2) == Lines{"+default/b@2", "synced"});
  CHECK(desk.reflector->statistics().bad_objects == 2);
}

TEST_CASE("a list that is cut off is not taken for a short one") {
  Desk desk(by_list());
  desk.server.then(lists("1", {pod("a", 1), pod("b", 2)}))
      .then(refuses(410, "Expired", "old"))
      .then([](Exchange& exchange) {
        exchange.begin();
        exchange.chunk(R"({"kind":"PodList","metadata":{"resourceVersion":"9"},"items":[)" + pod("a", 1));
        exchange.finish();
      })
      .then(lists("10", {pod("b", 2)}));
  desk.start();
  CHECK(desk.told(5) == Lines{"+default/a@1", "+default/b@2", "synced", "-default/a", "synced"});
  CHECK(desk.restarts(Restart::kMalformed) == 1);
}

// --- lists again
// ---------------------------------------------------------------------------------------------

TEST_CASE("410 as an event makes a list from the last version, which tells what vanished and what changed") {
  Desk desk(by_list());
  desk.server.then(lists("40", {pod("a", 1), pod("b", 2), pod("c", 3)}))
      .then(watches({event("MODIFIED", pod("c", 44)),
                     event("ERROR", status_object(410, "Expired", "too old resource version"))}))
      .then(lists("60", {pod("d", 55), pod("c", 50), pod("b", 2)}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(9) == Lines{"+default/a@1", "+default/b@2", "+default/c@3", "synced", "+default/c@44",
                              "+default/d@55", "+default/c@50", "-default/a", "synced"});
  const Seen again = desk.server.request(2);
  CHECK(again.asks("resourceVersion=44"));
  CHECK_FALSE(again.asks_for("limit"));
  CHECK(desk.server.request(3).asks("resourceVersion=60"));
  CHECK(desk.restarts(Restart::kExpired) == 1);
}

TEST_CASE("410 as the answer to a watch does the same") {
  Desk desk(by_list());
  desk.server.then(lists("40", {pod("a", 1)}))
      .then(refuses(410, "Expired", "old"))
      .then(lists("60", {}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(4) == Lines{"+default/a@1", "synced", "-default/a", "synced"});
  CHECK(desk.server.request(2).asks("resourceVersion=40"));
  CHECK(desk.restarts(Restart::kExpired) == 1);
}

TEST_CASE("410 to a list too makes a newest one, at once") {
  Desk desk(by_list());
  desk.server.then(lists("40", {}))
      .then(refuses(410, "Expired", "old"))
      .then(refuses(410, "Expired", "old"))
      .then(lists("60", {}))
      .then(watches({}));
  desk.start();
  const Seen newest = desk.server.request(3);
  CHECK_FALSE(newest.asks_for("resourceVersion"));
  CHECK(newest.asks("limit=500"));
  CHECK(desk.server.request(4).asks("resourceVersion=60"));
  CHECK(desk.waiter.times().empty());
}

TEST_CASE("a version that the API server has not come to makes a newest list") {
  Desk desk(by_list());
  desk.server.then(lists("40", {}))
      .then(refuses(410, "Expired", "old"))
      .then(says(
          504,
          R"({"kind":"Status","code":504,"reason":"Timeout","message":"Too large resource version: 40, current: 30",)"
          R"("details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}})"))
      .then(lists("30", {}))
      .then(watches({}));
  desk.start();
  CHECK_FALSE(desk.server.request(3).asks_for("resourceVersion"));
  CHECK(desk.server.request(4).asks("resourceVersion=30"));
}

TEST_CASE("a watch that expires right after its list waits, one that had events does not") {
  Desk desk(by_list());
  const auto expired = event("ERROR", status_object(410, "Expired", "too old resource version"));
  desk.server.then(lists("40", {}))
      .then(watches({expired}))
      .then(lists("50", {}))
      .then(watches({event("ADDED", pod("a", 51)), expired}))
      .then(lists("60", {pod("a", 51)}))
      .then(watches({expired}))
      .then(lists("70", {pod("a", 51)}))
      .then(watches({}));
  desk.start();
  (void)desk.server.request(7);
  CHECK(desk.restarts(Restart::kExpired) == 3);
  CHECK(desk.waiter.times().size() == 1);  // before the last list
}

TEST_CASE("410 for ever waits longer each time") {
  Desk desk(by_list());
  for (int i = 0; i < 5; ++i) desk.server.then(refuses(410, "Expired", "old"));
  desk.server.then(lists("1", {}));
  desk.start();
  CHECK(desk.told(1) == Lines{"synced"});
  using namespace std::chrono_literals;
  CHECK(desk.waiter.times() == std::vector<std::chrono::nanoseconds>{1200ms, 2400ms, 4800ms, 9600ms});
}

TEST_CASE("an object that is listed twice or came before is no news") {
  Desk desk(by_list());
  desk.server.then(lists("40", {pod("a", 1), pod("a", 1)}))
      .then(watches({event("ADDED", pod("a", 1)), event("ADDED", pod("a", 2)), event("DELETED", pod("x", 9)),
                     event("DELETED", pod("a", 3)), event("ADDED", pod("a", 4))}));
  desk.start();
  CHECK(desk.told(5) == Lines{"+default/a@1", "synced", "+default/a@2", "-default/a", "+default/a@4"});
}

// --- the watch
// -----------------------------------------------------------------------------------------------

TEST_CASE("an hour of bookmarks and nothing else moves the version on") {
  Desk desk(by_list());
  desk.server.then(lists("40", {}))
      .then([&](Exchange& exchange) {
        exchange.begin();
        for (int minute = 1; minute <= 60; ++minute) {
          desk.clock.advance(std::chrono::minutes(1));
          exchange.chunk(
              event("BOOKMARK",
                    fmt::format(R"({{"kind":"Pod","metadata":{{"resourceVersion":"{}"}}}})", 40 + minute)));
        }
        exchange.finish();
      })
      .then(watches({}));
  desk.start();
  CHECK(desk.server.request(2).asks("resourceVersion=100"));
  const auto statistics = desk.reflector->statistics();
  CHECK(statistics.last_event == desk.clock.now());
  CHECK(statistics.events == 0);
  CHECK(desk.restarts(Restart::kEnded) == 1);
  CHECK(desk.waiter.times().empty());
}

TEST_CASE("events may be cut anywhere, within UTF-8 and within TLS records, and come many at once") {
  Desk desk(by_list());
  const std::string text = event("ADDED", pod("a", 1, "K\xC3\xB6ln")) + event("ADDED", pod("b", 2)) +
                           event("DELETED", pod("a", 3));
  desk.server.then(lists("1", {})).then([text](Exchange& exchange) {
    exchange.begin();
    for (const char c : text) exchange.chunk({&c, 1});
    exchange.chunk(text);
    exchange.hold();
  });
  desk.start();
  CHECK(desk.told(6) ==
        Lines{"synced", "+default/a@1", "+default/b@2", "-default/a", "+default/a@1", "-default/a"});
}

TEST_CASE("an object of three MiB passes") {
  Desk desk(by_list());
  desk.server.then(lists("1", {}))
      .then(watches({event("ADDED", pod("large", 5, std::string(std::size_t{3} << 20U, 'x')))}));
  desk.start();
  CHECK(desk.told(2) == Lines{"synced", "+default/large@5"});
}

TEST_CASE("an event over the limit makes a list") {
  auto options = by_list();
  options.largest_object = 4096;
  Desk desk(options);
  desk.server.then(lists("1", {}))
      .then(watches({event("ADDED", pod("large", 5, std::string(5000, 'x')))}))
      .then(lists("6", {}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(2) == Lines{"synced", "synced"});
  CHECK(desk.restarts(Restart::kMalformed) == 1);
}

TEST_CASE("a line that is no event makes a list") {
  Desk desk(by_list());
  desk.server.then(lists("1", {}))
      .then(watches({"<html>\n"}))
      .then(lists("2", {}))
      .then(watches({R"({"type":"ADDED"})"
                     "\n"}))
      .then(lists("3", {}));
  desk.start();
  CHECK(desk.told(3) == Lines{"synced", "synced", "synced"});
  CHECK(desk.restarts(Restart::kMalformed) == 2);
}

TEST_CASE("an unknown type of event is passed over and counted") {
  Desk desk(by_list());
  desk.server.then(lists("1", {}))
      .then(watches({event("RENAMED", pod("a", 1)), event("ADDED", pod("b", 2))}));
  desk.start();
  CHECK(desk.told(2) == Lines{"synced", "+default/b@2"});
  CHECK(desk.reflector->statistics().unknown_events == 1);
}

TEST_CASE("a watch of less than a second without an event makes it wait") {
  Desk desk(by_list());
  desk.server.then(lists("1", {})).then(ends()).then(ends()).then(watches({}));
  desk.start();
  CHECK(desk.server.request(3).asks("resourceVersion=1"));
  CHECK(desk.restarts(Restart::kVeryShort) == 2);
  using namespace std::chrono_literals;
  CHECK(desk.waiter.times() == std::vector<std::chrono::nanoseconds>{1200ms, 2400ms});
}

TEST_CASE("a watch of less than a second with an event does not") {
  Desk desk(by_list());
  desk.server.then(lists("1", {})).then(ends({event("ADDED", pod("a", 4))})).then(watches({}));
  desk.start();
  CHECK(desk.server.request(2).asks("resourceVersion=4"));
  CHECK(desk.restarts(Restart::kEnded) == 1);
  CHECK(desk.waiter.times().empty());
}

TEST_CASE("429 to a watch waits for Retry-After and watches on, without a list") {
  Desk desk(by_list());
  desk.server.then(lists("7", {}))
      .then(refuses(429, "TooManyRequests", "later", "Retry-After: 20\r\n"))
      .then(watches({}));
  desk.start();
  CHECK(desk.server.request(2).asks("watch=1"));
  CHECK(desk.server.request(2).asks("resourceVersion=7"));
  CHECK(desk.waiter.times() == std::vector<std::chrono::nanoseconds>{std::chrono::seconds(20)});
  CHECK(desk.restarts(Restart::kThrottled) == 1);
}

TEST_CASE("429 as an event does the same") {
  Desk desk(by_list());
  desk.server.then(lists("7", {}))
      .then(watches(
          {event("ADDED", pod("a", 8)),
           event(
               "ERROR",
               R"({"kind":"Status","code":429,"reason":"TooManyRequests","details":{"retryAfterSeconds":5}})")}))
      .then(watches({}));
  desk.start();
  CHECK(desk.server.request(2).asks("resourceVersion=8"));
  CHECK(desk.waiter.times() == std::vector<std::chrono::nanoseconds>{std::chrono::seconds(5)});
}

TEST_CASE("500 as an event watches on for a while, then makes a list") {
  Desk desk(by_list());
  desk.server.then(lists("7", {}));
  for (int i = 0; i < 4; ++i)
    desk.server.then(watches({event("ERROR", status_object(500, "InternalError", "etcd is away"))}));
  desk.server.then(lists("9", {})).then(watches({}));
  desk.start();
  for (int i = 1; i <= 4; ++i) CHECK(desk.server.request(i).asks("watch=1"));
  CHECK_FALSE(desk.server.request(5).asks("watch=1"));
  CHECK(desk.restarts(Restart::kServerError) == 4);
}

TEST_CASE("any other refusal of a watch makes a list") {
  Desk desk(by_list());
  desk.server.then(lists("7", {}))
      .then(refuses(400, "BadRequest", "no"))
      .then(lists("9", {}))
      .then(watches({}));
  desk.start();
  CHECK_FALSE(desk.server.request(2).asks("watch=1"));
  CHECK(desk.restarts(Restart::kRefused) == 1);
}

TEST_CASE("a lost connection watches on from the last version") {
  Desk desk(by_list());
  desk.server.then(lists("7", {}))
      .then([&](Exchange& exchange) {
        exchange.begin();
        exchange.chunk(event("ADDED", pod("a", 8)) + R"({"type":"ADD)");
        exchange.reset();
      })
      .then(watches({event("ADDED", pod("b", 9))}));
  desk.start();
  CHECK(desk.told(3) == Lines{"synced", "+default/a@8", "+default/b@9"});
  CHECK(desk.server.request(2).asks("resourceVersion=8"));
  CHECK(desk.restarts(Restart::kDisconnected) == 1);
}

TEST_CASE("a connection that hangs is given up") {
  auto options = by_list();
  options.silence = std::chrono::milliseconds(300);
  Desk desk(options);
  desk.server.then(lists("7", {}))
      .then([&](Exchange& exchange) {
        exchange.begin();
        exchange.chunk(event("ADDED", pod("a", 8)));
        exchange.hold();
      })
      .then(watches({}));
  desk.start();
  CHECK(desk.server.request(2).asks("resourceVersion=8"));
  CHECK(desk.restarts(Restart::kSilent) >= 1);
}

TEST_CASE("an API server that is away is looked for again, and the version is kept") {
  Desk desk(by_list());
  desk.server.then(lists("7", {pod("a", 1)})).then([&](Exchange& exchange) {
    exchange.begin();
    exchange.hold();
  });
  desk.start();
  REQUIRE(desk.server.request(1).asks("resourceVersion=7"));
  desk.server.stop();
  REQUIRE(desk.waiter.reaches(5));
  const auto statistics = desk.reflector->statistics();
  CHECK(statistics.state == ReflectorState::kFailing);
  CHECK(statistics.has_synced);
  CHECK(statistics.objects == 1);
  CHECK(statistics.last_error ==
        fmt::format("GET https://127.0.0.1:{0}/api/v1/pods: cannot connect to https://127.0.0.1:{0}",
                    desk.server.port()));
  CHECK(statistics.restarts[static_cast<std::size_t>(Restart::kUnreachable)] >= 4);
  CHECK(desk.sink.lines() == Lines{"+default/a@1", "synced"});
}

TEST_CASE("401 reads the token again and goes on") {
  Desk desk(by_list(), "first");
  desk.server
      .then([&](Exchange& exchange) {
        desk.write_token("second\n");
        exchange.reply(401, status_object(401, "Unauthorized", "Unauthorized"));
      })
      .then(lists("7", {}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(1) == Lines{"synced"});
  CHECK(desk.server.request(0).header("authorization") == "Bearer first");
  CHECK(desk.server.request(1).header("authorization") == "Bearer second");
  CHECK(desk.restarts(Restart::kUnauthorised) == 0);
}

TEST_CASE("401 with the same token waits") {
  Desk desk(by_list(), "only");
  desk.server.then(refuses(401, "Unauthorized", "Unauthorized")).then(lists("7", {})).then(watches({}));
  desk.start();
  CHECK(desk.told(1) == Lines{"synced"});
  CHECK(desk.restarts(Restart::kUnauthorised) == 1);
  CHECK(desk.waiter.times().size() == 1);
}

TEST_CASE("403 is told as the API server says it, and tried again") {
  Desk desk(by_list());
  desk.server.then(refuses(403, "Forbidden", "pods is forbidden"));
  desk.start();
  REQUIRE(desk.waiter.reaches(1));
  REQUIRE(desk.server.request(1).target.starts_with("/api/v1/pods?"));
  const auto statistics = desk.reflector->statistics();
  CHECK(statistics.state == ReflectorState::kFailing);
  CHECK_FALSE(statistics.has_synced);
  CHECK(statistics.last_error ==
        fmt::format(
            "GET https://127.0.0.1:{}/api/v1/pods: the API server answered 403 Forbidden: pods is forbidden",
            desk.server.port()));
}

TEST_CASE("a watch that is open again clears the fault") {
  Desk desk(by_list());
  desk.server.then(lists("7", {}))
      .then(refuses(429, "TooManyRequests", "x"))
      .then(watches({event("ADDED", pod("a", 8))}));
  desk.start();
  REQUIRE(desk.told(2).size() == 2);
  CHECK(desk.reflector->statistics().state == ReflectorState::kLive);
  CHECK(desk.reflector->statistics().last_error.empty());
}

// --- resources that are not there
// ----------------------------------------------------------------------------

TEST_CASE("a resource that does not exist is synced and empty") {
  Desk desk;
  desk.server.then(says(404, "404 page not found"));
  desk.waiter.hold();
  desk.start();
  CHECK(desk.told(1) == Lines{"synced"});
  REQUIRE(desk.waiter.reaches(1));
  CHECK(desk.reflector->statistics().state == ReflectorState::kAbsent);
  CHECK(desk.waiter.times() == std::vector<std::chrono::nanoseconds>{std::chrono::seconds(30)});
}

TEST_CASE("wake looks at once whether it is there now") {
  Desk desk(by_list());
  desk.server.then(says(404, ""));
  desk.waiter.hold();
  desk.start();
  REQUIRE(desk.waiter.reaches(1));
  desk.server.then(lists("5", {pod("a", 1)})).then(watches({}));
  desk.reflector->wake();
  CHECK(desk.told(3) == Lines{"synced", "+default/a@1", "synced"});
  CHECK(desk.reflector->statistics().state == ReflectorState::kLive);
}

TEST_CASE("a resource that goes away takes its objects with it, and starts anew when it is back") {
  Desk desk(by_list());
  desk.server.then(lists("7", {pod("b", 1), pod("a", 2)}))
      .then(says(404, ""))
      .then(says(404, ""))
      .then(lists("90", {pod("a", 80)}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(8) == Lines{"+default/b@1", "+default/a@2", "synced", "-default/a", "-default/b", "synced",
                              "+default/a@80", "synced"});
  CHECK(desk.server.request(3).asks("resourceVersion=0"));
}

// --- versions
// --------------------------------------------------------------------------------------------------

const Resource kTopologies{
    .group = "example.com", .plural = "topologies", .kind = "Topology", .versions = {"v2", "v1"}};

FakeServer::Step serves(const std::string& version) {
  return says(200, R"({"versions":[{"version":")" + version + R"("}]})");
}
FakeServer::Step has_topologies() { return says(200, R"({"resources":[{"name":"topologies"}]})"); }

TEST_CASE("the version that is served is followed, and its items say so") {
  Desk desk(by_list(), {}, kTopologies);
  desk.server.then(serves("v1")).then(has_topologies()).then(lists("5", {pod("a", 1)})).then(watches({}));
  desk.start();
  CHECK(desk.told(2) == Lines{"+default/a@1", "synced"});
  CHECK(desk.server.request(2).target.starts_with("/apis/example.com/v1/topologies?"));
  CHECK(desk.server.request(3).target.starts_with("/apis/example.com/v1/topologies?"));
  CHECK(desk.sink.object(0)["apiVersion"] == "example.com/v1");
  CHECK(desk.reflector->resource().name() == "topologies.example.com");
}

TEST_CASE("a version that is served no more makes room for the next one, and nothing is lost in between") {
  Desk desk(by_list(), {}, kTopologies);
  desk.server.then(serves("v1"))
      .then(has_topologies())
      .then(lists("5", {pod("a", 1), pod("b", 2)}))
      .then(says(404, "404 page not found"))
      .then(serves("v2"))
      .then(has_topologies())
      .then(lists("9", {pod("a", 1)}))
      .then(watches({event("ADDED", pod("c", 10))}));
  desk.start();
  CHECK(desk.told(6) ==
        Lines{"+default/a@1", "+default/b@2", "synced", "-default/b", "synced", "+default/c@10"});
  CHECK(desk.server.request(6).target.starts_with("/apis/example.com/v2/topologies?"));
  CHECK(desk.server.request(7).target.starts_with("/apis/example.com/v2/topologies?"));
}

TEST_CASE("a group that is not there is an absent resource, and is asked for again when woken") {
  Desk desk(by_list(), {}, kTopologies);
  desk.server.then(says(404, ""));
  desk.waiter.hold();
  desk.start();
  REQUIRE(desk.waiter.reaches(1));
  CHECK(desk.reflector->statistics().state == ReflectorState::kAbsent);
  desk.server.then(serves("v2")).then(has_topologies()).then(lists("5", {pod("a", 1)})).then(watches({}));
  desk.reflector->wake();
  CHECK(desk.told(3) == Lines{"synced", "+default/a@1", "synced"});
}

TEST_CASE("an API server that cannot tell its versions is asked again and nothing is taken for absent") {
  Desk desk(by_list(), {}, kTopologies);
  desk.server.then(says(503, ""))
      .then(serves("v2"))
      .then(has_topologies())
      .then(lists("5", {pod("a", 1)}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(2) == Lines{"+default/a@1", "synced"});
  CHECK(desk.restarts(Restart::kServerError) == 1);
}

// --- WatchList
// -----------------------------------------------------------------------------------------------

const std::string kEnd =
    R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"50","annotations":{"k8s.io/initial-events-end":"true"}}}})"
    "\n";

TEST_CASE("where it is offered, one watch brings the initial state and goes on") {
  Desk desk;
  desk.server.then(watches(
      {event("ADDED", pod("a", 7)), event("ADDED", pod("b", 8)), kEnd, event("DELETED", pod("a", 51))}));
  desk.start();
  CHECK(desk.told(4) == Lines{"+default/a@7", "+default/b@8", "synced", "-default/a"});
  const Seen seen = desk.server.request(0);
  CHECK(seen.asks("watch=1"));
  CHECK(seen.asks("sendInitialEvents=true"));
  CHECK(seen.asks("resourceVersionMatch=NotOlderThan"));
  CHECK(seen.asks("allowWatchBookmarks=true"));
  CHECK_FALSE(seen.asks_for("resourceVersion"));
  CHECK(desk.reflector->statistics().lists == 1);
}

TEST_CASE("the version of the end of the initial events is where the next watch goes on") {
  Desk desk;
  desk.server.then(ends({event("ADDED", pod("a", 70)), kEnd})).then(watches({}));
  desk.start();
  CHECK(desk.server.request(1).asks("resourceVersion=50"));
  CHECK_FALSE(desk.server.request(1).asks_for("sendInitialEvents"));
}

TEST_CASE("a new list by watch tells what vanished at its end") {
  Desk desk;
  desk.server
      .then(
          watches({event("ADDED", pod("a", 7)), kEnd, event("ERROR", status_object(410, "Expired", "old"))}))
      .then(watches({event("ADDED", pod("b", 60)), kEnd}));
  desk.start();
  CHECK(desk.told(5) == Lines{"+default/a@7", "synced", "+default/b@60", "-default/a", "synced"});
  CHECK(desk.server.request(1).asks("resourceVersion=50"));
}

TEST_CASE("an API server that does not know it is asked for a list, from then on") {
  Desk desk;
  desk.server.then(refuses(422, "Invalid", "sendInitialEvents is forbidden for watch"))
      .then(lists("7", {pod("a", 1)}))
      .then(refuses(410, "Expired", "old"))
      .then(lists("8", {pod("a", 1)}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(3) == Lines{"+default/a@1", "synced", "synced"});
  CHECK(desk.server.request(1).asks("resourceVersion=0"));
  CHECK(desk.server.request(3).asks("resourceVersion=7"));
}

TEST_CASE(
    "initial events that break off fall back to a list, and what they brought is kept or removed by it") {
  Desk desk;
  desk.server
      .then([](Exchange& exchange) {
        exchange.begin();
        exchange.chunk(event("ADDED", pod("a", 7)) + event("ADDED", pod("b", 8)));
        exchange.reset();
      })
      .then(lists("50", {pod("b", 8)}))
      .then(watches({}));
  desk.start();
  CHECK(desk.told(4) == Lines{"+default/a@7", "+default/b@8", "-default/a", "synced"});
  CHECK(desk.server.request(2).asks("resourceVersion=50"));
}

TEST_CASE("initial events that end without their bookmark fall back to a list") {
  Desk desk;
  desk.server.then(ends({event("ADDED", pod("a", 7))})).then(lists("50", {pod("a", 7)})).then(watches({}));
  desk.start();
  CHECK(desk.told(2) == Lines{"+default/a@7", "synced"});
}

TEST_CASE("an ordinary bookmark does not end the initial events") {
  Desk desk;
  desk.server.then(watches(
      {event("BOOKMARK", R"({"metadata":{"resourceVersion":"20"}})"), event("ADDED", pod("a", 7)), kEnd}));
  desk.start();
  CHECK(desk.told(2) == Lines{"+default/a@7", "synced"});
}

// --- the end
// -------------------------------------------------------------------------------------------------

TEST_CASE("stop ends an open watch, and a wait") {
  Desk desk(by_list());
  desk.server.then(lists("7", {})).then(watches({}));
  desk.start();
  REQUIRE(desk.server.request(1).asks("watch=1"));
  desk.reflector->stop();
  const auto told = desk.sink.lines();
  CHECK(told == Lines{"synced"});

  Desk waiting(by_list());
  waiting.server.then(refuses(500, "InternalError", "x"));
  waiting.waiter.hold();
  waiting.start();
  REQUIRE(waiting.waiter.reaches(1));
  waiting.reflector->stop();
  CHECK(waiting.sink.lines().empty());
}

TEST_CASE("a token is in no log line and no error") {
  Desk desk(by_list(), "very-secret-token");
  desk.server.then(refuses(401, "Unauthorized", "no"))
      .then(refuses(403, "Forbidden", "no"))
      .then(lists("1", {}));
  desk.start();
  CHECK(desk.told(1) == Lines{"synced"});
  desk.reflector->stop();
  CHECK(desk.log.str().find("Watch begins again") != std::string::npos);
  CHECK(desk.log.str().find("secret") == std::string::npos);
  CHECK(desk.reflector->statistics().last_error.find("secret") == std::string::npos);
}

TEST_CASE("every reason has a name of its own") {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kRestartReasons; ++i) names.push_back(name_of(static_cast<Restart>(i)));
  std::sort(names.begin(), names.end());
  CHECK(std::unique(names.begin(), names.end()) == names.end());
}

}  // namespace
}  // namespace toposeg::webhook::kube_api::test
