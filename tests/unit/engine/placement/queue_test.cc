// Waiting in turn: nobody is delayed by who came later.
#include "engine/placement/queue.h"

#include <optional>
#include <random>

#include "rig.h"
#include "unit/catch.h"

namespace toposeg::engine {
namespace {

using test::job;
using test::kRack;
using test::kZone;
using test::pod;
using test::Rig;
using test::seen;
using namespace std::chrono_literals;

std::vector<std::string> names(const std::vector<const Queue::Entry*>& entries) {
  std::vector<std::string> names;
  for (const Queue::Entry* entry : entries) names.push_back(entry->owner.name);
  return names;
}

Owner owner(const std::string& name) { return {"team", "kubeflow.org/PyTorchJob", name}; }

TEST_CASE("who waits stands behind those that waited before and keeps that turn") {
  Queue queue(5min);
  const Instant now{};
  for (const char* name : {"a", "b", "c"}) queue.wait(owner(name), job(name, 8, 4), {0, 0}, "full", now);
  queue.wait(owner("a"), job("a", 8, 4), {0, 1}, "full", now);
  CHECK(names(queue.before(owner("c"), now)) == std::vector<std::string>{"a", "b"});
  CHECK(names(queue.before(owner("new"), now)) == std::vector<std::string>{"a", "b", "c"});
  CHECK(queue.before(owner("a"), now).empty());
}

TEST_CASE("who has all its places or is gone leaves") {
  Queue queue(5min);
  const Instant now{};
  queue.wait(owner("a"), job("a", 8, 4), {0, 0}, "full", now);
  queue.wait(owner("a"), job("a", 8, 4), {0, 1}, "full", now);
  queue.wait(owner("b"), job("b", 8, 4), {0, 0}, "full", now);
  queue.placed(owner("a"), {0, 0});
  CHECK(queue.entries().size() == 2);
  queue.placed(owner("a"), {0, 1});
  CHECK(names(queue.before(owner("new"), now)) == std::vector<std::string>{"b"});
  queue.leave(owner("b"));
  CHECK(queue.entries().empty());
}

TEST_CASE("who is not heard of any more holds nobody up but keeps its turn") {
  Queue queue(5min);
  const Instant now{};
  queue.wait(owner("a"), job("a", 8, 4), {0, 0}, "full", now);
  queue.wait(owner("b"), job("b", 8, 4), {0, 0}, "full", now + 4min);
  CHECK(names(queue.before(owner("new"), now + 6min)) == std::vector<std::string>{"b"});
  queue.wait(owner("a"), job("a", 8, 4), {0, 0}, "full", now + 7min);
  CHECK(names(queue.before(owner("b"), now + 7min)) == std::vector<std::string>{"a"});
}

// Two hosts of four devices in one rack.
TEST_CASE("a job that runs may grow while another waits") {
  Rig rig({kRack});
  rig.add({"r"}, 4, "n0");
  rig.add({"r"}, 4, "n1");
  const auto asks = [](const std::string& name, int pods, int size) {
    workload::Workload workload = job(name, pods, size);
    workload.segment.required = kRack;
    return workload;
  };
  workload::Workload running = asks("running", 2, 2);
  CHECK(rig.engine.plan(running, {.reserve = true}).fits);
  running.identity.uid = "uid-1";
  rig.engine.upsert_workload(running);
  for (int i = 0; i < 2; ++i) rig.engine.upsert_pod(seen(running, i, "n0"));
  CHECK_FALSE(rig.engine.plan(asks("waits", 8, 8), {.reserve = true}).fits);
  CHECK_FALSE(rig.engine.plan(asks("late", 2, 2), {.reserve = true}).fits);
  running.segments.pods = 4;
  running.needed_segments = 2;
  CHECK(rig.engine.plan(running, {.reserve = true}).fits);
}

// Two racks of one host of four devices.
TEST_CASE("a job that must start whole holds nothing while it waits, but its turn") {
  Rig rig({kRack});
  rig.add({"r"}, 4, "n0");
  rig.add({"s"}, 4, "n1");
  const auto fits = [&](const std::string& name, int pods) {
    workload::Workload workload = job(name, pods, 4);
    workload.segment.required = kRack;
    return rig.engine.plan(workload, {.reserve = true, .all_or_none = true}).fits;
  };
  REQUIRE(fits("running", 4));
  CHECK_FALSE(fits("waits", 8));
  CHECK(rig.engine.ledger().size() == 4);
  CHECK(rig.engine.waiting().size() == 2);
  CHECK_FALSE(fits("late", 4));
  rig.engine.remove_workload(job("running", 4, 4).identity);
  CHECK(fits("waits", 8));
  CHECK(rig.engine.ledger().size() == 8);
}

// One history: jobs run and end one after the other; `first` is submitted and waits; later ones come
// meanwhile, or do not.
class History {
 public:
  explicit History(unsigned seed, config::Passing passing = config::Passing::kHarmless)
      : dice_(seed), rig_({kZone, kRack}, with(passing)) {
    int number = 0;
    for (int zone = 0; zone < 2; ++zone) {
      for (int rack = 0; rack < 3; ++rack) {
        const int hosts = 1 + roll(4);
        const std::string pool = roll(3) == 0 ? "small" : "large";
        for (int host = 0; host < hosts; ++host) {
          const std::string name = "n" + std::to_string(number++);
          kube::Node node =
              rig_.node({"z" + std::to_string(zone), "r" + std::to_string(rack)}, 2 + roll(3), name);
          kube::put(node.labels, "pool", pool);
          rig_.engine.upsert_node(node);
        }
      }
    }
    for (int i = 0; i < 16; ++i) running_.push_back(random_job("running-" + std::to_string(i)));
    for (int i = 0; i < 16; ++i) later_.push_back(random_job("later-" + std::to_string(i)));
    first_ = random_job("first");
  }

  // After how many ends the first job was placed whole; none = never.
  std::optional<int> turns_of_first(bool with_later) {
    for (const workload::Workload& workload : running_) {
      if (!try_to_place(workload)) rig_.engine.remove_workload(workload.identity);
    }
    if (try_to_place(first_)) return 0;
    std::vector<workload::Workload> waiting;
    for (std::size_t end = 0; end < running_.size(); ++end) {
      if (with_later && !try_to_place(later_[end])) waiting.push_back(later_[end]);
      rig_.engine.remove_workload(running_[end].identity);
      if (try_to_place(first_)) return static_cast<int>(end) + 1;
      std::erase_if(waiting, [&](const workload::Workload& workload) { return try_to_place(workload); });
    }
    return std::nullopt;
  }

  [[nodiscard]] int later_placed() const {
    int placed = 0;
    for (const LedgerRow& row : rig_.engine.ledger())
      placed += row.workload.find("later") != std::string::npos ? 1 : 0;
    return placed;
  }

 private:
  static EngineOptions with(config::Passing passing) {
    EngineOptions options;
    options.passing = passing;
    return options;
  }

  // Like a create and every later attempt: what fits is reserved.
  bool try_to_place(const workload::Workload& workload) {
    return rig_.engine.plan(workload, {.reserve = true}).fits;
  }

  int roll(int sides) { return static_cast<int>(dice_() % static_cast<unsigned>(sides)); }

  workload::Workload random_job(const std::string& name) {
    const int size = 1 + roll(5);
    workload::Workload workload = job(name, size * (1 + roll(2)), size);
    workload.segment.required = kRack;
    if (roll(3) == 0) workload.whole.required = kZone;
    workload.worker = pod(1 + roll(2));
    if (roll(2) == 0) workload.worker.node_selector = {{"pool", roll(2) == 0 ? "small" : "large"}};
    return workload;
  }

  std::mt19937 dice_;
  Rig rig_;
  std::vector<workload::Workload> running_;
  std::vector<workload::Workload> later_;
  workload::Workload first_;
};

TEST_CASE("no job that comes later delays the one that waits") {
  int waited = 0;
  int passed = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    const std::optional<int> alone = History(seed).turns_of_first(false);
    History crowded(seed);
    REQUIRE(crowded.turns_of_first(true) == alone);
    waited += alone != 0 ? 1 : 0;
    passed += alone != 0 && crowded.later_placed() > 0 ? 1 : 0;
  }
  // Else the test above says nothing.
  CHECK(waited > 100);
  CHECK(passed > 10);
}

TEST_CASE("where passing is free, later jobs may delay the one that waits and more of them start") {
  int delayed = 0;
  int more = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    History free(seed, config::Passing::kFree);
    History kept(seed);
    delayed += free.turns_of_first(true) != kept.turns_of_first(true) ? 1 : 0;
    more += free.later_placed() > kept.later_placed() ? 1 : 0;
  }
  CHECK(delayed > 5);
  CHECK(more > 5);
}

}  // namespace
}  // namespace toposeg::engine
