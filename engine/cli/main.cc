#include <unistd.h>

#include <exception>
#include <iostream>

#include "engine/cli/run.h"

int main(int argc, char** argv) {
  try {
    const toposeg::cli::Streams streams{std::cin, std::cout, std::cerr, ::isatty(STDOUT_FILENO) == 1,
                                        ::isatty(STDERR_FILENO) == 1};
    return toposeg::cli::run(argc, argv, streams, toposeg::cli::system_environment());
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 3;
  }
}
