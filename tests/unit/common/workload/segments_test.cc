#include "common/workload/segments.h"

#include <string>

#include "unit/catch.h"

namespace toposeg::workload {
namespace {

// "{0,1} {2}": the pods of every segment, by of() alone.
std::string drawn(const Segments& segments) {
  std::string text;
  for (int segment = 0; segment < segments.count(); ++segment) {
    std::string pods;
    for (int pod = 0; pod < segments.pods; ++pod) {
      if (segments.of(pod) == segment) pods += (pods.empty() ? "" : ",") + std::to_string(pod);
    }
    text += (text.empty() ? "{" : " {") + pods + "}";
  }
  return text;
}

TEST_CASE("pods_fall_into_the_segments_of_the_table") {
  struct Row {
    int pods;
    int size;
    SegmentRule rule;
    const char* expected;
  };
  const Row rows[] = {
      {8, 4, SegmentRule::kPlain, "{0,1,2,3} {4,5,6,7}"},
      {6, 4, SegmentRule::kPlain, "{0,1,2,3} {4,5}"},
      {4, 2, SegmentRule::kPlain, "{0,1} {2,3}"},
      {3, 3, SegmentRule::kPlain, "{0,1,2}"},
      {5, 2, SegmentRule::kLeaderExtra, "{0,1,2} {3,4}"},
      {9, 8, SegmentRule::kLeaderExtra, "{0,1,2,3,4,5,6,7,8}"},
      {5, 2, SegmentRule::kLeaderExcluded, "{1,2} {3,4}"},
      {9, 8, SegmentRule::kLeaderExcluded, "{1,2,3,4,5,6,7,8}"},
      {5, 0, SegmentRule::kPlain, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pods, row.size);
    CHECK(drawn({row.pods, row.size, row.rule}) == row.expected);
  }
}

TEST_CASE("ranks_and_counts_agree_with_the_pods_of_a_segment") {
  for (const SegmentRule rule :
       {SegmentRule::kPlain, SegmentRule::kLeaderExtra, SegmentRule::kLeaderExcluded}) {
    for (int size = 2; size <= 5; ++size) {
      for (int groups = 1; groups <= 4; ++groups) {
        const Segments segments{size * groups + (rule == SegmentRule::kPlain ? 0 : 1), size, rule};
        CAPTURE(segments.pods, size, static_cast<int>(rule));
        for (int segment = 0; segment < segments.count(); ++segment) {
          int seen = 0;
          for (int pod = 0; pod < segments.pods; ++pod) {
            if (segments.of(pod) != segment) continue;
            CHECK(segments.rank(pod) == seen);
            if (seen == 0) CHECK(segments.first(segment) == pod);
            ++seen;
          }
          CHECK(segments.pods_in(segment) == seen);
        }
      }
    }
  }
}

TEST_CASE("an_index_beyond_the_count_continues_the_rule") {
  CHECK(Segments{8, 4, SegmentRule::kPlain}.of(9) == 2);
  CHECK(Segments{5, 2, SegmentRule::kLeaderExtra}.of(5) == 2);
  CHECK(Segments{5, 2, SegmentRule::kLeaderExcluded}.of(6) == 2);
  CHECK(Segments{8, 4, SegmentRule::kPlain}.rank(9) == 1);
  CHECK(Segments{8, 4, SegmentRule::kPlain}.pods_in(2) == 0);
}

TEST_CASE("a_negative_index_and_an_excluded_leader_are_in_no_segment") {
  CHECK_FALSE(Segments{8, 4, SegmentRule::kPlain}.of(-1));
  CHECK_FALSE(Segments{5, 2, SegmentRule::kLeaderExcluded}.of(0));
  CHECK(Segments{5, 2, SegmentRule::kLeaderExcluded}.rank(0) == 0);
  CHECK(Segments{0, 2, SegmentRule::kPlain}.count() == 0);
}

}  // namespace
}  // namespace toposeg::workload
