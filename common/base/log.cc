#include "common/base/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <type_traits>

#include "common/base/text.h"

namespace toposeg::log {

namespace {

constexpr std::array<std::string_view, 5> kLevelNames = {"trace", "debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 2> kFormatNames = {"json", "text"};

spdlog::level::level_enum native(Level level) {
  constexpr std::array kNative = {spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
                                  spdlog::level::warn, spdlog::level::err};
  return kNative.at(static_cast<std::size_t>(level));
}

std::shared_ptr<spdlog::logger> make_sink(const Options& options) {
  std::shared_ptr<spdlog::sinks::sink> sink;
  if (options.stream != nullptr) {
    sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(*options.stream, true);
  } else {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }
  auto logger = std::make_shared<spdlog::logger>("toposeg", std::move(sink));
  logger->set_pattern("%v");
  logger->set_level(native(options.level));
  return logger;
}

// Text values that could be mistaken for several fields are quoted.
bool needs_quotes(std::string_view text) {
  return text.empty() || std::any_of(text.begin(), text.end(), [](char c) {
           return c <= ' ' || c == '"' || c == '=' || c == '\\' || static_cast<unsigned char>(c) >= 0x7F;
         });
}

void append_value(std::string& line, const Value& value, Format format) {
  std::visit(
      [&](auto scalar) {
        using T = std::decay_t<decltype(scalar)>;
        if constexpr (std::is_same_v<T, std::string_view>) {
          if (format == Format::kText && !needs_quotes(scalar)) {
            line += scalar;
          } else {
            append_json_string(line, scalar);
          }
        } else if constexpr (std::is_same_v<T, double>) {
          line += std::isfinite(scalar) ? fmt::to_string(scalar) : "null";  // JSON has no infinity
        } else {
          line += fmt::to_string(scalar);
        }
      },
      value.scalar());
}

std::string json_line(WallTime time, std::string_view level, std::string_view message, Fields fields) {
  const auto stamp = std::chrono::duration<double, std::milli>(time.time_since_epoch()).count();
  std::string line = fmt::format(R"({{"ts":{:.3f},"level":"{}","msg":)", stamp, level);
  append_json_string(line, message);
  for (const Field& field : fields) {
    line += ',';
    append_json_string(line, field.key);
    line += ':';
    append_value(line, field.value, Format::kJson);
  }
  return line + '}';
}

std::string text_line(WallTime time, std::string_view level, std::string_view message, Fields fields) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto fraction = std::chrono::floor<std::chrono::milliseconds>(time - seconds);
  std::string line = fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03d}Z {} {}",
                                 fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), fraction.count(),
                                 level, message);
  for (const Field& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    append_value(line, field.value, Format::kText);
  }
  return line;
}

}  // namespace

std::optional<Level> parse_level(std::string_view name) {
  const auto* const found = std::find(kLevelNames.begin(), kLevelNames.end(), name);
  if (found == kLevelNames.end()) return std::nullopt;
  return static_cast<Level>(found - kLevelNames.begin());
}

std::optional<Format> parse_format(std::string_view name) {
  const auto* const found = std::find(kFormatNames.begin(), kFormatNames.end(), name);
  if (found == kFormatNames.end()) return std::nullopt;
  return static_cast<Format>(found - kFormatNames.begin());
}

Logger::Logger(const Options& options)
    : sink_(make_sink(options)), format_(options.format), clock_(options.clock) {}

void Logger::set_level(Level level) { sink_->set_level(native(level)); }

bool Logger::enabled(Level level) const { return sink_->should_log(native(level)); }

void Logger::write(Level level, std::string_view message, Fields fields) const {
  if (!enabled(level)) return;
  const std::string_view name = kLevelNames.at(static_cast<std::size_t>(level));
  const WallTime time = clock_->wall();
  const std::string line = format_ == Format::kJson ? json_line(time, name, message, fields)
                                                    : text_line(time, name, message, fields);
  sink_->log(native(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace toposeg::log
