// Files of one test, gone at its end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "unit/catch.h"

namespace toposeg::test {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "toposeg-test-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file, or puts another one in its place at once, and returns its path: readers never see half of
  // it, and its inode tells that it changed.
  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = path(name);
    std::ofstream(file + ".new", std::ios::binary) << text;
    std::filesystem::rename(file + ".new", file);
    return file;
  }

 private:
  std::filesystem::path path_;
};

class TextFile {
 public:
  explicit TextFile(const std::string& text) { write(text); }
  void write(const std::string& text) const { folder_.write("text", text); }
  [[nodiscard]] std::string path() const { return folder_.path("text"); }

 private:
  Folder folder_;
};

}  // namespace toposeg::test
