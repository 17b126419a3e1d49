#include "property.h"

#include <vector>

namespace toposeg::property {

namespace {

template <typename List>
void without_each(const Scenario& from, List Scenario::* list, std::vector<Scenario>& out) {
  for (std::size_t i = 0; i < (from.*list).size(); ++i) {
    Scenario less = from;
    (less.*list).erase((less.*list).begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(std::move(less));
  }
}

void with_less(const Scenario& from, int Scenario::* number, int least, std::vector<Scenario>& out) {
  for (const int value : {least, from.*number / 2, from.*number - 1}) {
    if (value < least || value >= from.*number) continue;
    Scenario less = from;
    less.*number = value;
    out.push_back(std::move(less));
  }
}

bool sensible(const Scenario& scenario) {
  return !scenario.hosts.empty() && scenario.size <= scenario.workers && scenario.least <= scenario.workers;
}

void drop_pods_of_missing_hosts(Scenario& scenario) {
  std::erase_if(scenario.pods, [&](const auto& pod) {
    return std::none_of(scenario.hosts.begin(), scenario.hosts.end(),
                        [&](const HostLine& host) { return host.path.back() == pod.first; });
  });
}

// Everything that is one step simpler, the boldest steps first.
std::vector<Scenario> simpler(const Scenario& from) {
  std::vector<Scenario> out;
  without_each(from, &Scenario::hosts, out);
  without_each(from, &Scenario::pods, out);
  with_less(from, &Scenario::replicas, 1, out);
  with_less(from, &Scenario::workers, 1, out);
  with_less(from, &Scenario::size, 1, out);
  with_less(from, &Scenario::gpus_per_worker, 1, out);
  with_less(from, &Scenario::least, 0, out);
  for (std::string Scenario::* level :
       {&Scenario::whole_required, &Scenario::preferred, &Scenario::required}) {
    if ((from.*level).empty()) continue;
    out.push_back(from);
    (out.back().*level).clear();
  }
  for (std::size_t i = 0; i < from.hosts.size(); ++i) {
    if (from.hosts[i].gpus > 1) {
      out.push_back(from);
      --out.back().hosts[i].gpus;
    }
    if (!from.hosts[i].attribute.empty()) {
      out.push_back(from);
      out.back().hosts[i].attribute.clear();
    }
  }
  std::erase_if(out, [](const Scenario& scenario) { return !sensible(scenario); });
  for (Scenario& scenario : out) drop_pods_of_missing_hosts(scenario);
  return out;
}

}  // namespace

Scenario shrink(Scenario failing, const Property& property) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (Scenario& candidate : simpler(failing)) {
      if (property(candidate).empty()) continue;
      failing = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return failing;
}

std::optional<Counterexample> falsify(const Property& property, int instances, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  for (int i = 0; i < instances; ++i) {
    Scenario scenario = random_scenario(dice);
    if (property(scenario).empty()) continue;
    scenario = shrink(std::move(scenario), property);
    return Counterexample{scenario, property(scenario), text_of(scenario) + outcome_of(scenario)};
  }
  return std::nullopt;
}

}  // namespace toposeg::property
