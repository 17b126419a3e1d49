// The three streams of the program, and whether a person sits at them.
#pragma once

#include <iosfwd>

namespace toposeg::cli {

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
};

}  // namespace toposeg::cli
