// JSON documents written as YAML, keys in their order.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

namespace toposeg::cli {

// Block style; texts that YAML could take for something else are quoted. Ends with a line break.
void write_yaml(std::ostream& out, const nlohmann::ordered_json& document);

}  // namespace toposeg::cli
