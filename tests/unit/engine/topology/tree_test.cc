#include "engine/topology/tree.h"

#include <map>
#include <random>
#include <sstream>

#include "unit/catch.h"

namespace toposeg::engine {
namespace {

using Nodes = std::vector<kube::Node>;

kube::Node node(const std::string& name, const std::string& block, const std::string& rack) {
  kube::Node made;
  made.name = name;
  made.labels = {{"block", block}, {"rack", rack}};
  return made;
}

std::shared_ptr<const Tree> tree_of(const Nodes& nodes,
                                    const std::shared_ptr<NodeNames>& names = std::make_shared<NodeNames>()) {
  std::vector<const kube::Node*> pointers;
  for (const kube::Node& n : nodes) {
    pointers.push_back(&n);
    names->intern(n.name);
  }
  return Tree::build({"t", {{"block", ""}, {"rack", ""}}, "kai.scheduler"}, pointers, names);
}

std::vector<std::string> paths(const Tree& tree, int level) {
  std::vector<std::string> texts;
  const VertexRange range = tree.at_level(level);
  for (Vertex v = range.begin; v < range.end; ++v) {
    std::string text;
    for (const std::string& part : tree.path(v)) text += "/" + part;
    texts.push_back(text);
  }
  return texts;
}

TEST_CASE("equal_rack_names_under_two_blocks_are_two_domains") {
  const auto tree = tree_of({node("n1", "b", "rack-1"), node("n0", "a", "rack-1")});
  CHECK(paths(*tree, 1) == std::vector<std::string>{"/a/rack-1", "/b/rack-1"});
  CHECK(paths(*tree, 2) == std::vector<std::string>{"/a/rack-1/n0", "/b/rack-1/n1"});
}

TEST_CASE("names_with_dots_prefixes_and_equal_names_on_two_levels_stay_apart") {
  const auto tree = tree_of({node("a", "a.b", "c"), node("n1", "a", "b.c"), node("n2", "a", "a"),
                             node("n3", "rack", "rack-a"), node("n4", "rack", "rack-ab")});
  CHECK(paths(*tree, 1) ==
        std::vector<std::string>{"/a/a", "/a/b.c", "/a.b/c", "/rack/rack-a", "/rack/rack-ab"});
}

TEST_CASE("the_closest_domain_of_nodes_is_a_rack_a_block_or_the_whole_topology") {
  const auto tree =
      tree_of({node("n0", "a", "r1"), node("n1", "a", "r1"), node("n2", "a", "r2"), node("n3", "b", "r1")});
  const auto closest = [&](const std::vector<std::string>& names) {
    std::vector<Vertex> leaves;
    for (const std::string& name : names) leaves.push_back(*tree->leaf(name));
    return tree->path(tree->closest_domain(leaves));
  };
  CHECK(closest({"n1"}) == std::vector<std::string>{"a", "r1"});
  CHECK(closest({"n0", "n1"}) == std::vector<std::string>{"a", "r1"});
  CHECK(closest({"n0", "n2", "n1"}) == std::vector<std::string>{"a"});
  CHECK(closest({"n0", "n3"}).empty());
  CHECK(closest({}).empty());
}

TEST_CASE("an_empty_label_value_is_a_value") {
  const auto tree = tree_of({node("n0", "", "r"), node("n1", "a", "")});
  CHECK(paths(*tree, 1) == std::vector<std::string>{"//r", "/a/"});
}

TEST_CASE("a_node_that_lacks_a_label_is_outside_and_the_label_is_named") {
  Nodes nodes = {node("n0", "a", "r1"), node("n1", "a", "r1")};
  nodes[1].labels = {{"block", "a"}};
  const auto tree = tree_of(nodes);
  CHECK(tree->node_count() == 1);
  REQUIRE(tree->outside().size() == 1);
  CHECK(tree->outside()[0].node == "n1");
  CHECK(tree->outside()[0].missing_label == "rack");
  CHECK_FALSE(tree->leaf("n1").has_value());
  CHECK(tree->leaf("n0").has_value());
}

TEST_CASE("the_order_of_nodes_does_not_matter") {
  const Nodes forward = {node("n0", "a", "r1"), node("n1", "a", "r2"), node("n2", "b", "r1")};
  const Nodes backward(forward.rbegin(), forward.rend());
  for (int level = 0; level <= 2; ++level) {
    CHECK(paths(*tree_of(forward), level) == paths(*tree_of(backward), level));
  }
}

TEST_CASE("the_descendants_of_a_domain_are_one_range_at_each_level") {
  const auto tree =
      tree_of({node("n0", "a", "r1"), node("n1", "a", "r2"), node("n2", "a", "r2"), node("n3", "b", "r1")});
  const Vertex a = *tree->find(std::vector<std::string>{"a"});
  CHECK(tree->under(a, 1).size() == 2);
  CHECK(tree->under(a, 2).size() == 3);
  CHECK(tree->under(kRoot, 2) == tree->at_level(2));
  CHECK(tree->ancestor(*tree->leaf("n2"), 0) == a);
  CHECK(tree->ancestor(*tree->leaf("n2"), -1) == kRoot);
}

TEST_CASE("a_path_that_does_not_exist_is_not_found") {
  const auto tree = tree_of({node("n0", "a", "r1")});
  CHECK(tree->find(std::vector<std::string>{"a", "r1", "n0"}) == tree->leaf("n0"));
  CHECK_FALSE(tree->find(std::vector<std::string>{"a", "r2"}).has_value());
  CHECK_FALSE(tree->find(std::vector<std::string>{"a", "r1", "n0", "x"}).has_value());
  CHECK(tree->find({}) == kRoot);
}

TEST_CASE("a_topology_without_nodes_is_only_a_root") {
  const auto tree = tree_of({});
  CHECK(tree->size() == 1);
  CHECK(tree->at_level(2).size() == 0);
  CHECK(tree->under(kRoot, 2).size() == 0);
}

TEST_CASE("dot_draws_only_labelled_vertices_and_what_hangs_on_them") {
  const auto tree = tree_of({node("n0", "a", "r1"), node("n1", "b\"", "r1")});
  std::ostringstream out;
  write_dot(out, *tree,
            [&](Vertex v) { return tree->level(v) <= 0 ? "[" + tree->name(v) + "]" : std::string(); });
  CHECK(out.str().find("\"[a]\"") != std::string::npos);
  CHECK(out.str().find("[b\\\"]") != std::string::npos);
  CHECK(out.str().find("n0") == std::string::npos);
  CHECK(out.str().find("0->1") != std::string::npos);
}

// Everything that can be asked of a tree, as one text.
std::string written(const Tree& tree) {
  std::ostringstream text;
  for (Vertex v = 0; v < tree.size(); ++v) {
    const VertexRange children = tree.children(v);
    text << v << ' ' << tree.name(v) << " level " << tree.level(v) << " of " << tree.parent(v) << " children "
         << children.size();
    if (children.size() > 0) text << " from " << children.begin;
    if (tree.level(v) == tree.levels()) text << " found " << *tree.leaf(tree.name(v));
    text << '\n';
  }
  for (int level = -1; level <= tree.levels(); ++level)
    text << tree.at_level(level).begin << '-' << tree.at_level(level).end << '\n';
  for (const Outside& outside : tree.outside())
    text << outside.node << " lacks " << outside.missing_label << '\n';
  return text.str();
}

TEST_CASE("a_tree_edited_node_by_node_equals_the_tree_built_from_what_is_left") {
  std::mt19937 dice(7);
  const auto roll = [&](int sides) { return static_cast<int>(dice() % static_cast<unsigned>(sides)); };
  const auto names = std::make_shared<NodeNames>();
  std::map<std::string, kube::Node> there;
  std::shared_ptr<const Tree> tree = tree_of({}, names);
  for (int step = 0; step < 600; ++step) {
    const std::string name = "n" + std::to_string(roll(12));
    TreeChange change;
    if (there.erase(name) > 0) {
      tree = tree->without(*names->find(name), change);
      REQUIRE(tree != nullptr);
    } else {
      kube::Node fresh =
          node(name, std::string(1, static_cast<char>('a' + roll(3))), std::to_string(roll(3)));
      if (roll(5) == 0) fresh.labels.pop_back();
      names->intern(name);
      tree = tree->with(fresh, change);
      there.emplace(name, fresh);
    }
    Nodes nodes;
    for (const auto& [key, value] : there) nodes.push_back(value);
    REQUIRE(written(*tree) == written(*tree_of(nodes, names)));
  }
}

TEST_CASE("taking_out_a_node_that_is_not_there_is_told") {
  const auto names = std::make_shared<NodeNames>();
  names->intern("n9");
  const auto tree = tree_of({node("n0", "a", "r1")}, names);
  TreeChange change;
  CHECK(tree->without(*names->find("n9"), change) == nullptr);
}

}  // namespace
}  // namespace toposeg::engine
