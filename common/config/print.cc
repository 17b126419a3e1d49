#include "common/config/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <variant>

#include "common/base/text.h"
#include "common/config/config.h"
#include "common/config/units.h"

namespace toposeg::config {

namespace {

constexpr std::size_t kColumns = 100;

std::string print_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);  // a JSON string is a double-quoted YAML one
  return out;
}

struct Printer {
  std::string operator()(const Flag& flag) const { return *flag.value ? "true" : "false"; }

  std::string operator()(const Number& number) const {
    return std::visit([](const auto* value) { return fmt::to_string(*value); }, number.value);
  }

  std::string operator()(const Size& size) const { return print_size(*size.value); }

  std::string operator()(const Duration& duration) const {
    return std::visit([](const auto* value) { return print_duration(*value); }, duration.value);
  }

  std::string operator()(const Text& text) const { return print_text(*text.value); }

  std::string operator()(const Texts& texts) const {
    std::string out;
    for (const std::string& text : *texts.value) out += (out.empty() ? "" : ", ") + print_text(text);
    return '[' + out + ']';
  }

  std::string operator()(const Choice& choice) const {
    const auto word = [&](const auto* value) {
      if constexpr (std::is_same_v<decltype(value), const std::string*>) {
        return *value;
      } else {
        return std::string(choice.words.at(static_cast<std::size_t>(*value)));
      }
    };
    return std::visit(word, choice.value);
  }

  std::string operator()(const Rules& rules) const { return rules.value->empty() ? "[]" : ""; }
  std::string operator()(const Pools& pools) const { return pools.value->empty() ? "[]" : ""; }
};

void add_comment(std::string& out, std::string_view comment, std::string_view margin) {
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += fmt::format("{}#{}\n", margin, line);
    line.clear();
  };
  while (!comment.empty()) {
    const std::string_view word = comment.substr(0, comment.find(' '));
    comment.remove_prefix(std::min(word.size() + 1, comment.size()));
    if (margin.size() + 2 + line.size() + word.size() > kColumns) end_line();
    line += ' ';
    line += word;
  }
  end_line();
}

// Items of a list of records; what a record leaves empty is not printed.
template <typename Record>
void add_records(std::string& out, const std::vector<Record>& records) {
  Record sample;
  for (const Field& field : fields(sample)) {
    add_comment(out, fmt::format("{}: {}{}", field.key, field.comment, field.required ? " Required." : ""),
                "    ");
  }
  for (Record record : records) {
    std::string_view lead = "    - ";
    for (const Field& field : fields(record)) {
      const std::string value = print_value(field);
      if (!field.required && (value == "\"\"" || value == "[]")) continue;
      out += fmt::format("{}{}: {}\n", lead, field.key, value);
      lead = "      ";
    }
  }
}

void add_field(std::string& out, const Field& field) {
  add_comment(out, field.comment, "  ");
  const std::string value = print_value(field);
  out += fmt::format("  {}:{}{}\n", field.key, value.empty() ? "" : " ", value);
  if (const auto* rules = std::get_if<Rules>(&field.binding)) add_records(out, *rules->value);
  if (const auto* pools = std::get_if<Pools>(&field.binding)) add_records(out, *pools->value);
}

}  // namespace

std::string print_value(const Field& field) { return std::visit(Printer{}, field.binding); }

std::string print(const Config& config) {
  std::string out;
  add_comment(out,
              "Configuration of toposeg. Every key is optional; what is left out has the default. Durations "
              "are written "
              "10s, 5m, 1h30m or 500ms, sizes 16Ki or 7Mi.",
              "");
  Config copy = config;
  for (const Section& section : sections(copy)) {
    out += '\n';
    add_comment(out, section.comment, "");
    out += fmt::format("{}:\n", section.key);
    for (const Field& field : section.fields) add_field(out, field);
  }
  return out;
}

}  // namespace toposeg::config
