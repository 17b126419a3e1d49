#include "engine/cli/text_input.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <istream>
#include <system_error>

namespace toposeg::cli {
namespace {

Result<void> use_unless_empty(
    std::istream& input, const std::string& name,
    const std::function<Result<void>(std::istream& input, const std::string& name)>& use,
    const std::string& expected) {
  if (input.peek() == std::istream::traits_type::eof()) {
    return fail(Code::kInvalid, "is empty; expected " + expected, name);
  }
  return use(input, name);
}

}  // namespace

Result<void> with_input(const std::string& file, const Streams& streams,
                        const std::function<Result<void>(std::istream& input, const std::string& name)>& use,
                        const std::string& expected) {
  if (file == "-") return use_unless_empty(streams.in, "standard input", use, expected);
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    return fail(Code::kUnavailable,
                "is a directory; name one file, and the option again for each further one", file);
  }
  std::ifstream input(file, std::ios::binary);
  if (!input) {
    return fail(Code::kUnavailable, "cannot be opened: " + std::generic_category().message(errno), file);
  }
  return use_unless_empty(input, file, use, expected);
}

}  // namespace toposeg::cli
