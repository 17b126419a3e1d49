#include "engine/simulation/agenda.h"

#include "unit/catch.h"

namespace toposeg::simulation {
namespace {

std::vector<std::size_t> jobs_in_order(Agenda& agenda) {
  std::vector<std::size_t> jobs;
  while (const auto event = agenda.next()) jobs.push_back(event->job);
  return jobs;
}

TEST_CASE("events come by time, whatever the order in which they were added") {
  Agenda agenda;
  agenda.add({30, Happening::kArrival, 3});
  agenda.add({10, Happening::kArrival, 1});
  agenda.add({20, Happening::kArrival, 2});
  CHECK(jobs_in_order(agenda) == std::vector<std::size_t>{1, 2, 3});
}

TEST_CASE("at one instant jobs end before others arrive, and then the older goes first") {
  Agenda agenda;
  agenda.add({10, Happening::kArrival, 1});
  agenda.add({10, Happening::kArrival, 0});
  agenda.add({10, Happening::kEnd, 7});
  CHECK(jobs_in_order(agenda) == std::vector<std::size_t>{7, 0, 1});
}

TEST_CASE("the clock stands at the last event and never moves by itself") {
  Agenda agenda;
  CHECK(agenda.now() == 0);
  agenda.add({5, Happening::kArrival, 0});
  agenda.add({5, Happening::kArrival, 1});
  agenda.add({9, Happening::kArrival, 2});
  CHECK(agenda.now() == 0);
  (void)agenda.next();
  CHECK(agenda.now() == 5);
  CHECK(agenda.more_now());
  (void)agenda.next();
  CHECK_FALSE(agenda.more_now());
  (void)agenda.next();
  CHECK(agenda.now() == 9);
  CHECK_FALSE(agenda.next());
  CHECK(agenda.now() == 9);
}

TEST_CASE("what is added while time goes by takes its place") {
  Agenda agenda;
  agenda.add({1, Happening::kArrival, 0});
  agenda.add({8, Happening::kArrival, 1});
  (void)agenda.next();
  agenda.add({4, Happening::kEnd, 0});
  CHECK(agenda.next()->time == 4);
  CHECK(agenda.next()->time == 8);
}

}  // namespace
}  // namespace toposeg::simulation
