// Structured logs: a fixed sentence and named values, one line each, on standard error.
//
//   log::Logger logger({.level = log::Level::kInfo, .format = log::Format::kJson});
//   logger.info("Review answered", {{"uid", uid}, {"decision", decision}, {"seconds", 0.0012}});
//   {"ts":1764434307123.456,"level":"info","msg":"Review answered","uid":"…","decision":"…","seconds":0.0012}
//
// The message is a constant that starts with a capital and ends without a period; what varies stands in the
// values, which are scalars only: whole objects never go to a log.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "common/base/clock.h"

namespace spdlog {
class logger;
}

namespace toposeg::log {

enum class Level : std::uint8_t { kTrace, kDebug, kInfo, kWarn, kError };
enum class Format : std::uint8_t {
  kJson,  // one object a line; ts = milliseconds since 1970 with a fraction
  kText,  // 2026-11-29T16:38:27.123Z info Review answered uid=… decision=…
};

// "info" -> kInfo; none for a word that is no level.
[[nodiscard]] std::optional<Level> parse_level(std::string_view name);
[[nodiscard]] std::optional<Format> parse_format(std::string_view name);

// A scalar. Texts are not copied: a value lives for one call.
class Value {
 public:
  using Scalar = std::variant<std::string_view, bool, std::int64_t, std::uint64_t, double>;

  // Implicit, so that a call reads as a list of names and values.
  template <std::convertible_to<std::string_view> T>
  Value(const T& text) : scalar_(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  Value(bool value) : scalar_(value) {}                      // NOLINT(google-explicit-constructor)
  template <std::signed_integral T>
  Value(T value) : scalar_(std::int64_t{value}) {}  // NOLINT(google-explicit-constructor)
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  Value(T value) : scalar_(std::uint64_t{value}) {}  // NOLINT(google-explicit-constructor)
  Value(double value) : scalar_(value) {}            // NOLINT(google-explicit-constructor)

  [[nodiscard]] const Scalar& scalar() const { return scalar_; }

 private:
  Scalar scalar_;
};

struct Field {
  std::string_view key;  // a short lower-case name; not ts, level or msg
  Value value;
};

using Fields = std::initializer_list<Field>;

struct Options {
  Level level = Level::kInfo;
  Format format = Format::kJson;
  std::ostream* stream = nullptr;                                        // nullptr = standard error
  std::shared_ptr<const Clock> clock = std::make_shared<SystemClock>();  // wall() stamps each line
};

// A handle: copies write to the same place and share one level. Thread safe; lines of several threads never
// mix. Line breaks, control characters and broken UTF-8 in values are escaped, so a value cannot forge a
// line.
class Logger {
 public:
  explicit Logger(const Options& options = {});

  void trace(std::string_view message, Fields fields = {}) const { write(Level::kTrace, message, fields); }
  void debug(std::string_view message, Fields fields = {}) const { write(Level::kDebug, message, fields); }
  void info(std::string_view message, Fields fields = {}) const { write(Level::kInfo, message, fields); }
  void warn(std::string_view message, Fields fields = {}) const { write(Level::kWarn, message, fields); }
  void error(std::string_view message, Fields fields = {}) const { write(Level::kError, message, fields); }

  void set_level(Level level);
  [[nodiscard]] bool enabled(Level level) const;

 private:
  void write(Level level, std::string_view message, Fields fields) const;

  std::shared_ptr<spdlog::logger> sink_;
  Format format_;
  std::shared_ptr<const Clock> clock_;
};

}  // namespace toposeg::log
