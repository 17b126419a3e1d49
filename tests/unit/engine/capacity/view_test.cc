#include "engine/capacity/view.h"

#include "unit/catch.h"

namespace toposeg::engine {
namespace {

class Bench {
 public:
  Bench() {
    for (const auto& [name, rack, gpus] :
         {std::tuple{"n0", "r1", 2}, {"n1", "r1", 3}, {"n2", "r2", 2}, {"n3", "r2", 3}}) {
      kube::Node node;
      node.name = name;
      node.labels = {{"rack", rack}};
      node.allocatable = {{"nvidia.com/gpu", gpus}, {"pods", 110}};
      books.upsert(node);
    }
    tree = Tree::build({"t", {{"rack", ""}}, ""}, books.nodes());
  }
  [[nodiscard]] CapacityView view(std::optional<kube::PodSpec> extra = std::nullopt) const {
    kube::PodSpec shape;
    shape.requests = {{"nvidia.com/gpu", 1}};
    return {tree, books, shape, std::move(extra)};
  }
  [[nodiscard]] Vertex rack(const char* name) const { return *tree->find(std::vector<std::string>{name}); }

  Books books;
  std::shared_ptr<const Tree> tree;
};

TEST_CASE("a_domain_takes_what_its_nodes_take_together") {
  const Bench bench;
  const CapacityView view = bench.view();
  CHECK(view.capacity(kRoot) == 10);
  CHECK(view.capacity(bench.rack("r1")) == 5);
  CHECK(view.beside(kRoot) == -1);
}

TEST_CASE("an_update_equals_a_fresh_view") {
  Bench bench;
  kube::PodSpec extra;
  extra.requests = {{"nvidia.com/gpu", 2}};
  CapacityView view = bench.view(extra);
  bench.books.charge("p", "n1", {{"nvidia.com/gpu", 2}}, {});
  view.update(bench.books, *bench.books.id("n1"));
  const CapacityView fresh = bench.view(extra);
  for (Vertex v = 0; v < bench.tree->size(); ++v) {
    CHECK(view.capacity(v) == fresh.capacity(v));
    CHECK(view.beside(v) == fresh.beside(v));
    CHECK(view.signature(v) == fresh.signature(v));
  }
  CHECK(view.capacity(bench.rack("r1")) == 3);
}

TEST_CASE("the_extra_pod_stands_where_it_costs_least") {
  const Bench bench;
  kube::PodSpec extra;
  extra.requests = {{"nvidia.com/gpu", 3}};
  const CapacityView view = bench.view(extra);
  CHECK(view.beside(bench.rack("r1")) == 2);
  CHECK(view.beside(*bench.tree->leaf("n0")) == -1);
  CHECK(view.beside(kRoot) == 7);
}

TEST_CASE("domains_that_are_alike_inside_have_one_signature") {
  Bench bench;
  CapacityView view = bench.view();
  CHECK(view.signature(bench.rack("r1")) == view.signature(bench.rack("r2")));
  bench.books.charge("p", "n0", {{"nvidia.com/gpu", 1}}, {});
  bench.books.charge("q", "n3", {{"nvidia.com/gpu", 1}}, {});
  view.update(bench.books, *bench.books.id("n0"));
  view.update(bench.books, *bench.books.id("n3"));
  // 1 + 3 against 2 + 2: the same sum, not the same inside.
  CHECK(view.capacity(bench.rack("r1")) == view.capacity(bench.rack("r2")));
  CHECK(view.signature(bench.rack("r1")) != view.signature(bench.rack("r2")));
}

TEST_CASE("obstacles_add_up_to_the_nodes") {
  Bench bench;
  CapacityView view = bench.view();
  bench.books.charge("p", "n0", {{"nvidia.com/gpu", 2}}, {});
  view.update(bench.books, *bench.books.id("n0"));
  auto counts = view.obstacles(kRoot);
  REQUIRE(counts.size() == 2);
  CHECK(counts[0].obstacle == Obstacle::kNone);
  CHECK(counts[0].nodes == 3);
  CHECK(counts[1].detail == "nvidia.com/gpu");
  CHECK(counts[1].nodes == 1);
  counts = view.obstacles(bench.rack("r2"));
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].nodes == 2);
}

TEST_CASE("what_cannot_be_counted_is_no_part_of_a_shape") {
  kube::PodSpec a;
  kube::PodSpec b;
  b.uncounted = {"resource claims"};
  CHECK(same_shape(a, b));
  b.host_ports = {{80, "TCP", "0.0.0.0"}};
  CHECK_FALSE(same_shape(a, b));
}

}  // namespace
}  // namespace toposeg::engine
