// Two things that yaml-cpp gets wrong about texts that are no YAML.
#pragma once

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>

#include <string>

#include "common/base/plain_text.h"
#include "common/base/text.h"

namespace toposeg::kube {

// Before a character that begins no value, such as the comma of ", a", it finds an empty document, does not
// move on, and finds it again for ever. For one text; not thread safe.
class YamlProgress {
 public:
  // To be told where each document starts. Throws YAML::ParserException when the one before started there.
  void document_starts(const YAML::Mark& mark) {
    if (mark.pos == last_) throw YAML::ParserException(mark, "no value begins like this");
    last_ = mark.pos;
  }

 private:
  int last_ = -1;
};

// Its messages may hold bytes of the text as they are, also line breaks and what steers a terminal.
[[nodiscard]] inline std::string not_valid_yaml(const YAML::Exception& error) {
  const bool is_plain = is_plain_text(error.msg);
  return "not valid YAML: " + (is_plain ? truncated(error.msg, 200) : quote(error.msg, 200));
}

}  // namespace toposeg::kube
