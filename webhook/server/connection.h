// One connection as a state machine that the front's loop turns: handshake, reading a request, waiting for
// its answer, writing it, and again. It never blocks; requests of one connection are answered one after the
// other.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "webhook/server/exchange.h"
#include "webhook/server/metrics.h"
#include "webhook/server/transport.h"

namespace toposeg::webhook {

struct Patience {
  std::chrono::milliseconds handshake{10'000};
  std::chrono::milliseconds header{10'000};  // from the first byte of a request to the end of its head
  std::chrono::milliseconds body{10'000};    // from the end of the head to the last byte
  std::chrono::milliseconds answer{10'000};  // for the peer to take an answer
  std::chrono::milliseconds idle{150'000};   // between requests; API servers keep theirs for 90 s
  std::chrono::milliseconds linger{2'000};   // to let a last answer arrive before the socket closes
  std::chrono::milliseconds fresh{1'000};    // for a first request once no more connections are taken
};

// What a connection needs of its front; outlives it. `take` moves the exchange away, or returns false when
// the queue is full and leaves it.
struct Surroundings {
  HeadRules rules;
  Patience patience;
  std::function<bool(std::unique_ptr<Exchange>&)> take;
  FrontMetrics* metrics = nullptr;
  std::atomic<bool> closing{false};  // every answer ends its connection
  bool last_call = false;            // no more connections are taken
  std::span<char> scratch;           // one for all connections, so that an idle one has no buffer
  std::size_t buffered = 0;       // bytes of requests that all connections hold, also while a worker has them
  std::size_t most_buffered = 0;  // over it new bytes are answered with busy
};

class Connection {
 public:
  enum class Fate : std::uint8_t {
    kWait,   // for the socket, the answer or the deadline
    kAgain,  // more work is ready; it stopped to let others have their turn
    kEnd,    // to be destroyed
  };

  // `surplus`: the front is full; the first request is refused politely.
  Connection(ConnectionId id, Transport& transport, Surroundings& surroundings, bool surplus, Instant now);
  ~Connection() { hold(0); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // The socket may be ready.
  [[nodiscard]] Fate advance(Instant now);
  [[nodiscard]] Fate on_answer(Finished finished, Instant now);
  [[nodiscard]] Fate on_deadline(Instant now);
  // The front takes no more connections: an idle one ends, one that had no request yet gets a short last
  // chance.
  [[nodiscard]] Fate on_last_call(Instant now);

  // None while a worker has the request: the handler keeps to its own limit.
  [[nodiscard]] std::optional<Instant> deadline() const { return deadline_; }

 private:
  enum class Phase : std::uint8_t { kHandshake, kReading, kWaiting, kWriting, kLingering };
  enum class Step : std::uint8_t { kNext, kWait, kEnd };

  [[nodiscard]] Step step(Instant now);
  [[nodiscard]] Step shake_hands(Instant now);
  [[nodiscard]] Step read(Instant now);
  [[nodiscard]] Step write(Instant now);
  [[nodiscard]] Step linger();

  // False while the input holds no whole request.
  [[nodiscard]] bool take_request(Instant now);
  [[nodiscard]] bool take_head(Instant now);
  void submit(Instant now);
  void refuse(Refusal refusal, Instant now);
  void start_writing(std::string bytes, bool close, Instant now);
  void hold(std::size_t bytes);
  [[nodiscard]] bool quiet() const { return phase_ == Phase::kReading && input_.empty() && !head_; }

  const ConnectionId id_;
  Transport& transport_;
  Surroundings& surroundings_;
  const bool surplus_;

  Phase phase_;
  std::optional<Instant> deadline_;
  std::string input_;
  std::size_t held_ = 0;     // our part of `buffered`
  std::size_t scanned_ = 0;  // of the input, by find_head_end()
  std::size_t head_end_ = 0;
  std::optional<Head> head_;
  std::string output_;
  std::size_t written_ = 0;
  bool close_ = false;          // after the output
  bool interim_ = false;        // the output is "100 Continue": the same request goes on
  std::uint64_t answered_ = 0;  // requests
  std::size_t discarded_ = 0;
  int status_ = 0;  // of the answer being written, 0 for a refusal
  Instant arrived_;
};

}  // namespace toposeg::webhook
