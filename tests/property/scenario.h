// A small cluster and one workload, kept so that it can be varied and shrunk, and its text as a case file
// (tests/cases/README.md), which is how it is run and how a failing one is shown.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace toposeg::property {

struct HostLine {
  std::vector<std::string> path;  // one name a level; the last is the host
  int gpus = 0;
  std::string attribute;  // cordoned, notready, or empty
};

struct Scenario {
  std::vector<std::string> levels;
  std::vector<HostLine> hosts;
  std::vector<std::pair<std::string, int>> pods;  // strangers: host, GPUs
  std::string kind;                               // first line of [workload] up to the numbers
  int workers = 1;                                // of a group
  int replicas = 1;                               // groups (lws)
  int size = 1;
  int gpus_per_worker = 1;
  int least = 0;  // elastic: workers that are needed; 0 = not elastic
  std::string required;
  std::string preferred;
  std::string whole_required;
};

[[nodiscard]] Scenario random_scenario(std::mt19937_64& dice);

// Everything up to an [expect] section.
[[nodiscard]] std::string text_of(const Scenario& scenario);

// What came of it, in the words of an [expect] section. Anything but a plan is said in a line that begins
// with `fault`.
[[nodiscard]] std::string outcome_of(const Scenario& scenario);

// The number after a word at the beginning of a line of an outcome, summed over its lines; 0 = it is not
// there.
[[nodiscard]] int figure(const std::string& outcome, const std::string& word);
// The lines that begin with the word.
[[nodiscard]] std::string lines_of(const std::string& outcome, const std::string& word);

}  // namespace toposeg::property
