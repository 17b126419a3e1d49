#include "webhook/waiting/reasons.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

using std::chrono::seconds;

WaitingPod pod(int index, const std::string& segment, int group = 0, const std::string& kind = "PyTorchJob") {
  WaitingPod pod;
  pod.name = "train-worker-" + std::to_string(index);
  pod.member.workload = {"kubeflow.org", kind, "team", "train", "uid"};
  pod.member.group = group;
  pod.member.index = index;
  pod.segment = segment;
  return pod;
}

TEST_CASE("pods_of_one_segment_are_looked_at_together_and_those_of_another_group_are_not_among_them") {
  const auto segments = by_segment({pod(0, "0"), pod(1, "1"), pod(2, "0"), pod(0, "0", 1), pod(9, "")});
  CHECK(segments.size() == 4);
  const auto& first = segments.at(segment_of(pod(0, "0")));
  REQUIRE(first.size() == 2);
  CHECK(first[0].name == "train-worker-0");
  CHECK(first[1].name == "train-worker-2");
}

TEST_CASE("pods_behind_are_told_which_segment_comes_first") {
  CHECK(behind(pod(4, "1")) == "segment 1 comes first and has no room yet");
  CHECK(behind(pod(0, "2", 3, "LeaderWorkerSet")) == "group 3 segment 2 comes first and has no room yet");
  CHECK(behind(pod(0, "")) == "a pod outside all segments comes first and has no room yet");
}

TEST_CASE("what_was_learned_is_known_for_one_round_only") {
  Reasons reasons(seconds(30));
  reasons.learned(segment_of(pod(0, "0")), "full");
  REQUIRE(reasons.known(segment_of(pod(7, "0"))) != nullptr);
  CHECK(*reasons.known(segment_of(pod(7, "0"))) == "full");
  CHECK(reasons.known(segment_of(pod(7, "1"))) == nullptr);
  reasons.forget();
  CHECK(reasons.known(segment_of(pod(0, "0"))) == nullptr);
}

TEST_CASE("a_segment_that_was_noted_is_due_again_after_its_time_or_when_it_had_gone") {
  const WaitingSegment segment = segment_of(pod(0, "0"));
  const Instant start{};
  Reasons reasons(seconds(30));
  CHECK(reasons.due(segment, start));
  reasons.noted(segment, start);
  CHECK_FALSE(reasons.due(segment, start + seconds(29)));
  CHECK(reasons.due(segment, start + seconds(30)));
  reasons.retain({segment});
  CHECK_FALSE(reasons.due(segment, start + seconds(1)));
  reasons.retain({});
  CHECK(reasons.due(segment, start + seconds(1)));
}

}  // namespace
}  // namespace toposeg::webhook
