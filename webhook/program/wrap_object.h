// A bare object as the review that an API server would send for it.
#pragma once

#include <string>
#include <vector>

#include "common/json/decode.h"

namespace toposeg::webhook {

struct Sender {
  std::string user = "kubernetes-admin";
  std::vector<std::string> groups;
  std::string field_manager;           // empty = none sent
  std::string namespace_ = "default";  // for an object that names none
  bool dry_run = false;
};

// A CREATE of `object`. `number` makes the uid, so that several reviews of one run differ and each run is the
// same.
[[nodiscard]] json::Document wrap_object(json::Document object, const Sender& sender, unsigned number);

}  // namespace toposeg::webhook
