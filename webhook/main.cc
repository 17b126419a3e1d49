#include <exception>
#include <iostream>

#include "webhook/program/command_line.h"

int main(int argc, char** argv) {
  try {
    return toposeg::webhook::run(argc, argv, std::cin, std::cout, std::cerr);
  } catch (const std::exception& error) {
    std::cerr << "toposeg-webhook: " << error.what() << '\n';
    return 1;
  }
}
