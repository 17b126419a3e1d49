#include "engine/ledger/ledger.h"

#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "common/base/clock.h"
#include "unit/catch.h"

namespace toposeg::engine {
namespace {

using std::chrono::seconds;

const Owner kJob{"team", "kubeflow.org/PyTorchJob", "train"};
constexpr std::string_view kGpu = "nvidia.com/gpu";

kube::Node node(const std::string& name) {
  kube::Node node;
  node.name = name;
  node.allocatable = {{std::string(kGpu), 8}, {"pods", 110}};
  return node;
}

std::shared_ptr<const Claim> gpus(std::int64_t count) {
  return std::make_shared<Claim>(Claim{{{std::string(kGpu), count}}, {}});
}

std::shared_ptr<const Spot> spot(int segment) {
  return std::make_shared<Spot>(Spot{"topology", segment, {"rack-1"}, {}});
}

Seat worker(int index, int group = 0) { return {group, Part::kMember, index}; }

struct Fixture {
  Books books;
  ManualClock clock;
  Ledger ledger{books, LedgerLimits{}};

  Fixture() {
    books.upsert(node("a"));
    books.upsert(node("b"));
    ledger.settle(kJob, "", Ledger::Word::kFirm);
  }
  [[nodiscard]] std::int64_t free(const std::string& name) const { return books.free(*books.id(name), kGpu); }
  void plan(int index, const std::string& host = "a", int group = 0) {
    ledger.reserve(kJob, worker(index, group), host, gpus(2), spot(0), clock.now());
  }
  void admit(int index) { ledger.admit(kJob, worker(index), gpus(2), clock.now()); }
  void see(int index, const std::string& host, int group = 0) {
    ledger.see(kJob, worker(index, group), {"uid-" + std::to_string(index), host, "", gpus(2), spot(0)},
               clock.now());
  }
  void lose(int index, int group = 0) {
    ledger.lose(kJob, worker(index, group), "uid-" + std::to_string(index));
  }
  void wait(seconds by) {
    clock.advance(by);
    ledger.expire(clock.now());
  }
};

TEST_CASE("a planned pod takes its space and gives it back when its plan is over") {
  Fixture f;
  f.plan(0);
  CHECK(f.free("a") == 6);
  f.wait(seconds(299));
  CHECK(f.free("a") == 6);
  f.wait(seconds(1));
  CHECK(f.free("a") == 8);
  CHECK(f.ledger.find(kJob) == nullptr);
}

TEST_CASE("an admitted pod has its own time limit from its admission on") {
  Fixture f;
  f.plan(0);
  f.wait(seconds(200));
  f.admit(0);
  f.wait(seconds(299));
  CHECK(f.free("a") == 6);
  f.wait(seconds(1));
  CHECK(f.free("a") == 8);
}

TEST_CASE("planning a pod again moves its space instead of taking it twice") {
  Fixture f;
  f.plan(0, "a");
  f.plan(0, "b");
  CHECK(f.free("a") == 8);
  CHECK(f.free("b") == 6);
}

TEST_CASE("the reservation of a bound pod ends wherever it was bound") {
  Fixture f;
  f.plan(0, "a");
  f.see(0, "b");
  CHECK(f.free("a") == 8);
  CHECK(f.free("b") == 8);  // the pod's own charge is the caller's
  REQUIRE(f.ledger.find(kJob, worker(0)) != nullptr);
  CHECK(f.ledger.find(kJob, worker(0))->state == SeatState::kBound);
  CHECK(f.ledger.find(kJob, worker(0))->node == "b");
}

TEST_CASE("a seat whose pod lives cannot be planned elsewhere") {
  Fixture f;
  f.see(0, "a");
  CHECK_FALSE(f.ledger.reserve(kJob, worker(0), "b", gpus(2), spot(0), f.clock.now()));
  CHECK(f.free("b") == 8);
}

TEST_CASE("missing pods of a living group keep their space up to the group's limit") {
  Fixture f;
  f.plan(0);
  f.plan(1);
  f.see(0, "a");
  CHECK(f.free("a") == 6);
  f.wait(seconds(3599));
  CHECK(f.free("a") == 6);
  f.wait(seconds(1));
  CHECK(f.free("a") == 8);
}

TEST_CASE("missing pods lose their space when the last pod of their group goes") {
  Fixture f;
  f.plan(0);
  f.plan(1);
  f.see(0, "a");
  f.wait(seconds(1000));
  CHECK(f.free("a") == 6);
  f.lose(0);
  f.wait(seconds(0));
  CHECK(f.free("a") == 8);
}

TEST_CASE("a living group does not keep the space of another group") {
  Fixture f;
  f.plan(0, "a", 0);
  f.plan(0, "b", 1);
  f.see(1, "a", 0);
  f.wait(seconds(300));
  CHECK(f.free("a") == 6);
  CHECK(f.free("b") == 8);
}

TEST_CASE("a pending pod holds its nominal node until its own limit though its group lives") {
  Fixture f;
  f.plan(0);
  f.admit(0);
  f.see(0, "");
  CHECK(f.free("a") == 6);
  f.wait(seconds(300));
  CHECK(f.free("a") == 8);
  REQUIRE(f.ledger.find(kJob, worker(0)) != nullptr);
  f.see(0, "");  // another event of the same pod takes nothing again
  CHECK(f.free("a") == 8);
}

TEST_CASE("the space of a pod that left a living group is kept for its successor") {
  Fixture f;
  f.see(0, "a");
  f.see(1, "a");
  f.lose(1);
  f.ledger.keep(kJob, worker(1), "a", gpus(2), spot(0), f.clock.now());
  CHECK(f.free("a") == 6);
  f.wait(seconds(3600));
  CHECK(f.free("a") == 8);
}

TEST_CASE("the space of the last pod of a group is not kept") {
  Fixture f;
  f.see(0, "a");
  f.lose(0);
  f.ledger.keep(kJob, worker(0), "a", gpus(2), spot(0), f.clock.now());
  CHECK(f.free("a") == 8);
}

TEST_CASE("a successor that came first keeps its seat when the old pod goes") {
  Fixture f;
  f.see(0, "a");
  f.see(1, "a");
  f.lose(1);
  f.plan(1, "b");
  f.ledger.keep(kJob, worker(1), "a", gpus(2), spot(0), f.clock.now());
  CHECK(f.free("a") == 8);
  CHECK(f.free("b") == 6);
  f.lose(1);  // the old pod's end, told again
  CHECK(f.free("b") == 6);
}

TEST_CASE("a new uid under an old name starts anew") {
  Fixture f;
  CHECK(f.ledger.settle(kJob, "one", Ledger::Word::kFirm) == Ledger::Settled::kSame);
  f.plan(0);
  CHECK(f.ledger.settle(kJob, "one", Ledger::Word::kFirm) == Ledger::Settled::kSame);
  CHECK(f.free("a") == 6);
  CHECK(f.ledger.settle(kJob, "two", Ledger::Word::kFirm) == Ledger::Settled::kFresh);
  CHECK(f.free("a") == 8);
  CHECK(f.ledger.find(kJob)->uid == "two");
}

TEST_CASE("the first uid under a name adopts what was planned without one") {
  Fixture f;
  f.plan(0);
  CHECK(f.ledger.settle(kJob, "one", Ledger::Word::kFirm) == Ledger::Settled::kSame);
  CHECK(f.free("a") == 6);
}

TEST_CASE("a leftover pod of an older workload does not end the new one's plan") {
  Fixture f;
  f.ledger.settle(kJob, "new", Ledger::Word::kFirm);
  f.plan(0);
  CHECK(f.ledger.settle(kJob, "old", Ledger::Word::kHearsay) == Ledger::Settled::kForeign);
  CHECK(f.free("a") == 6);
}

TEST_CASE("an unbound pod with a written host is reserved there after a restart") {
  Fixture f;
  f.ledger.see(kJob, worker(0), {"uid-0", "", "b", gpus(2), spot(0)}, f.clock.now());
  CHECK(f.free("b") == 6);
  f.ledger.see(kJob, worker(0), {"uid-0", "b", "b", gpus(2), spot(0)}, f.clock.now());
  CHECK(f.free("b") == 8);
}

TEST_CASE("an unbound pod without a written host takes no space") {
  Fixture f;
  f.ledger.see(kJob, worker(0), {"uid-0", "", "", gpus(2), nullptr}, f.clock.now());
  CHECK(f.free("a") == 8);
  CHECK(f.ledger.find(kJob, worker(0))->living());
}

TEST_CASE("an admitted pod that asks for more than planned is charged with what it asks") {
  Fixture f;
  f.plan(0);
  f.ledger.admit(kJob, worker(0), gpus(5), f.clock.now());
  CHECK(f.free("a") == 3);
}

TEST_CASE("a trial puts everything back as it was") {
  Fixture f;
  f.plan(0, "a");
  f.see(1, "b");
  const auto before = f.ledger.copy(kJob);
  f.plan(0, "b");
  f.plan(2, "b");
  f.ledger.restore(kJob, before);
  CHECK(f.free("a") == 6);
  CHECK(f.free("b") == 8);
  CHECK(f.ledger.find(kJob, worker(1))->state == SeatState::kBound);
  CHECK(f.ledger.find(kJob, worker(2)) == nullptr);
  f.wait(seconds(3600));  // limits still hold after it
  CHECK(f.free("a") == 8);
}

TEST_CASE("a trial of an unknown workload leaves nothing") {
  Fixture f;
  const Owner other{"team", "kubeflow.org/PyTorchJob", "other"};
  const auto before = f.ledger.copy(other);
  f.ledger.settle(other, "", Ledger::Word::kFirm);
  f.ledger.reserve(other, worker(0), "a", gpus(8), spot(0), f.clock.now());
  CHECK(f.free("a") == 0);
  f.ledger.restore(other, before);
  CHECK(f.free("a") == 8);
  CHECK(f.ledger.find(other) == nullptr);
}

TEST_CASE("dropping a workload gives all of its space back") {
  Fixture f;
  f.plan(0, "a");
  f.plan(1, "b");
  f.ledger.drop(kJob);
  CHECK(f.free("a") == 8);
  CHECK(f.free("b") == 8);
}

TEST_CASE("Master 0 and worker 0 are two seats") {
  Fixture f;
  f.plan(0);
  f.ledger.reserve(kJob, {0, Part::kMaster, 0}, "a", gpus(1), spot(0), f.clock.now());
  CHECK(f.free("a") == 5);
}

// Any order of events: what the books say is taken equals the seats that say they hold it.
TEST_CASE("the books always agree with the seats") {
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  Fixture f;
  const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int step = 0; step < 3000; ++step) {
    CAPTURE(step);
    const int index = pick(6);
    const int group = pick(2);
    const std::string host = pick(2) == 0 ? "a" : "b";
    switch (pick(9)) {
      case 0:
        f.plan(index, host, group);
        break;
      case 1:
        f.ledger.admit(kJob, worker(index, group), gpus(1 + pick(3)), f.clock.now());
        break;
      case 2:
        f.see(index, host, group);
        break;
      case 3:
        f.see(index, "", group);
        break;
      case 4:
        f.lose(index, group);
        break;
      case 5:
        f.ledger.keep(kJob, worker(index, group), host, gpus(2), spot(0), f.clock.now());
        break;
      case 6:
        f.ledger.withdraw(kJob, worker(index, group));
        break;
      case 7:
        f.wait(seconds(pick(400)));
        break;
      default:
        f.ledger.restore(kJob, f.ledger.copy(kJob));
        break;
    }
    std::map<std::string, std::int64_t> held{{"a", 0}, {"b", 0}};
    if (const OwnerEntry* entry = f.ledger.find(kJob); entry != nullptr) {
      for (const auto& [number, seats] : entry->groups) {
        int living = 0;
        for (const auto& [seat, taken] : seats.seats) {
          if (taken.held) held[taken.node] += taken.claim->requests[0].second;
          living += taken.living() ? 1 : 0;
          CHECK((taken.held || taken.living()));
        }
        CHECK(living == seats.living);
      }
    }
    REQUIRE(8 - f.free("a") == held["a"]);
    REQUIRE(8 - f.free("b") == held["b"]);
  }
}

}  // namespace
}  // namespace toposeg::engine
