// What a picture shows: a tree of domains down to their hosts, and who is on each host. Any text may stand in
// a name; it is escaped when it is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace toposeg::picture {

enum class Health : std::uint8_t {
  kWell,
  kTainted,    // kept for others
  kUnhealthy,  // cordoned or not ready
};

// Pods of one segment on a host.
struct Guest {
  int party = -1;    // index into Scene::parties
  double share = 0;  // of the host's capacity, 0 to 1
  std::string pods;  // "0-3"
};

struct Host {
  std::string name;
  Health health = Health::kWell;
  double used = 0;   // share that others use
  std::string note;  // for the one who hovers: health, what is free
  std::vector<Guest> guests;
};

struct Domain {
  std::string name;
  std::string level;
  std::string note;
  std::vector<Domain> children;  // either these
  std::vector<Host> hosts;       // or these
};

// A segment, or the pods of a workload that are in none.
struct Party {
  std::string sign;  // few characters that stand in its hosts where they fit
  std::string name;  // for the legend
  std::string note;  // domain reached, or why it waits
  bool placed = true;
  bool loose = false;  // pods in no segment: drawn alike for all workloads
};

struct Scene {
  std::string title;
  std::vector<std::string> notes;  // lines below the title
  std::vector<Domain> domains;     // of the top level
  std::vector<Host> outside;       // hosts in no domain
  std::vector<Party> parties;
};

[[nodiscard]] std::size_t host_count(const Domain& domain);
[[nodiscard]] std::size_t host_count(const Scene& scene);

}  // namespace toposeg::picture
