// One Node, Pod or Status of the API server's in its protobuf form to the document that parse_object() makes
// of the same object in JSON, with what records read and no more.
//
// Asked for in this form an object costs the API server next to nothing: it is encoded once for everybody,
// and its own controllers ask for nothing else.
#pragma once

#include <string>
#include <string_view>

#include "common/json/decode.h"

namespace toposeg::kube {

// Whether the bytes begin like an object in protobuf form.
[[nodiscard]] bool is_protobuf(std::string_view bytes);

// `bytes` are an object in the API server's envelope: "k8s\0", then runtime.Unknown. `name` is what an
// error's `where` begins with. kInvalid for another envelope or kind, for bytes that are no message, and for
// texts that are no UTF-8. As in JSON, empty texts, zeros and false are left out. Linear time; memory: what
// is kept. Thread safe.
[[nodiscard]] Result<json::Document> parse_protobuf(std::string_view bytes, const std::string& name);

}  // namespace toposeg::kube
