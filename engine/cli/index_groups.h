// Pods by something that they share, in the order in which it first came up.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace toposeg::cli {

class IndexGroups {
 public:
  void add(const std::string& shared, int index) {
    const auto known = std::find_if(groups_.begin(), groups_.end(),
                                    [&](const auto& group) { return group.first == shared; });
    if (known == groups_.end()) {
      groups_.push_back({shared, {index}});
    } else {
      known->second.push_back(index);
    }
  }

  [[nodiscard]] const std::vector<std::pair<std::string, std::vector<int>>>& groups() const {
    return groups_;
  }

 private:
  std::vector<std::pair<std::string, std::vector<int>>> groups_;
};

}  // namespace toposeg::cli
