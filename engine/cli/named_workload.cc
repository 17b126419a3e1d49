#include "engine/cli/named_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "common/base/text.h"
#include "common/workload/kinds/kind.h"
#include "engine/cli/planned_workload.h"

namespace toposeg::cli {
namespace {

using workload::Identity;

constexpr std::string_view kLwsShort = "lws";
constexpr std::string_view kLws = "leaderworkerset";
constexpr std::size_t kMostListed = 10;

struct Meant {
  std::string kind;  // empty = any
  std::string name;
};

struct Found {
  workload::Normalised normalised;
  std::vector<std::string> owners;  // "Kind/name"

  [[nodiscard]] const Identity& identity() const { return normalised.workload.identity; }
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// The kind behind a word as kubectl takes it: its name or its plural, with or without the group.
std::optional<std::string> kind_of(std::string_view word) {
  const std::string wanted = lower(word);
  for (const auto& kind : workload::kinds()) {
    const std::string name = lower(kind->name());
    for (const std::string& form : {name, name + "s"}) {
      if (wanted == form || wanted == fmt::format("{}.{}", form, kind->api_group())) {
        return std::string(kind->name());
      }
    }
    if (wanted == kLwsShort && name == kLws) return std::string(kind->name());
  }
  return std::nullopt;
}

Result<Meant> meant_by(const std::string& word) {
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos) return Meant{{}, word};
  const auto kind = kind_of(std::string_view(word).substr(0, slash));
  if (kind) return Meant{*kind, word.substr(slash + 1)};
  std::vector<std::string> known;
  for (const auto& each : workload::kinds()) known.push_back(lower(each->name()));
  return fail(Code::kInvalid, fmt::format("{} is no kind of workload; write one of {}",
                                          quote(word.substr(0, slash)), join(known, ", ")));
}

std::vector<std::string> owners_of(const json::Document& object) {
  std::vector<std::string> owners;
  const json::Document* list = json::at(object, {"metadata", "ownerReferences"});
  if (list == nullptr || !list->is_array()) return owners;
  for (const json::Document& owner : *list) {
    const std::string* kind = json::text(json::member(&owner, "kind"));
    const std::string* name = json::text(json::member(&owner, "name"));
    if (kind != nullptr && name != nullptr) owners.push_back(*kind + "/" + *name);
  }
  return owners;
}

bool owns(const Identity& owner, const Found& other) {
  const std::string title = owner.kind + "/" + owner.name;
  return owner.namespace_ == other.identity().namespace_ &&
         std::find(other.owners.begin(), other.owners.end(), title) != other.owners.end();
}

std::string listed(const std::vector<const Found*>& found) {
  std::vector<std::string> titles;
  for (const Found* each : found) {
    if (titles.size() == kMostListed) {
      titles.push_back(fmt::format("and {} more", found.size() - kMostListed));
      break;
    }
    titles.push_back(title(each->identity()));
  }
  return join(titles, ", ");
}

Error not_found(const Meant& meant, const WorkloadQuestion& question, const std::vector<const Found*>& all) {
  const std::string where =
      question.namespace_.empty() ? "" : fmt::format(" in namespace {}", question.namespace_);
  const std::string what = meant.kind.empty() ? "workload" : meant.kind;
  const std::string there =
      all.empty() ? "there are no workloads; a cluster file has to hold them too, as `kubectl get "
                    "nodes,pods,topologies,pytorchjobs -A -o yaml` prints them"
                  : "there are: " + listed(all);
  return {Code::kNotFound, fmt::format("no {} is named {}{}; {}", what, quote(meant.name), where, there), {}};
}

std::vector<Found> read(std::span<const json::Document> objects, std::span<const kube::Topology> topologies,
                        const config::WorkloadConfig& config) {
  std::vector<Found> all;
  const workload::NormaliseContext context{topologies, config, {}};
  for (const json::Document& object : objects) {
    all.push_back({workload::normalise(object, context), owners_of(object)});
  }
  return all;
}

}  // namespace

Result<NamedWorkload> find_workload(std::span<const json::Document> objects, const WorkloadQuestion& question,
                                    std::span<const kube::Topology> topologies,
                                    const config::WorkloadConfig& config) {
  const auto meant = meant_by(question.word);
  if (!meant) return std::unexpected(meant.error());
  const std::vector<Found> all = read(objects, topologies, config);
  std::vector<const Found*> matches;
  std::vector<const Found*> others;
  for (const Found& each : all) {
    const Identity& identity = each.identity();
    const bool matches_it = identity.name == meant->name &&
                            (meant->kind.empty() || identity.kind == meant->kind) &&
                            (question.namespace_.empty() || identity.namespace_ == question.namespace_);
    (matches_it ? matches : others).push_back(&each);
  }
  std::erase_if(matches, [&, all_matches = matches](const Found* each) {
    return std::any_of(all_matches.begin(), all_matches.end(),
                       [&](const Found* owner) { return owns(owner->identity(), *each); });
  });
  if (matches.empty()) return std::unexpected(not_found(*meant, question, others));
  if (matches.size() > 1) {
    return fail(Code::kConflict,
                fmt::format("{} may be any of: {}; name the kind too, as in pytorchjob/{}, or the namespace "
                            "with -n",
                            quote(question.word), listed(matches), meant->name));
  }
  NamedWorkload named{matches.front()->normalised, {matches.front()->identity()}};
  for (const Found& each : all) {
    if (owns(named.makers.front(), each)) named.makers.push_back(each.identity());
  }
  return named;
}

}  // namespace toposeg::cli
