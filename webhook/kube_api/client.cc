#include "webhook/kube_api/client.h"

#include <fmt/format.h>

#include <utility>

namespace toposeg::webhook::kube_api {

namespace {

constexpr std::chrono::minutes kReadTlsAgain{5};

std::unexpected<ApiError> local(const Error& error) {
  return std::unexpected(ApiError{.failure = Failure::kLocal, .error = error});
}

std::unexpected<ApiError> stopped() {
  return failed(Failure::kStopped, Code::kUnavailable, "the client was stopped", {});
}

}  // namespace

Client::Client(Credentials credentials, const Clock& clock)
    : Client(std::move(credentials), clock, Options{}) {}

Client::Client(Credentials credentials, const Clock& clock, Options options)
    : credentials_(std::move(credentials)),
      clock_(clock),
      options_(std::move(options)),
      tokens_(credentials_.token) {}

Client::~Client() = default;

Answer<std::string> Client::call(const Call& call) {
  std::string body;
  bool is_too_large = false;
  const auto collect = [&](std::string_view chunk) {
    is_too_large = body.size() + chunk.size() > options_.largest_answer;
    if (!is_too_large) body += chunk;
    return !is_too_large;
  };
  const auto done = stream(call, collect);
  if (!done) return std::unexpected(done.error());
  if (is_too_large) {
    return failed(Failure::kMalformed, Code::kTooLarge,
                  fmt::format("the answer has more than {} bytes", options_.largest_answer),
                  call.method + " " + call.target.substr(0, call.target.find('?')));
  }
  return body;
}

Answer<std::string> Client::get(const std::string& target) { return call({.target = target}); }

Answer<std::string> Client::post(const std::string& target, std::string body) {
  return call({.method = "POST", .target = target, .body = std::move(body)});
}

Answer<std::string> Client::put(const std::string& target, std::string body) {
  return call({.method = "PUT", .target = target, .body = std::move(body)});
}

Answer<std::string> Client::patch(const std::string& target, std::string_view type, std::string body) {
  return call(
      {.method = "PATCH", .target = target, .body = std::move(body), .content_type = std::string(type)});
}

Answer<StreamEnd> Client::stream(const Call& call, const Receiver& receiver) {
  if (!begin()) return stopped();
  auto done = stream_now(call, receiver);
  end();
  if (!done) {
    const std::scoped_lock lock(mutex_);
    if (stopped_) return stopped();
  }
  return done;
}

Answer<StreamEnd> Client::stream_now(const Call& call, const Receiver& receiver) {
  auto done = attempt(call, receiver);
  if (done || connection_ == nullptr) return done;
  if (done.error().answered(401)) {
    const std::string refused = token_;
    tokens_.forget();
    const auto token = tokens_.get(clock_.now());
    if (!token || *token == refused) return done;
    return attempt(call, receiver);
  }
  if (call.method == "GET" && connection_->was_stale()) return attempt(call, receiver);
  return done;
}

Answer<StreamEnd> Client::attempt(const Call& call, const Receiver& receiver) {
  if (auto ready = refresh(clock_.now()); !ready) return local(ready.error());
  {
    const std::scoped_lock lock(mutex_);
    if (stopped_) return stopped();
  }
  return connection_->send(call, token_, receiver);
}

Result<void> Client::refresh(Instant now) {
  auto token = tokens_.get(now);
  if (!token) return std::unexpected(token.error());
  token_ = *std::move(token);
  return refresh_tls(now);
}

Result<void> Client::refresh_tls(Instant now) {
  if (connection_ != nullptr && now - material_read_at_ < kReadTlsAgain) return {};
  auto material = read_tls_material(credentials_);
  if (material && connection_ != nullptr && *material == *material_) {
    material_read_at_ = now;
    return {};
  }
  auto connection = material ? Connection::create(credentials_, *material, options_.connection)
                             : std::unexpected(material.error());
  if (!connection && connection_ == nullptr) return std::unexpected(connection.error());
  material_read_at_ = now;
  if (!connection) return {};  // half written, perhaps: what was good stays in use
  material_ = *std::move(material);
  use(*std::move(connection));
  return {};
}

void Client::use(std::shared_ptr<Connection> connection) {
  const std::scoped_lock lock(mutex_);
  connection_.swap(connection);
}

bool Client::begin() {
  const std::scoped_lock lock(mutex_);
  in_call_ = !stopped_;
  return in_call_;
}

void Client::end() {
  const std::scoped_lock lock(mutex_);
  in_call_ = false;
  idle_.notify_all();
}

void Client::stop() {
  // A call may be about to open its connection, which cannot be ended before it is there: so again and again.
  constexpr std::chrono::milliseconds kAgain{5};
  std::unique_lock lock(mutex_);
  stopped_ = true;
  do {
    if (connection_ != nullptr) connection_->shut();
  } while (!idle_.wait_for(lock, kAgain, [this] { return !in_call_; }));
}

}  // namespace toposeg::webhook::kube_api
