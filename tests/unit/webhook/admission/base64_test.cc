#include "webhook/admission/base64.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

TEST_CASE("base64_of_the_rfc_4648_examples") {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : examples) {
    CHECK(encode_base64(plain) == encoded);
    CHECK(decode_base64(encoded).value() == plain);
  }
}

TEST_CASE("all_byte_values_survive_base64") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  CHECK(decode_base64(encode_base64(bytes)).value() == bytes);
}

TEST_CASE("text_that_is_no_base64_is_refused_with_its_place") {
  CHECK(decode_base64("Zg=").error().message == "base64 text whose length is no multiple of 4");
  CHECK(decode_base64("Zm9v!m9v").error().message == "not a base64 character at position 4");
  CHECK(decode_base64("Zg==Zg==").error().message == "not a base64 character at position 2");
  CHECK(decode_base64("Z===").error().message == "not a base64 character at position 1");
}

}  // namespace
}  // namespace toposeg::webhook
