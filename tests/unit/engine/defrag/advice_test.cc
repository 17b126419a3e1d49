#include "rig.h"
#include "unit/catch.h"

namespace toposeg::engine::defrag {
namespace {

using test::add_segment;
using test::cluster;
using test::kBlock;
using test::kHost;
using test::kRack;
using test::rack;

// Rack 0 has two of four hosts free and a segment on the others; rack 1 has two free beside pods of
// strangers.
Problem half_and_half() {
  Problem problem = cluster({{{1, 1, 0, 0}, {1, 1, 0, 0}}});
  problem.size = 4;
  add_segment(problem, kRack, {2, 3});
  return problem;
}

TEST_CASE("one_segment_that_moves_into_a_gap_leaves_a_whole_rack") {
  const Advice advice = advise(half_and_half());
  CHECK(advice.slots == 0);
  REQUIRE(advice.options.size() == 1);
  const Option& option = advice.options[0];
  CHECK(option.gained == 1);
  CHECK(option.pods == 2);
  REQUIRE(option.moves.size() == 1);
  CHECK(option.moves[0].to == rack(half_and_half(), 1));
  CHECK(option.moves[0].hosts == std::vector<Leaf>{4, 5});
  CHECK(advice.proven_moves == 1);
  CHECK(advice.at_most == 1);
}

TEST_CASE("a_segment_stays_in_the_domain_that_its_workload_requires") {
  Problem problem = cluster({{{1, 1, 0, 0}}, {{1, 1, 0, 0}}});
  problem.size = 4;
  add_segment(problem, kRack, {2, 3});
  CHECK(advise(problem).options.size() == 1);
  problem.segments[0].within = problem.tree->at_level(kBlock).begin;
  const Advice advice = advise(problem);
  CHECK(advice.options.empty());
  CHECK(advice.proven_moves == 1);
  CHECK(advice.at_most == 0);
}

TEST_CASE("a_segment_is_not_torn_between_the_domains_of_its_level") {
  Problem problem = cluster({{{1, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}});
  problem.size = 4;
  add_segment(problem, kRack, {2, 3});
  CHECK(advise(problem).options.empty());
  problem.segments[0].level = kBlock;
  const Advice advice = advise(problem);
  REQUIRE(advice.options.size() == 1);
  CHECK(advice.options[0].moves[0].hosts == std::vector<Leaf>{4, 8});
}

TEST_CASE("hosts_that_filters_close_to_the_segment_do_not_take_it") {
  Problem problem = half_and_half();
  problem.shapes[0].allowed = {true, true, true, true, false, true, true, true};
  CHECK(advise(problem).options.empty());
}

TEST_CASE("what_a_move_frees_on_a_host_that_takes_no_pod_gains_nothing") {
  Problem problem = half_and_half();
  problem.probe.allowed = {true, true, false, true, true, true, true, true};
  CHECK(advise(problem).options.empty());
}

TEST_CASE("the_smaller_segment_moves_when_both_would_do") {
  Problem problem = cluster({{{1, 1, 1, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}}});
  problem.size = 4;
  add_segment(problem, kRack, {10, 11});
  add_segment(problem, kRack, {3});
  const Advice advice = advise(problem);
  REQUIRE(advice.options.size() == 1);
  CHECK(advice.options[0].pods == 1);
  CHECK(advice.options[0].moves[0].segment == 1);
}

TEST_CASE("a_move_that_gains_nothing_itself_may_make_room_for_the_next") {
  // The pair of rack 0 fits nowhere until the single one in rack 1 has left for rack 2.
  Problem problem = cluster({{{1, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}});
  problem.size = 4;
  add_segment(problem, kRack, {2, 3});
  add_segment(problem, kRack, {5});
  CHECK(advise(problem).options.empty());
  problem.moves = 2;
  const Advice advice = advise(problem);
  REQUIRE(advice.options.size() == 1);
  REQUIRE(advice.options[0].moves.size() == 2);
  CHECK(advice.options[0].moves[0].segment == 1);
  CHECK(advice.options[0].moves[0].to == rack(problem, 2));
  CHECK(advice.options[0].moves[1].to == rack(problem, 1));
  CHECK(advice.proven_moves == 2);
}

TEST_CASE("each_further_slot_is_an_option_of_its_own_with_the_fewest_pods") {
  Problem problem = cluster({{{1, 1, 1, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}}});
  problem.size = 4;
  problem.moves = 2;
  add_segment(problem, kRack, {3});
  add_segment(problem, kRack, {11});
  const Advice advice = advise(problem);
  REQUIRE(advice.options.size() == 2);
  CHECK(advice.options[0].gained == 1);
  CHECK(advice.options[0].pods == 1);
  CHECK(advice.options[1].gained == 2);
  CHECK(advice.options[1].pods == 2);
}

TEST_CASE("pods_that_take_a_part_of_a_host_are_packed_so_that_others_become_whole") {
  // Hosts of 8 devices; the probe takes a whole one. Two single-host segments of four pods each.
  Problem problem = cluster({{{4, 4, 0, 0}}}, 8);
  problem.level = kHost;
  problem.size = 1;
  add_segment(problem, kHost, {0, 0, 0, 0});
  add_segment(problem, kHost, {1, 1, 1, 1});
  const Advice advice = advise(problem);
  REQUIRE(advice.options.size() == 1);
  CHECK(advice.options[0].pods == 4);
  CHECK(advice.options[0].gained == 1);
}

TEST_CASE("a_search_that_ends_early_says_what_it_has_proven_and_what_is_possible_at_most") {
  Problem problem = half_and_half();
  problem.work = 1;
  problem.moves = 3;
  const Advice advice = advise(problem);
  CHECK(advice.proven_moves == 0);
  CHECK(advice.at_most >= 1);
}

TEST_CASE("many_moves_get_a_good_answer_long_before_every_sequence_is_tried") {
  // Six racks that one pod each keeps from being whole, and six with a gap for one pod.
  Problem problem =
      cluster({{{1, 1, 1, 0}, {1, 0, 0, 0}, {1, 1, 1, 0}, {1, 0, 0, 0}, {1, 1, 1, 0}, {1, 0, 0, 0}},
               {{1, 1, 1, 0}, {1, 0, 0, 0}, {1, 1, 1, 0}, {1, 0, 0, 0}, {1, 1, 1, 0}, {1, 0, 0, 0}}});
  problem.size = 4;
  problem.moves = 6;
  problem.work = 4000;
  for (Leaf rack = 0; rack < 12; rack += 2) add_segment(problem, kRack, {rack * 4 + 3});
  const Advice advice = advise(problem);
  CHECK(advice.proven_moves < 6);
  REQUIRE(advice.options.size() == 6);
  CHECK(advice.options.back().gained == 6);
  CHECK(advice.options.back().pods == 6);
  CHECK(advice.at_most == 6);
}

TEST_CASE("slots_after_the_moves_are_counted_at_every_level") {
  const Problem problem = half_and_half();
  const Advice advice = advise(problem);
  CHECK(slots_after(problem, kBlock, {}) == 1);
  CHECK(slots_after(problem, kRack, {}) == 0);
  CHECK(slots_after(problem, kRack, advice.options[0].moves) == 1);
  CHECK(slots_after(problem, kHost, advice.options[0].moves) == 0);
}

}  // namespace
}  // namespace toposeg::engine::defrag
