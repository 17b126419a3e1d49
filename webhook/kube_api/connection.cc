#include "webhook/kube_api/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <httplib.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <exception>
#include <utility>

#include "common/base/text.h"

namespace toposeg::webhook::kube_api {

namespace {

// Socket time limits are the kernel's, so no other clock can measure them.
using SocketClock = std::chrono::steady_clock;

constexpr std::size_t kLargestRefusal = std::size_t{64} << 10U;

// OpenSSL writes with write(2), which raises SIGPIPE in this thread when the peer is gone.
class WithoutBrokenPipeSignal {
 public:
  WithoutBrokenPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutBrokenPipeSignal() {
    if (sigismember(&before_, SIGPIPE) == 1) return;
    const timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutBrokenPipeSignal(const WithoutBrokenPipeSignal&) = delete;
  WithoutBrokenPipeSignal& operator=(const WithoutBrokenPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

// A peer that vanished without a word is noticed although nothing is to be sent.
void keep_alive(int socket) {
  const int yes = 1;
  const int idle_seconds = 30;
  const int interval_seconds = 10;
  const int probes = 3;
  ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes));
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof(idle_seconds));
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof(interval_seconds));
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
}

// cpp-httplib renamed two functions after its 0.11; both names are welcome.
template <typename Client>
SSL_CTX* tls_context_of(Client& client) {
  if constexpr (requires { client.ssl_context(); }) {
    return client.ssl_context();
  } else {
    return static_cast<SSL_CTX*>(client.tls_context());
  }
}
template <typename Client>
void send_targets_as_they_are(Client& client) {
  if constexpr (requires { client.set_url_encode(false); }) {
    client.set_url_encode(false);
  } else {
    client.set_path_encode(false);
  }
}

}  // namespace

struct Connection::Library {
  Library(const std::string& host, int port) : client(host, port) {}
  httplib::SSLClient client;
};

// What became of a call so far.
struct Connection::Progress {
  int status = 0;
  std::string retry_after;
  std::string refusal;  // the body of an answer other than 2xx
  bool receiver_stopped = false;
  SocketClock::time_point last_byte = SocketClock::now();
};

Connection::Connection(const Credentials& credentials, const Options& options)
    : server_(credentials.server()),
      base_path_(credentials.base_path),
      user_agent_(options.user_agent),
      connect_timeout_(options.connect_timeout),
      peer_(credentials),
      library_(std::make_unique<Library>(credentials.host, credentials.port)) {
  const bool is_ipv6 = credentials.host.find(':') != std::string::npos;
  host_header_ =
      fmt::format("{}{}{}:{}", is_ipv6 ? "[" : "", credentials.host, is_ipv6 ? "]" : "", credentials.port);
}

Connection::~Connection() {
  const WithoutBrokenPipeSignal quiet;  // TLS says goodbye
  library_.reset();
  if (socket_ >= 0) ::close(socket_);
}

Result<std::unique_ptr<Connection>> Connection::create(const Credentials& credentials,
                                                       const TlsMaterial& material, const Options& options) {
  // Not make_unique: the constructor is private.
  std::unique_ptr<Connection> connection(new Connection(credentials, options));
  httplib::SSLClient& client = connection->library_->client;
  if (!client.is_valid()) return fail(Code::kInternal, "the TLS library cannot be set up");
  // The library's own check of certificates is off, since it takes the common name for a name; OpenSSL's, set
  // up in prepare(), fails the handshake.
  client.enable_server_certificate_verification(false);
  if (auto done = connection->peer_.prepare(tls_context_of(client), material); !done) {
    return std::unexpected(done.error());
  }
  client.set_keep_alive(true);
  client.set_tcp_nodelay(true);
  client.set_follow_location(false);
  send_targets_as_they_are(client);  // they are encoded already
  client.set_connection_timeout(options.connect_timeout);
  client.set_write_timeout(options.connect_timeout);
  client.set_socket_options([raw = connection.get()](auto socket) { raw->opened(socket); });
  return connection;
}

void Connection::opened(int socket) {
  keep_alive(socket);
  was_opened_ = true;
  const int duplicate = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
  const std::scoped_lock lock(mutex_);
  if (socket_ >= 0) ::close(socket_);
  socket_ = duplicate;
}

void Connection::shut() {
  const std::scoped_lock lock(mutex_);
  if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
}

Answer<StreamEnd> Connection::send(const Call& call, const std::string& token, const Receiver& receiver) {
  Progress progress;
  httplib::Request request;
  request.method = call.method;
  request.path = base_path_ + call.target;
  request.headers = {{"Host", host_header_},
                     {"User-Agent", user_agent_},
                     {"Accept", call.accept},
                     // Compressing costs the API server more than it saves on a short way.
                     {"Accept-Encoding", "identity"}};
  if (!token.empty()) request.headers.emplace("Authorization", "Bearer " + token);
  if (!call.body.empty()) {
    request.headers.emplace("Content-Type", call.content_type);
    request.body = call.body;
  }
  request.response_handler = [&](const httplib::Response& response) {
    progress.status = response.status;
    progress.retry_after = response.get_header_value("Retry-After");
    progress.last_byte = SocketClock::now();
    if (response.status / 100 == 2 && call.on_accepted) {
      call.on_accepted(response.get_header_value("Content-Type"));
    }
    return true;
  };
  request.content_receiver = [&](const char* data, std::size_t size, auto... /*place*/) {
    progress.last_byte = SocketClock::now();
    if (progress.status / 100 == 2) {
      progress.receiver_stopped = !receiver({data, size});
      return !progress.receiver_stopped;
    }
    progress.refusal.append(data, std::min(size, kLargestRefusal - progress.refusal.size()));
    return progress.refusal.size() < kLargestRefusal;
  };
  library_->client.set_read_timeout(call.silence);
  peer_.reset();
  was_opened_ = was_stale_ = false;
  ERR_clear_error();
  const WithoutBrokenPipeSignal quiet;
  httplib::Response response;
  auto error = httplib::Error::Success;
  bool done = false;
  try {
    done = library_->client.send(request, response, error);
  } catch (const std::exception& exception) {
    return failed(Failure::kBroken, Code::kInternal,
                  fmt::format("the HTTP library failed: {}", quote(exception.what())), place(call));
  }
  if (progress.receiver_stopped) return StreamEnd::kByReceiver;
  const bool is_refused = progress.status != 0 && progress.status / 100 != 2;
  if (is_refused)
    return std::unexpected(refused(progress.status, progress.refusal, progress.retry_after, place(call)));
  if (done) return StreamEnd::kByServer;
  was_stale_ = !was_opened_ && progress.status == 0;
  return std::unexpected(explain(call, progress, static_cast<int>(error)));
}

ApiError Connection::explain(const Call& call, const Progress& progress, int library_error) const {
  const std::string where = place(call);
  const auto unavailable = [&where](Failure failure, std::string message) {
    return ApiError{.failure = failure, .error = {Code::kUnavailable, std::move(message), where}};
  };
  if (!peer_.fault().empty()) {
    return unavailable(Failure::kUntrusted, fmt::format("the certificate shown for {} is refused: {}",
                                                        quote(peer_.name()), peer_.fault()));
  }
  switch (static_cast<httplib::Error>(library_error)) {
    case httplib::Error::Connection:
    case httplib::Error::ConnectionTimeout:
      return unavailable(Failure::kUnreachable, fmt::format("cannot connect to {}", server_));
    case httplib::Error::SSLConnection: {
      const bool has_reason = ERR_peek_error() != 0;
      return unavailable(Failure::kUnreachable,
                         fmt::format("the TLS handshake with {} failed{}{}", server_, has_reason ? ": " : "",
                                     has_reason ? certs::take_openssl_reason() : ""));
    }
    default:
      break;
  }
  ERR_clear_error();
  const auto silent =
      std::chrono::duration_cast<std::chrono::milliseconds>(SocketClock::now() - progress.last_byte);
  if (silent >= call.silence) {
    return unavailable(Failure::kSilent, fmt::format("nothing came for {} ms", call.silence.count()));
  }
  return unavailable(Failure::kBroken, progress.status == 0 ? "the connection ended before the answer came"
                                                            : "the connection ended within the answer");
}

std::string Connection::place(const Call& call) const {
  const std::string path = base_path_ + call.target.substr(0, call.target.find('?'));
  return fmt::format("{} {}{}", call.method, server_.substr(0, server_.size() - base_path_.size()), path);
}

}  // namespace toposeg::webhook::kube_api
