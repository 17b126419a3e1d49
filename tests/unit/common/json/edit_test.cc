#include "common/json/edit.h"

#include <random>
#include <string>

#include "unit/catch.h"

namespace toposeg::json {
namespace {

std::string operations(const Edit& edit) {
  const auto verified = edit.verified();
  return verified ? verified->dump() : verified.error().text();
}

TEST_CASE("a_new_member_is_one_add") {
  const Document original = {{"metadata", {{"annotations", {{"x", "1"}}}}}};
  Edit edit(original);
  CHECK(edit.set({"metadata", "annotations", "kai.scheduler/topology"}, "dc"));
  CHECK(operations(edit) ==
        R"([{"op":"add","path":"/metadata/annotations/kai.scheduler~1topology","value":"dc"}])");
  CHECK(edit.document().dump() == R"({"metadata":{"annotations":{"kai.scheduler/topology":"dc","x":"1"}}})");
  CHECK(original.dump() == R"({"metadata":{"annotations":{"x":"1"}}})");
}

TEST_CASE("an_existing_value_is_replaced_and_an_equal_one_is_left_alone") {
  const Document original = {{"a", 1}, {"l", {1, 2}}};
  Edit edit(original);
  CHECK(edit.set({"a"}, 1));
  CHECK(edit.set({"l"}, {1, 2}));
  CHECK(operations(edit) == "[]");
  CHECK(edit.set({"a"}, 2));
  CHECK(edit.set({"l", "1"}, 3));
  CHECK(operations(edit) ==
        R"([{"op":"replace","path":"/a","value":2},{"op":"replace","path":"/l/1","value":3}])");
}

TEST_CASE("missing_parents_are_created_from_the_top_down") {
  const Document original = {{"spec", Document::object()}};
  Edit edit(original);
  CHECK(edit.set({"spec", "affinity", "nodeAffinity", "x"}, true));
  CHECK(operations(edit) == R"([{"op":"add","path":"/spec/affinity","value":{}},)"
                            R"({"op":"add","path":"/spec/affinity/nodeAffinity","value":{}},)"
                            R"({"op":"add","path":"/spec/affinity/nodeAffinity/x","value":true}])");
}

TEST_CASE("a_null_parent_is_added_over_because_the_server_takes_it_for_missing") {
  const Document original = {{"spec", {{"affinity", nullptr}}}};
  Edit edit(original);
  CHECK(edit.set({"spec", "affinity", "nodeAffinity"}, Document::object()));
  CHECK(operations(edit) == R"([{"op":"add","path":"/spec/affinity","value":{}},)"
                            R"({"op":"add","path":"/spec/affinity/nodeAffinity","value":{}}])");
}

TEST_CASE("a_null_value_is_added_over_and_a_null_element_is_taken_out_first") {
  const Document original = {{"a", nullptr}, {"l", {nullptr, 1}}};
  Edit edit(original);
  CHECK(edit.set({"a"}, "x"));
  CHECK(edit.set({"l", "0"}, "y"));
  CHECK(operations(edit) == R"([{"op":"add","path":"/a","value":"x"},{"op":"remove","path":"/l/0"},)"
                            R"({"op":"add","path":"/l/0","value":"y"}])");
  CHECK(edit.document().dump() == R"({"a":"x","l":["y",1]})");
}

TEST_CASE("keys_with_tilde_and_slash_and_the_empty_key_survive") {
  const Document original = Document::object();
  Edit edit(original);
  CHECK(edit.set({"a/b", "~", "", "~1"}, 1));
  CHECK(edit.document().dump() == R"({"a/b":{"~":{"":{"~1":1}}}})");
  CHECK(edit.verified());
}

TEST_CASE("the_whole_document_can_be_replaced_but_not_removed") {
  const Document original = {{"a", 1}};
  Edit edit(original);
  CHECK(edit.set({}, 5));
  CHECK(operations(edit) == R"([{"op":"replace","path":"","value":5}])");
  CHECK_FALSE(edit.remove({}));
  CHECK(edit.document() == 5);
}

TEST_CASE("an_edit_of_null_makes_an_object") {
  const Document original = nullptr;
  Edit edit(original);
  CHECK(edit.set({"a", "b"}, 1));
  CHECK(edit.document().dump() == R"({"a":{"b":1}})");
  CHECK(edit.verified());
}

TEST_CASE("a_way_through_a_scalar_or_past_an_array_changes_nothing") {
  const Document original = {{"text", "x"}, {"l", {1, 2}}};
  Edit edit(original);
  CHECK_FALSE(edit.set({"text", "a"}, 1));
  CHECK_FALSE(edit.set({"text", "a", "b"}, 1));
  CHECK_FALSE(edit.set({"l", "2"}, 1));
  CHECK_FALSE(edit.set({"l", "-"}, 1));
  CHECK_FALSE(edit.set({"l", "-1", "x"}, 1));
  CHECK_FALSE(edit.set({"l", "0", "x"}, 1));
  CHECK_FALSE(edit.append({"text"}, 1));
  CHECK_FALSE(edit.append({"text", "a"}, 1));
  CHECK_FALSE(edit.append({"l", "0"}, 1));
  CHECK_FALSE(edit.insert({"l"}, 3, 1));
  CHECK_FALSE(edit.insert({"text"}, 0, 1));
  CHECK_FALSE(edit.insert({"missing"}, 1, 1));
  CHECK_FALSE(edit.remove({"missing"}));
  CHECK_FALSE(edit.remove({"l", "2"}));
  CHECK(edit.document() == original);
  CHECK(operations(edit) == "[]");
}

TEST_CASE("elements_are_appended_inserted_and_removed") {
  const Document original = {{"l", {1, 2}}};
  Edit edit(original);
  CHECK(edit.append({"l"}, 3));
  CHECK(edit.insert({"l"}, 0, 0));
  CHECK(edit.insert({"l"}, 4, 4));
  CHECK(edit.remove({"l", "2"}));
  CHECK(edit.document().dump() == R"({"l":[0,1,3,4]})");
  CHECK(operations(edit) == R"([{"op":"add","path":"/l/-","value":3},{"op":"add","path":"/l/0","value":0},)"
                            R"({"op":"add","path":"/l/-","value":4},{"op":"remove","path":"/l/2"}])");
}

TEST_CASE("a_missing_or_null_array_is_created_with_its_first_element") {
  const Document original = {{"null", nullptr}};
  Edit edit(original);
  CHECK(edit.append({"spec", "terms"}, Document::array({1})));
  CHECK(edit.append({"null"}, "x"));
  CHECK(edit.insert({"other"}, 0, Document::object()));
  CHECK(edit.document().dump() == R"({"null":["x"],"other":[{}],"spec":{"terms":[[1]]}})");
  CHECK(edit.verified());
}

TEST_CASE("a_removed_member_is_one_remove") {
  const Document original = {{"a", {{"b", 1}, {"c", nullptr}}}};
  Edit edit(original);
  CHECK(edit.remove({"a", "c"}));
  CHECK(edit.remove({"a"}));
  CHECK(operations(edit) == R"([{"op":"remove","path":"/a/c"},{"op":"remove","path":"/a"}])");
}

// Random documents and random edits of them, from a fixed seed.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  Document value(int depth) {
    switch (below(depth > 0 ? 6 : 4)) {
      case 0:
        return nullptr;
      case 1:
        return below(3);
      case 2:
        return key();
      case 3:
        return Document::array();
      case 4: {
        Document list = Document::array();
        for (int i = below(4); i > 0; --i) list.push_back(value(depth - 1));
        return list;
      }
      default: {
        Document object = Document::object();
        for (int i = below(4); i > 0; --i) object[key()] = value(depth - 1);
        return object;
      }
    }
  }

  Path path() {
    Path path;
    for (int i = below(5); i > 0; --i) path.push_back(key());
    return path;
  }

  bool change(Edit& edit) {
    switch (below(4)) {
      case 0:
        return edit.append(path(), value(2));
      case 1:
        return edit.insert(path(), static_cast<std::size_t>(below(3)), value(2));
      case 2:
        return edit.remove(path());
      default:
        return edit.set(path(), value(2));
    }
  }

 private:
  std::string key() {
    static constexpr const char* kKeys[] = {"a", "b", "a/b", "~", "~1", "", "0", "1", "2", "-"};
    return kKeys[below(10)];
  }

  std::mt19937 random_;
};

TEST_CASE("whatever_is_edited_the_operations_give_exactly_the_document") {
  int changes = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Generator generator(seed);
    const Document original = generator.value(4);
    Edit edit(original);
    for (int i = 0; i < 6; ++i) {
      const Document before = edit.document();
      const std::size_t recorded = edit.operations().size();
      const bool changed = generator.change(edit);
      changes += changed ? 1 : 0;
      if (!changed) {
        REQUIRE(edit.document() == before);
        REQUIRE(edit.operations().size() == recorded);
      }
    }
    INFO("seed " << seed << ": " << original.dump() << " " << edit.operations().dump());
    const auto operations = edit.verified();
    REQUIRE(operations);
    REQUIRE(json::apply(original, *operations) == edit.document());
    REQUIRE(original.patch(*operations) == edit.document());  // another implementation agrees
  }
  CHECK(changes > 3000);
}

}  // namespace
}  // namespace toposeg::json
