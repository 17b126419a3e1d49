#include "webhook/waiting/segment_name.h"

#include <fmt/format.h>

namespace toposeg::webhook {

std::string segment_name(int group, int segment, bool has_groups) {
  if (segment < 0) return "a pod outside all segments";
  return has_groups ? fmt::format("group {} segment {}", group, segment) : fmt::format("segment {}", segment);
}

}  // namespace toposeg::webhook
