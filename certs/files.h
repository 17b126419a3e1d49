// A certificate and its key in two PEM files that somebody else renews. The owner calls poll() every few
// seconds; the last good pair stays in use until a new one is whole.
//
//   Files files("tls.crt", "tls.key", store);
//   if (auto first = files.poll(clock.wall()); !first) die(first.error());
//   … later: auto again = files.poll(clock.wall());   // log an error or a warning, both come once a change
#pragma once

#include <memory>
#include <string>

#include "certs/store.h"

namespace toposeg::certs {

// Not thread safe: one owner polls. The store may be read by anyone meanwhile.
class Files {
 public:
  struct Polled {
    bool changed = false;  // a new pair is in the store
    std::string warning;   // about the new pair, see warning_about()
  };

  Files(std::string certificate_file, std::string key_file, std::shared_ptr<Store> store);

  // Reads both files (each at most 1 MiB) and compares their contents with the last ones, so that it sees
  // every way of renewal: rewritten, renamed over, or a mount that swaps its symbolic link. An Error tells
  // why a changed pair is refused; the same state is not told twice.
  [[nodiscard]] Result<Polled> poll(WallTime now);

 private:
  [[nodiscard]] Result<Polled> take(const Result<std::string>& certificates, const Result<std::string>& key,
                                    WallTime now);

  std::string certificate_file_;
  std::string key_file_;
  std::shared_ptr<Store> store_;
  std::string seen_;  // digest of the last state; the key itself is not kept
};

}  // namespace toposeg::certs
