#include "webhook/kube_api/known_objects.h"

#include <algorithm>

namespace toposeg::webhook::kube_api {

bool KnownObjects::see(const ObjectKey& key, std::string_view version) {
  const auto [place, is_new] = objects_.try_emplace(key);
  Seen& seen = place->second;
  seen.list = list_;
  if (!is_new && !version.empty() && seen.version == version) return false;
  seen.version = version;
  return true;
}

bool KnownObjects::forget(const ObjectKey& key) { return objects_.erase(key) > 0; }

std::vector<ObjectKey> KnownObjects::sweep() {
  std::vector<ObjectKey> gone;
  for (auto at = objects_.begin(); at != objects_.end();) {
    if (at->second.list == list_) {
      ++at;
    } else {
      gone.push_back(at->first);
      at = objects_.erase(at);
    }
  }
  std::sort(gone.begin(), gone.end());
  return gone;
}

std::vector<ObjectKey> KnownObjects::clear() {
  begin_list();
  return sweep();
}

}  // namespace toposeg::webhook::kube_api
