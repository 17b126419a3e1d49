#include "scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "run_case.h"

namespace toposeg::property {

namespace {

class Dice {
 public:
  explicit Dice(std::mt19937_64& source) : source_(source) {}
  int below(int sides) { return static_cast<int>(source_() % static_cast<unsigned>(sides)); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937_64& source_;
};

void grow(Dice& dice, Scenario& scenario, std::vector<std::string> path) {
  const std::size_t level = path.size();
  if (level + 1 == scenario.levels.size()) {
    const int hosts = 1 + dice.below(3);
    for (int i = 0; i < hosts; ++i) {
      HostLine host{path, 1 + dice.below(4), ""};
      host.path.push_back(fmt::format("n{:02}", scenario.hosts.size()));
      if (dice.chance(8)) host.attribute = dice.chance(50) ? "cordoned" : "notready";
      scenario.hosts.push_back(std::move(host));
    }
    return;
  }
  const int children = 1 + dice.below(3);
  for (int i = 0; i < children; ++i) {
    path.push_back(fmt::format("{}{}", scenario.levels[level], i));
    grow(dice, scenario, path);
    path.pop_back();
  }
}

void take_a_level(Dice& dice, const Scenario& scenario, int percent, std::string& level) {
  if (dice.chance(percent)) level = dice.one_of(scenario.levels);
}

std::string workload_text(const Scenario& s) {
  std::string text = "[workload]\n" + s.kind;
  if (s.kind == "lws") {
    text += fmt::format(" size={} replicas={}\n", s.workers, s.replicas);
  } else {
    text += fmt::format(" workers={}", s.workers);
    if (s.least > 0) text += fmt::format(" min={} max={} min-available={}", s.least, s.workers, s.least);
    text += '\n';
  }
  text += fmt::format("worker gpu={}\nsize {}\n", s.gpus_per_worker, s.size);
  if (!s.required.empty()) text += "required " + s.required + '\n';
  if (!s.preferred.empty()) text += "preferred " + s.preferred + '\n';
  if (!s.whole_required.empty()) text += "whole-required " + s.whole_required + '\n';
  return text;
}

}  // namespace

Scenario random_scenario(std::mt19937_64& source) {
  Dice dice(source);
  Scenario s;
  s.levels = dice.chance(50) ? std::vector<std::string>{"rack", "host"}
                             : std::vector<std::string>{"zone", "rack", "host"};
  grow(dice, s, {});
  const int strangers = dice.below(4);
  for (int i = 0; i < strangers; ++i)
    s.pods.emplace_back(dice.one_of(s.hosts).path.back(), 1 + dice.below(2));
  s.kind = dice.chance(70) ? "pytorchjob" : "lws";
  s.workers = 1 + dice.below(9);
  s.replicas = 1 + dice.below(2);
  s.size = 1 + dice.below(std::min(4, s.workers));
  s.gpus_per_worker = 1 + dice.below(2);
  if (s.kind == "pytorchjob" && dice.chance(20)) s.least = 1 + dice.below(s.workers);
  take_a_level(dice, s, 70, s.required);
  take_a_level(dice, s, 40, s.preferred);
  take_a_level(dice, s, 30, s.whole_required);
  if (s.required.empty() && s.preferred.empty()) s.required = "rack";
  return s;
}

std::string text_of(const Scenario& scenario) {
  std::string text = "# A scenario made by chance.\n[cluster]\nlevels";
  for (const std::string& level : scenario.levels) text += ' ' + level;
  text += '\n';
  for (const HostLine& host : scenario.hosts) {
    for (const std::string& name : host.path) text += name + ' ';
    text += fmt::format("gpu={}{}{}\n", host.gpus, host.attribute.empty() ? "" : " ", host.attribute);
  }
  if (!scenario.pods.empty()) text += "[pods]\n";
  for (const auto& [host, gpus] : scenario.pods) text += fmt::format("{} gpu={}\n", host, gpus);
  return text + workload_text(scenario) + "[expect]\n";
}

std::string outcome_of(const Scenario& scenario) {
  const cases::CaseResult result = cases::run_case("scenario", text_of(scenario));
  if (!result.came.empty()) return result.came;
  std::string faults;
  for (const std::string& difference : result.differences) faults += "fault " + difference + '\n';
  return faults;
}

std::string lines_of(const std::string& outcome, const std::string& word) {
  std::istringstream input(outcome);
  std::string found;
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with(word + ' ')) found += line + '\n';
  }
  return found;
}

int figure(const std::string& outcome, const std::string& word) {
  std::istringstream input(lines_of(outcome, word));
  int sum = 0;
  for (std::string line; std::getline(input, line);) sum += std::stoi(line.substr(word.size() + 1));
  return sum;
}

}  // namespace toposeg::property
