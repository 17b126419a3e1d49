#include "webhook/server/front.h"

#include <atomic>
#include <thread>

#include "unit/webhook/server/fixture.h"

namespace toposeg::webhook::test {
namespace {

using std::chrono::milliseconds;

FrontOptions plain_front() {
  FrontOptions options;
  options.address = "127.0.0.1";
  options.rules = {.method = "POST", .body = true};
  return options;
}

Finished echo(const Exchange& exchange) {
  const std::string body(exchange.body());
  return {.connection = exchange.connection,
          .bytes = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body,
          .status = 200,
          .close = false};
}

// A front whose requests are answered at once, or kept until the test answers them.
class Harness {
 public:
  explicit Harness(FrontOptions options, bool with_tls = false, bool keep = false)
      : keep_(keep),
        front(
            std::move(options), with_tls ? tls() : nullptr,
            [this](std::unique_ptr<Exchange>& exchange) { return take(exchange); }, metrics_) {
    REQUIRE(front.start().has_value());
  }

  std::unique_ptr<Exchange> wait_for_exchange() {
    std::unique_lock lock(mutex_);
    REQUIRE(arrived_.wait_for(lock, std::chrono::seconds(10), [this] { return !kept_.empty(); }));
    auto first = std::move(kept_.front());
    kept_.erase(kept_.begin());
    return first;
  }
  [[nodiscard]] bool rejected(const std::string& reason, const std::string& times) const {
    return metric_reaches(*certificates.registry,
                          R"(toposeg_http_rejected_total{port="test",reason=")" + reason + "\"}", times);
  }

  Certificates certificates;
  std::atomic<bool> full{false};

 private:
  std::unique_ptr<Tls> tls() {
    return Tls::create(certificates.store, "", certificate_expiry(*certificates.registry)).value();
  }
  bool take(std::unique_ptr<Exchange>& exchange) {
    if (full) return false;
    if (!keep_) {
      front.answer(echo(*exchange));
      exchange.reset();
      return true;
    }
    {
      const std::scoped_lock lock(mutex_);
      kept_.push_back(std::move(exchange));
    }
    arrived_.notify_all();
    return true;
  }

  FrontMetrics metrics_{*certificates.registry, "test"};
  bool keep_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::unique_ptr<Exchange>> kept_;

 public:
  Front front;
};

const std::string kHead = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

TEST_CASE("a_head_that_does_not_end_in_time_is_answered_and_closed") {
  auto options = plain_front();
  options.patience.header = milliseconds(30);
  Harness harness(options);
  Client slow(harness.front.port());
  REQUIRE(slow.send(kHead));
  const auto reply = slow.receive();
  REQUIRE(reply);
  CHECK(reply->status == 408);
  CHECK(slow.closed_by_peer());
  CHECK(harness.rejected("timeout", "1"));
  Client quick(harness.front.port());
  CHECK(quick.ask(post("/", "in time")).value().body == "in time");
}

TEST_CASE("bytes_that_trickle_do_not_stretch_the_time_for_the_head") {
  auto options = plain_front();
  options.patience.header = milliseconds(50);
  options.patience.linger = milliseconds(50);
  Harness harness(options);
  Client client(harness.front.port());
  const auto start = std::chrono::steady_clock::now();
  std::size_t sent = 0;
  while (client.send("a") && sent < 4'000'000) ++sent;
  const auto reply = client.receive();
  REQUIRE(reply);
  CHECK((reply->status == 408 || reply->status == 431));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("a_body_that_does_not_end_in_time_is_answered_and_closed") {
  auto options = plain_front();
  options.patience.body = milliseconds(30);
  Harness harness(options);
  Client client(harness.front.port());
  REQUIRE(client.send(kHead + "Content-Length: 10\r\n\r\nhalf"));
  CHECK(client.receive().value().status == 408);
  CHECK(client.closed_by_peer());
}

TEST_CASE("a_handshake_that_does_not_come_is_given_up") {
  auto options = plain_front();
  options.patience.handshake = milliseconds(30);
  Harness harness(options, true);
  Client silent(harness.front.port());
  CHECK(silent.closed_by_peer());
  CHECK(harness.rejected("handshake_timeout", "1"));
}

TEST_CASE("an_idle_connection_is_closed_after_its_time_without_an_answer") {
  auto options = plain_front();
  options.patience.idle = milliseconds(300);
  Harness harness(options, true);
  Client client(harness.front.port(), harness.certificates.trust());
  CHECK(client.ask(post("/", "x")).value().body == "x");
  CHECK(client.closed_by_peer());
  CHECK(harness.rejected("timeout", "0"));
}

TEST_CASE("a_handler_takes_its_time_while_no_limit_of_the_front_runs") {
  auto options = plain_front();
  options.patience = {.handshake = milliseconds(20), .header = milliseconds(20), .body = milliseconds(20)};
  options.patience.idle = milliseconds(300);
  Harness harness(options, false, true);
  Client client(harness.front.port());
  REQUIRE(client.send(post("/", "patience")));
  const auto exchange = harness.wait_for_exchange();
  CHECK(Client(harness.front.port()).closed_by_peer());  // long after the 20 ms: its idle time is over
  harness.front.answer(echo(*exchange));
  CHECK(client.receive().value().body == "patience");
}

TEST_CASE("an_answer_that_the_peer_does_not_take_is_given_up") {
  auto options = plain_front();
  options.patience.answer = milliseconds(50);
  Harness harness(options, false, true);
  Client client(harness.front.port());
  REQUIRE(client.send(post("/", "x")));
  const auto exchange = harness.wait_for_exchange();
  const std::string huge(std::size_t{64} << 20U, 'x');
  harness.front.answer({.connection = exchange->connection, .bytes = huge, .status = 200, .close = false});
  CHECK(harness.rejected("slow_reader", "1"));
}

TEST_CASE("a_full_queue_is_told_with_retry_after_and_the_connection_stays") {
  Harness harness(plain_front());
  Client client(harness.front.port());
  harness.full = true;
  const auto busy = client.ask(post("/", "x"));
  REQUIRE(busy);
  CHECK(busy->status == 429);
  CHECK(busy->has("Retry-After: 1\r\n"));
  CHECK_FALSE(busy->has("Connection: close"));
  harness.full = false;
  CHECK(client.ask(post("/", "again")).value().body == "again");
  CHECK(harness.rejected("busy", "1"));
}

TEST_CASE("bytes_of_all_requests_together_are_limited") {
  auto options = plain_front();
  options.most_buffered = 15'000;
  Harness harness(options, false, true);
  const std::string body(8000, 'x');
  Client first(harness.front.port());
  REQUIRE(first.send(post("/", body)));
  const auto exchange = harness.wait_for_exchange();
  Client second(harness.front.port());
  const auto busy = second.ask(post("/", body));
  CHECK(busy.value().status == 429);
  CHECK(busy->has("Connection: close\r\n"));
  CHECK(second.closed_by_peer());
  harness.front.answer(echo(*exchange));
  CHECK(first.receive().value().body == body);
  Client third(harness.front.port());
  REQUIRE(third.send(post("/", body)));
  harness.front.answer(echo(*harness.wait_for_exchange()));
  CHECK(third.receive().value().body == body);
}

TEST_CASE("connections_over_the_cap_are_told_to_come_again_and_far_over_it_are_closed") {
  auto options = plain_front();
  options.max_connections = 2;
  Harness harness(options);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(std::make_unique<Client>(harness.front.port()));
    CHECK(clients.back()->ask(post("/", "x")).value().status == 200);
  }
  Client surplus(harness.front.port());
  const auto reply = surplus.ask(post("/", "x"));
  REQUIRE(reply);
  CHECK(reply->status == 429);
  CHECK(reply->has("Retry-After: 1\r\n"));
  CHECK(surplus.closed_by_peer());
  for (int i = 0; i < 40; ++i) clients.push_back(std::make_unique<Client>(harness.front.port()));
  CHECK(clients.back()->closed_by_peer());
  CHECK(clients.front()->ask(post("/", "x")).value().status == 200);
}

TEST_CASE("a_client_that_resets_while_it_is_served_harms_nobody") {
  Harness harness(plain_front(), false, true);
  std::unique_ptr<Exchange> exchange;
  {
    Client client(harness.front.port());
    REQUIRE(client.send(post("/", "x")));
    exchange = harness.wait_for_exchange();
  }
  harness.front.answer(echo(*exchange));
  Client next(harness.front.port());
  REQUIRE(next.send(post("/", "next")));
  harness.front.answer(echo(*harness.wait_for_exchange()));
  CHECK(next.receive().value().body == "next");
}

TEST_CASE("three_hundred_idle_connections_stay_usable_and_small") {
  Harness harness(plain_front(), true);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(std::make_unique<Client>(harness.front.port(), harness.certificates.trust()));
    REQUIRE(clients.back()->ask(post("/", std::string(6000, 'x'))).has_value());
  }
  for (auto& client : clients) CHECK(client->ask(post("/", "awake")).value().body == "awake");
  CHECK(metric_reaches(*harness.certificates.registry, R"(toposeg_http_connections{port="test"})", "300"));
}

TEST_CASE("the_last_call_closes_idle_connections_and_lets_running_ones_end") {
  Harness harness(plain_front(), false, true);
  Client idle(harness.front.port());
  REQUIRE(idle.send(post("/", "first")));
  harness.front.answer(echo(*harness.wait_for_exchange()));
  REQUIRE(idle.receive());
  Client busy(harness.front.port());
  REQUIRE(busy.send(post("/", "running")));
  const auto exchange = harness.wait_for_exchange();
  harness.front.stop_accepting();
  CHECK(idle.closed_by_peer());
  CHECK_FALSE(Client(harness.front.port()).connected());
  auto finished = echo(*exchange);
  finished.close = true;
  harness.front.answer(std::move(finished));
  CHECK(busy.receive().value().body == "running");
  busy.finish_sending();
  harness.front.wait_until_empty(std::chrono::seconds(10));
  CHECK(metric_reaches(*harness.certificates.registry, R"(toposeg_http_connections{port="test"})", "0"));
}

TEST_CASE("a_connection_without_a_request_yet_may_still_send_one_after_the_last_call") {
  Harness harness(plain_front());
  Client used(harness.front.port());
  REQUIRE(used.ask(post("/", "x")));
  Client fresh(harness.front.port());
  harness.front.stop_accepting();
  CHECK(used.closed_by_peer());
  CHECK(fresh.ask(post("/", "just in time")).value().body == "just in time");
}

}  // namespace
}  // namespace toposeg::webhook::test
