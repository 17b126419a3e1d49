// The fields of a job in a trace, by the names that files use.
//
//   name              unique text in UTF-8, at most 253 bytes, no control characters
//   arrival           seconds since the start, or 1h30m; not before the line above
//   duration          the same, at least 1
//   pods              1 to 1,000,000
//   segment           pods in a segment, 2 to `pods`; empty = not segmented
//   required          level that the pods of a segment must share; empty = none
//   preferred         level that they should share
//   whole-required    level that all pods of the job must share
//   whole-preferred   level that they should share
//   gpu, cpu, memory  what a pod asks for, as Kubernetes quantities; `gpu` stands for nvidia.com/gpu
//   a name with a /   any other resource, e.g. rdma/hca
//
// A job that asks for no resource has pods of a whole host each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "engine/simulation/job.h"
#include "engine/simulation/site.h"

namespace toposeg::simulation {

struct Field {
  std::string name;
  std::string value;
};

// kInvalid for a name that no field has, with what it may have meant.
[[nodiscard]] Result<void> check_field_name(const std::string& name);

// The job that these fields make. An error's `where` is `field "duration"`; the caller adds file and line.
// An empty value counts as an absent one.
[[nodiscard]] Result<Job> job_of(std::span<const Field> fields, const Site& site);

// The fields of a job, so that job_of() gives it back. Levels are written by their node labels.
[[nodiscard]] std::vector<Field> fields_of(const Job& job, const Site& site);

}  // namespace toposeg::simulation
