#include "webhook/kube_api/frame_framer.h"

#include <random>
#include <vector>

#include "unit/catch.h"
#include "unit/protobuf.h"

namespace toposeg::webhook::kube_api {
namespace {

using toposeg::test::frame;

std::vector<std::string> frames_of(const std::vector<std::string>& chunks, std::size_t largest = 1'000) {
  FrameFramer framer(largest);
  std::vector<std::string> frames;
  for (const std::string& chunk : chunks) {
    const auto fed = framer.feed(chunk, [&](std::string_view one) {
      frames.emplace_back(one);
      return true;
    });
    REQUIRE(fed.value());
  }
  return frames;
}

TEST_CASE("many frames may come in one piece, empty ones too") {
  CHECK(frames_of({frame("one") + frame("") + frame("three")}) ==
        std::vector<std::string>{"one", "", "three"});
}

TEST_CASE("a frame may be cut anywhere, within its length too") {
  const std::string text = frame("one") + frame("") + frame(std::string(300, 'x')) + frame("four");
  const std::vector<std::string> expected = {"one", "", std::string(300, 'x'), "four"};
  for (std::size_t at = 0; at <= text.size(); ++at) {
    CHECK(frames_of({text.substr(0, at), text.substr(at)}) == expected);
  }
  std::vector<std::string> single;
  for (const char byte : text) single.emplace_back(1, byte);
  CHECK(frames_of(single) == expected);
}

TEST_CASE("what has not ended is no frame") {
  CHECK(frames_of({frame("whole") + frame("half").substr(0, 6)}) == std::vector<std::string>{"whole"});
}

TEST_CASE("a frame over the limit is refused as soon as its length is there, one at the limit is not") {
  CHECK(frames_of({frame("12345")}, 5) == std::vector<std::string>{"12345"});
  FrameFramer framer(5);
  const auto none = [](std::string_view) { return true; };
  CHECK(framer.feed(frame("123456").substr(0, 4), none).error().message == "a frame has more than 5 bytes");
  FrameFramer other(5);
  REQUIRE(other.feed(std::string("\xFF\xFF", 2), none).value());
  CHECK(other.feed("\xFF\xFF", none).error().code == Code::kTooLarge);
}

TEST_CASE("a sink of frames that says no stops the rest") {
  FrameFramer framer(100);
  int frames = 0;
  const auto first_only = [&](std::string_view) { return ++frames > 1; };
  CHECK_FALSE(framer.feed(frame("a") + frame("b"), first_only).value());
  CHECK(frames == 1);
}

}  // namespace
}  // namespace toposeg::webhook::kube_api
