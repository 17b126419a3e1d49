#include "engine/picture/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace toposeg::picture {
namespace {

bool all(const std::vector<Host>& hosts, Health health) {
  return std::all_of(hosts.begin(), hosts.end(), [&](const Host& host) { return host.health == health; });
}

// The hosts of a domain as one.
Host as_cell(const Domain& domain) {
  Host cell;
  cell.name = domain.name;
  cell.note = domain.note;
  for (const Health health : {Health::kTainted, Health::kUnhealthy}) {
    if (all(domain.hosts, health)) cell.health = health;
  }
  const auto count = static_cast<double>(domain.hosts.size());
  std::map<int, std::pair<double, int>> guests;  // party -> share, hosts
  for (const Host& host : domain.hosts) {
    cell.used += host.used / count;
    for (const Guest& guest : host.guests) {
      guests[guest.party].first += guest.share / count;
      ++guests[guest.party].second;
    }
  }
  for (const auto& [party, guest] : guests)
    cell.guests.push_back({party, guest.first, fmt::format("{} hosts", guest.second)});
  return cell;
}

// True when some domain became a cell.
bool fold_closest(Domain& domain) {
  bool folded = false;
  for (Domain& child : domain.children) folded = fold_closest(child) || folded;
  const bool ready = !folded && !domain.children.empty() &&
                     std::all_of(domain.children.begin(), domain.children.end(), [](const Domain& child) {
                       return child.children.empty() && !child.hosts.empty();
                     });
  if (!ready) return folded;
  for (const Domain& child : domain.children) domain.hosts.push_back(as_cell(child));
  domain.children.clear();
  return true;
}

}  // namespace

void fold(Scene& scene, std::size_t most) {
  const std::size_t hosts = host_count(scene);
  for (bool folded = true; folded && host_count(scene) > most;) {
    folded = false;
    for (Domain& domain : scene.domains) folded = fold_closest(domain) || folded;
  }
  if (host_count(scene) < hosts) scene.notes.emplace_back("too many hosts to draw each: a cell is a domain");
}

}  // namespace toposeg::picture
