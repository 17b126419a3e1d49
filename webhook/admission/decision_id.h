// A short name for one decision, for audit logs and for our own: the same object under the same operation
// gets the same name, on every replica and after every restart. Neither a time nor the review's uid goes into
// it.
#pragma once

#include <string>

#include "webhook/admission/review.h"

namespace toposeg::webhook {

// 16 lower-case hexadecimal digits: FNV-1a (64 bits) over operation, kind, namespace, name and the object
// without the fields that the server keeps for itself (managedFields, resourceVersion, generation, uid,
// creationTimestamp). Linear in the object.
[[nodiscard]] std::string decision_id(const Review& review);

}  // namespace toposeg::webhook
