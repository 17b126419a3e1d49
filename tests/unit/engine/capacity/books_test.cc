#include "engine/capacity/books.h"

#include "unit/catch.h"

namespace toposeg::engine {
namespace {

kube::Node node(const std::string& name, std::int64_t cpu, std::int64_t gpus, std::int64_t pods = 110) {
  kube::Node made;
  made.name = name;
  made.allocatable = {{"cpu", cpu}, {"nvidia.com/gpu", gpus}, {"pods", pods}};
  return made;
}

kube::PodSpec pod(kube::ResourceList requests) {
  kube::PodSpec made;
  made.requests = std::move(requests);
  return made;
}

TEST_CASE("the_scarcest_resource_decides_and_is_named") {
  Books books;
  const NodeId id = books.upsert(node("n0", 4000, 8));
  CHECK(books.capacity(id, pod({{"cpu", 1000}, {"nvidia.com/gpu", 1}})) == 4);
  CHECK(books.capacity(id, pod({{"cpu", 100}, {"nvidia.com/gpu", 1}})) == 8);
  const Verdict verdict = books.verdict(id, pod({{"cpu", 5000}, {"nvidia.com/gpu", 9}}));
  CHECK(verdict.obstacle == Obstacle::kFull);
  CHECK(verdict.detail == "cpu");
}

TEST_CASE("a_resource_that_the_node_lacks_is_full") {
  Books books;
  const NodeId id = books.upsert(node("n0", 4000, 8));
  CHECK(books.verdict(id, pod({{"rdma/ib", 1}})).detail == "rdma/ib");
}

TEST_CASE("the_pods_resource_limits_pods_that_ask_nothing") {
  Books books;
  const NodeId id = books.upsert(node("n0", 4000, 8, 10));
  books.charge("p", "n0", {}, {});
  CHECK(books.capacity(id, pod({})) == 9);
  const NodeId full = books.upsert(node("n1", 4000, 8, 0));
  CHECK(books.verdict(full, pod({})).detail == "pods");
}

TEST_CASE("a_charge_takes_and_a_release_gives_back") {
  Books books;
  const NodeId id = books.upsert(node("n0", 4000, 8));
  books.charge("p", "n0", {{"nvidia.com/gpu", 6}}, {});
  CHECK(books.capacity(id, pod({{"nvidia.com/gpu", 1}})) == 2);
  CHECK(books.charged_node("p") == "n0");
  books.release("p");
  CHECK(books.capacity(id, pod({{"nvidia.com/gpu", 1}})) == 8);
  CHECK_FALSE(books.charged("p"));
  books.release("p");
  CHECK(books.capacity(id, pod({{"nvidia.com/gpu", 1}})) == 8);
}

TEST_CASE("charging_a_key_again_moves_it") {
  Books books;
  const NodeId a = books.upsert(node("a", 4000, 8));
  const NodeId b = books.upsert(node("b", 4000, 8));
  books.charge("p", "a", {{"nvidia.com/gpu", 8}}, {});
  books.charge("p", "b", {{"nvidia.com/gpu", 2}}, {});
  CHECK(books.capacity(a, pod({{"nvidia.com/gpu", 1}})) == 8);
  CHECK(books.capacity(b, pod({{"nvidia.com/gpu", 1}})) == 6);
}

TEST_CASE("a_charge_on_a_node_that_comes_later_counts_when_it_comes") {
  Books books;
  books.charge("p", "late", {{"nvidia.com/gpu", 8}}, {});
  const NodeId id = books.upsert(node("late", 4000, 8));
  CHECK(books.capacity(id, pod({{"nvidia.com/gpu", 1}})) == 0);
}

TEST_CASE("a_removed_node_takes_nothing_and_remembers_its_pods") {
  Books books;
  const NodeId id = books.upsert(node("n0", 4000, 8));
  books.charge("p", "n0", {{"nvidia.com/gpu", 5}}, {});
  books.remove("n0");
  CHECK(books.verdict(id, pod({})).obstacle == Obstacle::kGone);
  CHECK(books.node("n0") == nullptr);
  CHECK(books.upsert(node("n0", 4000, 8)) == id);
  CHECK(books.capacity(id, pod({{"nvidia.com/gpu", 1}})) == 3);
}

TEST_CASE("obstacles_are_found_in_the_order_of_the_checks") {
  Books books;
  kube::Node blocked = node("n0", 0, 0);
  blocked.unschedulable = true;
  blocked.ready = false;
  blocked.taints = {{"gpu", "x", kube::TaintEffect::kNoSchedule}};
  kube::PodSpec shape = pod({{"nvidia.com/gpu", 1}});
  shape.node_selector = {{"zone", "a"}};
  const auto obstacle = [&] { return books.verdict(books.upsert(blocked), shape).obstacle; };
  CHECK(obstacle() == Obstacle::kCordoned);
  blocked.unschedulable = false;
  CHECK(obstacle() == Obstacle::kNotReady);
  blocked.ready = true;
  CHECK(obstacle() == Obstacle::kTaint);
  CHECK(books.verdict(0, shape).detail == "gpu=x:NoSchedule");
  blocked.taints.clear();
  CHECK(obstacle() == Obstacle::kNodeSelector);
  shape.node_selector.clear();
  shape.has_affinity = true;
  CHECK(obstacle() == Obstacle::kAffinity);
  shape.has_affinity = false;
  shape.host_ports = {{80, "TCP", "0.0.0.0"}};
  books.charge("p", "n0", {}, {{80, "TCP", "10.0.0.1"}});
  CHECK(obstacle() == Obstacle::kHostPort);
  books.release("p");
  CHECK(obstacle() == Obstacle::kFull);
}

TEST_CASE("pods_that_repel_each_other_or_share_a_host_port_stand_alone_on_a_host") {
  Books books;
  const NodeId id = books.upsert(node("n0", 4000, 8));
  kube::PodSpec shape = pod({{"nvidia.com/gpu", 1}});
  CHECK(books.capacity(id, shape) == 8);
  shape.anti_affinity = {"kubernetes.io/hostname"};
  CHECK(books.capacity(id, shape) == 1);
  shape.anti_affinity.clear();
  shape.host_ports = {{80, "TCP", "0.0.0.0"}};
  CHECK(books.capacity(id, shape) == 1);
}

TEST_CASE("capacity_beside_an_extra_pod_counts_what_it_takes") {
  Books books;
  const NodeId id = books.upsert(node("n0", 4000, 8));
  const kube::PodSpec worker = pod({{"nvidia.com/gpu", 1}});
  CHECK(books.capacity_beside(id, worker, pod({{"nvidia.com/gpu", 3}})) == 5);
  CHECK(books.capacity_beside(id, worker, pod({{"cpu", 1000}})) == 8);
  CHECK(books.capacity_beside(id, worker, pod({{"nvidia.com/gpu", 9}})) == -1);
  kube::PodSpec elsewhere = pod({});
  elsewhere.node_selector = {{"zone", "a"}};
  CHECK(books.capacity_beside(id, worker, elsewhere) == -1);
}

TEST_CASE("changed_nodes_are_reported_once") {
  Books books;
  books.upsert(node("a", 4000, 8));
  books.upsert(node("b", 4000, 8));
  CHECK(books.take_dirty().size() == 2);
  books.charge("p", "a", {{"cpu", 1}}, {});
  books.charge("p", "b", {{"cpu", 1}}, {});
  books.charge("p", "a", {{"cpu", 1}}, {});
  CHECK(books.take_dirty().size() == 2);
  CHECK(books.take_dirty().empty());
}

TEST_CASE("sums_of_huge_requests_do_not_wrap") {
  Books books;
  const NodeId id = books.upsert(node("n0", INT64_MAX, 8));
  books.charge("p", "n0", {{"cpu", INT64_MAX}}, {});
  books.charge("q", "n0", {{"cpu", INT64_MAX}}, {});
  CHECK(books.capacity(id, pod({{"cpu", 1}})) == 0);
}

}  // namespace
}  // namespace toposeg::engine
