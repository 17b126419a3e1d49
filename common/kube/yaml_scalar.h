// The value of a YAML scalar by the core schema of YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema).
#pragma once

#include <string>

#include "common/json/decode.h"

namespace toposeg::kube {

// `tag` as yaml-cpp gives it: "?" for a plain scalar, "!" for a quoted one, else the tag written. yes, no, on
// and off are text. kInvalid for infinities and not-a-number, integers outside 64 bits, a value that does not
// match its tag, unknown tags, and text that is no UTF-8.
[[nodiscard]] Result<json::Document> yaml_scalar(const std::string& tag, const std::string& text);

}  // namespace toposeg::kube
