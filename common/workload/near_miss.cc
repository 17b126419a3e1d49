#include "common/workload/near_miss.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "common/base/text.h"
#include "common/workload/keys.h"

namespace toposeg::workload {

namespace {

constexpr std::array kKnown = {keys::kTopology,
                               keys::kSegmentSize,
                               keys::kSegmentRequired,
                               keys::kSegmentPreferred,
                               keys::kWholeRequired,
                               keys::kWholePreferred,
                               keys::kAutomatic,
                               keys::kPreferredMode,
                               keys::kInjectEnv,
                               keys::kManaged,
                               keys::kPlan,
                               keys::kSegment,
                               keys::kDomain,
                               keys::kLevel,
                               keys::kHost,
                               keys::kReason};
// What a person may mean to write: not the names that only this product writes.
constexpr std::size_t kMeant = 9;
constexpr std::size_t kSlips = 2;
constexpr std::size_t kLongest = 80;  // longer keys are nobody's slip

// Letter case and separators are forgiven.
std::string plain(std::string_view key) {
  std::string result;
  for (const char c : key) {
    const bool separator = c == '/' || c == '_' || c == '.' || c == ' ';
    result += separator ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

std::string_view name_of(std::string_view key) { return key.substr(key.find('/') + 1); }

// `word` for `key` or for its name alone, complete or without its last part.
bool means(const std::string& word, std::string_view key) {
  constexpr std::string_view kTail = "-placement";
  const std::string full = plain(key);
  const auto near = [&word](std::string_view wanted) {
    return edit_distance(word, wanted, kSlips) <= kSlips;
  };
  if (near(full)) return true;
  const bool shortened = full.ends_with(kTail);
  if (shortened && near(std::string_view(full).substr(0, full.size() - kTail.size()))) return true;
  const std::string name = plain(name_of(key));
  // One word alone is too common to be meant for us.
  if (name.find('-') == std::string::npos) return false;
  return word == name || (shortened && word == name.substr(0, name.size() - kTail.size()));
}

void warn_of(const AnnotationMap& map, std::string_view key, std::string_view meant, Findings& findings) {
  const std::string text = fmt::format("{} is not known; write {}", quote(key, 60), meant);
  const std::string placed = fmt::format("{} (in {})", text, map.place);
  findings.warn(placed.size() <= kWarningBytes ? placed : text);
}

}  // namespace

std::optional<std::string_view> meant_key(std::string_view written) {
  if (written.size() > kLongest || std::find(kKnown.begin(), kKnown.end(), written) != kKnown.end()) {
    return std::nullopt;
  }
  const std::string word = plain(written);
  const auto* const end = kKnown.begin() + kMeant;
  const auto* const exact = std::find_if(kKnown.begin(), end, [&](auto key) { return plain(key) == word; });
  if (exact != end) return *exact;
  const auto* const near = std::find_if(kKnown.begin(), end, [&](auto key) { return means(word, key); });
  return near == end ? std::nullopt : std::optional(*near);
}

void warn_of_near_misses(const json::Document& object, const Manifest& manifest, Findings& findings) {
  std::vector<const AnnotationMap*> maps = {&manifest.root, &manifest.worker};
  for (const AnnotationMap& map : manifest.other) maps.push_back(&map);
  for (const AnnotationMap* map : maps) {
    const json::Document* found = map->path.empty() ? nullptr : json::at(object, map->path);
    if (found == nullptr || !found->is_object()) continue;
    for (const auto& [key, value] : found->items()) {
      if (const auto meant = meant_key(key)) warn_of(*map, key, *meant, findings);
    }
  }
}

}  // namespace toposeg::workload
