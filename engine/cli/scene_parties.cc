#include "engine/cli/scene_parties.h"

#include <fmt/format.h>

#include <utility>

#include "engine/cli/index_ranges.h"
#include "engine/cli/plan_words.h"

namespace toposeg::cli {
namespace {

class Collector {
 public:
  explicit Collector(const Unit& unit) : unit_(unit) {}

  // `letter` stands before the signs where there are several workloads.
  void add(const PlannedWorkload& planned, const std::string& letter) {
    planned_ = &planned;
    letter_ = letter;
    for (const engine::PlannedGroup& group : planned.plan.groups) {
      for (const engine::PlannedSegment& segment : group.segments) add_segment(group, segment);
      add_loose(group);
    }
  }

  Parties take() { return std::move(out_); }

 private:
  [[nodiscard]] bool several_groups() const { return planned_->plan.groups.size() > 1; }

  [[nodiscard]] std::string head(const engine::PlannedGroup& group) const {
    const std::string& name = planned_->workload().identity.name;
    return several_groups() ? fmt::format("{} group {}", name, group.group) : name;
  }

  // Without the number of the segment, which stands beside it.
  static std::string reason(const engine::PlannedSegment& segment) {
    if (segment.reasons.empty()) return {};
    std::string text = segment.reasons.front();
    const std::string number = fmt::format("segment {}: ", segment.segment);
    if (text.starts_with(number)) text.erase(0, number.size());
    return text;
  }

  void add_segment(const engine::PlannedGroup& group, const engine::PlannedSegment& segment) {
    picture::Party party;
    party.sign =
        letter_ + (several_groups() ? fmt::format("{}.", group.group) : "") + std::to_string(segment.segment);
    party.name =
        fmt::format("{}{} segment {}", letter_.empty() ? "" : party.sign + " ", head(group), segment.segment);
    party.placed = segment.status != engine::SegmentStatus::kWaiting;
    const std::string where = path_text(segment.domain);
    const std::string why = reason(segment);
    party.note = party.placed && !where.empty() ? fmt::format("{} pods in {}", segment.pods.size(), where)
                                                : std::string(word(segment.status));
    if (!why.empty()) party.note += "; " + why;
    ++out_.segments;
    out_.placed += party.placed ? 1 : 0;
    add_party(std::move(party), segment.pods);
  }

  void add_loose(const engine::PlannedGroup& group) {
    std::map<workload::Role, std::vector<engine::PlannedPod>> by_role;
    for (const engine::PlannedPod& pod : group.loose) by_role[pod.role].push_back(pod);
    for (const auto& [role, pods] : by_role) {
      picture::Party party;
      party.name = fmt::format("{} {}", head(group), word(role));
      party.note = "in no segment";
      party.loose = true;
      add_party(std::move(party), pods);
    }
  }

  void add_party(picture::Party party, const std::vector<engine::PlannedPod>& pods) {
    const auto number = static_cast<int>(out_.parties.size());
    std::map<std::string, std::vector<engine::PlannedPod>> by_host;
    for (const engine::PlannedPod& pod : pods) {
      if (!pod.host.empty()) by_host[pod.host].push_back(pod);
    }
    for (const auto& [host, there] : by_host) out_.guests[host].push_back(visit(number, there));
    out_.parties.push_back(std::move(party));
  }

  [[nodiscard]] Visit visit(int party, const std::vector<engine::PlannedPod>& pods) const {
    const workload::Workload& workload = planned_->workload();
    Visit visit{party, 0, !workload.suspended && workload.owns_pods, {}};
    std::vector<int> indices;
    for (const engine::PlannedPod& pod : pods) {
      const bool extra = pod.role != workload::Role::kWorker && workload.extra_spec;
      const kube::PodSpec& spec = extra ? *workload.extra_spec : workload.worker;
      const std::int64_t* amount = kube::find(spec.requests, unit_.resource);
      visit.units += amount == nullptr ? 0 : (*amount + unit_.amount - 1) / unit_.amount;
      indices.push_back(pod.index);
    }
    visit.pods = index_ranges(indices);
    return visit;
  }

  const Unit& unit_;
  const PlannedWorkload* planned_ = nullptr;
  std::string letter_;
  Parties out_;
};

// A, B, …, Z, AA, AB, …
std::string letters(std::size_t number) {
  constexpr std::size_t kLetters = 26;
  std::string text(1, static_cast<char>('A' + number % kLetters));
  return number < kLetters ? text : letters(number / kLetters - 1) + text;
}

}  // namespace

Parties parties_of(std::span<const PlannedWorkload> workloads, const std::string& topology,
                   const Unit& unit) {
  std::vector<const PlannedWorkload*> here;
  for (const PlannedWorkload& planned : workloads) {
    if (planned.plan.topology == topology) here.push_back(&planned);
  }
  Collector collector(unit);
  for (std::size_t i = 0; i < here.size(); ++i) collector.add(*here[i], here.size() > 1 ? letters(i) : "");
  Parties parties = collector.take();
  if (here.size() == 1) parties.title = title(here.front()->workload().identity);
  if (here.size() > 1) parties.title = fmt::format("{} workloads", here.size());
  return parties;
}

}  // namespace toposeg::cli
