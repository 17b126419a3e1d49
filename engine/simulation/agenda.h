// The virtual clock: what happens next, and when. No real time passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "engine/simulation/job.h"

namespace toposeg::simulation {

// In the order in which events of one instant happen: space is given back before it is asked for.
enum class Happening : std::uint8_t { kEnd, kArrival };

struct Event {
  Seconds time = 0;
  Happening what = Happening::kArrival;
  std::size_t job = 0;
};

// Events of one instant come by kind, then by job. O(log n) each.
class Agenda {
 public:
  // Not before now().
  void add(const Event& event);
  // The next event; the clock stands at its time then. None = nothing is left.
  std::optional<Event> next();
  [[nodiscard]] Seconds now() const { return now_; }
  // Whether something else happens at this very instant.
  [[nodiscard]] bool more_now() const { return !events_.empty() && events_.top().time == now_; }

 private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const;
  };
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  Seconds now_ = 0;
};

}  // namespace toposeg::simulation
