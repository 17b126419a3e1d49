// Bytes over a non-blocking socket, with or without TLS; the two look the same to a connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "certs/openssl.h"

namespace toposeg::webhook {

enum class Io : std::uint8_t {
  kDone,    // made progress
  kAgain,   // nothing now; the socket tells when
  kClosed,  // the peer has ended its side
  kFailed,
};

struct Moved {
  Io io = Io::kFailed;
  std::size_t bytes = 0;  // with kDone, at least one
};

// Owns the socket. Not thread safe.
class Transport {
 public:
  // A null session means plain bytes.
  Transport(int socket, certs::SessionOwner session);
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] bool needs_handshake() const { return session_ != nullptr; }

  [[nodiscard]] Io handshake();
  [[nodiscard]] Moved read(std::span<char> into);
  [[nodiscard]] Moved write(std::string_view bytes);

  // Says goodbye (TLS close_notify, then FIN) and gives the TLS memory back. Afterwards only discard() makes
  // sense.
  void close_write();
  // Takes raw bytes off the socket and forgets them.
  [[nodiscard]] Moved discard(std::span<char> scratch);

 private:
  [[nodiscard]] Moved judge(int result);

  int socket_;
  certs::SessionOwner session_;
};

}  // namespace toposeg::webhook
