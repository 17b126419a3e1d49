#include "common/workload/kinds/fields.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "common/base/text.h"
#include "common/base/whole_number.h"
#include "common/kube/read.h"
#include "common/workload/annotation.h"

namespace toposeg::workload {

namespace {

const json::Document* present(const json::Document& object, const json::Path& path) {
  const json::Document* value = json::at(object, path);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string wanted_number(const json::Document& value) {
  const std::string* text = json::text(&value);
  if (text != nullptr && whole_number<int>(*text)) {
    return fmt::format("{} is text; write the number without quotes: {}", quote(*text), *text);
  }
  return fmt::format("this is {}, and a whole number from 0 to {} is needed", describe(value),
                     std::numeric_limits<std::int32_t>::max());
}

}  // namespace

std::optional<int> read_count(const json::Document& object, const json::Path& path,
                              std::vector<Error>& causes) {
  const json::Document* value = present(object, path);
  if (value == nullptr) return std::nullopt;
  if (value->is_number_integer()) {
    const auto number = value->get<std::int64_t>();
    const bool huge = value->is_number_unsigned() && value->get<std::uint64_t>() > std::uint64_t{1} << 62U;
    if (!huge && number >= 0 && number <= std::numeric_limits<std::int32_t>::max())
      return static_cast<int>(number);
  }
  causes.push_back({Code::kInvalid, wanted_number(*value), json::to_field(path)});
  return std::nullopt;
}

std::optional<std::string> read_text(const json::Document& object, const json::Path& path,
                                     std::vector<Error>& causes) {
  const json::Document* value = present(object, path);
  if (value == nullptr) return std::nullopt;
  if (const std::string* text = json::text(value)) return *text;
  causes.push_back({Code::kInvalid, fmt::format("this is {}, and text is needed", describe(*value)),
                    json::to_field(path)});
  return std::nullopt;
}

bool read_flag(const json::Document& object, const json::Path& path) {
  const json::Document* value = present(object, path);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::optional<kube::PodSpec> read_template(const json::Document& object, const json::Path& path,
                                           std::vector<Error>& causes) {
  const json::Path spec_path = below(path, {"spec"});
  const json::Document* spec = present(object, spec_path);
  if (spec == nullptr) return std::nullopt;
  Result<kube::PodSpec> read = kube::read_pod_spec(
      *spec, json::at(object, below(path, {"metadata", "labels"})), json::to_field(spec_path));
  if (read) return *std::move(read);
  causes.push_back(read.error());
  return std::nullopt;
}

Identity read_identity(const json::Document& object, std::string_view api_group, std::string_view kind) {
  const auto field = [&object](const char* name) {
    const std::string* text = json::text(json::at(object, {"metadata", name}));
    return text == nullptr ? std::string() : *text;
  };
  return {std::string(api_group), std::string(kind), field("namespace"), field("name"), field("uid")};
}

json::Path below(json::Path path, std::initializer_list<std::string_view> more) {
  for (const std::string_view token : more) path.emplace_back(token);
  return path;
}

}  // namespace toposeg::workload
