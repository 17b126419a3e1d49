// Whatever is planned, placed, bound, deleted, forgotten and restarted in whatever order: on every node, what
// runs and what is reserved together never exceed what the node has.
#include <algorithm>
#include <memory>
#include <random>

#include "unit/catch.h"
#include "unit/engine/placement/rig.h"

namespace toposeg::engine::test {
namespace {

using std::chrono::seconds;

constexpr PlanOptions kReserve{.reserve = true, .budget = std::nullopt};
constexpr std::int64_t kDevices = 4;

// A cluster whose scheduler binds each pod to its nominal host, with an engine that can be lost at any time.
class World {
 public:
  explicit World(unsigned seed) : random_(seed) {
    for (int i = 0; i < 12; ++i) {
      kube::Node node;
      node.name = "n" + std::to_string(100 + i);
      node.labels = {{"rack", "r" + std::to_string(i / 3)}, {"zone", "z" + std::to_string(i / 6)}};
      node.allocatable = {{std::string(kGpu), kDevices}, {"pods", 110}};
      nodes_.push_back(node);
    }
    restart();
  }

  void step() {
    switch (pick(10)) {
      case 0:
        plan();
        break;
      case 1:
      case 2:
      case 3:
        place();
        break;
      case 4:
      case 5:
        bind();
        break;
      case 6:
        end_pod();
        break;
      case 7:
        if (pick(4) == 0) remove_job();
        break;
      case 8:
        clock_.advance(seconds(pick(200)));
        drop_overdue();
        break;
      default:
        if (pick(6) == 0) restart();
        break;
    }
  }

  void check() const {
    std::map<std::string, std::int64_t> taken;
    std::map<std::pair<std::string, int>, std::set<std::string>> racks;
    for (const auto& [name, pod] : pods_) {
      if (pod.record.node_name.empty()) continue;
      taken[pod.record.node_name] += pod.record.requests[0].second;
      if (pod.required && !pod.record.terminating)
        racks[{pod.job, pod.segment}].insert(rack(pod.record.node_name));
    }
    for (const LedgerRow& row : engine_->ledger()) {
      if (row.seconds_left >= 0) taken[row.host] += gpus(row.workload.substr(row.workload.find('/') + 1));
    }
    for (const auto& [node, used] : taken) {
      CAPTURE(node);
      REQUIRE(used <= kDevices);
    }
    for (const auto& [segment, used] : racks) {
      CAPTURE(segment.first, segment.second);
      REQUIRE(used.size() == 1);
    }
  }
  [[nodiscard]] std::size_t bound() const { return bound_; }

 private:
  struct Living {
    kube::Pod record;
    std::string job;
    int segment = 0;
    bool required = false;
  };

  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  [[nodiscard]] static std::int64_t gpus(const std::string& job) { return 1 + (job.back() - '0') % 2; }
  [[nodiscard]] std::string rack(const std::string& node) const {
    const auto it = std::find_if(nodes_.begin(), nodes_.end(), [&](const auto& n) { return n.name == node; });
    return *kube::find(it->labels, "rack");
  }

  workload::Workload make_job(int number) {
    workload::Workload w = job("job-" + std::to_string(number), 2 + pick(8), 2 + pick(3));
    w.segments.size = std::min(w.segments.size, w.segments.pods);
    w.needed_segments = w.segments.count();
    w.worker = pod(gpus(w.identity.name));
    if (number % 3 != 0) w.segment.required = "rack";
    if (number % 3 == 0) w.segment.preferred = "rack";
    if (number % 4 == 1) w.whole.required = "zone";
    return w;
  }

  void plan() {
    const int number = pick(6);
    const std::string name = "job-" + std::to_string(number);
    if (jobs_.contains(name)) {
      static_cast<void>(engine_->plan(jobs_.at(name), kReserve));
      return;
    }
    workload::Workload w = make_job(number);
    static_cast<void>(engine_->plan(w, {.reserve = pick(3) > 0}));
    w.identity.uid = "uid-" + std::to_string(++uids_);
    if (pick(2) == 0) engine_->upsert_workload(w);
    jobs_[name] = w;
  }

  const workload::Workload* any_job() {
    if (jobs_.empty()) return nullptr;
    return &std::next(jobs_.begin(), pick(static_cast<int>(jobs_.size())))->second;
  }

  void place() {
    const workload::Workload* w = any_job();
    if (w == nullptr) return;
    const int index = pick(w->segments.pods + 2);
    const std::string name = w->identity.name + "-worker-" + std::to_string(index);
    const auto old = pods_.find(name);
    if (old != pods_.end() && !old->second.record.terminating) return;
    if (pick(5) == 0) static_cast<void>(engine_->place(worker(*w, index), *w, w->worker));
    const PodDecision decision = engine_->place(worker(*w, index), *w, w->worker, kReserve);
    if (decision.host.empty() || old != pods_.end() || pick(8) == 0)
      return;  // the last two: its creation failed
    Living living{seen(*w, index, "", "-" + std::to_string(++uids_), gpus(w->identity.name)),
                  w->identity.name, decision.segment.value_or(-1), w->segment.required.has_value()};
    living.record.created = std::chrono::duration_cast<seconds>(clock_.wall().time_since_epoch()).count();
    kube::put(living.record.annotations, "kai.scheduler/topology", std::string("cluster-topology"));
    kube::put(living.record.annotations, "toposeg.io/nominal-host", decision.host);
    std::string domain = "[";
    for (const std::string& label : decision.preferred)
      domain += (domain.size() > 1 ? ",\"" : "\"") + label + "\"";
    kube::put(living.record.annotations, "toposeg.io/domain", domain + "]");
    kube::put(living.record.annotations, "toposeg.io/segment", std::to_string(living.segment));
    engine_->upsert_pod(living.record);
    pods_[name] = living;
  }

  Living* any_pod() {
    if (pods_.empty()) return nullptr;
    return &std::next(pods_.begin(), pick(static_cast<int>(pods_.size())))->second;
  }

  void bind() {
    Living* pod = any_pod();
    if (pod == nullptr || !pod->record.node_name.empty() || pod->record.terminating) return;
    pod->record.node_name = *kube::find(pod->record.annotations, "toposeg.io/nominal-host");
    pod->record.phase = kube::PodPhase::kRunning;
    engine_->upsert_pod(pod->record);
    ++bound_;
  }

  void remove_pod(const std::string& name) {
    engine_->remove_pod("team", name);
    pods_.erase(name);
  }

  void end_pod() {
    Living* pod = any_pod();
    if (pod == nullptr) return;
    if (pod->record.terminating || pick(2) == 0) {
      remove_pod(pod->record.name);
      return;
    }
    pod->record.terminating = true;
    engine_->upsert_pod(pod->record);
  }

  void remove_job() {
    const workload::Workload* w = any_job();
    if (w == nullptr) return;
    const std::string name = w->identity.name;
    engine_->remove_workload(w->identity);
    std::vector<std::string> gone;
    for (const auto& [pod, living] : pods_) {
      if (living.job == name) gone.push_back(pod);
    }
    for (const std::string& pod : gone) remove_pod(pod);
    jobs_.erase(name);
  }

  // A pod that stays unbound beyond its time has no claim on its host any more; here it is given up.
  void drop_overdue() {
    const std::int64_t now = std::chrono::duration_cast<seconds>(clock_.wall().time_since_epoch()).count();
    std::vector<std::string> overdue;
    for (const auto& [name, pod] : pods_) {
      if (pod.record.node_name.empty() && now - pod.record.created >= 300) overdue.push_back(name);
    }
    for (const std::string& name : overdue) remove_pod(name);
  }

  void restart() {
    engine_ = std::make_unique<Engine>(EngineOptions{}, clock_);
    kube::Cluster cluster;
    cluster.nodes = nodes_;
    kube::Topology topology;
    topology.name = "cluster-topology";
    topology.levels = {{"zone", ""}, {"rack", ""}};
    cluster.topologies = {topology};
    for (const auto& [name, pod] : pods_) cluster.pods.push_back(pod.record);
    std::shuffle(cluster.pods.begin(), cluster.pods.end(), random_);
    if (pick(2) == 0) {
      for (const auto& [name, w] : jobs_) engine_->upsert_workload(w);
    }
    engine_->replace(cluster);
  }

  std::mt19937 random_;
  ManualClock clock_;
  std::vector<kube::Node> nodes_;
  std::unique_ptr<Engine> engine_;
  std::map<std::string, workload::Workload> jobs_;
  std::map<std::string, Living> pods_;
  int uids_ = 0;
  std::size_t bound_ = 0;
};

TEST_CASE("no order of events books a device twice or splits a required segment") {
  const unsigned seed = GENERATE(range(1U, 61U));
  CAPTURE(seed);
  World world(seed);
  for (int step = 0; step < 400; ++step) {
    CAPTURE(step);
    world.step();
    world.check();
  }
  CHECK(world.bound() > 10);
}

}  // namespace
}  // namespace toposeg::engine::test
