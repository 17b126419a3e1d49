#include "engine/simulation/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <ostream>
#include <set>
#include <unordered_map>
#include <utility>

#include "common/base/text.h"
#include "common/json/decode.h"
#include "engine/simulation/csv.h"
#include "engine/simulation/trace_fields.h"

namespace toposeg::simulation {
namespace {

constexpr std::size_t kMostJobs = 1'000'000;
constexpr std::size_t kLongestLine = 1U << 16U;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

using Fields = std::vector<Field>;

// The headings of a CSV file, then a line of values at a time.
class CsvLines {
 public:
  Result<void> begin(std::string_view line) {
    const auto names = split_csv(line);
    if (!names) return std::unexpected(names.error());
    std::set<std::string_view> seen;
    for (const std::string& name : *names) {
      if (auto known = check_field_name(name); !known) return known;
      if (!seen.insert(name).second) {
        return fail(Code::kInvalid, "is the heading of two columns", fmt::format("field {}", quote(name)));
      }
    }
    names_ = *names;
    return {};
  }
  [[nodiscard]] Result<Fields> fields(std::string_view line) const {
    auto values = split_csv(line);
    if (!values) return std::unexpected(values.error());
    if (values->size() != names_.size()) {
      return fail(Code::kInvalid,
                  fmt::format("has {} values under {} headings", values->size(), names_.size()));
    }
    Fields fields;
    for (std::size_t i = 0; i < names_.size(); ++i) fields.push_back({names_[i], std::move((*values)[i])});
    return fields;
  }

 private:
  std::vector<std::string> names_;
};

Result<Fields> json_fields(std::string_view line) {
  const auto object = json::decode(line);
  if (!object) return fail(Code::kInvalid, object.error().text());
  if (!object->is_object()) return fail(Code::kInvalid, "is no JSON object; expected one job a line");
  Fields fields;
  for (const auto& [name, value] : object->items()) {
    if (value.is_null()) continue;
    if (!value.is_string() && !value.is_number()) {
      return fail(Code::kInvalid,
                  fmt::format("{} is neither a text nor a number", truncated(value.dump(), 80)),
                  fmt::format("field {}", quote(name)));
    }
    fields.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  return fields;
}

// What one job can only get wrong beside the others.
class Order {
 public:
  Result<void> check(const Job& job, std::size_t line) {
    const auto [before, fresh] = lines_.emplace(job.name, line);
    if (!fresh) {
      return fail(Code::kInvalid,
                  fmt::format("{} is the name of the job in line {} too", quote(job.name), before->second),
                  "field \"name\"");
    }
    if (job.arrival < last_) {
      return fail(Code::kInvalid,
                  fmt::format("{} is before {}, the arrival in line {}; write jobs in order of arrival",
                              job.arrival, last_, last_line_),
                  "field \"arrival\"");
    }
    last_ = job.arrival;
    last_line_ = line;
    return {};
  }

 private:
  std::unordered_map<std::string, std::size_t> lines_;
  Seconds last_ = 0;
  std::size_t last_line_ = 0;
};

Error at_line(Error error, const std::string& file, std::size_t line) {
  const std::string place = fmt::format("{}:{}", file, line);
  error.where = error.where.empty() ? place : fmt::format("{}: {}", place, error.where);
  return error;
}

class TraceReader {
 public:
  TraceReader(const Site& site, std::vector<Job>& jobs) : site_(site), jobs_(jobs) {}

  Result<void> read(std::string_view line, std::size_t number) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    if (line.size() > kLongestLine) {
      return fail(Code::kTooLarge, fmt::format("is longer than {} bytes", kLongestLine));
    }
    if (form_ == Form::kUnknown) {
      form_ = line[line.find_first_not_of(" \t")] == '{' ? Form::kJson : Form::kCsv;
      if (form_ == Form::kCsv) return csv_.begin(line);
    }
    const auto fields = form_ == Form::kJson ? json_fields(line) : csv_.fields(line);
    if (!fields) return std::unexpected(fields.error());
    auto job = job_of(*fields, site_);
    if (!job) return std::unexpected(job.error());
    if (auto done = order_.check(*job, number); !done) return done;
    if (jobs_.size() == kMostJobs) {
      return fail(Code::kTooLarge, fmt::format("is beyond the {} jobs that a trace may hold", kMostJobs));
    }
    jobs_.push_back(std::move(*job));
    return {};
  }

 private:
  enum class Form : std::uint8_t { kUnknown, kCsv, kJson };

  const Site& site_;
  std::vector<Job>& jobs_;
  Form form_ = Form::kUnknown;
  CsvLines csv_;
  Order order_;
};

}  // namespace

Result<std::vector<Job>> read_trace(std::istream& input, const std::string& file, const Site& site) {
  std::vector<Job> jobs;
  TraceReader reader(site, jobs);
  std::string line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    std::string_view text = line;
    if (number == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (auto done = reader.read(text, number); !done) {
      return std::unexpected(at_line(done.error(), file, number));
    }
  }
  if (jobs.empty()) return fail(Code::kInvalid, "holds no job", file);
  return jobs;
}

void write_trace(std::ostream& out, const std::vector<Job>& jobs, const Site& site) {
  std::vector<std::string> names;
  for (const Job& job : jobs) {
    for (const Field& field : fields_of(job, site)) {
      if (std::find(names.begin(), names.end(), field.name) == names.end()) names.push_back(field.name);
    }
  }
  out << csv_line(names);
  for (const Job& job : jobs) {
    std::vector<std::string> values(names.size());
    for (Field& field : fields_of(job, site)) {
      const auto column = std::find(names.begin(), names.end(), field.name) - names.begin();
      values[static_cast<std::size_t>(column)] = std::move(field.value);
    }
    out << csv_line(values);
  }
}

}  // namespace toposeg::simulation
