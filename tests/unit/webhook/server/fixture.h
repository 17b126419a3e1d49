// A running server with a certificate of its own, and what tests need around it.
#pragma once

#include <prometheus/registry.h>

#include <memory>
#include <string>
#include <thread>

#include "certs/authority.h"
#include "unit/catch.h"
#include "unit/folder.h"
#include "unit/webhook/server/client.h"
#include "webhook/server/metrics.h"
#include "webhook/server/server.h"

namespace toposeg::webhook::test {

inline config::ServerConfig loopback() {
  config::ServerConfig config;
  config.address = "127.0.0.1";
  config.port = 0;
  config.plain_address = "127.0.0.1";
  config.plain_port = 0;
  config.workers = 2;
  config.lame_duck = std::chrono::seconds(0);
  return config;
}

// The value of one line of the metrics' text, "absent" when there is none.
inline std::string metric(const prometheus::Registry& registry, const std::string& name_and_labels) {
  const std::string text = "\n" + render(registry);
  const auto at = text.find("\n" + name_and_labels + " ");
  if (at == std::string::npos) return "absent";
  const auto begin = at + name_and_labels.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// A client can have its answer a moment before the server has counted it. True as soon as the value is there,
// false when it is not within ten seconds.
inline bool metric_reaches(const prometheus::Registry& registry, const std::string& name_and_labels,
                           const std::string& value) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (metric(registry, name_and_labels) != value) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

struct Certificates {
  SystemClock clock;
  certs::Authority authority = certs::Authority::create(clock).value();
  std::shared_ptr<certs::Store> store = std::make_shared<certs::Store>();
  std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();

  Certificates() { renew(); }
  void renew() const { store->set(authority.issue({"localhost", "127.0.0.1"}, clock).value()); }
  [[nodiscard]] Trust trust() const {
    Trust trust;
    trust.ca_pem = authority.certificate_pem();
    return trust;
  }
};

struct Running : Certificates {
  explicit Running(const config::ServerConfig& config = loopback()) : server(config, store, registry) {
    server.post("/echo", [](const Call& call) { return Answer{.body = std::string(call.body)}; });
    server.get("/livez", [](const Call&) { return Answer{.content_type = "text/plain", .body = "ok"}; });
  }
  void start() { REQUIRE(server.start().has_value()); }

  Server server;
};

}  // namespace toposeg::webhook::test
