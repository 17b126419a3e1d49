#include "engine/simulation/trace_fields.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "common/base/plain_text.h"
#include "common/base/text.h"
#include "common/base/whole_number.h"
#include "common/config/names.h"
#include "common/config/units.h"
#include "common/kube/quantity.h"

namespace toposeg::simulation {
namespace {

constexpr std::int64_t kMostSeconds = 315'360'000;  // 10 years
constexpr std::int64_t kMostPods = 1'000'000;
constexpr std::size_t kLongestName = 253;  // as of Kubernetes objects
constexpr std::string_view kGpu = "nvidia.com/gpu";
constexpr std::array<std::string_view, 12> kNames{
    "name",      "arrival",        "duration",        "pods", "segment", "required",
    "preferred", "whole-required", "whole-preferred", "gpu",  "cpu",     "memory"};

std::string place_of(std::string_view name) { return fmt::format("field {}", quote(name)); }

std::string resource_of(const std::string& name) { return name == "gpu" ? std::string(kGpu) : name; }

bool is_resource(const std::string& name) {
  return name == "gpu" || name == "cpu" || name == "memory" || name.find('/') != std::string::npos;
}

// A control character would break the lines of every report, and JSON has no way to write other bytes.
Result<std::string> read_name(const Field& field) {
  if (field.value.size() > kLongestName) {
    return fail(Code::kInvalid, fmt::format("{} is longer than {} bytes", quote(field.value), kLongestName),
                place_of(field.name));
  }
  if (!is_plain_text(field.value)) {
    return fail(Code::kInvalid,
                fmt::format("{} must be UTF-8 text without control characters", quote(field.value)),
                place_of(field.name));
  }
  return field.value;
}

Result<std::int64_t> read_number(const Field& field, std::int64_t least, std::int64_t most) {
  const auto number = whole_number(field.value);
  if (number && *number >= least && *number <= most) return *number;
  return fail(Code::kInvalid,
              fmt::format("{} must be a whole number from {} to {}", quote(field.value), least, most),
              place_of(field.name));
}

Result<Seconds> read_seconds(const Field& field, Seconds least) {
  std::optional<Seconds> seconds = whole_number(field.value);
  if (!seconds) {
    if (const auto duration = config::parse_duration(field.value)) {
      if (duration->count() % 1000 == 0) seconds = duration->count() / 1000;
    }
  }
  if (seconds && *seconds >= least && *seconds <= kMostSeconds) return *seconds;
  return fail(Code::kInvalid,
              fmt::format("{} must be whole seconds from {} to {}, or written like 1h30m", quote(field.value),
                          least, kMostSeconds),
              place_of(field.name));
}

// The fields that were given, each once; what was left empty is not among them.
class Given {
 public:
  static Result<Given> of(std::span<const Field> fields) {
    Given given;
    for (const Field& field : fields) {
      if (auto known = check_field_name(field.name); !known) return std::unexpected(known.error());
      if (!field.value.empty()) given.fields_.push_back(&field);
    }
    return given;
  }
  [[nodiscard]] const Field* find(std::string_view name) const {
    for (const Field* field : fields_) {
      if (field->name == name) return field;
    }
    return nullptr;
  }
  [[nodiscard]] Result<const Field*> need(std::string_view name) const {
    if (const Field* field = find(name)) return field;
    return fail(Code::kInvalid, "has no value; every job needs one", place_of(name));
  }
  [[nodiscard]] const std::vector<const Field*>& all() const { return fields_; }

 private:
  std::vector<const Field*> fields_;
};

Result<Seconds> read_needed(const Given& given, std::string_view name, Seconds least) {
  const auto field = given.need(name);
  if (!field) return std::unexpected(field.error());
  return read_seconds(**field, least);
}

Result<void> read_times(const Given& given, Job& job) {
  const auto arrival = read_needed(given, "arrival", 0);
  if (!arrival) return std::unexpected(arrival.error());
  const auto duration = read_needed(given, "duration", 1);
  if (!duration) return std::unexpected(duration.error());
  job.arrival = *arrival;
  job.duration = *duration;
  return {};
}

Result<void> read_pods(const Given& given, Job& job) {
  const auto needed = given.need("pods");
  if (!needed) return std::unexpected(needed.error());
  const auto pods = read_number(**needed, 1, kMostPods);
  if (!pods) return std::unexpected(pods.error());
  job.pods = static_cast<int>(*pods);
  const Field* field = given.find("segment");
  if (field == nullptr) return {};
  const auto segment = read_number(*field, 2, kMostPods);
  if (!segment) return std::unexpected(segment.error());
  if (*segment > job.pods) {
    return fail(Code::kInvalid, fmt::format("{} is more than the {} pods of the job", *segment, job.pods),
                place_of(field->name));
  }
  job.segment = static_cast<int>(*segment);
  return {};
}

Result<int> read_level(const Given& given, std::string_view name, const Site& site) {
  const Field* field = given.find(name);
  if (field == nullptr) return engine::kAnywhere;
  auto level = find_level(site, field->value);
  if (!level) level.error().where = place_of(name);
  return level;
}

// A preferred level at or above the required one asks for nothing: the engine leaves it out as well.
Result<void> read_levels(const Given& given, const Site& site, Job& job) {
  for (const std::string_view name : {"required", "preferred"}) {
    if (job.segment == 0 && given.find(name) != nullptr) {
      return fail(
          Code::kInvalid,
          fmt::format("needs a value in field \"segment\"; for the job as a whole write whole-{}", name),
          place_of(name));
    }
  }
  const std::pair<std::string_view, int*> wanted[] = {
      {"required", &job.levels.segment_required},
      {"preferred", &job.levels.segment_preferred},
      {"whole-required", &job.levels.whole_required},
      {"whole-preferred", &job.levels.whole_preferred},
  };
  for (const auto& [name, index] : wanted) {
    const auto level = read_level(given, name, site);
    if (!level) return std::unexpected(level.error());
    *index = *level;
  }
  engine::LevelIndices& levels = job.levels;
  if (levels.segment_preferred <= levels.segment_required) levels.segment_preferred = engine::kAnywhere;
  if (levels.whole_preferred <= levels.whole_required) levels.whole_preferred = engine::kAnywhere;
  return {};
}

Result<void> read_resources(const Given& given, const Site& site, Job& job) {
  for (const Field* field : given.all()) {
    if (!is_resource(field->name)) continue;
    const std::string resource = resource_of(field->name);
    auto amount = kube::parse_amount(resource, field->value);
    if (!amount) return fail(Code::kInvalid, amount.error().message, place_of(field->name));
    if (*amount > 0) kube::put(job.pod.requests, resource, *amount);
  }
  if (job.pod.requests.empty()) job.pod = site.whole_host;
  job.pod.tolerations = site.whole_host.tolerations;
  return {};
}

}  // namespace

Result<void> check_field_name(const std::string& name) {
  for (const std::string_view known : kNames) {
    if (name == known) return {};
  }
  if (name.find('/') != std::string::npos) {
    if (config::is_label_key(name)) return {};
    return fail(Code::kInvalid, "is no name of a resource; expected one such as rdma/hca", place_of(name));
  }
  return fail(Code::kInvalid,
              fmt::format("is no field of a job{}; the fields are {}, and resources such as rdma/hca",
                          did_you_mean(name, kNames), join(kNames, ", ")),
              place_of(name));
}

Result<Job> job_of(std::span<const Field> fields, const Site& site) {
  const auto given = Given::of(fields);
  if (!given) return std::unexpected(given.error());
  const auto named = given->need("name");
  if (!named) return std::unexpected(named.error());
  auto name = read_name(**named);
  if (!name) return std::unexpected(name.error());
  Job job;
  job.name = std::move(*name);
  if (auto done = read_times(*given, job); !done) return std::unexpected(done.error());
  if (auto done = read_pods(*given, job); !done) return std::unexpected(done.error());
  if (auto done = read_levels(*given, site, job); !done) return std::unexpected(done.error());
  if (auto done = read_resources(*given, site, job); !done) return std::unexpected(done.error());
  return job;
}

std::vector<Field> fields_of(const Job& job, const Site& site) {
  const auto level = [&](int index) {
    return index == engine::kAnywhere ? std::string()
                                      : site.tree->level_labels()[static_cast<std::size_t>(index)];
  };
  std::vector<Field> fields{
      {"name", job.name},
      {"arrival", std::to_string(job.arrival)},
      {"duration", std::to_string(job.duration)},
      {"pods", std::to_string(job.pods)},
      {"segment", job.segment > 0 ? std::to_string(job.segment) : ""},
      {"required", level(job.levels.segment_required)},
      {"preferred", level(job.levels.segment_preferred)},
      {"whole-required", level(job.levels.whole_required)},
      {"whole-preferred", level(job.levels.whole_preferred)},
  };
  for (const auto& [resource, amount] : job.pod.requests) {
    fields.push_back({resource == kGpu ? "gpu" : resource, kube::format_amount(resource, amount)});
  }
  return fields;
}

}  // namespace toposeg::simulation
