#include "webhook/server/server.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "webhook/server/front.h"
#include "webhook/server/pool.h"
#include "webhook/server/router.h"

namespace toposeg::webhook {
namespace {

constexpr unsigned kPlainWorkers = 2;  // a long state dump leaves one for the probes
constexpr std::size_t kPlainQueue = 64;
constexpr unsigned kPlainConnections = 64;

// One port with its own threads.
class Service {
 public:
  Service(FrontOptions options, unsigned workers, std::size_t max_queue, std::string_view name,
          prometheus::Registry& registry)
      : options_(std::move(options)), workers_(workers), metrics_(registry, name), pool_(max_queue) {}
  ~Service() { stop(); }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  void add(std::string path, Handler handler) {
    routes_.insert_or_assign(std::move(path), std::move(handler));
  }

  [[nodiscard]] Result<void> start(std::unique_ptr<Tls> tls) {
    const std::string method(options_.rules.method);
    front_ = std::make_unique<Front>(
        options_, std::move(tls),
        [this](std::unique_ptr<Exchange>& exchange) { return pool_.offer(exchange); }, metrics_);
    if (auto started = front_->start(); !started) return started;
    pool_.start(workers_, [this, method]() -> Pool::Work {
      const auto closing = [this] { return front_->closing_after_answers(); };
      auto router = std::make_shared<Router>(routes_, method, metrics_, closing);
      return [this, router](const std::unique_ptr<Exchange>& exchange) {
        front_->answer(router->answer(*exchange));
      };
    });
    return {};
  }

  [[nodiscard]] Front* front() { return front_.get(); }

  void stop() {
    if (front_) front_->stop();
    pool_.stop();
  }

 private:
  FrontOptions options_;
  unsigned workers_;
  Routes routes_;
  FrontMetrics metrics_;
  Pool pool_;
  std::unique_ptr<Front> front_;
};

FrontOptions https_options(const config::ServerConfig& config) {
  FrontOptions options;
  options.address = config.address;
  options.port = config.port;
  options.rules = {.method = "POST",
                   .body = true,
                   .max_bytes = config.max_header_bytes,
                   .max_body_bytes = config.max_body_bytes};
  options.patience.header = config.header_timeout;
  options.patience.body = config.body_timeout;
  options.patience.idle = config.idle_timeout;
  options.max_connections = config.max_connections;
  return options;
}

FrontOptions plain_options(const config::ServerConfig& config) {
  FrontOptions options = https_options(config);
  options.address = config.plain_address;
  options.port = config.plain_port;
  options.rules.method = "GET";
  options.rules.body = false;
  options.max_connections = kPlainConnections;
  return options;
}

unsigned worker_count(const config::ServerConfig& config) {
  return config.workers != 0 ? config.workers : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

class Server::Impl {
 public:
  Impl(config::ServerConfig config, std::shared_ptr<certs::Store> certificates,
       std::shared_ptr<prometheus::Registry> registry)
      : config_(std::move(config)),
        certificates_(std::move(certificates)),
        registry_(std::move(registry)),
        https_(https_options(config_), worker_count(config_), config_.max_queue, "https", *registry_),
        plain_(plain_options(config_), kPlainWorkers, kPlainQueue, "plain", *registry_) {}

  [[nodiscard]] Result<void> start() {
    auto tls = Tls::create(certificates_, config_.client_ca_file, certificate_expiry(*registry_));
    if (!tls) return std::unexpected(tls.error());
    if (auto started = plain_.start(nullptr); !started) return started;
    return https_.start(std::move(*tls));
  }

  void shut_down(bool hurry) {
    draining_ = true;
    if (hurry) hurry_up();
    const std::scoped_lock one_at_a_time(shut_down_mutex_);
    if (Front* front = https_.front(); front != nullptr && !hurried()) {
      front->close_after_answers();
      wait_lame_duck();
      front->stop_accepting();
      if (!hurried()) front->wait_until_empty(config_.drain);
    }
    https_.stop();
    plain_.stop();  // last, so that probes see the drain
  }

  config::ServerConfig config_;
  std::shared_ptr<certs::Store> certificates_;
  std::shared_ptr<prometheus::Registry> registry_;
  Service https_;
  Service plain_;
  std::atomic<bool> draining_{false};

 private:
  void hurry_up() {
    {
      const std::scoped_lock lock(mutex_);
      hurried_ = true;
    }
    changed_.notify_all();
    if (Front* front = https_.front()) front->stop();
  }
  [[nodiscard]] bool hurried() {
    const std::scoped_lock lock(mutex_);
    return hurried_;
  }
  void wait_lame_duck() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, config_.lame_duck, [this] { return hurried_; });
  }

  std::mutex shut_down_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool hurried_ = false;
};

Server::Server(config::ServerConfig config, std::shared_ptr<certs::Store> certificates,
               std::shared_ptr<prometheus::Registry> metrics)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(certificates), std::move(metrics))) {}
Server::~Server() { impl_->shut_down(true); }

void Server::post(std::string path, Handler handler) {
  impl_->https_.add(std::move(path), std::move(handler));
}
void Server::get(std::string path, Handler handler) {
  impl_->plain_.add(std::move(path), std::move(handler));
}
Result<void> Server::start() { return impl_->start(); }

std::uint16_t Server::port() const {
  const Front* front = impl_->https_.front();
  return front == nullptr ? 0 : front->port();
}
std::uint16_t Server::plain_port() const {
  const Front* front = impl_->plain_.front();
  return front == nullptr ? 0 : front->port();
}

bool Server::draining() const { return impl_->draining_; }
void Server::shut_down(bool hurry) { impl_->shut_down(hurry); }

}  // namespace toposeg::webhook
