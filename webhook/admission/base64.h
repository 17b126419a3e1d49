// Standard base64 with padding (RFC 4648 section 4), the form in which a review carries its patch.
#pragma once

#include <string>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::webhook {

[[nodiscard]] std::string encode_base64(std::string_view bytes);

// kInvalid on a foreign character, missing padding or a length that is no multiple of four.
[[nodiscard]] Result<std::string> decode_base64(std::string_view text);

}  // namespace toposeg::webhook
