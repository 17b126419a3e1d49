#include "webhook/kube_api/client.h"

#include <future>

#include "unit/folder.h"
#include "unit/webhook/kube_api/fake_server.h"

namespace toposeg::webhook::kube_api::test {
namespace {

using toposeg::test::TextFile;

struct Desk {
  FakeServer server;
  ManualClock clock;
  Client client{server.credentials(), clock};
};

std::string place(const FakeServer& server, const std::string& path) {
  return "GET https://127.0.0.1:" + std::to_string(server.port()) + path;
}

TEST_CASE("a GET gives the body and names what it takes") {
  Desk desk;
  desk.server.then(says(200, R"({"major":"1"})"));
  CHECK(desk.client.get("/version").value() == R"({"major":"1"})");
  const Seen seen = desk.server.request(0);
  CHECK(seen.method == "GET");
  CHECK(seen.target == "/version");
  CHECK(seen.header("accept") == "application/json");
  CHECK(seen.header("accept-encoding") == "identity");
  CHECK(seen.header("host") == "127.0.0.1:" + std::to_string(desk.server.port()));
  CHECK(seen.header("authorization").empty());
}

TEST_CASE("calls share one connection") {
  Desk desk;
  desk.server.then(says(200, "{}")).then(says(200, "{}")).then(says(404, "{}"));
  REQUIRE(desk.client.get("/a"));
  REQUIRE(desk.client.get("/b"));
  REQUIRE_FALSE(desk.client.get("/c"));
  CHECK(desk.server.request(2).connection == 1);
}

TEST_CASE("a POST, a PUT and a PATCH carry their bodies and media types") {
  Desk desk;
  desk.server.then(says(201, "1")).then(says(200, "2")).then(says(200, "3"));
  CHECK(desk.client.post("/p", R"({"a":1})").value() == "1");
  CHECK(desk.client.put("/u", R"({"b":1})").value() == "2");
  CHECK(desk.client.patch("/m", kMergePatch, R"({"c":1})").value() == "3");
  CHECK(desk.server.request(0).body == R"({"a":1})");
  CHECK(desk.server.request(0).header("content-type") == "application/json");
  CHECK(desk.server.request(1).method == "PUT");
  CHECK(desk.server.request(2).method == "PATCH");
  CHECK(desk.server.request(2).header("content-type") == "application/merge-patch+json");
}

TEST_CASE("a Status of the API server is shown, with its code") {
  Desk desk;
  desk.server.then(refuses(403, "Forbidden", R"(pods is forbidden: User \"x\" cannot list)"));
  const auto answer = desk.client.get("/api/v1/pods?limit=1");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().status == 403);
  CHECK(answer.error().reason == "Forbidden");
  CHECK(answer.error().error.code == Code::kInvalid);
  CHECK(answer.error().text() ==
        place(desk.server, "/api/v1/pods") +
            R"(: the API server answered 403 Forbidden: "pods is forbidden: User \"x\" cannot list")");
}

TEST_CASE("codes follow the HTTP status") {
  Desk desk;
  const std::vector<std::pair<int, Code>> expected = {{400, Code::kInvalid},     {404, Code::kNotFound},
                                                      {409, Code::kConflict},    {410, Code::kUnavailable},
                                                      {413, Code::kTooLarge},    {422, Code::kInvalid},
                                                      {429, Code::kUnavailable}, {500, Code::kUnavailable},
                                                      {503, Code::kUnavailable}, {302, Code::kUnavailable}};
  for (const auto& [status, code] : expected) {
    desk.server.then(says(status, ""));
    const auto answer = desk.client.get("/x");
    REQUIRE_FALSE(answer);
    CHECK(answer.error().status == status);
    CHECK(answer.error().error.code == code);
  }
}

TEST_CASE("an answer that is no Status is shown by its beginning, escaped") {
  Desk desk;
  desk.server.then(says(502, "<h1>bad\ngateway</h1>"));
  CHECK(desk.client.get("/x").error().error.message ==
        R"(the API server answered 502: "<h1>bad\ngateway</h1>")");
}

TEST_CASE("Retry-After is told, from the header or from the Status") {
  Desk desk;
  desk.server.then(refuses(429, "TooManyRequests", "later", "Retry-After: 7\r\n"))
      .then(says(429, R"({"kind":"Status","code":429,"details":{"retryAfterSeconds":3}})"))
      .then(says(429, "", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n"))
      .then(says(429, "", "Retry-After: 999999999\r\n"));
  CHECK(desk.client.get("/x").error().retry_after == std::chrono::seconds(7));
  CHECK(desk.client.get("/x").error().retry_after == std::chrono::seconds(3));
  CHECK_FALSE(desk.client.get("/x").error().retry_after.has_value());
  CHECK(desk.client.get("/x").error().retry_after == std::chrono::seconds(600));
}

TEST_CASE("a certificate for another name is refused") {
  FakeServer server({"other.example"});
  const ManualClock clock;
  Client client(server.credentials(), clock);
  const auto answer = client.get("/x");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().failure == Failure::kUntrusted);
  CHECK(answer.error().error.message ==
        R"(the certificate shown for "127.0.0.1" is refused: IP address mismatch)");
  CHECK(server.seen().empty());
}

TEST_CASE("a certificate of another authority is refused") {
  FakeServer server;
  const FakeServer stranger;
  const ManualClock clock;
  Credentials credentials = server.credentials();
  credentials.ca.data = stranger.ca_pem();
  Client client(std::move(credentials), clock);
  const auto answer = client.get("/x");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().failure == Failure::kUntrusted);
  CHECK(answer.error().error.message.starts_with(R"(the certificate shown for "127.0.0.1" is refused: )"));
}

TEST_CASE("tls-server-name is the name that is checked and sent") {
  FakeServer server({"api.example"});
  const ManualClock clock;
  Credentials credentials = server.credentials();
  credentials.tls_server_name = "api.example";
  Client client(credentials, clock);
  server.then(says(200, "yes"));
  CHECK(client.get("/x").value() == "yes");
  CHECK(server.request(0).server_name == "api.example");
  credentials.tls_server_name = "other.example";
  Client other(credentials, clock);
  CHECK(other.get("/x").error().error.message ==
        R"(the certificate shown for "other.example" is refused: hostname mismatch)");
}

TEST_CASE("an address is never sent as server name") {
  Desk desk;
  desk.server.then(says(200, ""));
  REQUIRE(desk.client.get("/x"));
  CHECK(desk.server.request(0).server_name.empty());
}

TEST_CASE("verification is left out only where it is asked for") {
  FakeServer server({"other.example"});
  const ManualClock clock;
  Credentials credentials = server.credentials();
  credentials.ca = {};
  credentials.skip_verification = true;
  Client client(std::move(credentials), clock);
  server.then(says(200, "yes"));
  CHECK(client.get("/x").value() == "yes");
}

TEST_CASE("a client certificate is shown") {
  Desk desk;
  const certs::Authority own = certs::Authority::create(SystemClock()).value();
  Credentials credentials = desk.server.credentials();
  credentials.client_certificate.data = own.certificate_pem();
  credentials.client_key.data = own.key_pem().value();
  Client client(std::move(credentials), desk.clock);
  desk.server.then(says(200, "")).then(says(200, ""));
  REQUIRE(client.get("/x"));
  CHECK(desk.server.request(0).has_certificate);
  REQUIRE(desk.client.get("/x"));
  CHECK_FALSE(desk.server.request(1).has_certificate);
}

TEST_CASE("a key that does not belong to the certificate is told before anything is sent") {
  Desk desk;
  Credentials credentials = desk.server.credentials();
  credentials.client_certificate.data = desk.server.ca_pem();
  credentials.client_key.data = certs::Authority::create(SystemClock()).value().key_pem().value();
  Client client(std::move(credentials), desk.clock);
  const auto answer = client.get("/x");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().failure == Failure::kLocal);
  CHECK(answer.error().text().starts_with(
      "client certificate: the private key does not belong to the certificate"));
}

TEST_CASE("an authority that changes is read within five minutes, and then trusted on a new connection") {
  FakeServer server;
  const FakeServer stranger;
  const TextFile ca(server.ca_pem());
  ManualClock clock;
  Credentials credentials = server.credentials();
  credentials.ca = {.file = ca.path()};
  Client client(std::move(credentials), clock);
  server.then(says(200, "1")).then(says(200, "2")).then(says(200, "3"));
  REQUIRE(client.get("/x"));
  ca.write(stranger.ca_pem());
  clock.advance(std::chrono::seconds(299));
  CHECK(client.get("/x").value() == "2");
  clock.advance(std::chrono::seconds(1));
  CHECK(client.get("/x").error().failure == Failure::kUntrusted);
  ca.write(server.ca_pem());
  clock.advance(std::chrono::minutes(5));
  CHECK(client.get("/x").value() == "3");
  CHECK(server.request(2).connection > 1);
}

TEST_CASE("an authority that is half written does not matter while the one before is good") {
  FakeServer server;
  const TextFile ca(server.ca_pem());
  ManualClock clock;
  Credentials credentials = server.credentials();
  credentials.ca = {.file = ca.path()};
  Client client(std::move(credentials), clock);
  server.then(says(200, "1")).then(says(200, "2")).then(says(200, "3"));
  REQUIRE(client.get("/x"));
  for (const std::string& text : {std::string(), server.ca_pem().substr(0, 100)}) {
    ca.write(text);
    clock.advance(std::chrono::minutes(5));
    CHECK(client.get("/x"));
  }
  CHECK(server.request(2).connection == 1);
}

TEST_CASE("an authority that cannot be read is told with its file") {
  const ManualClock clock;
  Credentials credentials;
  credentials.host = "127.0.0.1";
  credentials.ca.file = "/nowhere/ca.crt";
  Client client(credentials, clock);
  CHECK(client.get("/x").error().text() == "/nowhere/ca.crt: cannot be read: No such file or directory");
  credentials.ca = {.data = "not PEM"};
  Client other(credentials, clock);
  CHECK(other.get("/x").error().text() == "certificate authority: holds no PEM text; expected -----BEGIN …");
}

TEST_CASE("a token is sent, read again after a minute, and again when it is refused") {
  FakeServer server;
  const TextFile token("one");
  ManualClock clock;
  Credentials credentials = server.credentials();
  credentials.token.file = token.path();
  Client client(std::move(credentials), clock);
  server.then(says(200, "")).then(says(200, "")).then(says(401, "")).then(says(200, "")).then(says(401, ""));
  REQUIRE(client.get("/x"));
  token.write("two");
  clock.advance(std::chrono::minutes(1));
  REQUIRE(client.get("/x"));
  token.write("three");
  REQUIRE(client.get("/x"));
  CHECK(client.get("/x").error().status == 401);
  const std::vector<std::string> expected = {"one", "two", "two", "three", "three"};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(server.request(i).header("authorization") == "Bearer " + expected[i]);
  }
  CHECK(server.seen().size() == 5);
}

TEST_CASE("nobody at the address is told as such") {
  Desk desk;
  desk.server.stop();
  const auto answer = desk.client.get("/x");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().failure == Failure::kUnreachable);
  CHECK(answer.error().text() == place(desk.server, "/x") + ": cannot connect to https://127.0.0.1:" +
                                     std::to_string(desk.server.port()));
}

TEST_CASE("a connection that ends before or within the answer is told apart from a silent one") {
  Desk desk;
  desk.server.then([](Exchange& exchange) { exchange.close(); });
  CHECK(desk.client.get("/x").error().error.message == "the connection ended before the answer came");
  desk.server.then([](Exchange& exchange) {
    exchange.begin();
    exchange.chunk("half");
    exchange.reset();
  });
  const auto cut = desk.client.get("/x");
  REQUIRE_FALSE(cut);
  CHECK(cut.error().failure == Failure::kBroken);
  desk.server.then([](Exchange& exchange) { exchange.hold(); });
  const auto silent = desk.client.call({.target = "/x", .silence = std::chrono::milliseconds(50)});
  REQUIRE_FALSE(silent);
  CHECK(silent.error().failure == Failure::kSilent);
  CHECK(silent.error().error.message == "nothing came for 50 ms");
}

TEST_CASE("a GET on a kept connection that was closed meanwhile is made again") {
  Desk desk;
  desk.server.then([](Exchange& exchange) {
    exchange.reply(200, "one");
    exchange.close();
  });
  REQUIRE(desk.client.get("/x"));
  desk.server.then(says(200, "two"));
  CHECK(desk.client.get("/y").value() == "two");
  CHECK(desk.server.request(1).connection == 2);
}

TEST_CASE("an answer over the limit is refused") {
  FakeServer server;
  const ManualClock clock;
  Client client(server.credentials(), clock, {.largest_answer = 10});
  server.then(says(200, "0123456789")).then(says(200, "0123456789a"));
  CHECK(client.get("/x").value() == "0123456789");
  const auto answer = client.get("/x");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().text() == "GET /x: the answer has more than 10 bytes");
}

TEST_CASE("a stream comes piece by piece while it is open, and its reader can stop it") {
  std::promise<void> got_first;
  Desk desk;
  desk.server.then([&](Exchange& exchange) {
    exchange.begin();
    exchange.chunk("one");
    got_first.get_future().wait();
    exchange.chunk("two");
    exchange.hold();
  });
  std::string text;
  bool accepted = false;
  const auto end = desk.client.stream(
      {.target = "/w",
       .on_accepted = [&](std::string_view type) { accepted = text.empty() && type == "application/json"; }},
      [&](std::string_view chunk) {
        if (text.empty()) got_first.set_value();
        text += chunk;
        return text != "onetwo";
      });
  CHECK(accepted);
  CHECK(end.value() == StreamEnd::kByReceiver);
  CHECK(text == "onetwo");
}

TEST_CASE("a stream that the server ends has ended well") {
  Desk desk;
  desk.server.then([](Exchange& exchange) {
    exchange.begin();
    exchange.chunk("all");
    exchange.finish();
  });
  std::string text;
  const auto end = desk.client.stream({.target = "/w"}, [&](std::string_view chunk) {
    text += chunk;
    return true;
  });
  CHECK(end.value() == StreamEnd::kByServer);
  CHECK(text == "all");
}

TEST_CASE("stop ends a read that waits, and later calls at once") {
  std::promise<void> streams;
  Desk desk;
  desk.server.then([&](Exchange& exchange) {
    exchange.begin();
    streams.set_value();
    exchange.hold();
  });
  auto end = std::async(std::launch::async, [&] {
    return desk.client.stream({.target = "/w", .silence = std::chrono::hours(1)},
                              [](std::string_view) { return true; });
  });
  streams.get_future().wait();
  desk.client.stop();
  REQUIRE(end.wait_for(kDeadline) == std::future_status::ready);
  CHECK(end.get().error().failure == Failure::kStopped);
  CHECK(desk.client.get("/x").error().failure == Failure::kStopped);
}

TEST_CASE("stop ends a handshake that the server never finishes") {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  REQUIRE(::listen(listener, 1) == 0);
  socklen_t size = sizeof(address);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  Credentials credentials;
  credentials.host = "127.0.0.1";
  credentials.port = ntohs(address.sin_port);
  const ManualClock clock;
  Client client(std::move(credentials), clock, {.connection = {.connect_timeout = std::chrono::hours(1)}});
  auto answer = std::async(std::launch::async, [&] { return client.get("/x"); });
  const int accepted = ::accept(listener, nullptr, nullptr);  // the handshake has begun
  char byte = 0;
  REQUIRE(::recv(accepted, &byte, 1, 0) == 1);
  client.stop();
  REQUIRE(answer.wait_for(kDeadline) == std::future_status::ready);
  CHECK(answer.get().error().failure == Failure::kStopped);
  ::close(accepted);
  ::close(listener);
}

}  // namespace
}  // namespace toposeg::webhook::kube_api::test
