// Which objects there are and at which version, and nothing else about them: enough to tell what vanished
// between two lists, and what is no news.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace toposeg::webhook::kube_api {

struct ObjectKey {
  std::string namespace_;
  std::string name;

  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

// One thread at a time.
class KnownObjects {
 public:
  // From here to sweep(), what is seen belongs to a new list.
  void begin_list() { ++list_; }

  // True when it is new or has another version than before. An empty version is always news.
  bool see(const ObjectKey& key, std::string_view version);

  // True when it was known.
  bool forget(const ObjectKey& key);

  // Forgets, and returns in order, what the list did not hold.
  [[nodiscard]] std::vector<ObjectKey> sweep();

  // Forgets everything, and returns it in order.
  [[nodiscard]] std::vector<ObjectKey> clear();

  [[nodiscard]] std::size_t size() const { return objects_.size(); }

 private:
  struct Seen {
    std::string version;
    std::uint64_t list = 0;
  };
  struct Hash {
    std::size_t operator()(const ObjectKey& key) const {
      constexpr std::size_t kMix = 0x9E3779B97F4A7C15U;
      const std::hash<std::string> hash;
      return hash(key.namespace_) * kMix ^ hash(key.name);
    }
  };

  std::unordered_map<ObjectKey, Seen, Hash> objects_;
  std::uint64_t list_ = 0;
};

}  // namespace toposeg::webhook::kube_api
