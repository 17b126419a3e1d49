// The connection front: one thread with epoll over one listening port. It gathers whole requests within
// limits, hands them on, and writes the answers; idle connections cost a few KiB and no time.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "common/base/error.h"
#include "webhook/server/connection.h"
#include "webhook/server/deadlines.h"
#include "webhook/server/descriptor.h"
#include "webhook/server/tls.h"

namespace toposeg::webhook {

struct FrontOptions {
  std::string address;
  std::uint16_t port = 0;  // 0 = any free one
  HeadRules rules;
  Patience patience;
  // An eighth more (at least 16) is accepted to be told 429; beyond that connections are closed at once.
  unsigned max_connections = 4096;
  std::size_t most_buffered = std::size_t{256} << 20U;  // see Surroundings
};

class Front {
 public:
  // Called on the front's thread for each whole request; must not block. Moves the exchange away, or returns
  // false when it cannot be queued.
  using Take = std::function<bool(std::unique_ptr<Exchange>&)>;

  // A null `tls` means plain HTTP. `metrics` outlives the front.
  Front(FrontOptions options, std::unique_ptr<Tls> tls, Take take, FrontMetrics& metrics);
  ~Front() { stop(); }
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  [[nodiscard]] Result<void> start();
  [[nodiscard]] std::uint16_t port() const { return port_; }  // after start()

  // The rest may be called from any thread.

  // The answer to an exchange that was taken; forgotten when its connection has gone meanwhile.
  void answer(Finished finished);

  // From now on every answer ends its connection.
  void close_after_answers() { surroundings_.closing = true; }
  [[nodiscard]] bool closing_after_answers() const { return surroundings_.closing; }

  // Takes what waits in the backlog, closes the port and the idle connections.
  void stop_accepting();
  // After stop_accepting(): blocks until no connection is left, stop() or `limit` is over.
  void wait_until_empty(std::chrono::milliseconds limit);
  // Drops whatever is open. Returns when the thread has ended.
  void stop();

 private:
  struct Entry {
    Entry(ConnectionId id, int socket, certs::SessionOwner session, Surroundings& surroundings, bool surplus,
          Instant now)
        : transport(socket, std::move(session)), connection(id, transport, surroundings, surplus, now) {}
    Transport transport;
    Connection connection;
  };
  struct Mailbox {
    std::vector<Finished> finished;
    bool stop_accepting = false;
    bool stop = false;
  };

  [[nodiscard]] bool watch(int socket, ConnectionId id, std::uint32_t events);
  void wake();
  void run();
  [[nodiscard]] int wait_time() const;  // in milliseconds, for epoll
  void on_event(ConnectionId id, std::uint32_t events);
  void accept_some(int most);
  void add(Descriptor socket);
  void settle(ConnectionId id, Entry& entry, Connection::Fate fate);
  void empty_mailbox();
  void begin_last_call();
  void fire_deadlines();
  void tell_when_empty();

  FrontOptions options_;
  std::unique_ptr<Tls> tls_;
  FrontMetrics& metrics_;
  Surroundings surroundings_;

  Descriptor epoll_;
  Descriptor wake_;
  Descriptor listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;

  // Of the front's thread only.
  std::array<char, std::size_t{16} << 10U> scratch_{};
  std::unordered_map<ConnectionId, std::unique_ptr<Entry>> connections_;
  Deadlines deadlines_;
  std::vector<ConnectionId> ready_;  // stopped in the middle to let others have their turn
  ConnectionId next_id_;
  Instant now_;
  bool stopping_ = false;

  std::mutex mutex_;
  std::mutex join_mutex_;  // stop() may be called by two threads at once
  std::condition_variable emptied_;
  Mailbox mailbox_;
  bool empty_ = false;
};

}  // namespace toposeg::webhook
