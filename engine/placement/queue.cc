#include "engine/placement/queue.h"

#include <algorithm>

namespace toposeg::engine {

std::list<Queue::Entry>::iterator Queue::find(const Owner& owner) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const Entry& entry) { return entry.owner == owner; });
}

bool Queue::holds(const Owner& owner) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.owner == owner; });
}

void Queue::wait(const Owner& owner, const workload::Workload& workload, Place place, std::string reason,
                 Instant now) {
  auto entry = find(owner);
  if (entry == entries_.end())
    entry = entries_.insert(entries_.end(),
                            Entry{.owner = owner, .workload = nullptr, .reasons = {}, .until = {}});
  entry->workload = std::make_shared<const workload::Workload>(workload);
  entry->reasons.insert_or_assign(place, std::move(reason));
  entry->until = now + patience_;
}

void Queue::placed(const Owner& owner, Place place) {
  const auto entry = find(owner);
  if (entry == entries_.end()) return;
  entry->reasons.erase(place);
  if (entry->reasons.empty()) entries_.erase(entry);
}

void Queue::leave(const Owner& owner) {
  const auto entry = find(owner);
  if (entry != entries_.end()) entries_.erase(entry);
}

std::vector<const Queue::Entry*> Queue::before(const Owner& owner, Instant now) const {
  std::vector<const Entry*> earlier;
  for (const Entry& entry : entries_) {
    if (entry.owner == owner) break;
    if (now < entry.until) earlier.push_back(&entry);
  }
  return earlier;
}

}  // namespace toposeg::engine
