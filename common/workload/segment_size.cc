#include "common/workload/segment_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "common/base/text.h"
#include "common/workload/keys.h"

namespace toposeg::workload {

namespace {

// A size as it was written, whatever it is.
struct Candidate {
  std::string name;   // segment-size, subGroupSize
  std::string value;  // as text
  std::string where;
};

// What is too large for an int counts as the largest one: it breaks the same bounds.
std::optional<int> plain_number(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), digit)) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  int number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() ? number : std::numeric_limits<int>::max();
}

SegmentRule rule_for(const Manifest& manifest, int size) {
  if (!manifest.has_leader) return SegmentRule::kPlain;
  if (manifest.leader_excluded) return SegmentRule::kLeaderExcluded;
  const bool extra = (manifest.pods - 1) % size == 0 && manifest.pods % size != 0;
  return extra ? SegmentRule::kLeaderExtra : SegmentRule::kPlain;
}

// The bound that a size breaks, in words; empty when it is good.
std::string broken_bound(const Manifest& manifest, const Candidate& size, int number, int max_segments) {
  const std::string head = fmt::format("{} {}", size.name, size.value);
  if (number <= 1) return head + " must be greater than 1";
  if (!manifest.pods_known) return {};
  if (number > manifest.pods) return fmt::format("{} is greater than {}", head, manifest.pods_text);
  const int workers = manifest.pods - 1;
  if (manifest.has_leader && manifest.leader_excluded && workers % number != 0) {
    return fmt::format("{} does not divide the {} workers of a replica group, as LeaderExcluded demands",
                       head, workers);
  }
  const int count = Segments{manifest.pods, number, rule_for(manifest, number)}.count();
  if (count <= max_segments) return {};
  return fmt::format("{} makes {} segments, and at most {} are allowed", head, count, max_segments);
}

// The valid number; none after a fault.
std::optional<int> checked(const Manifest& manifest, const Candidate& size, int max_segments,
                           Findings& findings) {
  const std::optional<int> number = plain_number(size.value);
  if (!number) {
    findings.refuse(size.where, fmt::format("{} {} is not a plain whole number such as \"4\"", size.name,
                                            quote(size.value)));
    return std::nullopt;
  }
  std::string fault = broken_bound(manifest, size, *number, max_segments);
  if (fault.empty()) return number;
  findings.refuse(size.where, std::move(fault));
  return std::nullopt;
}

std::optional<Candidate> native_candidate(const Manifest& manifest) {
  if (!manifest.native_size) return std::nullopt;
  const json::Path& path = manifest.native_size_path;
  const bool wrapped = path.size() > 1 && path.back() == "value";
  const std::string& name = wrapped ? path[path.size() - 2] : path.back();
  const std::string* text = json::text(&*manifest.native_size);
  return Candidate{name, text != nullptr ? *text : manifest.native_size->dump(), json::to_field(path)};
}

std::optional<Candidate> choose(const Manifest& manifest, const Inputs& inputs, int max_segments,
                                SegmentSize& result, Findings& findings) {
  std::optional<Candidate> native = native_candidate(manifest);
  if (inputs.size) {
    result.written = true;
    if (native && native->value != inputs.size->value) {
      findings.warn(fmt::format("{} {} wins over {} {}", keys::kSegmentSize, quote(inputs.size->value, 12),
                                native->name, truncated(native->value, 12)));
    }
    return Candidate{"segment-size", inputs.size->value, inputs.size->where};
  }
  if (!native) return std::nullopt;
  result.written = manifest.native_size_is_ours || inputs.any_key;
  if (manifest.native_size_is_ours || inputs.segment_level()) return native;
  Findings ignored;
  if (checked(manifest, *native, max_segments, ignored)) return native;
  result.written = false;
  return std::nullopt;
}

}  // namespace

SegmentSize choose_size(const Manifest& manifest, const Inputs& inputs, int max_segments,
                        Findings& findings) {
  SegmentSize result;
  result.segments.pods = manifest.pods;
  const std::optional<Candidate> size = choose(manifest, inputs, max_segments, result, findings);
  if (!size) return result;
  if (manifest.not_segmentable) {
    findings.causes.push_back(*manifest.not_segmentable);
    return result;
  }
  if (const auto number = checked(manifest, *size, max_segments, findings)) {
    result.segments.size = *number;
    result.segments.rule = rule_for(manifest, *number);
  }
  return result;
}

}  // namespace toposeg::workload
