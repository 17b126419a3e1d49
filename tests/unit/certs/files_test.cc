#include "certs/files.h"

#include <filesystem>
#include <fstream>

#include "certs/authority.h"
#include "certs/openssl.h"
#include "certs/pem.h"
#include "unit/catch.h"
#include "unit/folder.h"

namespace toposeg::certs {
namespace {

namespace fs = std::filesystem;

// A certificate and its key as files.
class Folder : public toposeg::test::Folder {
 public:
  using toposeg::test::Folder::write;
  void write(const Pair& pair) const {
    write("tls.crt", write_certificate(pair.chain.front().get()).value());
    write("tls.key", write_key(pair.key.get()).value());
  }
};

struct Setting {
  ManualClock clock;
  Authority authority = Authority::create(clock).value();
  Folder folder;
  std::shared_ptr<Store> store = std::make_shared<Store>();
  Files files{folder.path("tls.crt"), folder.path("tls.key"), store};

  [[nodiscard]] Pair leaf() const { return authority.issue({"localhost"}, clock).value(); }
};

TEST_CASE("a_renewed_pair_is_taken_and_an_unchanged_one_is_not_taken_again") {
  Setting setting;
  setting.folder.write(setting.leaf());
  CHECK(setting.files.poll(setting.clock.wall()).value().changed);
  const auto first = setting.store->get();
  CHECK_FALSE(setting.files.poll(setting.clock.wall()).value().changed);
  CHECK(setting.store->get() == first);
  setting.folder.write(setting.leaf());
  CHECK(setting.files.poll(setting.clock.wall()).value().changed);
  CHECK(setting.store->get() != first);
}

TEST_CASE("half_a_renewal_keeps_the_last_good_pair_and_is_told_once") {
  Setting setting;
  setting.folder.write(setting.leaf());
  REQUIRE(setting.files.poll(setting.clock.wall()));
  const auto good = setting.store->get();
  const Pair next = setting.leaf();
  setting.folder.write("tls.crt", write_certificate(next.chain.front().get()).value());
  const auto half = setting.files.poll(setting.clock.wall());
  REQUIRE_FALSE(half);
  CHECK(half.error().text() ==
        setting.folder.path("tls.crt") + " with " + setting.folder.path("tls.key") +
            ": the private key does not belong to the certificate: key values mismatch");
  CHECK_FALSE(setting.files.poll(setting.clock.wall()).value().changed);
  CHECK(setting.store->get() == good);
  setting.folder.write("tls.key", write_key(next.key.get()).value());
  CHECK(setting.files.poll(setting.clock.wall()).value().changed);
  CHECK(setting.store->get() != good);
}

TEST_CASE("a_missing_or_huge_file_is_named") {
  Setting setting;
  const auto missing = setting.files.poll(setting.clock.wall());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().text() ==
        setting.folder.path("tls.crt") + ": cannot be read: No such file or directory");
  CHECK(setting.files.poll(setting.clock.wall()));
  setting.folder.write("tls.crt", std::string((1U << 20U) + 1, 'x'));
  const auto huge = setting.files.poll(setting.clock.wall());
  REQUIRE_FALSE(huge);
  CHECK(huge.error().text() == setting.folder.path("tls.crt") + ": larger than 1 MiB; expected a PEM file");
}

TEST_CASE("files_behind_a_swapped_symbolic_link_are_noticed") {
  Setting setting;
  const auto write_into = [&](const std::string& name) {
    const Pair pair = setting.leaf();
    fs::create_directory(setting.folder.path(name));
    setting.folder.write(name + "/tls.crt", write_certificate(pair.chain.front().get()).value());
    setting.folder.write(name + "/tls.key", write_key(pair.key.get()).value());
  };
  write_into("one");
  write_into("two");
  fs::create_directory_symlink("one", setting.folder.path("data"));
  Files files(setting.folder.path("data/tls.crt"), setting.folder.path("data/tls.key"), setting.store);
  CHECK(files.poll(setting.clock.wall()).value().changed);
  fs::create_directory_symlink("two", setting.folder.path("next"));
  fs::rename(setting.folder.path("next"), setting.folder.path("data"));
  CHECK(files.poll(setting.clock.wall()).value().changed);
}

TEST_CASE("an_expired_pair_is_used_with_a_warning") {
  Setting setting;
  setting.folder.write(setting.leaf());
  setting.clock.advance(std::chrono::hours(24 * 8));
  const auto polled = setting.files.poll(setting.clock.wall()).value();
  CHECK(polled.changed);
  CHECK(polled.warning == "the certificate expired at 2027-01-22T08:00:00Z; clients will refuse it");
  setting.folder.write(setting.leaf());
  CHECK(setting.files.poll(setting.clock.wall()).value().warning.empty());
}

}  // namespace
}  // namespace toposeg::certs
