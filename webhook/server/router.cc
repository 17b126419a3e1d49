#include "webhook/server/router.h"

#include <httplib.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace toposeg::webhook {
namespace {

// Long enough that the hint in the answers never makes a client close first.
constexpr time_t kKeepAliveSeconds = 150;
constexpr std::size_t kKeepAliveRequests = 1'000'000;

class MemoryStream final : public httplib::Stream {
 public:
  explicit MemoryStream(std::string input) : input_(std::move(input)) {}

  [[nodiscard]] std::string take_output() { return std::move(output_); }

  bool is_readable() const override { return true; }
#ifdef CPPHTTPLIB_VERSION_NUM  // newer than Debian 12's
  bool wait_readable() const override { return true; }
  bool wait_writable() const override { return true; }
  time_t duration() const override { return 0; }
#else
  bool is_writable() const override { return true; }
#endif

  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, input_.size() - position_);
    std::memcpy(to, input_.data() + position_, count);
    position_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    output_.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }

 private:
  std::string input_;
  std::string output_;
  std::size_t position_ = 0;
};

constexpr std::string_view kFaultText = "{\"error\":\"internal error\"}\n";
constexpr std::string_view kUnknownPathText = "{\"error\":\"no such path\"}\n";

Answer fault() {
  return {.status = 500, .content_type = "application/json", .body = std::string(kFaultText)};
}

constexpr std::string_view kBareFault =
    "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

// Of an answer that starts with "HTTP/1.1 200".
int status_of(std::string_view answer) {
  int status = 500;
  if (answer.size() >= 12) std::from_chars(answer.data() + 9, answer.data() + 12, status);
  return status;
}

std::chrono::milliseconds time_left(const Exchange& exchange) {
  const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                            exchange.arrived);
  return std::max(timeout_of(exchange.head.target) - waited, std::chrono::milliseconds(1));
}

}  // namespace

class Router::Library final : public httplib::Server {
 public:
  Library(const Routes& routes, std::string method, FrontMetrics& metrics, std::function<bool()> closing)
      : routes_(routes), method_(std::move(method)), metrics_(metrics), closing_(std::move(closing)) {
    set_keep_alive_timeout(kKeepAliveSeconds);
    set_keep_alive_max_count(kKeepAliveRequests);
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      Answer answer = call_handler();
      response.status = answer.status;
      response.body = std::move(answer.body);
      response.set_header("Content-Type", answer.content_type);
      if (answer.status == 503) response.set_header("Retry-After", "1");
      return HandlerResponse::Handled;
    });
    set_post_routing_handler([this](const httplib::Request&, httplib::Response& response) {
      close_ = !exchange_->head.keep_alive || closing_();
      if (!close_) return;
      response.headers.erase("Keep-Alive");
      response.headers.erase("Connection");
      response.set_header("Connection", "close");
    });
  }

  // Whether the last answer ends its connection.
  [[nodiscard]] bool close() const { return close_; }

  // The bytes of the answer; empty when the library refuses to write one.
  std::string answer(const Exchange& exchange) {
    exchange_ = &exchange;
    const bool close = !exchange.head.keep_alive;
    MemoryStream stream(method_ + " " + exchange.head.target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    bool closed = false;
    const auto leave_as_is = [](httplib::Request&) {};
#ifdef CPPHTTPLIB_VERSION_NUM
    process_request(stream, "", 0, "", 0, close, closed, leave_as_is);
#else
    process_request(stream, close, closed, leave_as_is);
#endif
    return stream.take_output();
  }

 private:
  Answer call_handler() {
    const auto route = routes_.find(exchange_->head.path());
    if (route == routes_.end()) {
      return {.status = 404, .content_type = "application/json", .body = std::string(kUnknownPathText)};
    }
    try {
      return route->second(Call{.path = exchange_->head.path(),
                                .body = exchange_->body(),
                                .trace_parent = exchange_->head.trace_parent,
                                .timeout = time_left(*exchange_)});
    } catch (const std::exception& exception) {
      spdlog::error("handler of {} threw: {}", route->first, exception.what());
    } catch (...) {
      spdlog::error("handler of {} threw something that is no std::exception", route->first);
    }
    metrics_.handler_threw();
    return fault();
  }

  const Routes& routes_;
  std::string method_;
  FrontMetrics& metrics_;
  std::function<bool()> closing_;
  bool close_ = false;
  const Exchange* exchange_ = nullptr;  // of the running answer()
};

Router::Router(const Routes& routes, std::string method, FrontMetrics& metrics, std::function<bool()> closing)
    : library_(std::make_unique<Library>(routes, std::move(method), metrics, std::move(closing))) {}
Router::~Router() = default;

Finished Router::answer(const Exchange& exchange) {
  std::string bytes;
  bool close = true;
  try {
    bytes = library_->answer(exchange);
    close = library_->close();
  } catch (const std::exception& exception) {
    spdlog::error("no answer could be written: {}", exception.what());
  }
  if (bytes.empty()) {
    bytes = kBareFault;
    close = true;
  }
  const int status = status_of(bytes);
  return {.connection = exchange.connection, .bytes = std::move(bytes), .status = status, .close = close};
}

}  // namespace toposeg::webhook
