#include <atomic>
#include <latch>
#include <thread>

#include "unit/webhook/server/fixture.h"

namespace toposeg::webhook::test {
namespace {

// Asks again and again until the port is closed; counts requests that were sent and not answered with 200.
struct Load {
  std::atomic<int> answered{0};
  std::atomic<int> lost{0};

  void run(std::uint16_t port, const Trust& trust) {
    for (;;) {
      Client client(port, trust);
      if (!client.connected()) return;
      while (client.send(post("/echo", "x"))) {
        const auto reply = client.receive();
        ++(reply && reply->status == 200 ? answered : lost);
        if (!reply || reply->has("Connection: close")) break;
      }
    }
  }
};

TEST_CASE("a_drain_under_load_loses_no_request") {
  auto config = loopback();
  config.lame_duck = std::chrono::seconds(1);
  Running running(config);
  running.start();
  Load load;
  std::vector<std::thread> clients;
  clients.reserve(8);
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] { load.run(running.server.port(), running.trust()); });
  }
  while (load.answered < 100) std::this_thread::yield();
  running.server.shut_down();
  for (auto& client : clients) client.join();
  CHECK(load.answered >= 100);
  CHECK(load.lost == 0);
}

TEST_CASE("during_the_drain_answers_end_their_connections_and_probes_see_it") {
  auto config = loopback();
  config.lame_duck = std::chrono::seconds(60);
  Running running(config);
  running.server.get("/readyz", [&](const Call&) {
    return Answer{
        .status = running.server.draining() ? 503 : 200, .content_type = "text/plain", .body = "\n"};
  });
  running.start();
  Client before(running.server.port(), running.trust());
  CHECK_FALSE(before.ask(post("/echo", "x")).value().has("Connection: close"));
  CHECK(Client(running.server.plain_port()).ask(get("/readyz")).value().status == 200);

  std::thread shutting([&] { running.server.shut_down(); });
  while (!running.server.draining()) std::this_thread::yield();
  std::optional<Reply> reply = before.ask(post("/echo", "x"));
  while (reply && !reply->has("Connection: close")) reply = before.ask(post("/echo", "x"));
  REQUIRE(reply);
  CHECK(before.closed_by_peer());
  CHECK(Client(running.server.plain_port()).ask(get("/readyz")).value().status == 503);
  Client late(running.server.port(), running.trust());
  CHECK(late.ask(post("/echo", "late")).value().body == "late");
  running.server.shut_down(true);
  shutting.join();
  CHECK_FALSE(Client(running.server.port()).connected());
}

TEST_CASE("a_drain_waits_for_a_request_that_is_being_served") {
  std::latch entered(1);
  std::latch released(1);
  Running running;
  running.server.post("/wait", [&](const Call&) {
    entered.count_down();
    released.wait();
    return Answer{.body = "served"};
  });
  running.start();
  Client client(running.server.port(), running.trust());
  REQUIRE(client.send(post("/wait", "x")));
  entered.wait();
  std::thread shutting([&] { running.server.shut_down(); });
  while (Client(running.server.port()).connected()) std::this_thread::yield();
  released.count_down();
  const auto reply = client.receive();
  REQUIRE(reply);
  CHECK(reply->body == "served");
  CHECK(reply->has("Connection: close\r\n"));
  client.finish_sending();
  shutting.join();
}

TEST_CASE("over_the_queue_requests_are_told_to_come_again") {
  std::latch entered(1);
  std::latch released(1);
  auto config = loopback();
  config.workers = 1;
  config.max_queue = 1;
  Running running(config);
  running.server.post("/wait", [&](const Call&) {
    entered.count_down();
    released.wait();
    return Answer{.body = "served"};
  });
  running.start();
  Client served(running.server.port(), running.trust());
  REQUIRE(served.send(post("/wait", "x")));
  entered.wait();
  Client queued(running.server.port(), running.trust());
  REQUIRE(queued.send(post("/echo", "queued")));
  while (metric(*running.registry, R"(toposeg_http_requests_in_flight{port="https"})") != "2") {
    std::this_thread::yield();
  }
  Client busy(running.server.port(), running.trust());
  const auto reply = busy.ask(post("/echo", "too many"));
  CHECK(reply.value().status == 429);
  CHECK(reply->has("Retry-After: 1\r\n"));
  CHECK(Client(running.server.plain_port()).ask(get("/livez")).value().body == "ok");  // probes do not wait
  released.count_down();
  CHECK(served.receive().value().body == "served");
  CHECK(queued.receive().value().body == "queued");
  CHECK(busy.ask(post("/echo", "later")).value().body == "later");
}

TEST_CASE("a_server_that_never_started_or_is_told_twice_shuts_down_quietly") {
  Running unused;
  unused.server.shut_down();
  CHECK(unused.server.draining());
  Running running;
  running.start();
  running.server.shut_down();
  running.server.shut_down(true);
  CHECK_FALSE(Client(running.server.port()).connected());
}

}  // namespace
}  // namespace toposeg::webhook::test
