#include "engine/simulation/meter.h"

#include <algorithm>

namespace toposeg::simulation {

Meter::Meter(const Scenario& scenario, Floor& floor, Seconds until)
    : scenario_(scenario),
      floor_(floor),
      until_(until),
      lost_now_(scenario.yardsticks.size(), 0),
      lost_sum_(scenario.yardsticks.size(), 0) {
  read();
}

void Meter::pass(Seconds now) {
  if (now == last_) return;
  const auto counted = static_cast<double>(std::min(now, until_) - std::min(last_, until_));
  used_.add(last_, now, used_now_);
  used_sum_ += used_now_ * counted;
  double lost = 0;
  for (std::size_t i = 0; i < lost_now_.size(); ++i) {
    lost += lost_now_[i];
    lost_sum_[i] += lost_now_[i] * counted;
  }
  if (!lost_now_.empty()) lost_.add(last_, now, lost / static_cast<double>(lost_now_.size()));
  last_ = now;
}

void Meter::read() {
  used_now_ =
      floor_.offered() == 0 ? 0 : static_cast<double>(floor_.held()) / static_cast<double>(floor_.offered());
  for (std::size_t i = 0; i < lost_now_.size(); ++i) lost_now_[i] = lost(scenario_.yardsticks[i]);
}

double Meter::lost(const Yardstick& yardstick) {
  const engine::CapacityView& room = floor_.room(yardstick.pod);
  const std::int32_t ideal = room.capacity(engine::kRoot) / yardstick.segment;
  if (ideal == 0) return 0;
  std::int32_t usable = 0;
  const engine::VertexRange domains = room.tree().at_level(yardstick.level);
  for (engine::Vertex v = domains.begin; v < domains.end; ++v) usable += room.capacity(v) / yardstick.segment;
  return 1.0 - static_cast<double>(usable) / static_cast<double>(ideal);
}

void Meter::finish(Outcome& outcome) const {
  const double span = until_ == 0 ? 1 : static_cast<double>(until_);
  outcome.used = used_sum_ / span;
  outcome.used_over_time = used_;
  for (const double sum : lost_sum_) outcome.lost.push_back(sum / span);
  outcome.lost_over_time = lost_;
}

}  // namespace toposeg::simulation
