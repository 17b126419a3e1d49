// The style sheet of the HTML report.
#pragma once

#include <string_view>

namespace toposeg::simulation {

// Light and dark by the reader's choice; colours that the common kinds of colour blindness keep apart.
[[nodiscard]] std::string_view report_style();

}  // namespace toposeg::simulation
