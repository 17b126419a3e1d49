#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "common/base/plain_text.h"
#include "common/base/text.h"
#include "common/config/config.h"
#include "common/config/schema.h"
#include "common/config/units.h"
#include "common/kube/yaml_faults.h"

namespace toposeg::config {

namespace {

constexpr std::size_t kMostBytes = 1U << 20U;
constexpr std::size_t kMostFaults = 100;  // nobody reads more

bool is_quoted(const YAML::Node& node) { return node.Tag() == "!"; }

std::string shown(const YAML::Node& node) {
  if (node.IsScalar()) return quote(node.Scalar());
  if (node.IsSequence()) return "a list";
  return node.IsMap() ? "a mapping" : "null";
}

// Walks the file along the schema, filling in a configuration and collecting every fault.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  void read(const YAML::Node& root, Config& config);
  void read(const Field& field, const Setting& setting);
  void check_server(const ServerConfig& server);
  void add_fault(int line, std::string message) { add_fault(place(line), std::move(message)); }
  [[nodiscard]] std::vector<Error> take_faults() { return std::move(faults_); }

 private:
  struct Entry {
    std::string_view key;
    std::function<void(const YAML::Node& value, const std::string& path)> read;
    bool required = false;
  };

  void read_map(const YAML::Node& node, const std::string& path, const std::vector<Entry>& entries);
  void read_fields(const YAML::Node& node, const std::string& path, const std::vector<Field>& fields);

  void read(const Flag& flag, const YAML::Node& node, const std::string& path);
  void read(const Number& number, const YAML::Node& node, const std::string& path);
  void read(const Size& size, const YAML::Node& node, const std::string& path);
  void read(const Duration& duration, const YAML::Node& node, const std::string& path);
  void read(const Text& text, const YAML::Node& node, const std::string& path);
  void read(const Texts& texts, const YAML::Node& node, const std::string& path);
  void read(const Choice& choice, const YAML::Node& node, const std::string& path);
  void read(const Rules& rules, const YAML::Node& node, const std::string& path);
  void read(const Pools& pools, const YAML::Node& node, const std::string& path);

  bool check_text(const YAML::Node& node, const std::string& path, const TextRule& rule, bool may_be_empty);
  void refuse(const YAML::Node& node, const std::string& path, std::string_view right);
  [[nodiscard]] bool is_sequence(const YAML::Node& node, const std::string& path);
  void add_fault(std::string where, std::string message);
  [[nodiscard]] std::string place(int line) const;
  [[nodiscard]] std::string place_of(const std::string& path) const;

  std::string name_;
  std::string setter_;                         // of the value that is read, when it is no file's
  std::map<std::string, std::string> places_;  // of the keys that were given
  std::vector<Error> faults_;
};

void Reader::add_fault(std::string where, std::string message) {
  if (faults_.size() == kMostFaults) return;
  faults_.push_back({Code::kInvalid, std::move(message), std::move(where)});
}

std::string Reader::place(int line) const {
  return setter_.empty() ? fmt::format("{}:{}", name_, line) : setter_;
}

void Reader::refuse(const YAML::Node& node, const std::string& path, std::string_view right) {
  add_fault(node.Mark().line + 1, fmt::format("{} is {}; it must be {}", path, shown(node), right));
}

std::string Reader::place_of(const std::string& path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? place(1) : found->second;
}

void Reader::read_map(const YAML::Node& node, const std::string& path, const std::vector<Entry>& entries) {
  if (!node.IsMap()) return refuse(node, path.empty() ? "the file" : path, "a mapping of keys to values");
  std::set<std::string, std::less<>> seen;
  for (const auto& pair : node) {
    const int line = pair.first.Mark().line + 1;
    if (!pair.first.IsScalar()) {
      add_fault(line, fmt::format("a key is {}; it must be a word", shown(pair.first)));
      continue;
    }
    const std::string& key = pair.first.Scalar();
    const std::string full = path.empty() ? key : fmt::format("{}.{}", path, key);
    const auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
    if (entry == entries.end()) {
      std::vector<std::string_view> known;
      known.reserve(entries.size());
      for (const Entry& e : entries) known.push_back(e.key);
      add_fault(line, fmt::format("{} is not a key{}{}", quote(key), path.empty() ? "" : " of " + path,
                                  did_you_mean(key, known)));
    } else if (!seen.insert(key).second) {
      add_fault(line, fmt::format("{} appears twice", full));
    } else if (!pair.second.IsNull()) {
      places_[full] = place(line);
      entry->read(pair.second, full);
    }
  }
  for (const Entry& entry : entries) {
    if (entry.required && !places_.contains(fmt::format("{}.{}", path, entry.key))) {
      add_fault(node.Mark().line + 1, fmt::format("{}.{} is missing", path, entry.key));
    }
  }
}

void Reader::read_fields(const YAML::Node& node, const std::string& path, const std::vector<Field>& fields) {
  std::vector<Entry> entries;
  entries.reserve(fields.size());
  for (const Field& field : fields) {
    const auto read_value = [&](const YAML::Node& value, const std::string& full) {
      std::visit([&](const auto& binding) { read(binding, value, full); }, field.binding);
    };
    entries.push_back({field.key, read_value, field.required});
  }
  read_map(node, path, entries);
}

void Reader::read(const YAML::Node& root, Config& config) {
  const std::vector<Section> schema = sections(config);
  std::vector<Entry> entries;
  for (const Section& section : schema) {
    entries.push_back({section.key, [&](const YAML::Node& value, const std::string& path) {
                         read_fields(value, path, section.fields);
                       }});
  }
  read_map(root, "", entries);
  check_server(config.server);
}

void Reader::read(const Field& field, const Setting& setting) {
  setter_ = setting.where;
  places_[setting.key] = setter_;
  YAML::Node node(YAML::NodeType::Sequence);
  for (const std::string& value : setting.values) node.push_back(value);
  const YAML::Node value = std::holds_alternative<Texts>(field.binding) ? node : node[node.size() - 1];
  std::visit([&](const auto& binding) { read(binding, value, setting.key); }, field.binding);
}

void Reader::read(const Flag& flag, const YAML::Node& node, const std::string& path) {
  const bool is_plain = node.IsScalar() && !is_quoted(node);
  if (!is_plain || (node.Scalar() != "true" && node.Scalar() != "false"))
    return refuse(node, path, "true or false");
  *flag.value = node.Scalar() == "true";
}

void Reader::read(const Number& number, const YAML::Node& node, const std::string& path) {
  const std::string right = fmt::format("a whole number from {} to {}", number.least, number.most);
  if (!node.IsScalar() || is_quoted(node)) return refuse(node, path, right + ", without quotes");
  const std::string& text = node.Scalar();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || value < number.least || value > number.most) return refuse(node, path, right);
  std::visit([value](auto* target) { *target = static_cast<std::decay_t<decltype(*target)>>(value); },
             number.value);
}

void Reader::read(const Size& size, const YAML::Node& node, const std::string& path) {
  const auto bytes = node.IsScalar() ? parse_size(node.Scalar()) : std::nullopt;
  if (!bytes || *bytes < size.least || *bytes > size.most) {
    return refuse(node, path,
                  fmt::format("a size from {} to {}, such as 64Ki or 1Mi", print_size(size.least),
                              print_size(size.most)));
  }
  *size.value = static_cast<std::size_t>(*bytes);
}

void Reader::read(const Duration& duration, const YAML::Node& node, const std::string& path) {
  const auto parsed = node.IsScalar() ? parse_duration(node.Scalar()) : std::nullopt;
  const std::string range =
      fmt::format("a duration from {} to {}", print_duration(duration.least), print_duration(duration.most));
  if (!parsed) return refuse(node, path, range + ", written with its unit, such as 10s, 5m or 500ms");
  const std::chrono::milliseconds value = parsed.value_or(std::chrono::milliseconds(0));
  if (value < duration.least || value > duration.most) return refuse(node, path, range);
  if (auto* const* milliseconds = std::get_if<std::chrono::milliseconds*>(&duration.value)) {
    **milliseconds = value;
    return;
  }
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(value);
  if (seconds != value) return refuse(node, path, range + ", in whole seconds");
  *std::get<std::chrono::seconds*>(duration.value) = seconds;
}

bool Reader::check_text(const YAML::Node& node, const std::string& path, const TextRule& rule,
                        bool may_be_empty) {
  const std::string_view right = rule.what.empty() ? "a text" : rule.what;
  if (!node.IsScalar()) {
    refuse(node, path, right);
    return false;
  }
  const std::string& text = node.Scalar();
  if (!is_plain_text(text)) {
    refuse(node, path, "UTF-8 without control characters");
    return false;
  }
  const bool holds = text.empty() ? may_be_empty : rule.holds == nullptr || rule.holds(text);
  if (!holds) refuse(node, path, text.empty() && rule.what.empty() ? "a text that is not empty" : right);
  return holds;
}

void Reader::read(const Text& text, const YAML::Node& node, const std::string& path) {
  if (check_text(node, path, text.rule, text.may_be_empty)) *text.value = node.Scalar();
}

bool Reader::is_sequence(const YAML::Node& node, const std::string& path) {
  if (!node.IsSequence()) refuse(node, path, "a list");
  return node.IsSequence();
}

void Reader::read(const Texts& texts, const YAML::Node& node, const std::string& path) {
  if (!is_sequence(node, path)) return;
  if (node.size() == 0 && !texts.may_be_empty) {
    return add_fault(node.Mark().line + 1, fmt::format("{} is empty; it must have at least one entry", path));
  }
  texts.value->clear();
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (check_text(node[i], fmt::format("{}[{}]", path, i), texts.rule, false)) {
      texts.value->push_back(node[i].Scalar());
    }
  }
}

void Reader::read(const Choice& choice, const YAML::Node& node, const std::string& path) {
  const auto found = node.IsScalar() ? std::find(choice.words.begin(), choice.words.end(), node.Scalar())
                                     : choice.words.end();
  if (found == choice.words.end()) {
    const std::string hint = node.IsScalar() ? did_you_mean(node.Scalar(), choice.words) : "";
    return refuse(node, path, fmt::format("one of {}{}", join(choice.words, ", "), hint));
  }
  const auto assign = [&](auto* target) {
    using Target = std::decay_t<decltype(*target)>;
    if constexpr (std::is_same_v<Target, std::string>) {
      *target = std::string(*found);
    } else {
      *target = static_cast<Target>(found - choice.words.begin());
    }
  };
  std::visit(assign, choice.value);
}

void Reader::read(const Rules& rules, const YAML::Node& node, const std::string& path) {
  if (!is_sequence(node, path)) return;
  rules.value->clear();
  std::set<std::string> names;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string item = fmt::format("{}[{}]", path, i);
    ManagedRule rule;
    read_fields(node[i], item, fields(rule));
    const int line = node[i].Mark().line + 1;
    if (!rule.name.empty() && !names.insert(rule.name).second) {
      add_fault(line, fmt::format("{}.name is {}, which an earlier rule has", item, quote(rule.name)));
    }
    if (rule.annotation.empty() && !rule.annotation_value.empty()) {
      add_fault(line, fmt::format("{}.annotationValue needs annotation, the key that has the value", item));
    }
    if (rule.label.empty() && !rule.label_value.empty()) {
      add_fault(line, fmt::format("{}.labelValue needs label, the key that has the value", item));
    }
    rules.value->push_back(std::move(rule));
  }
}

void Reader::read(const Pools& pools, const YAML::Node& node, const std::string& path) {
  if (!is_sequence(node, path)) return;
  pools.value->clear();
  for (std::size_t i = 0; i < node.size(); ++i) {
    PoolTopology pool;
    read_fields(node[i], fmt::format("{}[{}]", path, i), fields(pool));
    pools.value->push_back(std::move(pool));
  }
}

void Reader::check_server(const ServerConfig& server) {
  if (server.certificate_file.empty() != server.key_file.empty()) {
    const std::string given = server.key_file.empty() ? "server.certificateFile" : "server.keyFile";
    const std::string other = server.key_file.empty() ? "server.keyFile" : "server.certificateFile";
    add_fault(place_of(given), fmt::format("{} is set without {}; set both, or none", given, other));
  }
  if (server.port != 0 && server.port == server.plain_port) {
    const std::string given = places_.contains("server.plainPort") ? "server.plainPort" : "server.port";
    add_fault(place_of(given),
              fmt::format("server.port and server.plainPort are both {}; they must differ", server.port));
  }
}

// Looks at nothing but where documents start.
class Starts final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    progress_.document_starts(mark);
    line_ = mark.line + 1;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*text*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}
  [[nodiscard]] int line() const { return line_; }

 private:
  kube::YamlProgress progress_;
  int line_ = 0;  // of the last start
};

// 0 = there is one document at most. Throws as the parser does.
int line_of_second_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Starts starts;
  if (!parser.HandleNextDocument(starts)) return 0;
  return parser.HandleNextDocument(starts) ? starts.line() : 0;
}

Field field_of(Config& config, std::string_view key) {
  for (const Section& section : sections(config)) {
    for (const Field& field : section.fields) {
      if (fmt::format("{}.{}", section.key, field.key) == key) return field;
    }
  }
  throw std::out_of_range(fmt::format("{} is no key of the configuration", key));
}

}  // namespace

std::expected<Config, std::vector<Error>> with_settings(Config config, const std::vector<Setting>& settings) {
  Reader reader("");
  for (const Setting& setting : settings) reader.read(field_of(config, setting.key), setting);
  if (!settings.empty()) reader.check_server(config.server);
  std::vector<Error> faults = reader.take_faults();
  if (!faults.empty()) return std::unexpected(std::move(faults));
  return config;
}

std::string_view meaning_of(std::string_view key) {
  Config any;
  return field_of(any, key).comment;
}

std::expected<Config, std::vector<Error>> parse(const std::string& text, const std::string& name) {
  if (text.size() > kMostBytes) {
    const std::string message =
        fmt::format("the configuration has {} bytes; at most {} are read", text.size(), kMostBytes);
    return std::unexpected(std::vector<Error>{{Code::kTooLarge, message, name}});
  }
  Reader reader(name);
  Config config = defaults();
  try {
    if (const int line = line_of_second_document(text); line > 0) {
      reader.add_fault(line, "a second document begins; the configuration is one");
    }
    const YAML::Node document = YAML::Load(text);
    if (!document.IsNull()) reader.read(document, config);
  } catch (const YAML::Exception& error) {
    reader.add_fault(error.mark.is_null() ? 1 : error.mark.line + 1, kube::not_valid_yaml(error));
  } catch (const std::exception& error) {
    reader.add_fault(1, fmt::format("the YAML reader failed: {}", quote(error.what())));
  }
  std::vector<Error> faults = reader.take_faults();
  if (!faults.empty()) return std::unexpected(std::move(faults));
  return config;
}

}  // namespace toposeg::config
