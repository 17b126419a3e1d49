// Scenes for the tests of pictures.
#pragma once

#include <sstream>
#include <string>

#include "engine/picture/scene.h"

namespace toposeg::picture::test {

inline Host host(const std::string& name) {
  Host host;
  host.name = name;
  return host;
}

// `blocks` blocks of `racks` racks of `hosts` hosts.
inline Scene scene(int blocks, int racks, int hosts) {
  Scene scene;
  scene.title = "Topology t";
  scene.notes = {"block > rack"};
  for (int b = 0; b < blocks; ++b) {
    Domain block{"block-" + std::to_string(b), "block", "", {}, {}};
    for (int r = 0; r < racks; ++r) {
      Domain rack{"rack-" + std::to_string(r), "rack", "", {}, {}};
      for (int h = 0; h < hosts; ++h) rack.hosts.push_back(host("host-" + std::to_string(h)));
      block.children.push_back(std::move(rack));
    }
    scene.domains.push_back(std::move(block));
  }
  return scene;
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace toposeg::picture::test
