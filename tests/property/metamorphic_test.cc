// What must hold between the plans of related clusters, whatever the plans are. A counter-example is printed
// as a text case.
//
//   TOPOSEG_PROPERTY_INSTANCES=100000 TOPOSEG_PROPERTY_SEED=7 property_tests
#include <algorithm>
#include <cstdlib>
#include <random>

#include "property.h"
#include "unit/catch.h"

namespace toposeg::property {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

void holds(const Property& property) {
  const bool slow = std::getenv("TOPOSEG_SLOW_BUILD") != nullptr;
  const auto instances = static_cast<int>(setting("TOPOSEG_PROPERTY_INSTANCES", slow ? 150 : 1500));
  const auto found = falsify(property, instances, setting("TOPOSEG_PROPERTY_SEED", 1));
  if (found) FAIL(found->fault << "\nas a case:\n" << found->text);
}

// Choices of a property come from the scenario, so that the same one is asked the same again.
std::mt19937_64 dice_of(const Scenario& scenario) {
  return std::mt19937_64(std::hash<std::string>{}(text_of(scenario)));
}

std::string differs(const std::string& what, const std::string& before, const std::string& after) {
  return before == after ? "" : what + "; before:\n" + before + "after:\n" + after;
}

std::string lost(const std::string& what, const std::string& before, const std::string& after) {
  // Several groups are planned together by a search that may end before it knows the best answer.
  if (!lines_of(after, "proven").empty()) return "";
  const int placed_before = figure(before, "placed");
  const int placed_after = figure(after, "placed");
  if (placed_after >= placed_before) return "";
  return what + ": " + std::to_string(placed_after) + " segments placed instead of " +
         std::to_string(placed_before);
}

// The objective's lines: what is left when names are taken away.
std::string objective(const std::string& outcome) {
  std::string text;
  for (const char* word : {"fits", "placed", "optional", "climbed", "used"}) text += lines_of(outcome, word);
  return text;
}

TEST_CASE("the order in which nodes and pods are read never shows") {
  holds([](const Scenario& scenario) {
    Scenario shuffled = scenario;
    std::mt19937_64 dice = dice_of(scenario);
    std::shuffle(shuffled.hosts.begin(), shuffled.hosts.end(), dice);
    std::shuffle(shuffled.pods.begin(), shuffled.pods.end(), dice);
    return differs("another order gives another plan", outcome_of(scenario), outcome_of(shuffled));
  });
}

TEST_CASE("names that keep their order change nothing but the names") {
  holds([](const Scenario& scenario) {
    Scenario renamed = scenario;
    for (HostLine& host : renamed.hosts) {
      for (std::string& name : host.path) name = "q." + name;
    }
    for (auto& [host, gpus] : renamed.pods) host = "q." + host;
    std::string outcome = outcome_of(renamed);
    for (std::size_t at = 0; (at = outcome.find("q.", at)) != std::string::npos;) outcome.erase(at, 2);
    return differs("other names give another plan", outcome_of(scenario), outcome);
  });
}

TEST_CASE("any other names give a plan that is as good") {
  holds([](const Scenario& scenario) {
    Scenario renamed = scenario;
    std::mt19937_64 dice = dice_of(scenario);
    const std::size_t closest = scenario.levels.size() - 1;
    std::vector<std::string> names;
    for (const HostLine& host : scenario.hosts) names.push_back(host.path[closest]);
    std::vector<std::string> others = names;
    std::shuffle(others.begin(), others.end(), dice);
    const auto other = [&](const std::string& name) {
      return others[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
    };
    for (HostLine& host : renamed.hosts) {
      host.path[closest] = other(host.path[closest]);
      std::reverse(host.path[0].begin(), host.path[0].end());
    }
    for (auto& [host, gpus] : renamed.pods) host = other(host);
    return differs("other names give a worse plan", objective(outcome_of(scenario)),
                   objective(outcome_of(renamed)));
  });
}

TEST_CASE("a further node never costs a segment its place") {
  holds([](const Scenario& scenario) {
    Scenario larger = scenario;
    std::mt19937_64 dice = dice_of(scenario);
    HostLine host = scenario.hosts[dice() % scenario.hosts.size()];
    host.path.back() = "n99";
    host.gpus = 1 + static_cast<int>(dice() % 4);
    larger.hosts.push_back(host);
    return lost("with one node more", outcome_of(scenario), outcome_of(larger));
  });
}

TEST_CASE("room that becomes free never costs a segment its place") {
  holds([](const Scenario& scenario) {
    Scenario freer = scenario;
    freer.pods.clear();
    return lost("with no strangers' pods", outcome_of(scenario), outcome_of(freer));
  });
}

TEST_CASE("a node that comes back never costs a segment its place") {
  holds([](const Scenario& scenario) {
    Scenario healthy = scenario;
    for (HostLine& host : healthy.hosts) host.attribute.clear();
    return lost("with every node healthy", outcome_of(scenario), outcome_of(healthy));
  });
}

TEST_CASE("a level that is only preferred never costs a segment its place") {
  holds([](const Scenario& scenario) {
    Scenario modest = scenario;
    modest.preferred.clear();
    if (modest.required.empty()) return std::string();
    return lost("with a preferred level", outcome_of(modest), outcome_of(scenario));
  });
}

TEST_CASE("every scenario is understood") {
  holds([](const Scenario& scenario) { return lines_of(outcome_of(scenario), "fault"); });
}

// The search itself: a property that is false is refuted by what matters alone.
TEST_CASE("a false property is refuted by a scenario without anything superfluous") {
  const auto found = falsify(
      [](const Scenario& scenario) {
        return figure(outcome_of(scenario), "placed") > 1 ? "two are placed" : "";
      },
      1000, 3);
  REQUIRE(found);
  CHECK(found->scenario.hosts.size() <= 2);
  CHECK(found->scenario.pods.empty());
  CHECK(found->scenario.workers * found->scenario.replicas <= 3);
  CHECK(found->text.find("[expect]\n") != std::string::npos);
}

}  // namespace
}  // namespace toposeg::property
