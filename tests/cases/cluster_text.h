// The [cluster] and [pods] sections: a cluster in a few lines.
//
//   [cluster]
//   levels zone rack host            broad to close; short names, see level_label()
//   zone-a rack-1 n0 gpu=8           one value a level, then attributes; the node's name last
//   grid 2 2 4 gpu=8                 or generated: children of each domain, level by level
//   change n003 cordoned             attributes laid over a node that is there
#pragma once

#include <string>
#include <string_view>

#include "case_file.h"
#include "common/kube/records.h"

namespace toposeg::cases {

// zone, block, rack and host are the labels of the seed page; a name with a slash is a label already; any
// other name stands for example.com/<name>.
[[nodiscard]] std::string level_label(std::string_view name);

// Reads one section into the cluster; sections may follow each other. Errors carry `file:line`.
[[nodiscard]] Result<void> read_cluster_section(const Section& section, const std::string& file,
                                                kube::Cluster& into);
[[nodiscard]] Result<void> read_pods_section(const Section& section, const std::string& file,
                                             kube::Cluster& into);

}  // namespace toposeg::cases
