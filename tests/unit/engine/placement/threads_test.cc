// Several threads at the one door; meant to be run under ThreadSanitizer too.
#include <atomic>
#include <thread>

#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

TEST_CASE("threads that plan, place and report facts at once never book a device twice") {
  Rig rig({"zone", "rack"});
  for (int i = 0; i < 24; ++i) {
    rig.add({"z" + std::to_string(i / 12), "r" + std::to_string(i / 4)}, 4, "n" + std::to_string(100 + i));
  }
  std::atomic<int> answered{0};
  const auto work = [&](int thread) {
    for (int round = 0; round < 12; ++round) {
      workload::Workload w = job("job-" + std::to_string(thread) + "-" + std::to_string(round), 8, 4);
      w.segment.required = "rack";
      static_cast<void>(rig.engine.plan(w, {.reserve = true}));
      w.identity.uid = w.identity.name;
      rig.engine.upsert_workload(w);
      for (int index = 0; index < 8; ++index) {
        const PodDecision decision = rig.engine.place(worker(w, index), w, pod(), {.reserve = true});
        if (!decision.host.empty()) rig.engine.upsert_pod(seen(w, index, decision.host));
        ++answered;
      }
      static_cast<void>(rig.engine.slots("", pod(), {4}));
      static_cast<void>(rig.engine.view("", pod()));
      static_cast<void>(rig.engine.ledger());
      static_cast<void>(rig.engine.waiting());
      rig.add({"z0", "r0"}, 4, "n100");
      if (round % 3 != 2) continue;
      for (int index = 0; index < 8; ++index) {
        rig.engine.remove_pod("team", w.identity.name + "-worker-" + std::to_string(index));
      }
      rig.engine.remove_workload(w.identity);
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) threads.emplace_back(work, thread);
  for (std::thread& thread : threads) thread.join();
  CHECK(answered == 4 * 12 * 8);
  std::map<std::string, int> taken;
  for (const LedgerRow& row : rig.engine.ledger()) ++taken[row.host];
  for (const auto& [host, pods] : taken) {
    CAPTURE(host);
    CHECK(pods <= 4);
  }
  CHECK(taken.size() > 10);
}

}  // namespace
}  // namespace toposeg::engine::test
