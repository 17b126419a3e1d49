// An API server that does what a test's script says: one step a request, in the order of the steps. HTTPS on
// a free port of the loopback, with certificates of its own. A request for which there is no step yet waits
// for one.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "certs/authority.h"
#include "certs/openssl.h"
#include "common/base/clock.h"
#include "unit/catch.h"
#include "webhook/kube_api/credentials.h"

namespace toposeg::webhook::kube_api::test {

constexpr std::chrono::seconds kDeadline{10};

struct Seen {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::size_t connection = 0;  // counted from 1
  std::string server_name;     // of the TLS handshake
  bool has_certificate = false;

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
  // True when the query has exactly this `name=value`, as it was sent.
  [[nodiscard]] bool asks(const std::string& pair) const {
    const auto mark = target.find('?');
    return mark != std::string::npos &&
           ("&" + target.substr(mark + 1) + "&").find("&" + pair + "&") != std::string::npos;
  }
  [[nodiscard]] bool asks_for(const std::string& name) const {
    return target.find('?' + name + '=') != std::string::npos ||
           target.find('&' + name + '=') != std::string::npos;
  }
};

// A request in work, on its connection's thread.
class Exchange {
 public:
  Exchange(SSL* session, Seen seen) : session_(session), seen_(std::move(seen)) {}

  [[nodiscard]] const Seen& seen() const { return seen_; }

  void reply(int status, std::string_view body, std::string_view headers = {}) {
    send("HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Type: application/json\r\n" +
         std::string(headers) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body));
  }
  // An answer without a known end; then any number of chunk(), then finish(), close() or reset().
  void begin() {
    send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  }
  void chunk(std::string_view text) {
    if (text.empty()) return;  // would be the end
    char size[20];
    std::snprintf(size, sizeof(size), "%zx\r\n", text.size());
    send(size + std::string(text) + "\r\n");
  }
  void finish() { send("0\r\n\r\n"); }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const int sent = SSL_write(session_, bytes.data(), static_cast<int>(bytes.size()));
      ERR_clear_error();
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // The connection ends with this step: in order, or with a reset.
  void close() { closes_ = true; }
  void reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(SSL_get_fd(session_), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    closes_ = resets_ = true;
  }
  // Until the peer ends the connection.
  void hold() {
    char byte = 0;
    SSL_read(session_, &byte, 1);
    ERR_clear_error();
    closes_ = true;
  }

  [[nodiscard]] bool closes() const { return closes_; }
  [[nodiscard]] bool resets() const { return resets_; }

 private:
  SSL* session_;
  Seen seen_;
  bool closes_ = false;
  bool resets_ = false;
};

class FakeServer {
 public:
  using Step = std::function<void(Exchange&)>;

  explicit FakeServer(const std::vector<std::string>& names = {"127.0.0.1"})
      : authority_(certs::Authority::create(SystemClock()).value()),
        context_(SSL_CTX_new(TLS_server_method())) {
    const certs::Pair pair = authority_.issue(names, SystemClock()).value();
    SSL_CTX_use_certificate(context_.get(), pair.chain.front().get());
    SSL_CTX_use_PrivateKey(context_.get(), pair.key.get());
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, [](int, X509_STORE_CTX*) { return 1; });
    SSL_CTX_set_session_id_context(context_.get(), reinterpret_cast<const unsigned char*>("fake"), 4);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    ::listen(listener_, 16);
    socklen_t size = sizeof(address);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~FakeServer() { stop(); }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  FakeServer& then(Step step) {
    const std::scoped_lock lock(mutex_);
    steps_.push_back(std::move(step));
    changed_.notify_all();
    return *this;
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::string& ca_pem() const { return authority_.certificate_pem(); }
  [[nodiscard]] const certs::Authority& authority() const { return authority_; }
  [[nodiscard]] Credentials credentials() const {
    Credentials credentials;
    credentials.host = "127.0.0.1";
    credentials.port = port_;
    credentials.ca.data = ca_pem();
    return credentials;
  }

  [[nodiscard]] std::vector<Seen> seen() const {
    const std::scoped_lock lock(mutex_);
    return seen_;
  }
  // The request of this number, counted from 0; waits for it.
  [[nodiscard]] Seen request(std::size_t number) {
    std::unique_lock lock(mutex_);
    const bool came = changed_.wait_for(lock, kDeadline, [&] { return seen_.size() > number; });
    INFO("request " << number << " did not come");
    REQUIRE(came);
    return seen_[number];
  }
  [[nodiscard]] std::size_t connections() const {
    const std::scoped_lock lock(mutex_);
    return connections_;
  }

  void stop() {
    {
      const std::scoped_lock lock(mutex_);
      if (stopping_) return;
      stopping_ = true;
      ::shutdown(listener_, SHUT_RDWR);
      for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
      changed_.notify_all();
    }
    acceptor_.join();
    for (std::thread& thread : threads_) thread.join();
    ::close(listener_);
  }

 private:
  void accept_all() {
    for (;;) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      const int yes = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
      const std::scoped_lock lock(mutex_);
      if (stopping_) {
        ::close(socket);
        return;
      }
      open_.push_back(socket);
      threads_.emplace_back([this, socket, number = ++connections_] { serve(socket, number); });
    }
  }

  void serve(int socket, std::size_t number) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    const certs::SessionOwner session(SSL_new(context_.get()));
    SSL_set_fd(session.get(), socket);
    bool is_reset = false;
    if (SSL_accept(session.get()) == 1) is_reset = serve_requests(session.get(), number);
    ERR_clear_error();
    const std::scoped_lock lock(mutex_);
    std::erase(open_, socket);
    if (!is_reset) SSL_shutdown(session.get());
    ERR_clear_error();
    ::close(socket);
  }

  // True when the last one asked for a reset.
  bool serve_requests(SSL* session, std::size_t number) {
    std::string input;
    Seen seen;
    while (receive(session, input, seen)) {
      seen.connection = number;
      if (const char* name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name)) seen.server_name = name;
      seen.has_certificate = SSL_get0_peer_certificate(session) != nullptr;
      Step step = next_step(seen);
      if (!step) return false;
      Exchange exchange(session, seen);
      step(exchange);
      if (exchange.closes()) return exchange.resets();
    }
    return false;
  }

  Step next_step(const Seen& seen) {
    std::unique_lock lock(mutex_);
    seen_.push_back(seen);
    changed_.notify_all();
    changed_.wait(lock, [this] { return stopping_ || !steps_.empty(); });
    if (steps_.empty()) return {};
    Step step = std::move(steps_.front());
    steps_.pop_front();
    return step;
  }

  static bool receive(SSL* session, std::string& input, Seen& seen) {
    std::size_t end = 0;
    while ((end = input.find("\r\n\r\n")) == std::string::npos) {
      if (!receive_some(session, input)) return false;
    }
    seen = {};
    parse_head(input.substr(0, end), seen);
    input.erase(0, end + 4);
    const std::string length = seen.header("content-length");
    const std::size_t size = length.empty() ? 0 : std::stoul(length);
    while (input.size() < size) {
      if (!receive_some(session, input)) return false;
    }
    seen.body = input.substr(0, size);
    input.erase(0, size);
    return true;
  }

  static bool receive_some(SSL* session, std::string& input) {
    char buffer[4096];
    const int got = SSL_read(session, buffer, sizeof(buffer));
    ERR_clear_error();
    if (got > 0) input.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }

  static void parse_head(const std::string& head, Seen& seen) {
    const auto first_space = head.find(' ');
    const auto second_space = head.find(' ', first_space + 1);
    seen.method = head.substr(0, first_space);
    seen.target = head.substr(first_space + 1, second_space - first_space - 1);
    for (auto at = head.find("\r\n"); at != std::string::npos;) {
      const auto next = head.find("\r\n", at + 2);
      const std::string line = head.substr(at + 2, next == std::string::npos ? next : next - at - 2);
      std::string name = line.substr(0, line.find(':'));
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      seen.headers[name] = line.substr(line.find(':') + 2);
      at = next;
    }
  }

  certs::Authority authority_;
  certs::ContextOwner context_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread acceptor_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Step> steps_;
  std::vector<Seen> seen_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::size_t connections_ = 0;
  bool stopping_ = false;
};

// Steps that most tests need.
inline FakeServer::Step says(int status, const std::string& body, const std::string& headers = {}) {
  return [=](Exchange& exchange) { exchange.reply(status, body, headers); };
}
inline std::string status_object(int code, const std::string& reason, const std::string& message) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" + message +
         R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
}
inline FakeServer::Step refuses(int code, const std::string& reason, const std::string& message,
                                const std::string& headers = {}) {
  return says(code, status_object(code, reason, message), headers);
}

}  // namespace toposeg::webhook::kube_api::test
