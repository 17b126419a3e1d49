// One annotation of a manifest, wherever the kind keeps it and however it is wrapped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/workload/findings.h"
#include "common/workload/kinds/kind.h"

namespace toposeg::workload {

// A value that a person wrote, and where.
struct Written {
  std::string value;
  std::string where;  // field path for messages
  friend bool operator==(const Written&, const Written&) = default;
};

// The field path of a key, as people write it: spec.template.metadata.annotations[kai.scheduler/topology].
[[nodiscard]] std::string where_of(const AnnotationMap& map, std::string_view key);

// The path of a key's value, to read or to add it.
[[nodiscard]] json::Path path_of(const AnnotationMap& map, std::string_view key);

// Whether the key is there, with any value.
[[nodiscard]] bool has_annotation(const json::Document& object, const AnnotationMap& map,
                                  std::string_view key);

// The text of a key; nullptr when it is absent or no text.
[[nodiscard]] const std::string* annotation_text(const json::Document& object, const AnnotationMap& map,
                                                 std::string_view key);

// The same with its complaints: an empty or null value counts as absent (a warning), one that is no text is a
// fault.
[[nodiscard]] std::optional<Written> read_annotation(const json::Document& object, const AnnotationMap& map,
                                                     std::string_view key, Findings& findings);

// A value for people: the number 4, true, a list.
[[nodiscard]] std::string describe(const json::Document& value);

}  // namespace toposeg::workload
