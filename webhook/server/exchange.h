// One complete request on its way from a connection to a worker, and its answer on the way back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "webhook/server/head.h"

namespace toposeg::webhook {

using ConnectionId = std::uint64_t;  // never used twice by one front

struct Exchange {
  ConnectionId connection = 0;
  Head head;
  std::string bytes;           // head and body as received
  std::size_t body_begin = 0;  // where the body starts in them
  Instant arrived;             // when the last byte of the body was there

  [[nodiscard]] std::string_view body() const {
    return std::string_view(bytes).substr(body_begin, head.content_length);
  }
};

struct Finished {
  ConnectionId connection = 0;
  std::string bytes;  // the whole HTTP answer
  int status = 0;
  bool close = false;  // the answer says Connection: close
};

}  // namespace toposeg::webhook
