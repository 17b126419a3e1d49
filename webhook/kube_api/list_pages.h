// A whole list, page by page.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "webhook/kube_api/client.h"
#include "webhook/kube_api/list_framer.h"
#include "webhook/kube_api/resource.h"

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

struct ListRequest {
  std::string version{};  // resourceVersion: empty = the newest state, "0" = any, else at least this old
  std::size_t limit = 0;  // items a page; 0 = all at once
  std::size_t largest_object = std::size_t{4} << 20U;
  std::chrono::milliseconds silence{30'000};
};

struct ListProgress {
  std::string version{};  // resourceVersion of the list, of its last page
  std::size_t pages = 0;  // that were complete; a page may be empty and not the last one
};

// Hands the text of each item to `sink`, in the API server's order. `progress` is right after an error too.
[[nodiscard]] Answer<void> read_list(Client& client, const Resource& resource, const ListRequest& request,
                                     const ListFramer::Sink& sink, ListProgress& progress);

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
