// The signals of a serving process as values: SIGTERM and SIGINT end it, SIGHUP reads its files again.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "common/base/error.h"

namespace toposeg::webhook {

enum class Signal : std::uint8_t { kStop, kReload };

// Made before any other thread starts, since these inherit which signals are blocked. Ignores SIGPIPE from
// then on.
class Signals {
 public:
  [[nodiscard]] static Result<Signals> create();
  ~Signals();
  Signals(Signals&& other) noexcept;
  Signals& operator=(Signals&&) = delete;

  // The next signal; none when `timeout` has passed.
  [[nodiscard]] std::optional<Signal> wait(std::chrono::milliseconds timeout) const;

 private:
  explicit Signals(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace toposeg::webhook
