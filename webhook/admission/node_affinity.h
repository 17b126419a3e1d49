// The heart of a pod's patch: where the scheduler may and where it should put the pod, as node affinity.
//
// Terms of the required block are ORed, the expressions inside a term ANDed: so a domain goes into EVERY term
// that is there, and becomes one new term where there is no required block. An empty term matches no node and
// stays as it is. Nothing of the user's is changed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/json/edit.h"

namespace toposeg::webhook {

// `path` holds a label value for each of the first path.size() `levels` (node label keys, top first). An
// expression that a term already has is not repeated. False when the pod's affinity has a shape that no pod
// may have; then some edits may have been made and the caller drops the whole edit. An empty path does
// nothing.
[[nodiscard]] bool require_domain(json::Edit& edit, std::span<const std::string> levels,
                                  std::span<const std::string> path);

// Terms for the nominal host, the domain `path` and each domain above it down to `required` (those levels
// hold already). A domain's term names its whole path, as `rack-1` may exist in two blocks. Weights halve
// with each step away from the host: 100, 50, 25, 12, 6, 3, 1, 1 … `host_label` empty = no host term. False
// as above.
[[nodiscard]] bool prefer_domain(json::Edit& edit, std::span<const std::string> levels,
                                 std::span<const std::string> path, std::size_t required,
                                 const std::string& host_label);

}  // namespace toposeg::webhook
