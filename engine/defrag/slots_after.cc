#include <utility>

#include "engine/defrag/field.h"
#include "engine/defrag/problem.h"

namespace toposeg::engine::defrag {

std::int64_t slots_after(Problem problem, int level, std::span<const Move> moves) {
  problem.level = level;
  Field field(problem);
  for (const Move& move : moves) {
    const Segment& segment = problem.segments[move.segment];
    field.lift(problem.shapes[segment.shape], segment.hosts);
    field.put(problem.shapes[segment.shape], move.hosts);
  }
  return field.slots();
}

}  // namespace toposeg::engine::defrag
