#include "webhook/waiting/announcer.h"

#include <sstream>

#include "common/base/random.h"
#include "common/base/waiter.h"
#include "unit/catch.h"
#include "unit/webhook/kube_api/fake_server.h"

namespace toposeg::webhook {
namespace {

using json::Document;
using kube_api::test::FakeServer;
using kube_api::test::says;

class Room {
 public:
  Room() {
    for (int i = 0; i < 8; ++i) server.then(says(201, "{}"));
    events.start();
  }
  ~Room() {
    events.stop();
    server.stop();
  }
  Document event(std::size_t number) { return Document::parse(server.request(number).body); }

  std::ostringstream log;
  SystemClock clock;
  SystemWaiter waiter;
  FixedRandom random{0.5};
  FakeServer server;
  kube_api::EventRecorder events{
      std::make_unique<kube_api::Client>(server.credentials(), clock),
      {.instance = "pod-1"},
      kube_api::Environment{clock, waiter, random,
                            log::Logger({.level = log::Level::kDebug, .stream = &log})}};
  Announcer announcer{events};
};

workload::Workload job() {
  workload::Workload job;
  job.identity = {"kubeflow.org", "PyTorchJob", "team", "train", "uid-1"};
  return job;
}

Document planned(const std::string& runs) {
  Document object{{"apiVersion", "kubeflow.org/v1"}, {"kind", "PyTorchJob"}};
  object["metadata"]["annotations"]["toposeg.io/plan"] =
      R"({"v":1,"topology":"site","levels":["rack"],"groups":[{"group":0,"runs":)" + runs + "}]}";
  return object;
}

WaitingPod pod(int index) {
  WaitingPod pod;
  pod.member.workload = job().identity;
  pod.member.index = index;
  return pod;
}

Retried waits(int segment, const std::string& reason) {
  Retried retried;
  retried.segment = segment;
  retried.reason = reason;
  return retried;
}

Retried placed(int segment) {
  Retried retried;
  retried.waits = false;
  retried.segment = segment;
  retried.domain = {"zone-1", "rack-2"};
  return retried;
}

TEST_CASE("a_new_workload_is_told_how_much_of_it_has_a_place") {
  Room room;
  room.announcer.workload_seen(job(), planned(R"([[2,0,"r1"],[1,-1]])"), true);
  const Document event = room.event(0);
  CHECK(event["reason"] == "Planned");
  CHECK(event["type"] == "Normal");
  CHECK(event["note"] == "3 segments in topology site: 2 placed, 1 wait");
  CHECK(event["regarding"]["name"] == "train");
  CHECK(event["regarding"]["uid"] == "uid-1");
  CHECK(event["regarding"]["apiVersion"] == "kubeflow.org/v1");
}

TEST_CASE("workloads_that_were_there_before_and_those_without_a_plan_are_not_told_of") {
  Room room;
  room.announcer.workload_seen(job(), planned(R"([[2,0,"r1"]])"), false);
  room.announcer.workload_seen(job(), Document{{"apiVersion", "kubeflow.org/v1"}}, true);
  room.announcer.workload_seen(job(), planned(R"([[1,-2]])"), true);
  CHECK(room.event(0)["note"] == "1 segment in topology site: 0 placed, 1 go anywhere");
  CHECK(room.server.seen().size() == 1);
}

TEST_CASE("that_a_segment_waits_and_that_it_is_placed_is_told_once_each") {
  Room room;
  room.announcer.tried(pod(4), waits(1, "segment 1: no rack can hold 4 pods"));
  room.announcer.tried(pod(4), waits(1, "segment 1: no rack can hold 4 pods; all are full"));
  room.announcer.tried(pod(4), placed(1));
  room.announcer.tried(pod(5), placed(1));
  room.announcer.tried(pod(4), waits(1, "its pods live in r1"));
  const Document first = room.event(0);
  CHECK(first["reason"] == "Waiting");
  CHECK(first["type"] == "Warning");
  CHECK(first["note"] == "segment 1: no rack can hold 4 pods");
  CHECK(room.event(1)["reason"] == "Placed");
  CHECK(room.event(1)["note"] == "segment 1 is placed in zone-1/rack-2");
  CHECK(room.event(2)["note"] == "segment 1 waits: its pods live in r1");
  CHECK(room.server.seen().size() == 3);
}

TEST_CASE("a_workload_that_was_deleted_while_it_waited_is_told_of_anew_when_it_comes_back") {
  Room room;
  WaitingPod without_uid = pod(4);
  without_uid.member.workload.uid.clear();
  room.announcer.tried(without_uid, waits(1, "segment 1: first"));
  room.announcer.workload_gone(job().identity);
  room.announcer.tried(without_uid, waits(1, "segment 1: second"));
  (void)room.event(0);
  CHECK(room.event(1)["note"] == "segment 1: second");
}

}  // namespace
}  // namespace toposeg::webhook
