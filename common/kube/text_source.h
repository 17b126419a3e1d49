// A stream buffer between a file and a parser: it counts lines, bounds what one object may take, and stops at
// bytes that parsers take for the end of the input.
//
//   TextSource source(file);
//   std::istream stream(&source);
//   parse(stream);
//   if (source.fault()) ...                       // why the parser saw the end too early
//
// One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <streambuf>
#include <string_view>

#include "common/base/error.h"

namespace toposeg::kube {

class TextSource final : public std::streambuf {
 public:
  // `most_bytes` = what may be read between two calls of mark(), to within one block of 64 KiB. `input` must
  // outlive this.
  TextSource(std::istream& input, std::size_t most_bytes) : input_(input), most_bytes_(most_bytes) {}

  // The bound counts from here on.
  void mark() { marked_ = offset(); }

  // The first character of the block in work that is no white space and no byte order mark; 0 when there is
  // none. Takes nothing.
  [[nodiscard]] char first_visible();

  [[nodiscard]] std::size_t offset() const {
    return before_block_ + static_cast<std::size_t>(gptr() - eback());
  }

  // The line, counted from 1, of the next byte. Amortised O(1) a byte over all calls.
  [[nodiscard]] std::size_t line();

  // Set when reading ended before the input did: a NUL or 0x04 byte, an object over the bound, or a read
  // error. `where` is left empty: the line is that of the end.
  [[nodiscard]] const std::optional<Error>& fault() const { return fault_; }

 private:
  int_type underflow() override;
  int_type underflow_at_end();
  void count_lines();
  void cut_at_forbidden_byte(std::size_t& size);

  static constexpr std::size_t kBlock = std::size_t{64} << 10U;

  std::istream& input_;
  std::size_t most_bytes_;
  std::size_t before_block_ = 0;  // bytes before the block in work
  std::size_t marked_ = 0;
  std::size_t lines_ = 1;          // line at counted_
  const char* counted_ = nullptr;  // newlines before it are counted
  std::optional<Error> pending_;   // becomes the fault when the block is used up
  std::optional<Error> fault_;
  std::array<char, kBlock> block_{};
};

}  // namespace toposeg::kube
