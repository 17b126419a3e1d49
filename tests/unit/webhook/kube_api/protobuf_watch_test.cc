#include "unit/protobuf.h"
#include "unit/webhook/kube_api/reflector_desk.h"

namespace toposeg::webhook::kube_api::test {
namespace {

using Lines = std::vector<std::string>;
using toposeg::test::bytes;
using toposeg::test::enveloped;
using toposeg::test::event_frame;
using toposeg::test::number;

Reflector::Options in_protobuf() { return {.watch_list = false, .protobuf = true}; }

std::string binary_event(const std::string& type, const std::string& name, const std::string& version,
                         const std::string& more = {}) {
  const std::string metadata = bytes(1, name) + bytes(3, "default") + bytes(6, version) + more;
  return event_frame(type, enveloped("v1", "Pod", bytes(1, metadata)));
}

std::string binary_status(int code, const std::string& reason) {
  return enveloped("v1", "Status",
                   bytes(2, "Failure") + bytes(4, reason) + number(6, static_cast<std::uint64_t>(code)));
}

// A watch in protobuf form that sends these pieces, then nothing.
FakeServer::Step sends(std::vector<std::string> pieces) {
  return [pieces = std::move(pieces)](Exchange& exchange) {
    exchange.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.kubernetes.protobuf;stream=watch\r\n"
        "Transfer-Encoding: chunked\r\n\r\n");
    for (const std::string& piece : pieces) exchange.chunk(piece);
    exchange.hold();
  };
}

TEST_CASE("a watch is asked for in protobuf first, its list is not") {
  Desk desk(in_protobuf());
  desk.server.then(lists("40", {pod("a", 7)}))
      .then(sends({binary_event("MODIFIED", "a", "41") + binary_event("ADDED", "b", "42"),
                   binary_event("DELETED", "a", "43")}));
  desk.start();
  CHECK(desk.told(5) == Lines{"+default/a@7", "synced", "+default/a@41", "+default/b@42", "-default/a"});
  CHECK(desk.server.request(0).header("accept") == "application/json");
  CHECK(desk.server.request(1).header("accept") == "application/vnd.kubernetes.protobuf, application/json");
}

TEST_CASE("an API server that answers in JSON all the same is understood") {
  Desk desk(in_protobuf());
  desk.server.then(lists("40", {})).then(watches({event("ADDED", pod("a", 41))}));
  desk.start();
  CHECK(desk.told(2) == Lines{"synced", "+default/a@41"});
}

TEST_CASE("frames may be cut anywhere") {
  Desk desk(in_protobuf());
  const std::string frames = binary_event("ADDED", "a", "41") + binary_event("ADDED", "b", "42");
  std::vector<std::string> pieces;
  for (const char byte : frames) pieces.emplace_back(1, byte);
  desk.server.then(lists("40", {})).then(sends(pieces));
  desk.start();
  CHECK(desk.told(3) == Lines{"synced", "+default/a@41", "+default/b@42"});
}

TEST_CASE("one watch in protobuf brings the initial state too") {
  Desk desk({.protobuf = true});
  const std::string end = bytes(12, bytes(1, "k8s.io/initial-events-end") + bytes(2, "true"));
  desk.server.then(sends({binary_event("ADDED", "a", "7"), binary_event("BOOKMARK", "", "50", end),
                          binary_event("ADDED", "b", "51")}));
  desk.start();
  CHECK(desk.told(3) == Lines{"+default/a@7", "synced", "+default/b@51"});
}

TEST_CASE("410 in protobuf, as an event and as an answer, makes a list") {
  Desk desk(in_protobuf());
  const std::string body = binary_status(410, "Expired");
  desk.server.then(lists("40", {}))
      .then(sends({event_frame("ERROR", body)}))
      .then(lists("60", {pod("a", 55)}))
      .then(sends({binary_event("MODIFIED", "a", "61")}));
  desk.start();
  CHECK(desk.told(4) == Lines{"synced", "+default/a@55", "synced", "+default/a@61"});
  CHECK(desk.restarts(Restart::kExpired) == 1);
  const ApiError error = refused(410, body, {}, "x");
  CHECK(error.reason == "Expired");
  CHECK(error.expired());
}

TEST_CASE("a frame that is no event makes a list") {
  Desk desk(in_protobuf());
  desk.server.then(lists("40", {}))
      .then(sends({toposeg::test::frame("nonsense")}))
      .then(lists("60", {}))
      .then(sends({}));
  desk.start();
  CHECK(desk.told(2) == Lines{"synced", "synced"});
  CHECK(desk.restarts(Restart::kMalformed) == 1);
}

}  // namespace
}  // namespace toposeg::webhook::kube_api::test
