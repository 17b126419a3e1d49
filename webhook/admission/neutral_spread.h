// Against the scheduler's default spreading. A pod of a StatefulSet without topologySpreadConstraints is
// softly spread over hosts and zones, which works against locality. One constraint of its own that matches no
// pod switches that default off and scores all nodes alike.
#pragma once

#include "common/json/edit.h"

namespace toposeg::webhook {

// Adds the neutral constraint to a pod whose controller is a StatefulSet (the pods of a LeaderWorkerSet) and
// that has no constraint of its own; any other pod stays as it is. False when the pod's spec cannot be
// edited.
[[nodiscard]] bool neutralise_spreading(json::Edit& edit);

}  // namespace toposeg::webhook
