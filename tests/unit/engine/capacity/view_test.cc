#include "engine/capacity/view.h"

#include <random>

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
    tree = Tree::build({"t", {{"rack", ""}}, ""}, books.nodes(), books.names());
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

TEST_CASE("a_domain_on_whose_level_pods_repel_each_other_takes_one") {
  const Bench bench;
  kube::PodSpec shape;
  shape.requests = {{"nvidia.com/gpu", 1}};
  shape.anti_affinity = {"rack"};
  const CapacityView view(bench.tree, bench.books, shape);
  CHECK(view.capacity(kRoot) == 2);
  CHECK(view.capacity(bench.rack("r1")) == 1);
  CHECK(view.capacity(bench.rack("r2")) == 1);
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

TEST_CASE("a_limit_takes_capacity_and_leaves_the_room") {
  const Bench bench;
  CapacityView view = bench.view();
  const CapacityView before = view;
  const Vertex n1 = *bench.tree->leaf("n1");
  view.limit(n1, 1, true);
  CHECK(view.capacity(n1) == 1);
  CHECK(view.capacity(bench.rack("r1")) == 3);
  CHECK(view.capacity(kRoot) == 8);
  for (Vertex v = 0; v < bench.tree->size(); ++v) CHECK(view.room(v) == before.capacity(v));
  CHECK(view.signature(bench.rack("r1")) != view.signature(bench.rack("r2")));
  CHECK(view.signature(bench.rack("r2")) == before.signature(bench.rack("r2")));
  view.limit(n1, 7, true);
  CHECK(view.capacity(n1) == 1);
}

TEST_CASE("a_limit_keeps_the_extra_pod_off") {
  const Bench bench;
  kube::PodSpec extra;
  extra.requests = {{"nvidia.com/gpu", 3}};
  CapacityView view = bench.view(extra);
  const Vertex n1 = *bench.tree->leaf("n1");
  const Vertex rack = bench.rack("r1");
  CHECK(view.beside(rack) == 2);
  view.limit(n1, 3, false);
  CHECK(view.capacity(rack) == 5);
  CHECK(view.beside(rack) == -1);
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

// Nodes of three kinds come, go, move and fill up; a selector looks at the labels of some.
class Churn {
 public:
  Churn() { make_views(); }

  void step() {
    const std::string name = "n" + std::to_string(roll(10));
    switch (roll(4)) {
      case 0:
        take_out(name);
        break;
      case 1:
        take_out(name);
        put_in(name);
        break;
      default:
        books_.charge("p" + std::to_string(roll(12)), name, {{"nvidia.com/gpu", roll(3)}}, {});
    }
    for (const NodeId id : books_.take_dirty()) {
      for (CapacityView& view : views_) view.update(books_, id);
    }
  }

  void compare() const {
    for (const CapacityView& view : views_) {
      const CapacityView fresh(tree_, books_, view.shape(), view.extra());
      REQUIRE(&view.tree() == tree_.get());
      for (Vertex v = 0; v < tree_->size(); ++v) {
        REQUIRE(view.capacity(v) == fresh.capacity(v));
        REQUIRE(view.beside(v) == fresh.beside(v));
        REQUIRE(view.signature(v) == fresh.signature(v));
        REQUIRE(obstacles(view, v) == obstacles(fresh, v));
      }
    }
  }

 private:
  int roll(int sides) { return static_cast<int>(dice_() % static_cast<unsigned>(sides)); }

  static std::string obstacles(const CapacityView& view, Vertex v) {
    std::string text;
    for (const auto& count : view.obstacles(v))
      text +=
          std::to_string(static_cast<int>(count.obstacle)) + count.detail + std::to_string(count.nodes) + ' ';
    return text;
  }

  void make_views() {
    kube::PodSpec one;
    one.requests = {{"nvidia.com/gpu", 1}};
    kube::PodSpec picky = one;
    picky.node_selector = {{"disk", "fast"}};
    kube::PodSpec two;
    two.requests = {{"nvidia.com/gpu", 2}};
    views_.emplace_back(tree_, books_, one);
    views_.emplace_back(tree_, books_, picky, two);
    views_.emplace_back(tree_, books_, two, picky);
    kube::PodSpec apart = one;
    apart.anti_affinity = {"rack"};
    views_.emplace_back(tree_, books_, apart, two);
  }

  void follow(std::shared_ptr<const Tree> next, const TreeChange& change) {
    for (CapacityView& view : views_) view.follow(next, change, books_);
    tree_ = std::move(next);
  }

  void take_out(const std::string& name) {
    books_.remove(name);
    const NodeId* id = books_.id(name);
    TreeChange change;
    auto next = id == nullptr ? nullptr : tree_->without(*id, change);
    if (next != nullptr) follow(std::move(next), change);
  }

  void put_in(const std::string& name) {
    kube::Node node;
    node.name = name;
    node.labels = {{"block", std::to_string(roll(2))}, {"disk", roll(2) == 0 ? "fast" : "slow"}};
    if (roll(6) != 0) kube::put(node.labels, "rack", std::to_string(roll(3)));
    node.allocatable = {{"nvidia.com/gpu", 2 + 2 * roll(3)}, {"pods", 110}};
    node.unschedulable = roll(5) == 0;
    books_.upsert(node);
    TreeChange change;
    follow(tree_->with(node, change), change);
  }

  std::mt19937 dice_{11};
  Books books_;
  std::shared_ptr<const Tree> tree_ =
      Tree::build({"t", {{"block", ""}, {"rack", ""}}, ""}, books_.nodes(), books_.names());
  std::vector<CapacityView> views_;
};

TEST_CASE("views_that_followed_every_change_equal_views_made_anew") {
  Churn churn;
  for (int step = 0; step < 800; ++step) {
    churn.step();
    churn.compare();
  }
}

TEST_CASE("states_of_nodes_that_were_and_are_no_more_are_forgotten") {
  Bench bench;
  CapacityView view = bench.view();
  for (int i = 0; i < 5000; ++i) {
    bench.books.charge("p", "n1", {{"cpu", i + 1}}, {});
    view.update(bench.books, *bench.books.id("n1"));
    REQUIRE(bench.books.kinds().size() < 1200);
  }
  CHECK(bench.books.kinds().generation() > 0);
  CHECK(view.capacity(kRoot) == 10);
}

}  // namespace
}  // namespace toposeg::engine
