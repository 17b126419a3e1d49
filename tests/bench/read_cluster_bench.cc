// What `kubectl get nodes,pods -A -o json` prints of a large cluster, read from a stream that makes it up:
// the text is never in memory as a whole, so that the peak of resident memory is the reader's own.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdint>
#include <istream>
#include <limits>
#include <streambuf>
#include <string>

#include "common/kube/read.h"

namespace toposeg::bench {
namespace {

constexpr int kNodes = 5'000;
constexpr int kPods = 50'000;

std::string managed_fields(int bytes) {
  std::string fields;
  for (int i = 0; static_cast<int>(fields.size()) < bytes; ++i) {
    fields += fmt::format("{}\n          \"f:field-{}\": {{\"f:name\": {{}}, \"f:value\": {{\".\": {{}}}}}}",
                          i == 0 ? "" : ",", i);
  }
  return fmt::format(R"("managedFields": [{{"manager": "kubelet", "fieldsV1": {{{}}}}}])", fields);
}

std::string node_text(int index, const std::string& managed) {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Node", "metadata": {{"name": "node-{0:06}", {1},
      "labels": {{"kubernetes.io/hostname": "node-{0:06}", "topology.kubernetes.io/zone": "zone-{2}",
        "cloud.provider.com/topology-block": "block-{3}", "cloud.provider.com/topology-rack": "rack-{4}"}}}},
    "spec": {{"podCIDR": "10.0.0.0/24"}},
    "status": {{"allocatable": {{"cpu": "128", "memory": "1Ti", "nvidia.com/gpu": "8", "pods": "110"}},
      "conditions": [{{"type": "Ready", "status": "True", "reason": "KubeletReady"}}]}}}})",
      index, managed, index / 1296, index / 144, index / 18);
}

std::string environment(int variables) {
  std::string out;
  for (int i = 0; i < variables; ++i) {
    out += fmt::format("{}\n          {{\"name\": \"VARIABLE_{}\", \"value\": \"value {}\"}}",
                       i == 0 ? "" : ",", i, i);
  }
  return out;
}

std::string pod_text(int index, const std::string& managed, const std::string& env) {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "worker-{0}", "namespace": "team-{1}",
      "uid": "00000000-0000-0000-0000-{0:012}", "creationTimestamp": "2026-01-01T00:00:00Z",
      "labels": {{"app": "training", "training.kubeflow.org/job-name": "job-{1}",
        "training.kubeflow.org/replica-index": "{2}"}}, {3},
      "ownerReferences": [{{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": "job-{1}",
        "uid": "11111111-0000-0000-0000-{1:012}", "controller": true, "blockOwnerDeletion": true}}]}},
    "spec": {{"nodeName": "node-{4:06}", "schedulerName": "default-scheduler", "restartPolicy": "Never",
      "containers": [{{"name": "pytorch", "image": "registry.example.com/train:1", "command": ["torchrun"],
        "env": [{5}],
        "resources": {{"limits": {{"nvidia.com/gpu": "1"}}, "requests": {{"cpu": "8", "memory": "64Gi"}}}},
        "volumeMounts": [{{"name": "token", "mountPath": "/var/run/secrets", "readOnly": true}}]}}],
      "tolerations": [{{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}}],
      "volumes": [{{"name": "token", "projected": {{"defaultMode": 420}}}}]}},
    "status": {{"phase": "Running", "podIP": "10.0.0.1", "qosClass": "Burstable",
      "conditions": [{{"type": "Ready", "status": "True"}}, {{"type": "PodScheduled", "status": "True"}}],
      "containerStatuses": [{{"name": "pytorch", "ready": true, "restartCount": 0,
        "resources": {{"requests": {{"cpu": "8", "memory": "64Gi"}}}},
        "state": {{"running": {{"startedAt": "2026-01-01T00:00:10Z"}}}}}}]}}}})",
      index, index / 64, index % 64, managed, index / 10, env);
}

// One object at a time.
class ClusterText final : public std::streambuf {
 public:
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  int_type underflow() override {
    if (next_ > kNodes + kPods) return traits_type::eof();
    const bool is_last = next_ == kNodes + kPods;
    if (is_last) {
      text_ = "\n  ],\n  \"kind\": \"List\",\n  \"metadata\": {\"resourceVersion\": \"\"}\n}\n";
    } else {
      text_ = next_ == 0 ? "{\n  \"apiVersion\": \"v1\",\n  \"items\": [\n    " : ",\n    ";
      text_ += next_ < kNodes ? node_text(next_, managed_) : pod_text(next_ - kNodes, managed_, environment_);
    }
    ++next_;
    bytes_ += static_cast<std::int64_t>(text_.size());
    setg(text_.data(), text_.data(), text_.data() + text_.size());
    return traits_type::to_int_type(text_.front());
  }

  const std::string managed_ = managed_fields(2'400);
  const std::string environment_ = environment(24);
  std::string text_;
  int next_ = 0;
  std::int64_t bytes_ = 0;
};

void read_large_cluster(benchmark::State& state) {
  std::int64_t bytes = 0;
  for (auto _ : state) {
    ClusterText text;
    std::istream input(&text);
    kube::Cluster cluster;
    const auto done = kube::read_cluster(input, "cluster.json", cluster, {});
    if (!done || cluster.pods.size() != kPods || cluster.nodes.size() != kNodes) {
      state.SkipWithError(done ? "objects are missing" : done.error().text().c_str());
      return;
    }
    bytes += text.bytes();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.SetBytesProcessed(bytes);
  state.counters["pods"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kPods, benchmark::Counter::kIsRate);
  // Of the whole program so far: run this bench alone (--benchmark_filter) to see the reader's own.
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK(read_large_cluster)->Unit(benchmark::kMillisecond)->Iterations(1);

// What making the text up costs, to be taken off the above.
void make_up_the_text(benchmark::State& state) {
  for (auto _ : state) {
    ClusterText text;
    std::istream input(&text);
    input.ignore(std::numeric_limits<std::streamsize>::max());
    benchmark::DoNotOptimize(text.bytes());
  }
}
BENCHMARK(make_up_the_text)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace toposeg::bench
