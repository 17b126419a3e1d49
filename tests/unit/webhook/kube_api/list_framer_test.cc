#include "webhook/kube_api/list_framer.h"

#include <random>
#include <vector>

#include "common/json/decode.h"
#include "unit/catch.h"

namespace toposeg::webhook::kube_api {
namespace {

struct Framed {
  std::vector<std::string> items;
  std::string envelope;
  bool complete = false;
};

Framed frame(const std::vector<std::string>& chunks) {
  ListFramer framer(10'000);
  Framed framed;
  for (const std::string& chunk : chunks) {
    const auto fed = framer.feed(chunk, [&](std::string_view item) {
      framed.items.emplace_back(item);
      return true;
    });
    REQUIRE(fed.value());
  }
  framed.envelope = framer.envelope();
  framed.complete = framer.complete();
  return framed;
}

Error fault_of(std::string_view text, std::size_t largest = 10'000) {
  ListFramer framer(largest);
  const auto fed = framer.feed(text, [](std::string_view) { return true; });
  REQUIRE_FALSE(fed.has_value());
  return fed.error();
}

TEST_CASE("items come one by one, the rest is the envelope") {
  const auto framed =
      frame({R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"a":[1,2]},{"b":{}}]})"});
  CHECK(framed.items == std::vector<std::string>{R"({"a":[1,2]})", R"({"b":{}})"});
  CHECK(framed.envelope == R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]})");
  CHECK(framed.complete);
}

TEST_CASE("metadata may come behind the items") {
  const auto framed = frame({R"({"items":[{}],"metadata":{"continue":"x"}})"});
  CHECK(framed.items.size() == 1);
  CHECK(framed.envelope == R"({"items":[],"metadata":{"continue":"x"}})");
}

TEST_CASE("an empty list and one of null have no items") {
  CHECK(frame({R"({"items":[ ],"metadata":{}})"}).items.empty());
  CHECK(frame({R"({"items":null,"metadata":{}})"}).items.empty());
}

TEST_CASE("only the root's items are items") {
  const auto framed =
      frame({R"({"metadata":{"items":[1]},"note":"items","other":[2],"items":[{"items":[3,4]}]})"});
  CHECK(framed.items == std::vector<std::string>{R"({"items":[3,4]})"});
}

TEST_CASE("brackets, quotes and commas within strings mean nothing") {
  const std::string item = R"({"t":"]},[{\"\\","u":"\\\""})";
  CHECK(frame({R"({"items":[)" + item + "," + item + "]}"}).items == std::vector<std::string>{item, item});
}

TEST_CASE("a list that is cut off is not complete") {
  CHECK_FALSE(frame({R"({"items":[{}])"}).complete);
  CHECK_FALSE(frame({}).complete);
}

TEST_CASE("what is no list is refused with its reason") {
  CHECK(fault_of("<html>").message == R"(the list is not valid JSON: "<" where an object should begin)");
  CHECK(fault_of(R"({"items":[}])").message ==
        R"(the list is not valid JSON: "}" where '[' is to be closed)");
  CHECK(fault_of("{} x").message == R"(the list is not valid JSON: "x" where the text should have ended)");
  CHECK(fault_of("[").code == Code::kInvalid);
}

TEST_CASE("an item or an envelope over the limit is refused") {
  const std::string large(100, ' ');
  CHECK(fault_of(R"({"items":[{"a":")" + large, 50) ==
        Error{Code::kTooLarge, "an item of the list has more than 50 bytes", ""});
  CHECK(fault_of(R"({"a":")" + large, 50).message == "the list without its items has more than 50 bytes");
}

TEST_CASE("the reader of items can stop") {
  ListFramer framer(100);
  int items = 0;
  CHECK_FALSE(framer.feed(R"({"items":[{},{},{}]})", [&](std::string_view) { return ++items < 2; }).value());
  CHECK(items == 2);
}

TEST_CASE("cuts of a list at any places give the same items") {
  const std::string text =
      "{\"kind\":\"PodList\", \"items\" : [\n {\"n\":\"\xC3\xB6,]\\\"\",\"l\":[{},[],\"\"]} ,\n "
      "{\"m\":{\"x\":1}}\n ] ,"
      "\"metadata\":{\"resourceVersion\":\"9\"}}\n";
  const auto whole = frame({text});
  REQUIRE(whole.items.size() == 2);
  REQUIRE(json::decode(whole.items[0]).has_value());
  std::mt19937 random(3);  // NOLINT(bugprone-random-generator-seed): the same each time
  for (int round = 0; round < 500; ++round) {
    std::vector<std::string> chunks;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random() % 9;
      chunks.push_back(text.substr(at, size));
      at += size;
    }
    const auto cut = frame(chunks);
    REQUIRE(cut.items == whole.items);
    REQUIRE(cut.envelope == whole.envelope);
    REQUIRE(cut.complete);
  }
}

}  // namespace
}  // namespace toposeg::webhook::kube_api
