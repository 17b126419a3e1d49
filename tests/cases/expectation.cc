#include "expectation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "cluster_text.h"

namespace toposeg::cases {

namespace {

using Words = std::span<const std::string>;

bool has_all(const std::string& text, Words parts) {
  return std::ranges::all_of(parts, [&](const auto& part) { return text.find(part) != std::string::npos; });
}

// One reading of an [expect] section. Each verb is a member that reports what differs through differ().
class Comparison {
 public:
  Comparison(const Outcome& outcome, Placer& placer)
      : outcome_(outcome), placer_(placer), refusals_(outcome.refusals()), warnings_(outcome.warnings()) {}

  std::vector<std::string> run(const Section& section) {
    for (const Line& line : section.lines) {
      line_ = line.number;
      const auto parts = words(line.text);
      const auto verb = verbs().find(parts.front());
      if (verb == verbs().end()) {
        differ(fmt::format("'{}' is no line of an [expect] section", line.text));
      } else {
        verb->second(*this, std::span(parts).subspan(1));
      }
    }
    line_ = section.number;
    finish(section);
    return std::move(differences_);
  }

 private:
  using Verb = std::function<void(Comparison&, Words)>;
  static const std::map<std::string, Verb>& verbs();

  void differ(std::string what) { differences_.push_back(fmt::format("line {}: {}", line_, what)); }

  void same(std::string_view what, std::string_view expected, std::string_view came) {
    if (expected != came) differ(fmt::format("{}: expected {}, came {}", what, expected, came));
  }

  [[nodiscard]] const engine::PlannedGroup* group() {
    for (const auto& group : outcome_.plan.groups) {
      if (group.group == group_) return &group;
    }
    differ(fmt::format("there is no group {} in the plan", group_));
    return nullptr;
  }

  [[nodiscard]] const engine::PlannedSegment* segment(const std::string& word) {
    const auto index = number(word, {});
    const auto* of = index ? group() : nullptr;
    if (of == nullptr) return nullptr;
    for (const auto& candidate : of->segments) {
      if (candidate.segment == *index) return &candidate;
    }
    differ(fmt::format("there is no segment {} in the plan", word));
    return nullptr;
  }

  // refused WHERE PART…: WHERE is a part of the field path.
  void refused(Words line) {
    if (line.size() < 2) return differ("write: refused WHERE \"PART OF THE MESSAGE\"…");
    const auto found = std::ranges::find_if(refusals_, [&](const Error& fault) {
      return fault.where.find(line[0]) != std::string::npos && has_all(fault.message, line.subspan(1));
    });
    if (found == refusals_.end()) {
      return differ(
          fmt::format("no refusal of {} says '{}'", line[0], fmt::join(line.subspan(1), "' and '")));
    }
    refusals_.erase(found);
  }

  void warning(Words line) {
    if (line.empty()) return differ("write: warning \"PART\"…");
    const auto found =
        std::ranges::find_if(warnings_, [&](const std::string& text) { return has_all(text, line); });
    if (found == warnings_.end())
      return differ(fmt::format("no warning says '{}'", fmt::join(line, "' and '")));
    if (found->size() > 120) differ(fmt::format("a warning of {} characters: {}", found->size(), *found));
    warnings_.erase(found);
  }

  void segments(Words line) {
    const auto* of = group();
    if (of == nullptr) return;
    std::vector<std::string> came;
    came.reserve(of->segments.size());
    for (const auto& segment : of->segments) came.push_back(pods_text(segment.pods));
    same("segments", fmt::format("{}", fmt::join(line, " ")), fmt::format("{}", fmt::join(came, " ")));
  }

  void loose(Words line) {
    if (const auto* of = group())
      same("loose pods", fmt::format("{}", fmt::join(line, " ")), pods_text(of->loose));
  }

  // segment N STATUS [LEVEL] [DOMAIN[|DOMAIN…]] [climbed=N] [optional]
  void one_segment(Words line) {
    if (line.size() < 2)
      return differ("write: segment N placed|waiting|free [LEVEL] [DOMAIN] [climbed=N] [optional]");
    if (line[0] == "*") return every_segment(line);
    if (const auto* came = segment(line[0])) check_segment(*came, line);
  }

  void every_segment(Words line) {
    const auto* of = group();
    if (of == nullptr) return;
    if (of->segments.empty()) differ("there is no segment in the plan");
    for (const auto& came : of->segments) check_segment(came, line);
  }

  void check_segment(const engine::PlannedSegment& came, Words line) {
    const std::string name = fmt::format("segment {}", came.segment);
    same(name, line[1], status_text(came.status));
    const auto& levels = outcome_.plan.levels;
    const std::string level = came.level ? level_name(levels[static_cast<std::size_t>(*came.level)]) : "-";
    const bool climbs =
        std::ranges::any_of(line, [](const auto& word) { return word.starts_with("climbed="); });
    if (!climbs && came.climbed != 0) differ(fmt::format("{} climbed {} levels", name, came.climbed));
    if (std::ranges::find(line, "optional") == line.end() && !came.needed) differ(name + " is optional");
    int position = 0;
    for (const std::string& word : line.subspan(2)) {
      if (word.starts_with("climbed=")) {
        same(name + " climbed", word.substr(8), std::to_string(came.climbed));
      } else if (word == "optional") {
        if (came.needed) differ(name + " is needed");
      } else if (position++ == 0) {
        same(name + " level", word, level);
      } else {
        one_of(name + " domain", word, path_text(came.domain));
      }
    }
  }

  void one_of(const std::string& what, const std::string& choices, const std::string& came) {
    if (fmt::format("|{}|", choices).find(fmt::format("|{}|", came)) == std::string::npos) {
      differ(fmt::format("{}: expected {}, came {}", what, choices, came));
    }
  }

  // domains DOMAIN…: the distinct domains of the placed segments, in any order.
  void domains(Words line) {
    const auto* of = group();
    if (of == nullptr) return;
    std::set<std::string> came;
    for (const auto& segment : of->segments) {
      if (segment.status == engine::SegmentStatus::kPlaced) came.insert(path_text(segment.domain));
    }
    const std::set<std::string> expected(line.begin(), line.end());
    same("domains", fmt::format("{}", fmt::join(expected, " ")), fmt::format("{}", fmt::join(came, " ")));
  }

  void hosts(Words line) {
    if (line.size() < 2) return differ("write: hosts N HOST…");
    const auto* came = segment(line[0]);
    if (came == nullptr) return;
    std::vector<std::string> names;
    names.reserve(came->pods.size());
    for (const auto& pod : came->pods) names.push_back(pod.host.empty() ? "-" : pod.host);
    same(fmt::format("hosts of segment {}", line[0]), fmt::format("{}", fmt::join(line.subspan(1), " ")),
         fmt::format("{}", fmt::join(names, " ")));
  }

  void loose_hosts(Words line) {
    const auto* of = group();
    if (of == nullptr) return;
    std::vector<std::string> names;
    names.reserve(of->loose.size());
    for (const auto& pod : of->loose) names.push_back(pod.host.empty() ? "-" : pod.host);
    std::ranges::sort(names);
    same("hosts of loose pods", fmt::format("{}", fmt::join(line, " ")),
         fmt::format("{}", fmt::join(names, " ")));
  }

  void whole(Words line) {
    const auto* of = group();
    if (of == nullptr || line.size() != 2) return;
    const auto& levels = outcome_.plan.levels;
    const std::string level =
        of->whole_level ? level_name(levels[static_cast<std::size_t>(*of->whole_level)]) : "-";
    same("level of the whole", line[0], level);
    one_of("domain of the whole", line[1], path_text(of->whole_domain));
  }

  // reason N|loose PART…: one reason holds all the parts.
  void reason(Words line) {
    if (line.size() < 2) return differ("write: reason N|loose \"PART\"…");
    const std::vector<std::string>* reasons = nullptr;
    if (line[0] == "loose") {
      if (const auto* of = group()) reasons = &of->reasons;
    } else if (const auto* came = segment(line[0])) {
      reasons = &came->reasons;
    }
    if (reasons == nullptr) return;
    const bool found = std::ranges::any_of(
        *reasons, [&](const std::string& text) { return has_all(text, line.subspan(1)); });
    if (!found)
      differ(fmt::format("no reason of {} says '{}'", line[0], fmt::join(line.subspan(1), "' and '")));
  }

  // pod N|master-N [status=…] [segment=…] [required=PATH] [preferred=PATH] [host=…] [reason=PART]
  void pod(Words line) {
    if (line.empty()) return differ("write: pod N|leader-N|master-N KEY=VALUE…");
    const auto dash = line[0].find('-');
    const std::string kind = dash == std::string::npos ? "worker" : line[0].substr(0, dash);
    const auto index = number(dash == std::string::npos ? line[0] : line[0].substr(dash + 1), {});
    if (!index) return differ(fmt::format("'{}' is no pod", line[0]));
    const auto role = kind == "master"   ? workload::Role::kMaster
                      : kind == "leader" ? workload::Role::kLeader
                                         : workload::Role::kWorker;
    const auto came = placer_.place(group_, role, *index);
    for (const std::string& word : line.subspan(1)) check_pod(line[0], attribute(word), came);
  }

  void check_pod(const std::string& pod, const Attribute& part, const engine::PodDecision& came) {
    const std::string what = fmt::format("pod {} {}", pod, part.key);
    if (part.key == "status") {
      same(what, part.value, status_text(came.status));
    } else if (part.key == "segment") {
      same(what, part.value, came.segment ? std::to_string(*came.segment) : "-");
    } else if (part.key == "rank") {
      same(what, part.value, std::to_string(came.segment_rank));
    } else if (part.key == "required") {
      same(what, part.value, path_text(came.required));
    } else if (part.key == "preferred") {
      same(what, part.value, path_text(came.preferred));
    } else if (part.key == "host") {
      one_of(what, part.value, came.host.empty() ? "-" : came.host);
    } else if (part.key == "reason") {
      if (came.reason.find(part.value) == std::string::npos) {
        differ(fmt::format("{}: '{}' does not say '{}'", what, came.reason, part.value));
      }
    } else {
      differ(fmt::format("'{}' is nothing that a pod gets", part.key));
    }
  }

  // adds PATH VALUE: one change of the object. `adds nothing`: there is none.
  void adds(Words line) {
    adds_given_ = true;
    if (line.size() == 1 && line[0] == "nothing") return;
    if (line.size() != 2) return differ("write: adds PATH VALUE, or: adds nothing");
    for (const auto& addition : outcome_.meaning.additions) {
      const std::string value =
          addition.value.is_string() ? addition.value.get<std::string>() : addition.value.dump();
      if (json::to_pointer(addition.path) == line[0] && value == line[1]) {
        ++adds_found_;
        return;
      }
    }
    differ(fmt::format("nothing adds {} {}", line[0], line[1]));
  }

  void yes_no(std::string_view what, Words line, bool came) {
    same(what, line.empty() ? "yes or no" : line[0], came ? "yes" : "no");
  }

  void amount(std::string_view what, Words line, std::int64_t came) {
    same(what, line.empty() ? "a number" : line[0], std::to_string(came));
  }

  // used LEVEL N: domains of a level that hold a pod; `used node N` counts nodes below the last level.
  void used(Words line) {
    if (line.size() != 2) return differ("write: used LEVEL N");
    const auto& levels = outcome_.plan.levels;
    const auto found = std::ranges::find(levels, level_label(line[0]));
    const auto index = static_cast<std::size_t>(found - levels.begin());
    const auto& counts = outcome_.plan.objective.domains;
    if (index >= counts.size()) return differ(fmt::format("the plan has no level {}", line[0]));
    amount(fmt::format("domains used at {}", line[0]), line.subspan(1), counts[index]);
  }

  void choose_group(Words line) {
    const auto index = line.size() == 1 ? number(line[0], {}) : fail(Code::kInvalid, "");
    if (!index) return differ("write: group N");
    group_ = *index;
  }

  void finish(const Section& section) {
    if (section.lines.empty()) differ("an [expect] section must demand something");
    for (const Error& fault : refusals_) differ(fmt::format("refused, not expected: {}", fault.text()));
    for (const std::string& text : warnings_) differ(fmt::format("warned, not expected: {}", text));
    if (adds_given_ && adds_found_ != outcome_.meaning.additions.size()) {
      differ(
          fmt::format("{} additions came, {} were expected", outcome_.meaning.additions.size(), adds_found_));
    }
  }

  const Outcome& outcome_;
  Placer& placer_;
  std::vector<Error> refusals_;
  std::vector<std::string> warnings_;
  std::vector<std::string> differences_;
  int line_ = 0;
  int group_ = 0;
  bool adds_given_ = false;
  std::size_t adds_found_ = 0;
};

const std::map<std::string, Comparison::Verb>& Comparison::verbs() {
  static const std::map<std::string, Verb> table{
      {"refused", &Comparison::refused},
      {"warning", &Comparison::warning},
      {"segments", &Comparison::segments},
      {"loose", &Comparison::loose},
      {"segment", &Comparison::one_segment},
      {"domains", &Comparison::domains},
      {"hosts", &Comparison::hosts},
      {"loose-hosts", &Comparison::loose_hosts},
      {"whole", &Comparison::whole},
      {"reason", &Comparison::reason},
      {"pod", &Comparison::pod},
      {"adds", &Comparison::adds},
      {"used", &Comparison::used},
      {"group", &Comparison::choose_group},
      {"fits", [](Comparison& c, Words line) { c.yes_no("fits", line, c.outcome_.plan.fits); }},
      {"managed", [](Comparison& c, Words line) { c.yes_no("managed", line, c.outcome_.meaning.managed); }},
      {"relevant",
       [](Comparison& c, Words line) { c.yes_no("relevant", line, c.outcome_.meaning.relevant); }},
      {"proven", [](Comparison& c, Words line) { c.yes_no("proven", line, c.outcome_.plan.proven); }},
      {"placed",
       [](Comparison& c, Words l) {
         c.amount("needed segments placed", l, c.outcome_.plan.objective.needed_placed);
       }},
      {"optional",
       [](Comparison& c, Words l) {
         c.amount("optional segments placed", l, c.outcome_.plan.objective.optional_placed);
       }},
      {"climbed", [](Comparison& c,
                     Words line) { c.amount("levels climbed", line, c.outcome_.plan.objective.climbed); }},
      {"groups",
       [](Comparison& c, Words line) { c.amount("groups", line, std::ssize(c.outcome_.plan.groups)); }},
  };
  return table;
}

}  // namespace

std::vector<std::string> compare(const Section& section, const Outcome& outcome, Placer& placer) {
  return Comparison(outcome, placer).run(section);
}

}  // namespace toposeg::cases
