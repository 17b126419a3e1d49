#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"
#include "unit/catch.h"

namespace toposeg::cli {
namespace {

using Catch::Matchers::Contains;
using Words = std::vector<std::string>;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words kSmall{"simulate", "--generate", "volcano:8x6", "--jobs", "60"};

std::string text_of(const std::string& file) {
  std::ifstream input(file);
  return {std::istreambuf_iterator<char>(input), {}};
}

TEST_CASE("a simulation gives the same bytes for the same seed, in every form") {
  for (const std::string form : {"table", "json", "csv", "html"}) {
    INFO(form);
    const Answer once = toposeg(with(kSmall, {"--seed", "3", "-o", form}));
    CHECK(once.status == 0);
    CHECK(once.err.empty());
    CHECK(once.out == toposeg(with(kSmall, {"--seed", "3", "-o", form})).out);
    CHECK(once.out != toposeg(with(kSmall, {"--seed", "4", "-o", form})).out);
  }
}

TEST_CASE("the tables fit a narrow terminal") {
  std::istringstream lines(toposeg(with(kSmall, {"--timings", "--load", "1.2"})).out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("decision times are shown only on request") {
  for (const std::string form : {"table", "json", "html"}) {
    const std::string word = form == "json" ? "decisions" : form == "html" ? "decision</h2>" : "DECISIONS";
    CHECK_THAT(toposeg(with(kSmall, {"-o", form})).out, !Contains(word));
    CHECK_THAT(toposeg(with(kSmall, {"-o", form, "--timings"})).out, Contains(word));
  }
}

TEST_CASE("the CSV has a line for each policy and job") {
  const Answer answer = toposeg(
      with(kSmall, {"--policy", "tightest", "--policy", "toposeg", "--policy", "tightest", "-o", "csv"}));
  CHECK(std::count(answer.out.begin(), answer.out.end(), '\n') == 121);
  CHECK_THAT(answer.out, Contains("policy,job,arrival,duration,pods,segment,fate,start,wait,segments,apart,"
                                  "in-zone,in-block,in-rack,in-host\ntightest,job-0001,0,"));
  CHECK_THAT(answer.out, Contains("\ntoposeg,job-0060,"));
}

TEST_CASE("the report for programs adds up") {
  const auto report = nlohmann::json::parse(toposeg(with(kSmall, {"--load", "1.5", "-o", "json"})).out);
  CHECK(report.at("kind") == "SimulationReport");
  CHECK(report.at("nodes") == 48);
  REQUIRE(report.at("policies").size() == 6);
  for (const auto& policy : report.at("policies")) {
    CHECK(policy.at("atOnce").get<int>() + policy.at("waited").get<int>() + policy.at("never").get<int>() ==
          60);
    int jobs = 0;
    for (const auto& size : policy.at("sizes")) jobs += size.at("jobs").get<int>();
    CHECK(jobs == 60);
    const auto& used = policy.at("usedOverTime");
    const double end = policy.at("end");
    CHECK(used.at("means").size() * used.at("interval").get<double>() >= end);
    for (const double mean : used.at("means")) CHECK((mean >= 0 && mean <= 1));
  }
}

TEST_CASE("a saved trace plays as the one it was saved from") {
  const Folder folder;
  const std::string file = folder.path("jobs.csv");
  const std::string cluster = folder.write("cluster.yaml", toposeg({"generate", "volcano:8x6"}).out);
  const Answer made = toposeg(with(kSmall, {"--save-trace", file}));
  CHECK(made.out == toposeg({"simulate", "--trace", file, "--cluster", cluster}).out);
  Program program;
  program.input = text_of(file);
  CHECK(made.out == program.run({"simulate", "--trace", "-", "--cluster", cluster}).out);
}

TEST_CASE("a made cluster is one that the other commands read, as YAML and as JSON") {
  for (const std::string form : {"yaml", "json"}) {
    Program program;
    program.input = toposeg({"generate", "lingjun", "-o", form}).out;
    const Answer slots = program.run({"slots", "--cluster", "-", "--size", "8"});
    INFO(slots.err);
    CHECK(slots.status == 0);
    CHECK_THAT(slots.out, Contains("\nrack        105\n"));
  }
  CHECK(toposeg({"generate", "eks:2x2"}).out == toposeg({"generate", "eks:2x2"}).out);
}

TEST_CASE("a wrong question to the simulator is answered with what would be right") {
  const Folder folder;
  const std::string empty = folder.write("empty.csv", "");
  const std::string bad = folder.write("bad.csv", "name,arrival,duration,pods\none,0,-1,4\n");
  struct Wrong {
    Words words;
    int status;
    std::string told;
  };
  const std::vector<Wrong> table{
      {{"--generate", "nvl73"}, 3, "did you mean \"nvl72\"?"},
      {{"--generate", "nvl72", "--cluster", kClusterFile}, 2, "--cluster"},
      {{"--generate", "nvl72", "--policy", "best"}, 2, "widest-first"},
      {{"--generate", "nvl72", "--jobs", "0"}, 2, "--jobs"},
      {{"--generate", "nvl72", "--load", "-1"}, 2, "--load"},
      {{"--generate", "nvl72", "--seed", "-1"}, 2, "--seed"},
      {{"--cluster", kClusterFile, "--trace", bad, "--jobs", "5"}, 2, "--trace"},
      {{"--cluster", kClusterFile, "--trace", bad}, 3, "bad.csv:2: field \"duration\": \"-1\""},
      {{"--cluster", kClusterFile, "--trace", empty}, 3, "is empty; expected a trace of jobs"},
      {{"--cluster", kClusterFile, "--trace", folder.path("none.csv")}, 3, "cannot be opened"},
      {{"--cluster", kClusterFile, "--topology", "none"}, 3, "there are: cluster-topology"},
      {{"--cluster", "-", "--trace", "-"}, 2, "only once"},
      {{"--generate", "eks:2x2", "--save-trace", folder.path("no/such/folder")}, 3, "cannot be written"},
  };
  for (const Wrong& wrong : table) {
    const Answer answer = toposeg(with({"simulate"}, wrong.words));
    INFO(wrong.told << " in " << answer.err);
    CHECK(answer.status == wrong.status);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.err, Contains(wrong.told));
  }
  CHECK(toposeg({"generate"}).status == 2);
  CHECK_THAT(toposeg({"generate", "eks:2"}).err, Contains("such as 20x18"));
}

}  // namespace
}  // namespace toposeg::cli
