#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "common/base/small_file.h"
#include "common/base/text.h"
#include "common/json/pointer.h"
#include "common/kube/fields.h"
#include "common/kube/read.h"
#include "webhook/kube_api/credentials.h"
#include "webhook/kube_api/server_url.h"

namespace toposeg::webhook::kube_api {

namespace {

using json::Document;

// The value is not shown: it may be a key.
Result<std::string> decode_base64(std::string text, const std::string& where) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = text.size() % 4 != 0 ? -1
                                        : EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                                          reinterpret_cast<const unsigned char*>(text.data()),
                                                          static_cast<int>(text.size()));
  if (size < 0) return fail(Code::kInvalid, "is not valid base64", where);
  // OpenSSL gives a zero byte for each padding character.
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

// One reading of one file.
class Kubeconfig {
 public:
  explicit Kubeconfig(std::string path) : path_(std::move(path)) {}

  Result<void> load() {
    const auto text = read_small_file(path_);
    if (!text) return std::unexpected(text.error());
    auto documents = kube::read_documents(*text, path_);
    if (!documents) return std::unexpected(documents.error());
    if (documents->size() != 1 || !documents->front().is_object()) {
      return fail(Code::kInvalid, "is no kubeconfig file; expected one document of kind Config", path_);
    }
    root_ = std::move(documents->front());
    return {};
  }

  Result<Credentials> credentials(std::string context) const {
    if (context.empty()) {
      auto current = kube::text_field(&root_, "current-context", {});
      if (!current) return in_file(current.error());
      if (current->empty()) {
        return fail(Code::kInvalid, "has no current-context; name a context", path_);
      }
      context = *std::move(current);
    }
    Credentials credentials;
    const auto chosen = entry("contexts", "context", context);
    if (!chosen) return std::unexpected(chosen.error());
    const auto cluster_name = required(*chosen, "cluster");
    if (!cluster_name) return std::unexpected(cluster_name.error());
    auto space = text(*chosen, "namespace");
    if (!space) return std::unexpected(space.error());
    credentials.default_namespace = *std::move(space);
    if (auto done = read_cluster(*cluster_name, credentials); !done) return std::unexpected(done.error());
    const auto user_name = text(*chosen, "user");
    if (!user_name) return std::unexpected(user_name.error());
    if (user_name->empty()) return credentials;
    if (auto done = read_user(*user_name, credentials); !done) return std::unexpected(done.error());
    return credentials;
  }

 private:
  struct Entry {
    const Document* value;
    std::string where;  // clusters["kind"].cluster
  };

  std::unexpected<Error> in_file(Error error) const {
    error.where = error.where.empty() ? path_ : path_ + ": " + error.where;
    return std::unexpected(std::move(error));
  }

  // The member `inner` of the entry of `list` that has this name.
  Result<Entry> entry(const std::string& list, const std::string& inner, const std::string& name) const {
    const auto entries = kube::objects_field(&root_, list, {});
    if (!entries) return in_file(entries.error());
    std::vector<std::string> names;
    for (const Document* candidate : *entries) {
      const std::string* its_name = json::text(json::member(candidate, "name"));
      if (its_name == nullptr) continue;
      names.push_back(*its_name);
      if (*its_name != name) continue;
      const std::string where = fmt::format("{}[{}].{}", list, quote(name), inner);
      const Document* value = json::member(candidate, inner);
      if (value != nullptr && value->is_object()) return Entry{value, where};
      return in_file({Code::kInvalid, "is missing or no map", where});
    }
    const auto near = nearest(name, std::span<const std::string>(names));
    return in_file({Code::kNotFound,
                    fmt::format("there is no {} {}{}", inner, quote(name),
                                near ? fmt::format(" (did you mean {}?)", quote(*near)) : ""),
                    list});
  }

  Result<std::string> text(const Entry& entry, std::string_view key) const {
    auto value = kube::text_field(entry.value, key, entry.where);
    if (!value) return in_file(value.error());
    return value;
  }

  Result<std::string> required(const Entry& entry, std::string_view key) const {
    auto value = text(entry, key);
    if (value && value->empty())
      return in_file({Code::kInvalid, "is missing", kube::field(entry.where, key)});
    return value;
  }

  Result<bool> flag(const Entry& entry, std::string_view key) const {
    auto value = kube::bool_field(entry.value, key, entry.where);
    if (!value) return in_file(value.error());
    return value;
  }

  // KEY-data holds base64, KEY a file; the data wins, as in kubectl.
  Result<Source> source(const Entry& entry, const std::string& key) const {
    const auto data = text(entry, key + "-data");
    if (!data) return std::unexpected(data.error());
    if (!data->empty()) {
      auto bytes = decode_base64(*data, kube::field(entry.where, key + "-data"));
      if (!bytes) return in_file(bytes.error());
      return Source{.data = *std::move(bytes)};
    }
    const auto file = text(entry, key);
    if (!file) return std::unexpected(file.error());
    return Source{.file = file->empty() ? std::string() : absolute(*file)};
  }

  std::string absolute(const std::string& file) const {
    return (std::filesystem::path(path_).parent_path() / file).string();
  }

  Result<void> read_cluster(const std::string& name, Credentials& into) const {
    const auto cluster = entry("clusters", "cluster", name);
    if (!cluster) return std::unexpected(cluster.error());
    const auto server = required(*cluster, "server");
    if (!server) return std::unexpected(server.error());
    auto url = parse_server_url(*server, kube::field(cluster->where, "server"));
    if (!url) return in_file(url.error());
    into.host = std::move(url->host);
    into.port = url->port;
    into.base_path = std::move(url->base_path);
    if (auto proxy = refuse(*cluster, "proxy-url",
                            "a proxy is not supported; give an address that is reached directly");
        !proxy) {
      return proxy;
    }
    auto ca = source(*cluster, "certificate-authority");
    if (!ca) return std::unexpected(ca.error());
    auto server_name = text(*cluster, "tls-server-name");
    if (!server_name) return std::unexpected(server_name.error());
    const auto skip = flag(*cluster, "insecure-skip-tls-verify");
    if (!skip) return std::unexpected(skip.error());
    into.ca = *std::move(ca);
    into.tls_server_name = *std::move(server_name);
    into.skip_verification = *skip;
    if (into.skip_verification && !into.ca.empty()) {
      return in_file({Code::kConflict,
                      "insecure-skip-tls-verify and a certificate authority exclude each other; give one",
                      cluster->where});
    }
    return {};
  }

  Result<void> refuse(const Entry& entry, const std::string& key, const std::string& advice) const {
    const Document* value = json::member(entry.value, key);
    if (value == nullptr || value->is_null()) return {};
    return in_file({Code::kInvalid, advice, kube::field(entry.where, key)});
  }

  Result<void> refuse_what_we_cannot_do(const Entry& user) const {
    constexpr const char* kToken =
        "programs that make credentials are not run; give a token (kubectl create token NAME) or a client "
        "certificate";
    constexpr const char* kOneself =
        "acting as somebody else is not supported; give that one's own credentials";
    constexpr const char* kPassword =
        "API servers no longer take passwords; give a token or a client certificate";
    const std::array<std::pair<const char*, const char*>, 8> refused = {{{"exec", kToken},
                                                                         {"auth-provider", kToken},
                                                                         {"as", kOneself},
                                                                         {"as-uid", kOneself},
                                                                         {"as-groups", kOneself},
                                                                         {"as-user-extra", kOneself},
                                                                         {"username", kPassword},
                                                                         {"password", kPassword}}};
    for (const auto& [key, advice] : refused) {
      if (auto done = refuse(user, key, advice); !done) return done;
    }
    return {};
  }

  Result<void> read_user(const std::string& name, Credentials& into) const {
    const auto user = entry("users", "user", name);
    if (!user) return std::unexpected(user.error());
    if (auto done = refuse_what_we_cannot_do(*user); !done) return done;
    auto certificate = source(*user, "client-certificate");
    if (!certificate) return std::unexpected(certificate.error());
    auto key = source(*user, "client-key");
    if (!key) return std::unexpected(key.error());
    if (certificate->empty() != key->empty()) {
      return in_file({Code::kInvalid,
                      key->empty() ? "has a client-certificate but no client-key; give both"
                                   : "has a client-key but no client-certificate; give both",
                      user->where});
    }
    auto token = text(*user, "token");
    if (!token) return std::unexpected(token.error());
    const auto token_file = text(*user, "tokenFile");
    if (!token_file) return std::unexpected(token_file.error());
    into.client_certificate = *std::move(certificate);
    into.client_key = *std::move(key);
    // The file wins, as in kubectl.
    into.token =
        token_file->empty() ? Source{.data = *std::move(token)} : Source{.file = absolute(*token_file)};
    return {};
  }

  std::string path_;
  Document root_;
};

}  // namespace

Result<Credentials> from_kubeconfig(const std::string& path, const std::string& context) {
  Kubeconfig file(path);
  if (auto loaded = file.load(); !loaded) return std::unexpected(loaded.error());
  return file.credentials(context);
}

}  // namespace toposeg::webhook::kube_api
