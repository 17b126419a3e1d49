#include "common/kube/parse_object.h"

#include <random>
#include <vector>

#include "unit/catch.h"

namespace toposeg::kube {
namespace {

json::Document parsed(std::string_view text, Filter filter) {
  return parse_object(text, filter, "x").value();
}
json::Document plain(std::string_view text) { return json::decode(text).value(); }

constexpr std::string_view kPod =
    R"({"kind":"Pod","metadata":{"name":"a","managedFields":[{"f":{"a":[1,{"b":2}]}}],
  "labels":{"env":"prod","image":"x"},"annotations":{"command":"keep"}},
  "spec":{"containers":[{"name":"c","image":"i","env":[{"name":"E"}],"resources":{"requests":{"cpu":"1"}}}],
  "nodeName":"n","securityContext":{}}})";

TEST_CASE("for records, what none of them holds is dropped, but no key that people chose") {
  CHECK(parsed(kPod, Filter::kRecords) ==
        plain(R"({"kind":"Pod","metadata":{"name":"a","labels":{"env":"prod","image":"x"},
          "annotations":{"command":"keep"}},
          "spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}],"nodeName":"n"}})"));
}

TEST_CASE("a whole object loses its managedFields only, and only those of metadata") {
  auto expected = plain(kPod);
  expected["metadata"].erase("managedFields");
  CHECK(parsed(kPod, Filter::kWhole) == expected);
  const auto other = R"({"spec":{"managedFields":[1]},"managedFields":2})";
  CHECK(parsed(other, Filter::kWhole) == plain(other));
}

TEST_CASE("an object within an event is filtered like one alone") {
  const std::string event = R"({"type":"ADDED","object":)" + std::string(kPod) + "}";
  CHECK(parsed(event, Filter::kRecords)["object"] == parsed(kPod, Filter::kRecords));
  CHECK(parsed(event, Filter::kWhole)["object"] == parsed(kPod, Filter::kWhole));
}

TEST_CASE("texts and numbers come as they were sent") {
  const auto text =
      R"({"t":"\u00e4\ud83d\ude00\n\"","i":-9223372036854775808,"u":18446744073709551615,"f":1.5e3,"b":[true,false,null,[],{}]})";
  CHECK(parsed(text, Filter::kRecords) == plain(text));
}

TEST_CASE("of a key that comes twice the last one wins") {
  CHECK(parsed(R"({"a":1,"a":{"b":2}})", Filter::kWhole) == plain(R"({"a":{"b":2}})"));
}

// Objects of a few names, dropped ones among them, with white space here and there.
std::string random_value(std::mt19937& random, int depth) {
  static const std::vector<std::string> kNames = {"env", "metadata", "managedFields", "labels",
                                                  "a",   "image",    "spec"};
  const auto space = [&random] { return std::string(random() % 4 == 0 ? " " : ""); };
  const auto choice = depth == 0 ? random() % 3 : random() % 6;
  if (choice == 0) return std::to_string(random() % 100);
  if (choice == 1) return R"("x\"},{[\\")";
  if (choice == 2) return "null";
  const bool is_array = choice == 3;
  std::string out = is_array ? "[" : "{";
  const auto count = random() % 4;
  for (std::size_t i = 0; i < count; ++i) {
    out += (i == 0 ? "" : ",") + space();
    if (!is_array) out += '"' + kNames[random() % kNames.size()] + '"' + space() + ":" + space();
    out += random_value(random, depth - 1) + space();
  }
  return out + (is_array ? "]" : "}");
}

// The rules, on a document.
void drop(json::Document& value, Filter filter, const std::string& key) {
  const bool is_free = key == "labels" && value.is_object();
  for (auto member = value.begin(); member != value.end();) {
    const std::string name = value.is_object() ? member.key() : std::string();
    const bool is_dropped = filter == Filter::kRecords
                                ? !is_free && (name == "env" || name == "image" || name == "managedFields")
                                : key == "metadata" && name == "managedFields";
    if (is_dropped) {
      member = value.erase(member);
      continue;
    }
    if (member->is_structured()) drop(*member, filter, name);
    ++member;
  }
}

TEST_CASE("of random objects exactly what the rules say is dropped") {
  std::mt19937 random(11);  // NOLINT(bugprone-random-generator-seed): the same each time
  for (int round = 0; round < 3'000; ++round) {
    const std::string text =
        R"({"spec":)" + random_value(random, 5) + "," + R"("metadata" : )" + random_value(random, 4) + "}";
    INFO(text);
    for (const Filter filter : {Filter::kRecords, Filter::kWhole}) {
      auto expected = json::decode(text, {.duplicate_keys = true}).value();
      drop(expected, filter, "");
      REQUIRE(parsed(text, filter) == expected);
    }
  }
}

TEST_CASE("a fault beside what is dropped is still a fault") {
  for (const char* text : {R"({"env":1 "a":2})", R"({"env":1,})", R"({"a":1,"env":2,})", R"({"env":})",
                           R"({"env":1)", R"({,"env":1})", R"({"a":1 "env":2})", R"({"env" 1})",
                           R"({"env":{]})", R"(["env":1])", R"({"env":"x})"}) {
    INFO(text);
    CHECK_FALSE(parse_object(text, Filter::kRecords, "x").has_value());
  }
}

TEST_CASE("what is no JSON object is refused with its reason") {
  const auto fault = [](std::string_view text) {
    const auto object = parse_object(text, Filter::kRecords, "list of pods");
    REQUIRE_FALSE(object);
    CHECK(object.error().where == "list of pods");
    return object.error().message;
  };
  CHECK(fault("") ==
        "not valid JSON: while parsing value - unexpected end of input; expected '[', '{', or a literal");
  CHECK(fault("[1]") == "a array stands where an object should");
  CHECK(fault("{\"a\":\"\xFF\"}") == "the text is not valid UTF-8");
  CHECK(fault(R"({"a":123456789012345678901234567890})") ==
        "123456789012345678901234567890 is outside the 64-bit integers");
  CHECK(fault(R"({"a":1e999})") == "1e999 is too large for a number");
  CHECK(fault("{} {}").starts_with("not valid JSON: "));
  CHECK(fault(R"({"env":[1,})").starts_with("not valid JSON: "));
  const std::string deep = R"({"a":)" + std::string(200, '[') + std::string(200, ']') + "}";
  CHECK(fault(deep) == "nested deeper than 128 levels");
}

}  // namespace
}  // namespace toposeg::kube
