#include "webhook/server/server.h"

#include <stdexcept>

#include "unit/webhook/server/fixture.h"

namespace toposeg::webhook::test {
namespace {

TEST_CASE("a_posted_body_reaches_the_handler_and_its_answer_comes_back") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  REQUIRE(client.connected());
  const auto reply = client.ask(post("/echo", R"({"a":1})"));
  REQUIRE(reply);
  CHECK(reply->status == 200);
  CHECK(reply->body == R"({"a":1})");
  CHECK(reply->has("Content-Type: application/json\r\n"));
  CHECK_FALSE(reply->has("Connection: close"));
}

TEST_CASE("many_requests_share_one_connection") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  for (int i = 0; i < 200; ++i) {
    const std::string body = std::to_string(i);
    REQUIRE(client.ask(post("/echo", body)).value().body == body);
  }
  CHECK(metric_reaches(*running.registry, R"(toposeg_http_connections{port="https"})", "1"));
  CHECK(metric_reaches(*running.registry, R"(toposeg_http_requests_in_flight{port="https"})", "0"));
}

TEST_CASE("a_body_of_seven_mebibytes_arrives_whole") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  std::string body(std::size_t{7} << 20U, 'x');
  body.front() = '<';
  body.back() = '>';
  const auto reply = client.ask(post("/echo", body));
  REQUIRE(reply);
  CHECK((reply->body == body));
}

TEST_CASE("pipelined_requests_are_answered_in_order") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  std::string all;
  for (int i = 0; i < 20; ++i) all += post("/echo", "number " + std::to_string(i));
  REQUIRE(client.send(all));
  for (int i = 0; i < 20; ++i) CHECK(client.receive().value().body == "number " + std::to_string(i));
}

TEST_CASE("a_request_cut_into_single_bytes_is_understood") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  for (const char c : post("/echo", "slow but steady")) REQUIRE(client.send({&c, 1}));
  CHECK(client.receive().value().body == "slow but steady");
}

TEST_CASE("a_client_that_waits_to_be_asked_for_the_body_is_asked") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  const auto whole = post("/echo", "body", "Expect: 100-continue\r\n");
  REQUIRE(client.send(whole.substr(0, whole.size() - 4)));
  CHECK(client.receive().value().status == 100);
  CHECK(client.ask("body").value().body == "body");
  CHECK(client.ask(post("/echo", "again")).value().body == "again");
}

TEST_CASE("a_client_that_ends_its_side_after_the_request_still_gets_the_answer") {
  Running running;
  running.start();
  Client plain(running.server.plain_port());
  REQUIRE(plain.send(get("/livez")));
  plain.finish_sending();
  CHECK(plain.receive().value().body == "ok");
  CHECK(plain.closed_by_peer());
  Client client(running.server.port(), running.trust());
  REQUIRE(client.send(post("/echo", "last words")));
  client.finish_sending();
  CHECK(client.receive().value().body == "last words");
}

TEST_CASE("a_client_that_leaves_in_the_middle_of_a_request_is_let_go") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  REQUIRE(client.send(post("/echo", "whole").substr(0, 40)));
  client.finish_sending();
  CHECK(client.closed_by_peer());
  CHECK(metric_reaches(*running.registry, R"(toposeg_http_rejected_total{port="https",reason="incomplete"})",
                       "1"));
}

TEST_CASE("a_refused_request_is_answered_before_the_connection_ends") {
  Running running;
  running.start();
  const auto refused = [&](const std::string& request) {
    Client client(running.server.port(), running.trust());
    const auto reply = client.ask(request);
    REQUIRE(reply);
    CHECK(reply->has("Connection: close\r\n"));
    CHECK(client.closed_by_peer());
    return std::to_string(reply->status) + " " + reply->body;
  };
  const std::string start = "POST /echo HTTP/1.1\r\nHost: a\r\n";
  const std::string type = "Content-Type: application/json\r\n";
  CHECK(refused(start + type + "\r\n") == "411 a Content-Length is required\n");
  CHECK(refused(start + type + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n") ==
        "501 Transfer-Encoding is not taken: send a Content-Length\n");
  CHECK(refused(start + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi") ==
        "415 the Content-Type must be application/json\n");
  CHECK(refused(start + "X: " + std::string(20'000, 'x')) ==
        "431 the header is larger than this server takes\n");
  CHECK(refused("nonsense\r\n\r\n") == "400 the request is not well-formed HTTP/1.1\n");
  CHECK(refused(get("/echo")) == "405 this method is not served here\n");
}

TEST_CASE("a_body_that_is_too_large_is_refused_without_being_taken") {
  Running running;
  running.start();
  const std::string head =
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ";
  Client client(running.server.port(), running.trust());
  REQUIRE(client.send(head + std::to_string((7U << 20U) + 1) + "\r\n\r\n"));
  const auto reply = client.receive();
  REQUIRE(reply);
  CHECK(reply->status == 413);
  CHECK(client.closed_by_peer());

  Client eager(running.server.port(), running.trust());
  REQUIRE(eager.send(head + std::to_string((7U << 20U) + 1) + "\r\n\r\n" + std::string(200'000, 'x')));
  CHECK(eager.receive().value().status == 413);
}

TEST_CASE("an_unknown_path_is_told_and_the_connection_goes_on") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  CHECK(client.ask(post("/echo/", "x")).value().status == 404);
  CHECK(client.ask(post("/livez", "x")).value().status == 404);
  CHECK(client.ask(post("/ECHO", "x")).value().body == "{\"error\":\"no such path\"}\n");
  CHECK(client.ask(post("/echo", "still here")).value().body == "still here");
}

TEST_CASE("a_handler_that_throws_gives_a_fixed_text_and_the_server_lives_on") {
  Running running;
  running.server.post("/throw",
                      [](const Call&) -> Answer { throw std::runtime_error("secret of the house"); });
  running.server.post("/odd", [](const Call&) -> Answer { throw 42; });
  running.start();
  Client client(running.server.port(), running.trust());
  for (const char* path : {"/throw", "/odd"}) {
    const auto reply = client.ask(post(path, "{}"));
    REQUIRE(reply);
    CHECK(reply->status == 500);
    CHECK(reply->body == "{\"error\":\"internal error\"}\n");
    CHECK_FALSE(reply->has("secret"));
  }
  CHECK(client.ask(post("/echo", "alive")).value().body == "alive");
  CHECK(metric_reaches(*running.registry, R"(toposeg_http_handler_exceptions_total{port="https"})", "2"));
  CHECK(metric_reaches(*running.registry, R"(toposeg_http_requests_total{code="5xx",port="https"})", "2"));
}

TEST_CASE("the_handler_learns_its_time_limit_path_and_trace") {
  Running running;
  running.server.post("/call", [](const Call& call) {
    return Answer{
        .content_type = "text/plain",
        .body = std::string(call.path) + " " + std::string(call.trace_parent) + " " +
                (call.timeout > std::chrono::seconds(3) && call.timeout <= std::chrono::milliseconds(4500)
                     ? "4.5 s"
                     : "other")};
  });
  running.start();
  Client client(running.server.port(), running.trust());
  const auto reply = client.ask(post("/call?timeout=5s", "", "traceparent: 00-ab-cd-01\r\n"));
  CHECK(reply.value().body == "/call 00-ab-cd-01 4.5 s");
}

TEST_CASE("a_status_and_type_of_the_handler_are_kept") {
  Running running;
  running.server.get("/readyz", [](const Call&) {
    return Answer{.status = 503, .content_type = "text/plain; version=0.0.4", .body = "not yet\n"};
  });
  running.start();
  Client client(running.server.plain_port());
  const auto reply = client.ask(get("/readyz"));
  CHECK(reply.value().status == 503);
  CHECK(reply->has("Content-Type: text/plain; version=0.0.4\r\n"));
  CHECK(reply->body == "not yet\n");
}

TEST_CASE("answers_are_never_compressed_nor_cut_by_ranges") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  const std::string body(5000, 'x');
  const auto reply = client.ask(post("/echo", body, "Accept-Encoding: gzip, br\r\nRange: bytes=0-1\r\n"));
  CHECK(reply.value().status == 200);
  CHECK_FALSE(reply->has("Content-Encoding"));
  CHECK(reply->body == body);
}

TEST_CASE("the_plain_port_refuses_posts_and_the_https_port_is_not_plain") {
  Running running;
  running.start();
  Client plain(running.server.plain_port());
  const auto reply = plain.ask(post("/livez", "{}"));
  CHECK(reply.value().status == 405);
  CHECK(reply->has("Allow: GET\r\n"));
  Client wrong(running.server.port());
  REQUIRE(wrong.send(get("/livez")));
  CHECK_FALSE(wrong.receive());
  Client right(running.server.plain_port());
  CHECK(right.ask(get("/livez")).value().body == "ok");
}

TEST_CASE("a_port_that_is_taken_is_named") {
  Running first;
  first.start();
  auto config = loopback();
  config.port = first.server.port();
  Running second(config);
  const auto started = second.server.start();
  REQUIRE_FALSE(started);
  CHECK(started.error().text() ==
        "127.0.0.1:" + std::to_string(config.port) + ": cannot be listened on: Address already in use");
  config.port = 0;
  config.address = "nowhere.invalid";
  Running third(config);
  CHECK(third.server.start().error().text().starts_with("nowhere.invalid:0: is no address to listen on: "));
}

TEST_CASE("metrics_count_answers_by_class_and_refusals_by_reason") {
  Running running;
  running.start();
  Client client(running.server.port(), running.trust());
  CHECK(client.ask(post("/echo", "x")).value().status == 200);
  CHECK(client.ask(post("/none", "x")).value().status == 404);
  CHECK(client.ask(get("/")).value().status == 405);
  const auto& registry = *running.registry;
  CHECK(metric_reaches(registry, R"(toposeg_http_requests_total{code="2xx",port="https"})", "1"));
  CHECK(metric_reaches(registry, R"(toposeg_http_requests_total{code="4xx",port="https"})", "2"));
  CHECK(metric_reaches(registry, R"(toposeg_http_rejected_total{port="https",reason="method"})", "1"));
  CHECK(metric_reaches(registry, R"(toposeg_http_request_duration_seconds_count{port="https"})", "2"));
  CHECK(metric(registry, "toposeg_certificate_expiry_timestamp_seconds") != "0");
}

}  // namespace
}  // namespace toposeg::webhook::test
