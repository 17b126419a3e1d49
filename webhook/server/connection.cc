#include "webhook/server/connection.h"

#include <algorithm>

namespace toposeg::webhook {
namespace {

constexpr int kStepsPerTurn = 32;  // of up to 16 KiB each, then others have their turn
constexpr std::size_t kMostDiscarded = std::size_t{16} << 20U;  // bytes of a refused request
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

Connection::Connection(ConnectionId id, Transport& transport, Surroundings& surroundings, bool surplus,
                       Instant now)
    : id_(id),
      transport_(transport),
      surroundings_(surroundings),
      surplus_(surplus),
      phase_(transport.needs_handshake() ? Phase::kHandshake : Phase::kReading),
      deadline_(now + (transport.needs_handshake() ? surroundings.patience.handshake
                                                   : surroundings.patience.idle)) {}

Connection::Fate Connection::advance(Instant now) {
  for (int i = 0; i < kStepsPerTurn; ++i) {
    switch (step(now)) {
      case Step::kNext:
        break;
      case Step::kWait:
        return Fate::kWait;
      case Step::kEnd:
        return Fate::kEnd;
    }
  }
  return Fate::kAgain;
}

Connection::Step Connection::step(Instant now) {
  switch (phase_) {
    case Phase::kHandshake:
      return shake_hands(now);
    case Phase::kReading:
      return read(now);
    case Phase::kWriting:
      return write(now);
    case Phase::kLingering:
      return linger();
    case Phase::kWaiting:
      break;
  }
  return Step::kWait;
}

Connection::Step Connection::shake_hands(Instant now) {
  switch (transport_.handshake()) {
    case Io::kAgain:
      return Step::kWait;
    case Io::kDone:
      phase_ = Phase::kReading;
      deadline_ = now + surroundings_.patience.idle;
      return Step::kNext;
    case Io::kClosed:
    case Io::kFailed:
      break;
  }
  surroundings_.metrics->dropped(Drop::kTls);
  return Step::kEnd;
}

Connection::Step Connection::read(Instant now) {
  if (take_request(now)) return Step::kNext;
  const auto [io, bytes] = transport_.read(surroundings_.scratch);
  if (io == Io::kAgain) return Step::kWait;
  if (io != Io::kDone) {
    if (!quiet()) surroundings_.metrics->dropped(Drop::kIncomplete);
    return Step::kEnd;
  }
  if (quiet()) deadline_ = now + surroundings_.patience.header;
  input_.append(surroundings_.scratch.data(), bytes);
  hold(input_.size());
  if (surroundings_.buffered > surroundings_.most_buffered) refuse(Refusal::kBusy, now);
  return Step::kNext;
}

bool Connection::take_request(Instant now) {
  if (!head_ && !take_head(now)) return phase_ != Phase::kReading;
  if (input_.size() - head_end_ >= head_->content_length) {
    submit(now);
    return true;
  }
  if (head_->expects_continue) {
    head_->expects_continue = false;
    interim_ = true;
    start_writing(std::string(kContinue), false, now);
    return true;
  }
  return false;
}

// True when the head is whole and good. A bad one is refused at once, before its body is read.
bool Connection::take_head(Instant now) {
  if (input_.empty()) return false;
  const auto end = find_head_end(input_, scanned_, surroundings_.rules);
  if (!end) {
    refuse(end.error(), now);
    return false;
  }
  if (*end == 0) return false;
  auto head = parse_head(std::string_view(input_).substr(0, *end), surroundings_.rules);
  if (head && surplus_) head = std::unexpected(Refusal::kTooManyConnections);
  if (!head) {
    refuse(head.error(), now);
    return false;
  }
  head_ = std::move(*head);
  head_end_ = *end;
  deadline_ = now + surroundings_.patience.body;
  return true;
}

void Connection::submit(Instant now) {
  const std::size_t end = head_end_ + head_->content_length;
  std::string rest = input_.substr(end);  // of the next request, when the client pipelines
  auto exchange = std::make_unique<Exchange>();
  exchange->connection = id_;
  exchange->head = std::move(*head_);
  exchange->bytes = std::move(input_);
  exchange->body_begin = head_end_;
  exchange->arrived = now;
  const bool keep_alive = exchange->head.keep_alive;
  input_ = std::move(rest);
  head_.reset();
  scanned_ = 0;
  arrived_ = now;
  hold(exchange->bytes.size() + input_.size());
  if (surroundings_.take(exchange)) {
    surroundings_.metrics->request_started();
    phase_ = Phase::kWaiting;
    deadline_.reset();
    return;
  }
  exchange.reset();
  hold(input_.size());
  surroundings_.metrics->refused(Refusal::kBusy);
  const bool close = !keep_alive || surroundings_.closing;
  start_writing(answer_of(Refusal::kBusy, surroundings_.rules.method, close), close, now);
}

void Connection::refuse(Refusal refusal, Instant now) {
  surroundings_.metrics->refused(refusal);
  input_ = {};
  head_.reset();
  hold(0);
  start_writing(answer_of(refusal, surroundings_.rules.method, true), true, now);
}

void Connection::hold(std::size_t bytes) {
  surroundings_.buffered += bytes - held_;  // wraps around and back when it shrinks
  held_ = bytes;
}

void Connection::start_writing(std::string bytes, bool close, Instant now) {
  output_ = std::move(bytes);
  written_ = 0;
  close_ = close;
  status_ = 0;
  phase_ = Phase::kWriting;
  deadline_ = now + surroundings_.patience.answer;
}

Connection::Step Connection::write(Instant now) {
  const auto [io, bytes] = transport_.write(std::string_view(output_).substr(written_));
  if (io == Io::kAgain) return Step::kWait;
  if (io != Io::kDone) {
    surroundings_.metrics->dropped(Drop::kIncomplete);
    return Step::kEnd;
  }
  written_ += bytes;
  if (written_ < output_.size()) return Step::kNext;
  output_ = {};
  if (interim_) {
    interim_ = false;
    phase_ = Phase::kReading;
    deadline_ = now + surroundings_.patience.body;
    return Step::kNext;
  }
  if (status_ != 0) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - arrived_;
    surroundings_.metrics->answered(status_, taken.count());
  }
  ++answered_;
  if (close_) {
    input_ = {};
    transport_.close_write();
    phase_ = Phase::kLingering;
    deadline_ = now + surroundings_.patience.linger;
    return Step::kNext;
  }
  phase_ = Phase::kReading;
  const Patience& patience = surroundings_.patience;
  deadline_ = now + (!input_.empty()           ? patience.header
                     : surroundings_.last_call ? patience.fresh
                                               : patience.idle);
  return Step::kNext;
}

// Closing a socket with unread bytes resets it, and the reset can overtake the answer.
Connection::Step Connection::linger() {
  const auto [io, bytes] = transport_.discard(surroundings_.scratch);
  if (io == Io::kAgain) return Step::kWait;
  discarded_ += bytes;
  return io == Io::kDone && discarded_ < kMostDiscarded ? Step::kNext : Step::kEnd;
}

Connection::Fate Connection::on_answer(Finished finished, Instant now) {
  hold(input_.size());
  start_writing(std::move(finished.bytes), finished.close, now);
  status_ = finished.status;
  return advance(now);
}

Connection::Fate Connection::on_deadline(Instant now) {
  switch (phase_) {
    case Phase::kHandshake:
      surroundings_.metrics->dropped(Drop::kHandshakeTimeout);
      return Fate::kEnd;
    case Phase::kWriting:
      surroundings_.metrics->dropped(Drop::kSlowReader);
      return Fate::kEnd;
    case Phase::kReading:
      if (quiet()) {
        transport_.close_write();
        return Fate::kEnd;
      }
      refuse(Refusal::kTimeout, now);
      return advance(now);
    case Phase::kWaiting:
    case Phase::kLingering:
      break;
  }
  return Fate::kEnd;
}

Connection::Fate Connection::on_last_call(Instant now) {
  const Fate fate = advance(now);  // bytes may wait in the socket
  if (fate == Fate::kEnd || (phase_ != Phase::kHandshake && !quiet())) return fate;
  if (answered_ > 0) return on_deadline(now);
  deadline_ = std::min(deadline_.value_or(now), now + surroundings_.patience.fresh);
  return fate;
}

}  // namespace toposeg::webhook
