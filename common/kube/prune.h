// The text of an object without what a filter drops, before anything is parsed: most of a pod's text is
// managedFields and environment, and passing over it costs a tenth of parsing it.
#pragma once

#include <string>
#include <string_view>

#include "common/kube/parse_object.h"

namespace toposeg::kube {

// The text that is left, in `kept`. Looks only for quotes, brackets, commas and colons: what is kept is as
// right or wrong as before, what is dropped has strings and brackets that end. A key that is written with
// escapes is kept. False when the text is no JSON even to that eye, or is nested deeper than `deepest`:
// `kept` is then of no use. Linear time.
[[nodiscard]] bool prune(std::string_view text, Filter filter, std::size_t deepest, std::string& kept);

}  // namespace toposeg::kube
