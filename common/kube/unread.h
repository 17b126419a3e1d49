// What is large in nodes and pods and in no record: one list for everybody who drops it.
#pragma once

#include <string_view>

namespace toposeg::kube {

// Whether a member of this name is dropped. `free_keys` = the object around it is one of those below, whose
// keys are nobody's field names.
[[nodiscard]] bool is_unread(std::string_view key, bool free_keys);

// Members of this name hold an object whose keys people choose, such as labels.
[[nodiscard]] bool has_free_keys(std::string_view key);

}  // namespace toposeg::kube
