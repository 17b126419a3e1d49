// Every key of the configuration file once: its name, what it binds to, its bounds and its explanation.
// Reading, printing and the reference documentation all follow this list, so none can forget a key.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/config/config.h"

namespace toposeg::config {

// What a text must be; `what` completes "must be …".
struct TextRule {
  bool (*holds)(std::string_view) = nullptr;  // nullptr = any text
  std::string_view what;
};

struct Flag {
  bool* value;
};

struct Number {
  std::variant<int*, unsigned*, std::uint16_t*> value;
  std::int64_t least;
  std::int64_t most;
};

struct Size {
  std::size_t* value;
  std::uint64_t least;
  std::uint64_t most;
};

struct Duration {
  std::variant<std::chrono::milliseconds*, std::chrono::seconds*> value;
  std::chrono::milliseconds least;
  std::chrono::milliseconds most;
};

struct Text {
  std::string* value;
  TextRule rule;  // an empty text always passes where it may be empty
  bool may_be_empty = true;
};

struct Texts {
  std::vector<std::string>* value;
  TextRule rule;
  bool may_be_empty = true;  // the list; its texts may not
};

// One of a few words.
struct Choice {
  std::variant<UnknownLevel*, WhenUnfit*, Passing*, std::string*> value;
  std::vector<std::string_view> words;  // in the order of the enumeration
};

struct Rules {
  std::vector<ManagedRule>* value;
};

struct Pools {
  std::vector<PoolTopology>* value;
};

struct Field {
  std::string_view key;
  std::variant<Flag, Number, Size, Duration, Text, Texts, Choice, Rules, Pools> binding;
  std::string_view comment;  // one sentence or two
  bool required = false;
};

struct Section {
  std::string_view key;
  std::string_view comment;
  std::vector<Field> fields;
};

// The bindings point into the argument.
[[nodiscard]] std::vector<Section> sections(Config& config);
[[nodiscard]] std::vector<Field> fields(ManagedRule& rule);
[[nodiscard]] std::vector<Field> fields(PoolTopology& pool);

}  // namespace toposeg::config
