// Events of a watch, from the bytes as they come from the socket to what a sink is told: framing, parsing
// with the filter, and the record that the engine takes. The target is 20,000 pod events a second on one
// core.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "common/kube/read.h"
#include "webhook/kube_api/line_framer.h"
#include "webhook/kube_api/list_framer.h"
#include "webhook/kube_api/object_text.h"

namespace toposeg::bench {
namespace {

using webhook::kube_api::LineFramer;
using webhook::kube_api::ListFramer;
using webhook::kube_api::Resource;

constexpr std::size_t kRead = 4096;  // what the HTTP library hands on at most
constexpr std::size_t kLargest = std::size_t{4} << 20U;

std::string repeated(int times, const std::string& first, const auto& piece) {
  std::string out = first;
  for (int i = 0; i < times; ++i) out += (i == 0 ? "" : ",") + piece(i);
  return out;
}

// A running training pod as the API server sends it, compact, with all that it writes itself: 6.5 KB.
std::string pod_text(int index) {
  const std::string managed = repeated(70, "", [](int i) {
    return fmt::format(R"("f:field-{}":{{"f:name":{{}},"f:value":{{".":{{}}}}}})", i);
  });
  const std::string env = repeated(
      12, "", [](int i) { return fmt::format(R"({{"name":"VARIABLE_{0}","value":"value {0}"}})", i); });
  return fmt::format(
      R"({{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"worker-{0}","namespace":"team-1","uid":"00000000-0000-0000-0000-{0:012}","resourceVersion":"{1}","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z","labels":{{"app":"training","training.kubeflow.org/job-name":"job-1","training.kubeflow.org/operator-name":"pytorchjob-controller","training.kubeflow.org/replica-index":"{0}","training.kubeflow.org/replica-type":"worker"}},"annotations":{{"toposeg.io/domain":"zone-a/block-a1/rack-a12","toposeg.io/level":"rack"}},"ownerReferences":[{{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":"job-1","uid":"11111111-0000-0000-0000-000000000001","controller":true,"blockOwnerDeletion":true}}],"managedFields":[{{"manager":"training-operator","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{{{2}}}}}]}},"spec":{{"volumes":[{{"name":"kube-api-access","projected":{{"sources":[{{"serviceAccountToken":{{"expirationSeconds":3607,"path":"token"}}}},{{"configMap":{{"name":"kube-root-ca.crt","items":[{{"key":"ca.crt","path":"ca.crt"}}]}}}}],"defaultMode":420}}}}],"containers":[{{"name":"pytorch","image":"registry.example.com/train:1","command":["torchrun"],"args":["--nnodes=64","train.py"],"ports":[{{"name":"pytorchjob-port","containerPort":23456,"protocol":"TCP"}}],"env":[{3}],"resources":{{"limits":{{"nvidia.com/gpu":"8"}},"requests":{{"cpu":"8","memory":"64Gi","nvidia.com/gpu":"8"}}}},"volumeMounts":[{{"name":"kube-api-access","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-000001","securityContext":{{}},"schedulerName":"default-scheduler","tolerations":[{{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}},{{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"}},"status":{{"phase":"Running","conditions":[{{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}},{{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}},{{"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}},{{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}}],"hostIP":"10.0.0.1","podIP":"10.244.0.1","podIPs":[{{"ip":"10.244.0.1"}}],"startTime":"2026-01-01T00:00:00Z","containerStatuses":[{{"name":"pytorch","state":{{"running":{{"startedAt":"2026-01-01T00:00:10Z"}}}},"lastState":{{}},"ready":true,"restartCount":0,"image":"registry.example.com/train:1","imageID":"registry.example.com/train@sha256:0000000000000000000000000000000000000000000000000000000000000000","containerID":"containerd://0000000000000000000000000000000000000000000000000000000000000000","started":true}}],"qosClass":"Burstable"}}}})",
      index, 1000 + index, managed, env);
}

constexpr int kPods = 500;

const Resource kResource{.version = "v1", .plural = "pods", .kind = "Pod"};

void follow_pod_events(benchmark::State& state) {
  std::string stream;
  for (int i = 0; i < kPods; ++i) stream += R"({"type":"MODIFIED","object":)" + pod_text(i) + "}\n";
  for (auto _ : state) {
    LineFramer framer(kLargest);
    int pods = 0;
    const auto take = [&](std::string_view line) {
      const auto event = webhook::kube_api::parse_watch_event(line, kube::Filter::kRecords, kResource);
      if (event && kube::read_pod(event->object)) ++pods;
      return true;
    };
    const std::string_view all(stream);
    for (std::size_t at = 0; at < all.size(); at += kRead) (void)framer.feed(all.substr(at, kRead), take);
    if (pods != kPods) return state.SkipWithError("events are missing");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(stream.size()));
  state.counters["events"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kPods, benchmark::Counter::kIsRate);
}
BENCHMARK(follow_pod_events)->Unit(benchmark::kMillisecond);

void list_pods(benchmark::State& state) {
  std::string text = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[)";
  for (int i = 0; i < kPods; ++i) text += (i == 0 ? "" : ",") + pod_text(i);
  text += "]}\n";
  for (auto _ : state) {
    ListFramer framer(kLargest);
    int pods = 0;
    const auto take = [&](std::string_view item) {
      const auto object = webhook::kube_api::parse_item(item, kube::Filter::kRecords, kResource);
      if (object && kube::read_pod(*object)) ++pods;
      return true;
    };
    const std::string_view all(text);
    for (std::size_t at = 0; at < all.size(); at += kRead) (void)framer.feed(all.substr(at, kRead), take);
    if (pods != kPods || !framer.complete()) return state.SkipWithError("items are missing");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.counters["pods"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kPods, benchmark::Counter::kIsRate);
}
BENCHMARK(list_pods)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace toposeg::bench
