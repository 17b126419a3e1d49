#include "certs/extensions.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace toposeg::certs {
namespace {

constexpr std::size_t kLongestDnsName = 253;  // RFC 1035
constexpr std::size_t kLongestLabel = 63;

struct Extension {
  int id;
  const char* value;
};

template <std::size_t N>
Result<void> add_all(X509* certificate, X509* issuer, const std::array<Extension, N>& extensions) {
  X509V3_CTX context{};
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  for (const auto& [id, value] : extensions) {
    const ExtensionOwner extension(X509V3_EXT_nconf_nid(nullptr, &context, id, value));
    if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1) {
      return openssl_failure(Code::kInternal, std::string("certificate extension ") + value);
    }
  }
  return {};
}

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > kLongestLabel || label.front() == '-' || label.back() == '-')
    return false;
  return std::all_of(label.begin(), label.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

bool is_dns_name(std::string_view name) {
  if (name.size() > kLongestDnsName) return false;
  if (name.starts_with("*.")) name.remove_prefix(2);
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t dot = std::min(name.find('.', start), name.size());
    if (!is_label(name.substr(start, dot - start))) return false;
    start = dot + 1;
  }
  return true;
}

bool looks_like_address(std::string_view name) {
  return name.find(':') != std::string_view::npos ||
         (!name.empty() && name.find_first_not_of("0123456789.") == std::string_view::npos);
}

Result<NameOwner> general_name(const std::string& name) {
  NameOwner general(GENERAL_NAME_new());
  if (OctetsOwner address(a2i_IPADDRESS(name.c_str())); address) {
    GENERAL_NAME_set0_value(general.get(), GEN_IPADD, address.release());
    return general;
  }
  if (looks_like_address(name) || !is_dns_name(name)) {
    return fail(Code::kInvalid, "\"" + name + "\" is neither a DNS name nor an IP address", "server name");
  }
  TextOwner text(ASN1_IA5STRING_new());
  if (!text || ASN1_STRING_set(text.get(), name.data(), static_cast<int>(name.size())) != 1) {
    return openssl_failure(Code::kInternal, "server name " + name);
  }
  GENERAL_NAME_set0_value(general.get(), GEN_DNS, text.release());
  return general;
}

Result<void> add_names(X509* certificate, const std::vector<std::string>& names) {
  if (names.empty())
    return fail(Code::kInvalid, "a serving certificate needs at least one name", "server names");
  const NamesOwner all(sk_GENERAL_NAME_new_null());
  for (const std::string& name : names) {
    auto general = general_name(name);
    if (!general) return std::unexpected(general.error());
    GENERAL_NAME* raw = general->release();  // the list owns what it has taken
    if (sk_GENERAL_NAME_push(all.get(), raw) == 0) {
      GENERAL_NAME_free(raw);
      return openssl_failure(Code::kInternal, "server name " + name);
    }
  }
  if (X509_add1_ext_i2d(certificate, NID_subject_alt_name, all.get(), 0, X509V3_ADD_DEFAULT) != 1) {
    return openssl_failure(Code::kInternal, "the names of the certificate");
  }
  return {};
}

}  // namespace

Result<void> add_authority_extensions(X509* certificate) {
  return add_all(certificate, certificate,
                 std::array{Extension{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                            Extension{NID_key_usage, "critical,keyCertSign,cRLSign"},
                            Extension{NID_subject_key_identifier, "hash"},
                            Extension{NID_authority_key_identifier, "keyid:always"}});
}

Result<void> add_serving_extensions(X509* certificate, X509* issuer, const std::vector<std::string>& names) {
  auto added = add_all(
      certificate, issuer,
      std::array{Extension{NID_basic_constraints, "critical,CA:FALSE"},
                 Extension{NID_key_usage, "critical,digitalSignature"},
                 Extension{NID_ext_key_usage, "serverAuth"}, Extension{NID_subject_key_identifier, "hash"},
                 Extension{NID_authority_key_identifier, "keyid:always"}});
  if (!added) return added;
  return add_names(certificate, names);
}

}  // namespace toposeg::certs
