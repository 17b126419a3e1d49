// case_tests [--show] [PART…]: runs the *.case files whose path holds one of the parts (all of them without
// any). A failed case prints what differs; with --show every case prints what came. The last line is `N
// passed, N failed`.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "run_case.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> case_files(const std::vector<std::string>& parts) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(TOPOSEG_CASES)) {
    const std::string path = entry.path().string();
    const bool wanted = parts.empty() || std::ranges::any_of(parts, [&](const std::string& part) {
                          return path.find(part) != std::string::npos;
                        });
    if (entry.path().extension() == ".case" && wanted) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string read_file(const fs::path& path) {
  const std::ifstream input(path, std::ios::binary);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

bool run(const fs::path& path, bool show) {
  const std::string name = fs::relative(path, TOPOSEG_CASES).string();
  const auto result = toposeg::cases::run_case(name, read_file(path));
  if (result.differences.empty() && !show) return true;
  fmt::print("{}: {}\n  {}\n", result.differences.empty() ? "passed" : "FAILED", name, result.title);
  for (const std::string& difference : result.differences) fmt::print("    {}\n", difference);
  std::istringstream came(result.came);
  for (std::string line; std::getline(came, line);) fmt::print("      | {}\n", line);
  return result.differences.empty();
}

int run_all(std::vector<std::string> arguments) {
  const bool show = std::erase(arguments, "--show") > 0;
  int passed = 0;
  int failed = 0;
  for (const fs::path& path : case_files(arguments)) (run(path, show) ? passed : failed) += 1;
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_all({argv + 1, argv + argc});
  } catch (const std::exception& fault) {
    fmt::print(stderr, "case_tests: {}\n", fault.what());
    return 1;
  }
}
