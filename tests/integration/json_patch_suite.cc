// Runs the public JSON Patch conformance records (tests.json, spec_tests.json) against our own patching:
// every record that is not disabled either gives its `expected` document or, where it names an `error`, is
// refused. The documents, written out and decoded again, also try the decoder.
//
//   json_patch_suite tests.json spec_tests.json
//
// One line per failure, then the counts. Exit status: 0 all passed, 1 some failed, 2 a file cannot be used.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "common/base/text.h"
#include "common/json/edit.h"

namespace {

using toposeg::json::Document;

struct Counts {
  int passed = 0;
  int failed = 0;
  int disabled = 0;
  int unusable_files = 0;
};

// What is wrong with the outcome of one record, or nothing.
std::optional<std::string> fault_of(const Document& record) {
  const auto document = toposeg::json::decode(record.at("doc").dump());
  if (!document) return "the document does not decode: " + document.error().text();
  if (*document != record.at("doc")) return "the document changes when it is decoded again";
  const auto result = toposeg::json::apply(*document, record.at("patch"));
  if (record.contains("error")) {
    return result ? std::optional("accepted, but " + record["error"].dump()) : std::nullopt;
  }
  if (!result) return "refused: " + result.error().text();
  if (record.contains("expected") && *result != record["expected"]) {
    return fmt::format("gives {}, not {}", result->dump(), record["expected"].dump());
  }
  return std::nullopt;
}

void run(const std::string& path, Counts& counts) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // One of the records, a disabled one, shows an operation whose key appears twice.
  const auto records = toposeg::json::decode(text, {.duplicate_keys = true});
  if (!file || !records || !records->is_array()) {
    fmt::print("{}: {}\n", path, records ? "cannot be read as a list of records" : records.error().text());
    ++counts.unusable_files;
    return;
  }
  for (std::size_t i = 0; i < records->size(); ++i) {
    const Document& record = (*records)[i];
    if (record.value("disabled", false) || !record.contains("patch")) {
      ++counts.disabled;
      continue;
    }
    const auto fault = fault_of(record);
    ++(fault ? counts.failed : counts.passed);
    if (fault)
      fmt::print("{}: record {} {}: {}\n", path, i, toposeg::quote(record.value("comment", "")), *fault);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print("usage: json_patch_suite FILE…\n");
    return 2;
  }
  Counts counts;
  try {
    for (int i = 1; i < argc; ++i) run(argv[i], counts);
  } catch (const std::exception& error) {
    fmt::print("a record has not the expected form: {}\n", error.what());
    return 2;
  }
  fmt::print("json patch suite: {} passed, {} failed, {} disabled\n", counts.passed, counts.failed,
             counts.disabled);
  if (counts.unusable_files > 0) return 2;
  return counts.failed == 0 ? 0 : 1;
}
