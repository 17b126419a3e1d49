// Reviews in process, from the bytes that arrive to the bytes that go back: what one request costs without a
// network.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/bench_cluster.h"
#include "common/base/clock.h"
#include "common/config/config.h"
#include "webhook/admission/reviewer.h"

namespace toposeg::bench {
namespace {

using nlohmann::json;

constexpr int kNodes = 5'184;
constexpr int kWorkers = 1'000;
constexpr std::size_t kPodBytes = 6'000;
constexpr std::chrono::milliseconds kPatience{10'000};

json annotations() {
  return {{"kai.scheduler/topology", "cluster-topology"},
          {"kai.scheduler/segment-size", "8"},
          {"kai.scheduler/segment-topology-required-placement", "cloud.provider.com/topology-rack"}};
}

json pod_spec() {
  const json container{{"name", "pytorch"},
                       {"image", "example.com/train:1"},
                       {"resources", {{"limits", {{"nvidia.com/gpu", 8}}}}}};
  return {{"schedulerName", "default-scheduler"}, {"containers", json::array({container})}};
}

std::string review_of(const json& object, const std::string& kind, const std::string& group) {
  const json request{{"uid", "0d3c4a52-4f0e-4b6c-9d4e-000000000001"},
                     {"kind", {{"group", group}, {"version", "v1"}, {"kind", kind}}},
                     {"name", object["metadata"]["name"]},
                     {"namespace", "ml-team"},
                     {"operation", "CREATE"},
                     {"userInfo", {{"username", "system:serviceaccount:kubeflow:training-operator"}}},
                     {"object", object},
                     {"oldObject", nullptr},
                     {"dryRun", false},
                     {"options", {{"kind", "CreateOptions"}}}};
  return json{{"kind", "AdmissionReview"}, {"apiVersion", "admission.k8s.io/v1"}, {"request", request}}
      .dump();
}

std::string job_review() {
  json object{{"apiVersion", "kubeflow.org/v1"}, {"kind", "PyTorchJob"}};
  object["metadata"] = {{"name", "large"}, {"namespace", "ml-team"}};
  object["spec"]["pytorchReplicaSpecs"]["Worker"] = {
      {"replicas", kWorkers},
      {"template", {{"metadata", {{"annotations", annotations()}}}, {"spec", pod_spec()}}}};
  return review_of(object, "PyTorchJob", "kubeflow.org");
}

std::string pod_review(int index) {
  json object{{"apiVersion", "v1"}, {"kind", "Pod"}, {"spec", pod_spec()}};
  object["metadata"] = {{"name", fmt::format("large-worker-{}", index)},
                        {"namespace", "ml-team"},
                        {"annotations", annotations()},
                        {"labels",
                         {{"toposeg.io/managed", "true"},
                          {"training.kubeflow.org/job-name", "large"},
                          {"training.kubeflow.org/replica-type", "worker"},
                          {"training.kubeflow.org/replica-index", std::to_string(index)}}},
                        {"ownerReferences", json::array({{{"apiVersion", "kubeflow.org/v1"},
                                                          {"kind", "PyTorchJob"},
                                                          {"name", "large"},
                                                          {"uid", "b25c1c50-6d9f-45d9-b93d-7a1e8cd3d29e"},
                                                          {"controller", true}}})}};
  // Real pods owe most of their size to environment variables and managed fields.
  json& environment = object["spec"]["containers"][0]["env"];
  std::size_t bytes = object.dump().size();
  while (bytes < kPodBytes) {
    json variable{{"name", fmt::format("VARIABLE_{}", environment.size())}, {"value", "some value"}};
    bytes += variable.dump().size() + 1;
    environment.push_back(std::move(variable));
  }
  return review_of(object, "Pod", "");
}

// An engine of 5,184 nodes behind a reviewer.
class Bench {
 public:
  Bench()
      : engine_({}, clock_), reviewer_(engine_, config_, std::make_shared<prometheus::Registry>(), clock_) {
    engine_.replace(cluster_of(kNodes));
  }

  bool review(webhook::Hook hook, const std::string& body) {
    const auto answer = reviewer_.review(hook, body, kPatience);
    return answer.http_status == 200 && answer.body.find("\"patch\"") != std::string::npos;
  }

 private:
  SystemClock clock_;
  config::Config config_ = config::defaults();
  engine::Engine engine_;
  webhook::Reviewer reviewer_;
};

// Runs one review an iteration and reports the median and the 99th percentile in microseconds.
void measure(benchmark::State& state, Bench& bench, webhook::Hook hook,
             const std::vector<std::string>& bodies) {
  std::vector<double> microseconds;
  std::size_t next = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    const bool patched = bench.review(hook, bodies[next]);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    microseconds.push_back(took.count());
    next = (next + 1) % bodies.size();
    if (!patched) state.SkipWithError("a review came back without a patch");
  }
  std::ranges::sort(microseconds);
  const auto at = [&](double share) {
    return microseconds.empty()
               ? 0.0
               : microseconds[static_cast<std::size_t>(share * static_cast<double>(microseconds.size() - 1))];
  };
  state.counters["p50_us"] = at(0.50);
  state.counters["p99_us"] = at(0.99);
}

void pod_reviews(benchmark::State& state) {
  Bench bench;
  if (!bench.review(webhook::Hook::kWorkloads, job_review()))
    return state.SkipWithError("the job was not planned");
  std::vector<std::string> bodies;
  bodies.reserve(kWorkers);
  for (int i = 0; i < kWorkers; ++i) bodies.push_back(pod_review(i));
  measure(state, bench, webhook::Hook::kPods, bodies);
}
BENCHMARK(pod_reviews)->Name("review/pod_6KB")->Unit(benchmark::kMicrosecond);

void workload_reviews(benchmark::State& state) {
  Bench bench;
  measure(state, bench, webhook::Hook::kWorkloads, {job_review()});
}
BENCHMARK(workload_reviews)->Name("review/workload_1000_of_5184_nodes")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace toposeg::bench
