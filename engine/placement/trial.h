// Decides as if for real, then puts the ledger back: for dry runs, suspended workloads and explanations.
#pragma once

#include <optional>
#include <utility>

#include "engine/ledger/ledger.h"

namespace toposeg::engine {

class Trial {
 public:
  Trial(Ledger& ledger, Owner owner)
      : ledger_(ledger), owner_(std::move(owner)), before_(ledger.copy(owner_)) {}
  ~Trial() { ledger_.restore(owner_, std::move(before_)); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  Ledger& ledger_;
  Owner owner_;
  std::optional<OwnerEntry> before_;
};

}  // namespace toposeg::engine
