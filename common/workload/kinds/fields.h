// Reading the fields of a manifest whatever their type: what does not fit is a fault that names the field.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/json/pointer.h"
#include "common/workload/workload.h"

namespace toposeg::workload {

// A count in 0 … 2^31 - 1; none when absent or null, or (a cause) when it is anything else.
[[nodiscard]] std::optional<int> read_count(const json::Document& object, const json::Path& path,
                                            std::vector<Error>& causes);

// Text; none as above.
[[nodiscard]] std::optional<std::string> read_text(const json::Document& object, const json::Path& path,
                                                   std::vector<Error>& causes);

// True only for a JSON true.
[[nodiscard]] bool read_flag(const json::Document& object, const json::Path& path);

// The pod spec of a template (its path), none when absent; what cannot be read is a cause.
[[nodiscard]] std::optional<kube::PodSpec> read_template(const json::Document& object, const json::Path& path,
                                                         std::vector<Error>& causes);

// metadata and the kind's names. Texts of another type count as absent.
[[nodiscard]] Identity read_identity(const json::Document& object, std::string_view api_group,
                                     std::string_view kind);

// path + more.
[[nodiscard]] json::Path below(json::Path path, std::initializer_list<std::string_view> more);

}  // namespace toposeg::workload
