// A reflector of pods in front of a fake API server: nothing waits, time is turned by hand, and what the sink
// was told is a list of lines.
#pragma once

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "unit/folder.h"
#include "unit/webhook/kube_api/fake_server.h"
#include "unit/webhook/kube_api/hand_waiter.h"
#include "webhook/kube_api/reflector.h"

namespace toposeg::webhook::kube_api::test {

inline std::string pod(const std::string& name, int version, const std::string& note = {}) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"default","resourceVersion":")" +
         std::to_string(version) + R"("},"note":")" + note + R"("})";
}
inline std::string event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

inline FakeServer::Step lists(const std::string& version, const std::vector<std::string>& items,
                              const std::string& token = {}) {
  std::string text = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":")" + version +
                     R"(","continue":")" + token + R"("},"items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ",") + items[i];
  return says(200, text + "]}");
}
// These events, then silence.
inline FakeServer::Step watches(std::vector<std::string> events) {
  return [events = std::move(events)](Exchange& exchange) {
    exchange.begin();
    for (const std::string& text : events) exchange.chunk(text);
    exchange.hold();
  };
}
// These events, then the end in order.
inline FakeServer::Step ends(std::vector<std::string> events = {}) {
  return [events = std::move(events)](Exchange& exchange) {
    exchange.begin();
    for (const std::string& text : events) exchange.chunk(text);
    exchange.finish();
  };
}

class RecordingSink final : public Sink {
 public:
  void upsert(const json::Document& object) override {
    const auto identity = identity_of(object).value();
    const std::scoped_lock lock(mutex_);
    objects_.push_back(object);
    add("+" + identity.key.namespace_ + "/" + identity.key.name + "@" + identity.version);
  }
  void remove(std::string_view namespace_, std::string_view name) override {
    const std::scoped_lock lock(mutex_);
    add("-" + std::string(namespace_) + "/" + std::string(name));
  }
  void synced() override {
    const std::scoped_lock lock(mutex_);
    add("synced");
  }

  [[nodiscard]] std::vector<std::string> lines() const {
    const std::scoped_lock lock(mutex_);
    return lines_;
  }
  // Waits until there are so many lines; what there is after the deadline.
  [[nodiscard]] std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kDeadline, [&] { return lines_.size() >= count; });
    return lines_;
  }
  [[nodiscard]] json::Document object(std::size_t number) const {
    const std::scoped_lock lock(mutex_);
    return objects_.at(number);
  }

 private:
  void add(std::string line) {
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::vector<json::Document> objects_;
};

inline Resource pods_on_nodes() {
  return {.version = "v1", .plural = "pods", .kind = "Pod", .field_selector = "spec.nodeName!="};
}

struct Desk {
  explicit Desk(Reflector::Options options = {}, const std::string& token = {},
                Resource resource = pods_on_nodes()) {
    Credentials credentials = server.credentials();
    if (!token.empty()) {
      token_file.emplace(token);
      credentials.token.file = token_file->path();
    }
    reflector = std::make_unique<Reflector>(
        std::move(resource), std::make_unique<Client>(std::move(credentials), clock), sink,
        Environment{clock, waiter, random, log::Logger({.level = log::Level::kDebug, .stream = &log})},
        options);
  }
  ~Desk() {
    reflector.reset();
    server.stop();
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  void start() const { reflector->start(); }
  void write_token(const std::string& token) const { token_file->write(token); }
  // What the sink was told, once there are so many lines.
  [[nodiscard]] std::vector<std::string> told(std::size_t count) { return sink.wait_for(count); }
  [[nodiscard]] std::uint64_t restarts(Restart reason) const {
    return reflector->statistics().restarts.at(static_cast<std::size_t>(reason));
  }

  std::ostringstream log;
  ManualClock clock;
  HandWaiter waiter{clock};
  FixedRandom random{0.5};
  RecordingSink sink;
  FakeServer server;
  std::optional<toposeg::test::TextFile> token_file;
  std::unique_ptr<Reflector> reflector;
};

}  // namespace toposeg::webhook::kube_api::test
