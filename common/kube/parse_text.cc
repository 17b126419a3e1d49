#include "common/kube/parse_text.h"

namespace toposeg::kube {

Result<void> parse_text(TextSource& source, const ParseRequest& request) {
  const char first = source.first_visible();
  return first == '{' || first == '[' ? parse_json(source, request) : parse_yaml(source, request);
}

}  // namespace toposeg::kube
