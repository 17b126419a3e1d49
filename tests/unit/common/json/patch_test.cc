#include <string>

#include "common/json/edit.h"
#include "unit/catch.h"

namespace toposeg::json {
namespace {

std::string applied(std::string_view document, std::string_view operations) {
  const auto result = json::apply(Document::parse(document), Document::parse(operations));
  return result ? result->dump() : result.error().text();
}

TEST_CASE("each_operation_changes_the_document") {
  CHECK(applied(R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])") == R"({"a":1,"b":2})");
  CHECK(applied(R"({"a":1})", R"([{"op":"add","path":"/a","value":2}])") == R"({"a":2})");
  CHECK(applied(R"({"a":1})", R"([{"op":"remove","path":"/a"}])") == "{}");
  CHECK(applied(R"({"a":1})", R"([{"op":"replace","path":"/a","value":[]}])") == R"({"a":[]})");
  CHECK(applied(R"({"a":1})", R"([{"op":"move","from":"/a","path":"/b"}])") == R"({"b":1})");
  CHECK(applied(R"({"a":[1]})", R"([{"op":"copy","from":"/a","path":"/b"}])") == R"({"a":[1],"b":[1]})");
  CHECK(applied(R"({"a":1})", R"([{"op":"test","path":"/a","value":1.0}])") == R"({"a":1})");
  CHECK(applied(R"({"a":1})", R"([{"op":"replace","path":"","value":7}])") == "7");
  CHECK(applied(R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])") == R"({"a":1})");
  CHECK(applied(R"({"a":1})", "[]") == R"({"a":1})");
}

TEST_CASE("elements_are_added_and_removed_by_index") {
  CHECK(applied("[1,3]", R"([{"op":"add","path":"/1","value":2}])") == "[1,2,3]");
  CHECK(applied("[1,3]", R"([{"op":"add","path":"/2","value":4}])") == "[1,3,4]");
  CHECK(applied("[1,3]", R"([{"op":"add","path":"/-","value":4}])") == "[1,3,4]");
  CHECK(applied("[1,3]", R"([{"op":"remove","path":"/0"}])") == "[3]");
  CHECK(applied("[1,3]", R"([{"op":"move","from":"/0","path":"/1"}])") == "[3,1]");
}

TEST_CASE("an_add_needs_its_parent") {
  CHECK(applied("{}", R"([{"op":"add","path":"/a/b","value":1}])") ==
        R"(operation 1: the parent "/a" is missing)");
  CHECK(applied(R"({"a":null})", R"([{"op":"add","path":"/a/b","value":1}])") ==
        R"(operation 1: the parent "/a" is a null, neither an object nor an array)");
  CHECK(applied(R"({"a":"text"})", R"([{"op":"add","path":"/a/b","value":1}])") ==
        R"(operation 1: the parent "/a" is a string, neither an object nor an array)");
}

TEST_CASE("what_is_not_there_cannot_be_removed_replaced_moved_copied_or_tested") {
  for (const char* operation :
       {R"({"op":"remove","path":"/x"})", R"({"op":"replace","path":"/x","value":1})",
        R"({"op":"move","from":"/x","path":"/y"})", R"({"op":"copy","from":"/x","path":"/y"})",
        R"({"op":"test","path":"/x","value":null})"}) {
    INFO(operation);
    CHECK(applied("{}", "[" + std::string(operation) + "]") == R"(operation 1: nothing is at "/x")");
  }
  CHECK(applied("[0]", R"([{"op":"remove","path":"/1"}])") == R"(operation 1: nothing is at "/1")");
  CHECK(applied("{}", R"([{"op":"remove","path":""}])") ==
        "operation 1: the whole document cannot be removed");
}

TEST_CASE("indices_out_of_range_negative_or_misspelt_are_refused") {
  for (const char* index : {"3", "-1", "01", "1e0", "x", ""}) {
    INFO(index);
    CHECK(applied("[1,2]", R"([{"op":"add","path":"/)" + std::string(index) + R"(","value":0}])") ==
          "operation 1: \"" + std::string(index) + "\" is no index to add at in the array \"\" of 2");
  }
  CHECK(applied("[1,2]", R"([{"op":"remove","path":"/-1"}])") == R"(operation 1: nothing is at "/-1")");
  CHECK(applied("[1,2]", R"([{"op":"replace","path":"/-","value":1}])") ==
        R"(operation 1: nothing is at "/-")");
}

TEST_CASE("a_value_cannot_move_into_itself") {
  CHECK(applied(R"({"a":{"b":{}}})", R"([{"op":"move","from":"/a","path":"/a/b"}])") ==
        R"(operation 1: "/a" cannot move into itself)");
}

TEST_CASE("a_failed_test_fails_the_whole_patch") {
  CHECK(applied(R"({"a":1})",
                R"([{"op":"add","path":"/b","value":2},{"op":"test","path":"/a","value":"1"}])") ==
        R"(operation 2: the value at "/a" is another one)");
}

TEST_CASE("a_malformed_operation_is_named_by_its_number_and_fault") {
  CHECK(applied("{}", R"({"op":"add"})") == "a patch is an array of operations; this is object");
  CHECK(applied("{}", "[1]") == R"(operation 1: no object with a string "op")");
  CHECK(applied("{}", R"([{"path":"/a"}])") == R"(operation 1: no object with a string "op")");
  CHECK(applied("{}", R"([{"op":"add","value":1}])") == R"(operation 1: "path" is missing)");
  CHECK(applied("{}", R"([{"op":"add","path":5,"value":1}])") ==
        R"(operation 1: "path" is a number, not a string)");
  CHECK(applied("{}", R"([{"op":"add","path":"a","value":1}])") ==
        R"(operation 1: "path" is "a", not a JSON pointer)");
  CHECK(applied("{}", R"([{"op":"add","path":"/a"}])") == R"(operation 1: "value" is missing)");
  CHECK(applied("{}", R"([{"op":"move","path":"/a"}])") == R"(operation 1: "from" is missing)");
  CHECK(applied("{}", R"([{"op":"spam","path":"/a","value":1}])") ==
        R"(operation 1: "op" is "spam"; it can be add, remove, replace, move, copy or test)");
}

TEST_CASE("copies_that_grow_without_end_are_too_large") {
  Document operations = Document::array();
  operations.push_back({{"op", "add"}, {"path", "/a"}, {"value", std::string(1000, 'x')}});
  for (int i = 0; i < 40; ++i)
    operations.push_back({{"op", "copy"}, {"from", ""}, {"path", "/c" + std::to_string(i)}});
  const auto result = json::apply(Document::object(), operations);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == Code::kTooLarge);
  CHECK(result.error().message == "the copies add up to more than 3145728 bytes");
}

}  // namespace
}  // namespace toposeg::json
