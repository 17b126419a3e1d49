// Where the boxes lie: domains inside domains, each about as wide as a screen is to its height; hosts in
// grids. How much detail a host gets depends on how many there are.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/picture/scene.h"

namespace toposeg::picture {

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// Sizes in pixels that follow from the number of hosts.
struct Detail {
  double width = 0;  // of a host's cell
  double height = 0;
  double gap = 0;      // between cells, and between a box and what is in it
  double font = 0;     // in cells; 0 = no text in them
  bool names = false;  // cells have room for the host's name
};
[[nodiscard]] Detail detail_for(std::size_t hosts);

struct PlacedDomain {
  const Domain* domain = nullptr;
  Box box;
  double font = 0;  // of its name, 0 = no room for it
  std::vector<PlacedDomain> children;
  std::vector<Box> hosts;  // by number
};

struct Layout {
  Detail detail;
  double width = 0;
  double height = 0;
  std::vector<PlacedDomain> domains;  // the last one holds the hosts outside, where there are any
};

// All positions from (0, 0) on. The scene (and `outside`, the box for Scene::outside) must outlive the
// layout. O(hosts * log(hosts)).
[[nodiscard]] Layout lay_out(const Scene& scene, const Domain& outside);

}  // namespace toposeg::picture
