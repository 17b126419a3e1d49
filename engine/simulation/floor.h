// Who holds which host, whatever a policy believes: the books by which every policy is judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "engine/capacity/books.h"
#include "engine/placement/views.h"
#include "engine/simulation/job.h"
#include "engine/simulation/site.h"

namespace toposeg::simulation {

// Hosts (leaves of the site's tree) of every pod, segment by segment, as Job::segments() counts them.
using Placement = std::vector<std::vector<engine::Vertex>>;

// Not thread safe.
class Floor {
 public:
  // Pods of the cluster hold their space for ever. The site must outlive the floor.
  explicit Floor(const Site& site);
  Floor(const Floor&) = delete;
  Floor& operator=(const Floor&) = delete;

  [[nodiscard]] const engine::Tree& tree() const { return *site_.tree; }
  // Pods of this shape that still fit, in every domain. Valid until the next change of the floor.
  [[nodiscard]] const engine::CapacityView& room(const kube::PodSpec& pod);

  // kInternal, and nothing is taken, when the placement is not whole or a host has no room: a policy must
  // never give such an answer.
  [[nodiscard]] Result<void> take(std::size_t number, const Job& job, const Placement& placement);
  void give_back(std::size_t number);

  // Held by jobs and free at the beginning, in units of the resource that matters on these hosts (a device,
  // else milli cpu, else pods).
  [[nodiscard]] std::int64_t held() const { return held_; }
  [[nodiscard]] std::int64_t offered() const { return offered_; }

 private:
  [[nodiscard]] std::int64_t weight(const kube::PodSpec& pod) const;

  const Site& site_;
  engine::Books books_;
  engine::Views views_{books_};
  std::string resource_;
  std::int64_t offered_ = 0;
  std::int64_t held_ = 0;
  struct Holding {
    int pods = 0;
    std::int64_t weight = 0;
  };
  std::map<std::size_t, Holding> holdings_;
};

}  // namespace toposeg::simulation
