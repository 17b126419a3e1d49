#include "common/kube/parse_protobuf.h"

#include <random>

#include "common/kube/read.h"
#include "unit/catch.h"
#include "unit/protobuf.h"

namespace toposeg::kube {
namespace {

using namespace std::string_literals;
using test::bytes;
using test::enveloped;
using test::number;

json::Document parsed(const std::string& kind, const std::string& message) {
  return parse_protobuf(enveloped("v1", kind, message), "x").value();
}
json::Document plain(std::string_view text) { return json::decode(text).value(); }

const std::string kMetadata = bytes(1, bytes(1, "a") + bytes(3, "default") + bytes(6, "7"));

TEST_CASE("kind, version and metadata are where JSON has them") {
  CHECK(parsed("Node", kMetadata) ==
        plain(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"a","namespace":"default",
          "resourceVersion":"7"}})"));
}

TEST_CASE("what JSON leaves out is left out: empty texts, zeros, false, a time that is none") {
  const auto metadata = bytes(1, bytes(1, "a") + bytes(3, "") + bytes(8, ""));
  const auto spec = bytes(2, number(11, 0) + bytes(10, ""));
  CHECK(parsed("Pod", metadata + spec) ==
        plain(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{}})"));
}

TEST_CASE("times are texts, also before a leap day and with a fraction") {
  const auto time = [](std::uint64_t seconds) {
    const auto pod = parsed("Pod", bytes(1, bytes(8, number(1, seconds) + number(2, 5))));
    return pod["metadata"]["creationTimestamp"].get<std::string>();
  };
  CHECK(time(0) == "1970-01-01T00:00:00Z");
  CHECK(time(1'709'164'799) == "2024-02-28T23:59:59Z");
  CHECK(time(1'796'000'000) == "2026-11-30T00:53:20Z");
}

TEST_CASE("maps keep empty keys and values, and arrays empty texts") {
  const auto labels = bytes(11, bytes(1, "rack") + bytes(2, "")) + bytes(11, bytes(2, "x"));
  CHECK(parsed("Node", bytes(1, labels))["metadata"]["labels"] == plain(R"({"rack":"","":"x"})"));
  const auto expression = bytes(1, "rack") + bytes(2, "In") + bytes(3, "") + bytes(3, "r1");
  const auto affinity = bytes(1, bytes(1, bytes(1, bytes(1, expression))));
  const auto pod = parsed("Pod", bytes(2, bytes(18, affinity)));
  CHECK(pod["spec"]["affinity"] ==
        plain(R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
          {"matchExpressions":[{"key":"rack","operator":"In","values":["","r1"]}]}]}}})"));
}

TEST_CASE("a volume's source stands beside its name, and fields of no interest are passed over") {
  const auto claim = bytes(1, "data") + bytes(2, bytes(10, bytes(1, "claim"))) + number(99, 5);
  const auto fixed = std::string("\x4D") + "1234" + "\x51" + "12345678";  // fields 9 and 10 of 32 and 64 bits
  const auto pod = parsed("Pod", bytes(2, bytes(1, claim + fixed)));
  CHECK(pod["spec"]["volumes"] == plain(R"([{"name":"data","persistentVolumeClaim":{}}])"));
}

TEST_CASE("a message that comes in two parts is one") {
  CHECK(parsed("Node", bytes(2, number(4, 1)) + bytes(2, bytes(5, bytes(1, "gpu"))))["spec"] ==
        plain(R"({"unschedulable":true,"taints":[{"key":"gpu"}]})"));
}

TEST_CASE("negative numbers are read as such") {
  CHECK(parsed("Status", number(6, static_cast<std::uint64_t>(-5)))["code"] == -5);
}

TEST_CASE("what is no such object is refused with the reason") {
  const auto refusal = [](const std::string& text) { return parse_protobuf(text, "x").error().text(); };
  CHECK(refusal("{}") == "x: the object is not in protobuf form");
  CHECK(refusal("") == "x: the object is not in protobuf form");
  CHECK(refusal(enveloped("v1", "Service", "")) ==
        R"(x: the object is of kind "Service", which is not read in protobuf form)");
  for (const std::string& broken :
       {std::string("\x0A"), "\x0A\x05"s + "abc", "\x0B"s, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s,
        std::string("\x00\x01", 2), number(1, 3), bytes(1, bytes(1, "\xC3\x28")),
        bytes(1, bytes(11, "\x08\x01")), bytes(1, bytes(8, number(1, std::uint64_t{1} << 62U)))}) {
    CHECK(refusal(enveloped("v1", "Pod", broken)) == R"(x: the "Pod" is broken)");
  }
}

TEST_CASE("of bytes that are cut or changed anywhere nothing is read beyond their end") {
  const auto expression = bytes(1, "rack") + bytes(2, "In") + bytes(3, "r1");
  const auto spec = bytes(2, bytes(18, bytes(1, bytes(1, bytes(1, bytes(1, expression))))) +
                                 bytes(32, bytes(1, "cpu") + bytes(2, bytes(1, "4"))));
  const auto whole = enveloped("v1", "Pod", kMetadata + spec);
  REQUIRE(parse_protobuf(whole, "x"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    (void)parse_protobuf(std::string(whole.substr(0, size)), "x");
  }
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = whole;
    changed[random() % changed.size()] = static_cast<char>(random());
    if (const auto object = parse_protobuf(changed, "x")) {
      ++read;
      (void)read_pod(*object);
    }
  }
  CHECK(read > 1'000);
}

}  // namespace
}  // namespace toposeg::kube
