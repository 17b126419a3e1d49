// One request to the API server.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace toposeg::webhook::kube_api {

// NOLINTBEGIN(readability-redundant-member-init): GCC wants them in designated initialisers.

// Gets the body of an answer in pieces as they come; the bytes live for the call. False ends the answer.
using Receiver = std::function<bool(std::string_view chunk)>;

struct Call {
  std::string method = "GET";
  std::string target{};  // path and query, already encoded, see Resource::target()
  std::string body{};
  std::string content_type = "application/json";  // of the body
  std::string accept = "application/json";        // media types of the answer, best first
  std::chrono::milliseconds silence{30'000};      // the longest time without a byte of the answer
  // Called when the head of an answer of 2xx has come, with its media type.
  std::function<void(std::string_view type)> on_accepted{};
};

enum class StreamEnd : std::uint8_t { kByServer, kByReceiver };

// Of answers: the API server's binary form.
inline constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

// Media types of PATCH.
inline constexpr std::string_view kMergePatch = "application/merge-patch+json";
inline constexpr std::string_view kJsonPatch = "application/json-patch+json";
inline constexpr std::string_view kApplyPatch = "application/apply-patch+yaml";

// NOLINTEND(readability-redundant-member-init)

}  // namespace toposeg::webhook::kube_api
