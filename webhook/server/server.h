// The HTTPS server of the webhook: our own connection front (epoll, non-blocking OpenSSL, limits) around
// cpp-httplib's routing. See docs/life-of-a-request.md for why the library's own listener is not used.
//
//   Server server(config.server, certificates, metrics);
//   server.post("/v1/pods", [](const Call& call) { return Answer{.body = review(call.body)}; });
//   server.get("/livez", …);                       // plain port
//   if (auto started = server.start(); !started) die(started.error());
//   server.port();                                 // the real one, also with port 0
//   server.shut_down();                            // lame duck, drain, close; blocks
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "certs/store.h"
#include "common/base/error.h"
#include "common/config/config.h"

namespace prometheus {
class Registry;
}

namespace toposeg::webhook {

// One complete request, already within all limits. Views are valid during the call.
struct Call {
  std::string_view path;
  std::string_view body;
  std::string_view trace_parent;  // W3C header as sent, may be empty
  // What is left of ?timeout= of the API server (10 s if absent) after a tenth for the way back and the time
  // in the queue; at least a millisecond.
  std::chrono::milliseconds timeout{10'000};
};

struct Answer {
  int status = 200;  // 503 goes out with Retry-After: 1, upon which the API server asks again
  std::string content_type = "application/json";
  std::string body;
};

using Handler = std::function<Answer(const Call&)>;

// Thread safe after start(). Handlers run on worker threads, several at once; an exception from one becomes a
// 500 with a fixed text, and is counted. The plain port has threads of its own, so that probes never wait
// behind reviews.
class Server {
 public:
  // Handshakes fail until the store holds a certificate; it may be exchanged at any time.
  Server(config::ServerConfig config, std::shared_ptr<certs::Store> certificates,
         std::shared_ptr<prometheus::Registry> metrics);
  ~Server();  // stops at once if still running
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Before start() only. Exact paths.
  void post(std::string path, Handler handler);  // HTTPS port
  void get(std::string path, Handler handler);   // plain port

  // kUnavailable when a port cannot be had, kInvalid when the client CA cannot be read.
  [[nodiscard]] Result<void> start();
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::uint16_t plain_port() const;

  // True from the start of shut_down() on: readiness is off, answers carry Connection: close.
  [[nodiscard]] bool draining() const;
  // Lame duck, then drain, then close. `hurry` skips the waiting, also that of a call that already runs in
  // another thread. Returns when every thread has ended.
  void shut_down(bool hurry = false);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toposeg::webhook
