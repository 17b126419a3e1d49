// https_load --port N --ca FILE --path /v1/pods --reviews FILE [--connections 64] [--seconds 20]
//
// Keeps that many HTTPS connections to localhost busy, each with one request at a time; the file holds one
// review a line, sent in turn. One thread on epoll, so that the client takes little from the server it
// measures. Prints one JSON object: requests, failures (an answer other than 200, or a broken connection),
// requests a second, percentiles of the time from sending a request to having its answer.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::uint16_t port = 0;
  std::string ca;
  std::string path;
  std::vector<std::string> requests;  // complete, with head
  int connections = 64;
  int seconds = 20;
};

struct Tally {
  std::uint64_t answers = 0;
  std::uint64_t failures = 0;
  std::vector<float> milliseconds;
};

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* value) const {
    Free(value);
  }
};
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Tls = std::unique_ptr<SSL, Freed<SSL_free>>;

// One connection with at most one request under way.
class Connection {
 public:
  Connection(SSL_CTX* context, std::uint16_t port) : socket_(open_socket(port)), tls_(SSL_new(context)) {
    SSL_set_fd(tls_.get(), socket_);
    SSL_set1_host(tls_.get(), "localhost");
    if (SSL_connect(tls_.get()) != 1) throw std::runtime_error("the TLS handshake failed");
    fcntl(socket_, F_SETFL, fcntl(socket_, F_GETFL) | O_NONBLOCK);
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] int socket() const { return socket_; }

  void send(const std::string& request) {
    request_ = &request;
    begun_ = Clock::now();
    answer_.clear();
    expected_ = 0;
    write();
  }

  // Goes on with what is under way. True when an answer is complete.
  bool advance() {
    if (request_ != nullptr) write();
    std::array<char, 16'384> chunk{};
    for (;;) {
      const int got = SSL_read(tls_.get(), chunk.data(), static_cast<int>(chunk.size()));
      if (got <= 0) {
        if (SSL_get_error(tls_.get(), got) != SSL_ERROR_WANT_READ)
          throw std::runtime_error("connection lost");
        return false;
      }
      answer_.append(chunk.data(), static_cast<std::size_t>(got));
      if (complete()) return true;
    }
  }

  [[nodiscard]] bool is_ok() const { return answer_.starts_with("HTTP/1.1 200 "); }
  [[nodiscard]] float milliseconds() const {
    return std::chrono::duration<float, std::milli>(Clock::now() - begun_).count();
  }

 private:
  static int open_socket(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
      close(socket);
      throw std::runtime_error(fmt::format("nobody listens on port {}", port));
    }
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return socket;
  }

  void write() {
    const int sent = SSL_write(tls_.get(), request_->data(), static_cast<int>(request_->size()));
    if (sent > 0) {
      request_ = nullptr;
    } else if (SSL_get_error(tls_.get(), sent) != SSL_ERROR_WANT_WRITE) {
      throw std::runtime_error("connection lost");
    }
  }

  bool complete() {
    if (expected_ == 0) {
      const auto end = answer_.find("\r\n\r\n");
      if (end == std::string::npos) return false;
      constexpr std::string_view field = "Content-Length: ";
      const auto at = answer_.find(field);
      std::size_t length = 0;
      if (at < end) std::from_chars(answer_.data() + at + field.size(), answer_.data() + end, length);
      expected_ = end + 4 + length;
    }
    return answer_.size() >= expected_;
  }

  int socket_;
  Tls tls_;
  const std::string* request_ = nullptr;
  std::string answer_;
  std::size_t expected_ = 0;
  Clock::time_point begun_;
};

class Load {
 public:
  explicit Load(const Options& options) : options_(options), context_(SSL_CTX_new(TLS_client_method())) {
    if (SSL_CTX_load_verify_locations(context_.get(), options.ca.c_str(), nullptr) != 1) {
      throw std::runtime_error(options.ca + " holds no certificate");
    }
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
  }
  ~Load() {
    if (epoll_ >= 0) close(epoll_);
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  Tally run() {
    for (int i = 0; i < options_.connections; ++i) open();
    const auto end = Clock::now() + std::chrono::seconds(options_.seconds);
    std::array<epoll_event, 64> events{};
    while (Clock::now() < end) {
      const int ready = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 100);
      for (int i = 0; i < ready; ++i) serve(events.at(static_cast<std::size_t>(i)).data.fd);
    }
    return std::move(tally_);
  }

 private:
  void open() {
    auto connection = std::make_unique<Connection>(context_.get(), options_.port);
    const int socket = connection->socket();
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET;
    event.data.fd = socket;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
    connection->send(next_request());
    connections_[socket] = std::move(connection);
  }

  const std::string& next_request() { return options_.requests[turn_++ % options_.requests.size()]; }

  void serve(int socket) {
    try {
      Connection& connection = *connections_.at(socket);
      if (!connection.advance()) return;
      ++tally_.answers;
      if (!connection.is_ok()) ++tally_.failures;
      tally_.milliseconds.push_back(connection.milliseconds());
      connection.send(next_request());
    } catch (const std::runtime_error&) {
      ++tally_.failures;
      connections_.erase(socket);
      open();
    }
  }

  const Options& options_;
  Context context_;
  int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  std::map<int, std::unique_ptr<Connection>> connections_;
  std::size_t turn_ = 0;
  Tally tally_;
};

int to_number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value <= 0) {
    throw std::runtime_error("'" + text + "' is no positive number");
  }
  return value;
}

std::vector<std::string> read_requests(const std::string& file, const std::string& path) {
  std::ifstream input(file);
  std::vector<std::string> requests;
  for (std::string line; std::getline(input, line);) {
    requests.push_back(
        fmt::format("POST {}?timeout=10s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    "Accept: application/json, */*\r\nContent-Length: {}\r\n\r\n{}",
                    path, line.size(), line));
  }
  if (requests.empty()) throw std::runtime_error(file + " holds no review");
  return requests;
}

Options read_options(const std::vector<std::string>& words) {
  std::map<std::string, std::string> given{
      {"--connections", "64"}, {"--seconds", "20"}, {"--path", "/v1/pods"}};
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) given[words[i]] = words[i + 1];
  Options options;
  options.port = static_cast<std::uint16_t>(to_number(given["--port"]));
  options.ca = given["--ca"];
  options.path = given["--path"];
  options.connections = to_number(given["--connections"]);
  options.seconds = to_number(given["--seconds"]);
  options.requests = read_requests(given["--reviews"], options.path);
  return options;
}

void report(Tally tally, int seconds) {
  std::ranges::sort(tally.milliseconds);
  const auto at = [&](double share) {
    const auto& all = tally.milliseconds;
    return all.empty() ? 0.0F : all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
  };
  fmt::print(
      R"({{"requests": {}, "failures": {}, "per_second": {:.0f}, "p50_ms": {:.2f}, "p99_ms": {:.2f}, "max_ms": {:.2f}}})",
      tally.answers, tally.failures, static_cast<double>(tally.answers) / seconds, at(0.50), at(0.99),
      at(1.0));
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const Options options = read_options({argv + 1, argv + argc});
    Load load(options);
    report(load.run(), options.seconds);
    return 0;
  } catch (const std::exception& fault) {
    fmt::print(stderr, "https_load: {}\n", fault.what());
    return 1;
  }
}
