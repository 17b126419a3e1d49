#include "engine/simulation/agenda.h"

#include <cassert>
#include <tuple>

namespace toposeg::simulation {

bool Agenda::Later::operator()(const Event& a, const Event& b) const {
  return std::tie(a.time, a.what, a.job) > std::tie(b.time, b.what, b.job);
}

void Agenda::add(const Event& event) {
  assert(event.time >= now_);
  events_.push(event);
}

std::optional<Event> Agenda::next() {
  if (events_.empty()) return std::nullopt;
  const Event event = events_.top();
  events_.pop();
  now_ = event.time;
  return event;
}

}  // namespace toposeg::simulation
