#include "common/config/names.h"

#include <string>

#include "unit/catch.h"

namespace toposeg::config {
namespace {

TEST_CASE("names_that_kubernetes_accepts_pass") {
  CHECK(is_dns_label("team-7"));
  CHECK(is_dns_label(std::string(63, 'a')));
  CHECK(is_dns_name("cluster.topology"));
  CHECK(is_label_key("kubernetes.io/hostname"));
  CHECK(is_label_key("rack"));
  CHECK(is_label_key("example.com/My_Key.1"));
  CHECK(is_label_value(""));
  CHECK(is_label_value("A_b.c-1"));
  CHECK(is_ip_address("127.0.0.1"));
  CHECK(is_ip_address("::"));
  CHECK(is_server_name("*.toposeg.svc"));
  CHECK(is_server_name("fe80::1"));
  CHECK(is_field_path("spec.workersPerSegment.value"));
}

TEST_CASE("names_that_kubernetes_refuses_fail") {
  CHECK_FALSE(is_dns_label(""));
  CHECK_FALSE(is_dns_label("Team"));
  CHECK_FALSE(is_dns_label("-a"));
  CHECK_FALSE(is_dns_label(std::string(64, 'a')));
  CHECK_FALSE(is_dns_name("a..b"));
  CHECK_FALSE(is_dns_name("a."));
  CHECK_FALSE(is_dns_name(std::string(254, 'a')));
  CHECK_FALSE(is_label_key(""));
  CHECK_FALSE(is_label_key("/name"));
  CHECK_FALSE(is_label_key("example.com/"));
  CHECK_FALSE(is_label_key("a/b/c"));
  CHECK_FALSE(is_label_key("Example.com/a"));
  CHECK_FALSE(is_label_value("-a"));
  CHECK_FALSE(is_label_value("a b"));
  CHECK_FALSE(is_label_value(std::string(64, 'a')));
  CHECK_FALSE(is_ip_address("localhost"));
  CHECK_FALSE(is_ip_address("1.2.3"));
  CHECK_FALSE(is_ip_address(std::string_view("127.0.0.1\0x", 11)));
  CHECK_FALSE(is_server_name("a_b"));
  CHECK_FALSE(is_server_name("*"));
  CHECK_FALSE(is_field_path("spec"));
  CHECK_FALSE(is_field_path("spec..a"));
  CHECK_FALSE(is_field_path(".spec.a"));
  CHECK_FALSE(is_field_path("spec.a b"));
}

}  // namespace
}  // namespace toposeg::config
