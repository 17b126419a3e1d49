// What kube-apiserver sent for the same watch in both of its forms.
#include <fstream>
#include <sstream>
#include <tuple>
#include <vector>

#include "common/kube/read.h"
#include "unit/catch.h"
#include "webhook/kube_api/frame_framer.h"
#include "webhook/kube_api/line_framer.h"
#include "webhook/kube_api/object_text.h"

namespace toposeg::webhook::kube_api {
namespace {

constexpr std::size_t kLargest = 1U << 20U;

std::string content(const std::string& file) {
  std::ifstream input(std::string(TOPOSEG_SOURCE_DIR) + "/tests/data/watches/" + file, std::ios::binary);
  REQUIRE(input);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

struct Both {
  std::vector<WatchEvent> json;
  std::vector<WatchEvent> protobuf;
};

Both recorded(const Resource& resource) {
  Both events;
  LineFramer lines(kLargest);
  REQUIRE(lines
              .feed(content(resource.plural + ".json"),
                    [&](std::string_view line) {
                      events.json.push_back(
                          parse_watch_event(line, kube::Filter::kRecords, resource).value());
                      return true;
                    })
              .value());
  FrameFramer frames(kLargest);
  REQUIRE(frames
              .feed(content(resource.plural + ".protobuf"),
                    [&](std::string_view frame) {
                      events.protobuf.push_back(parse_watch_frame(frame, resource).value());
                      return true;
                    })
              .value());
  REQUIRE(events.json.size() == events.protobuf.size());
  return events;
}

auto tied(const kube::Pod& pod) {
  return std::tie(pod.namespace_, pod.name, pod.uid, pod.node_name, pod.phase, pod.terminating, pod.requests,
                  pod.host_ports, pod.owners, pod.labels, pod.annotations, pod.gates, pod.created);
}
auto tied(const kube::PodSpec& spec) {
  return std::tie(spec.requests, spec.node_selector, spec.affinity, spec.has_affinity, spec.tolerations,
                  spec.host_ports, spec.anti_affinity, spec.scheduler_name, spec.node_name, spec.uncounted);
}

kube::PodSpec shape_of(const json::Document& object) {
  return kube::read_pod_spec(object["spec"], &object["metadata"]["labels"], "spec").value();
}

TEST_CASE("pods read from protobuf are those read from JSON") {
  const Both events = recorded({.version = "v1", .plural = "pods", .kind = "Pod"});
  REQUIRE(events.json.size() == 3);
  for (std::size_t i = 0; i < events.json.size(); ++i) {
    CHECK(events.protobuf[i].type == events.json[i].type);
    const json::Document& one = events.protobuf[i].object;
    const json::Document& other = events.json[i].object;
    CHECK(version_of(one) == version_of(other));
    CHECK(tied(kube::read_pod(one).value()) == tied(kube::read_pod(other).value()));
    CHECK(tied(shape_of(one)) == tied(shape_of(other)));
  }
  // The recorded pod has something in every field, so that the above compares more than what is empty.
  const auto pod = kube::read_pod(events.protobuf[2].object).value();
  const auto shape = shape_of(events.protobuf[2].object);
  CHECK(pod.terminating);
  CHECK(pod.owners.size() == 1);
  CHECK(pod.gates == std::vector<std::string>{"example.com/hold"});
  CHECK(shape.requests.size() == 3);
  CHECK(shape.affinity.size() == 1);
  CHECK(shape.tolerations.size() >= 3);  // one of its own, two of the API server's
  CHECK(shape.host_ports.size() == 2);
  CHECK(shape.anti_affinity == std::vector<std::string>{"kubernetes.io/hostname"});
  CHECK(shape.uncounted.size() == 4);
}

TEST_CASE("nodes read from protobuf are those read from JSON") {
  const Both events = recorded({.version = "v1", .plural = "nodes", .kind = "Node"});
  REQUIRE(events.json.size() == 2);
  const auto node = kube::read_node(events.protobuf[0].object).value();
  CHECK(node == kube::read_node(events.json[0].object).value());
  CHECK(node.unschedulable);
  CHECK(node.taints.size() == 3);
  CHECK(events.protobuf[1].type == EventType::kBookmark);
  CHECK(ends_initial_events(events.protobuf[1].object));
  CHECK(version_of(events.protobuf[1].object) == version_of(events.json[1].object));
}

}  // namespace
}  // namespace toposeg::webhook::kube_api
