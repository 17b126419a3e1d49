#include "webhook/server/front.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "webhook/server/listener.h"

namespace toposeg::webhook {
namespace {

constexpr ConnectionId kListener = 0;
constexpr ConnectionId kWake = 1;
constexpr ConnectionId kFirst = 2;
constexpr int kEventsPerTurn = 256;
constexpr int kAcceptsPerTurn = 64;
constexpr int kAllWaiting = 4096;                       // more than any backlog holds
constexpr std::chrono::milliseconds kAcceptPause{100};  // when there is no descriptor for one more

Error system_error(const char* what) {
  return {Code::kUnavailable, std::string(what) + ": " + std::generic_category().message(errno), {}};
}

// OpenSSL writes with write(2), which raises SIGPIPE when the peer is gone.
void block_broken_pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Front::Front(FrontOptions options, std::unique_ptr<Tls> tls, Take take, FrontMetrics& metrics)
    : options_(std::move(options)), tls_(std::move(tls)), metrics_(metrics), next_id_(kFirst) {
  surroundings_.rules = options_.rules;
  surroundings_.patience = options_.patience;
  surroundings_.most_buffered = options_.most_buffered;
  surroundings_.take = std::move(take);
  surroundings_.metrics = &metrics_;
  surroundings_.scratch = scratch_;
}

Result<void> Front::start() {
  auto listener = listen_on(options_.address, options_.port);
  if (!listener) return std::unexpected(listener.error());
  listener_ = std::move(*listener);
  port_ = port_of(listener_);
  epoll_ = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
  wake_ = Descriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!epoll_ || !wake_ || !watch(listener_.get(), kListener, EPOLLIN) ||
      !watch(wake_.get(), kWake, EPOLLIN)) {
    return std::unexpected(system_error("the event loop cannot be set up"));
  }
  thread_ = std::thread([this] { run(); });
  return {};
}

bool Front::watch(int socket, ConnectionId id, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event) == 0;
}

void Front::wake() {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the thread is awake anyway.
  [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof(one));
}

void Front::answer(Finished finished) {
  bool first = false;
  {
    const std::scoped_lock lock(mutex_);
    first = mailbox_.finished.empty();
    mailbox_.finished.push_back(std::move(finished));
  }
  if (first) wake();
}

void Front::stop_accepting() {
  {
    const std::scoped_lock lock(mutex_);
    mailbox_.stop_accepting = true;
  }
  wake();
}

void Front::wait_until_empty(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  emptied_.wait_for(lock, limit, [this] { return empty_ || mailbox_.stop; });
}

void Front::stop() {
  {
    const std::scoped_lock lock(mutex_);
    mailbox_.stop = true;
  }
  emptied_.notify_all();
  const std::scoped_lock lock(join_mutex_);
  if (!thread_.joinable()) return;
  wake();
  thread_.join();
}

void Front::run() {
  block_broken_pipe_signal();
  std::array<epoll_event, kEventsPerTurn> events{};
  while (!stopping_) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), kEventsPerTurn, wait_time());
    now_ = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) on_event(events.at(i).data.u64, events.at(i).events);
    for (const ConnectionId id : std::exchange(ready_, {})) on_event(id, EPOLLIN);
    fire_deadlines();
    tell_when_empty();
  }
  listener_.reset();
  for (std::size_t i = 0; i < connections_.size(); ++i) metrics_.connection_closed();
  connections_.clear();
}

int Front::wait_time() const {
  if (!ready_.empty()) return 0;
  const auto next = deadlines_.next();
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

void Front::on_event(ConnectionId id, std::uint32_t events) {
  if (id == kListener) return accept_some(kAcceptsPerTurn);
  if (id == kWake) return empty_mailbox();
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  const bool gone = (events & (EPOLLERR | EPOLLHUP)) != 0;
  settle(id, *found->second, gone ? Connection::Fate::kEnd : found->second->connection.advance(now_));
}

void Front::settle(ConnectionId id, Entry& entry, Connection::Fate fate) {
  if (fate == Connection::Fate::kEnd) {
    deadlines_.set(id, std::nullopt);
    connections_.erase(id);
    metrics_.connection_closed();
    return;
  }
  deadlines_.set(id, entry.connection.deadline());
  if (fate == Connection::Fate::kAgain) ready_.push_back(id);
}

void Front::accept_some(int most) {
  for (int i = 0; i < most; ++i) {
    Descriptor socket = accept_from(listener_);
    if (socket) {
      add(std::move(socket));
      continue;
    }
    if (errno == ECONNABORTED || errno == EINTR) continue;
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener_.get(), nullptr);
      deadlines_.set(kListener, now_ + kAcceptPause);
    }
    return;
  }
}

void Front::add(Descriptor socket) {
  const std::size_t most = options_.max_connections;
  const bool surplus = connections_.size() >= most;
  if (connections_.size() >= most + std::max<std::size_t>(16, most / 8))
    return metrics_.dropped(Drop::kOverflow);
  certs::SessionOwner session;
  if (tls_) {
    session = tls_->accept(socket.get());
    if (!session) return metrics_.dropped(Drop::kOverflow);
  }
  const ConnectionId id = next_id_++;
  if (!watch(socket.get(), id, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET))
    return metrics_.dropped(Drop::kOverflow);
  auto entry =
      std::make_unique<Entry>(id, socket.release(), std::move(session), surroundings_, surplus, now_);
  metrics_.connection_opened();
  Entry& added = *connections_.emplace(id, std::move(entry)).first->second;
  settle(id, added, surroundings_.last_call ? added.connection.on_last_call(now_) : Connection::Fate::kWait);
}

void Front::empty_mailbox() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto read = ::read(wake_.get(), &count, sizeof(count));
  Mailbox mail;
  {
    const std::scoped_lock lock(mutex_);
    mail.stop_accepting = mailbox_.stop_accepting;
    mail.stop = mailbox_.stop;
    mail.finished.swap(mailbox_.finished);
  }
  for (Finished& finished : mail.finished) {
    metrics_.request_finished();
    const ConnectionId id = finished.connection;
    const auto found = connections_.find(id);
    if (found == connections_.end()) continue;
    settle(id, *found->second, found->second->connection.on_answer(std::move(finished), now_));
  }
  stopping_ = mail.stop;
  if (mail.stop_accepting && !surroundings_.last_call) begin_last_call();
}

void Front::begin_last_call() {
  surroundings_.last_call = true;
  surroundings_.closing = true;
  accept_some(kAllWaiting);
  deadlines_.set(kListener, std::nullopt);
  listener_.reset();
  std::vector<ConnectionId> ids;
  ids.reserve(connections_.size());
  for (const auto& [id, entry] : connections_) ids.push_back(id);
  for (const ConnectionId id : ids) {
    Entry& entry = *connections_.at(id);
    settle(id, entry, entry.connection.on_last_call(now_));
  }
}

void Front::fire_deadlines() {
  while (const auto id = deadlines_.take_due(now_)) {
    if (*id == kListener) {
      if (!watch(listener_.get(), kListener, EPOLLIN)) deadlines_.set(kListener, now_ + kAcceptPause);
      continue;
    }
    Entry& entry = *connections_.at(*id);
    settle(*id, entry, entry.connection.on_deadline(now_));
  }
}

void Front::tell_when_empty() {
  if (!surroundings_.last_call || !connections_.empty()) return;
  {
    const std::scoped_lock lock(mutex_);
    empty_ = true;
  }
  emptied_.notify_all();
}

}  // namespace toposeg::webhook
