// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {

/// The lines of an output that ends with a newline.
inline std::vector<std::string> output_lines(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  EXPECT_EQ(lines.back(), "") << "the last line has no newline";
  lines.pop_back();
  return lines;
}

/// The JSON objects of an output, one per line.
inline std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> objects;
  for (const std::string& line : output_lines(text)) objects.push_back(nlohmann::json::parse(line));
  return objects;
}

/// Untrained models: `a` and `b` share a vocabulary of single characters, which splits a text in only one way
/// and lacks 'z'; `c` has another vocabulary; the language models `lm` and `lm2` have the vocabulary of `a`.
class UntrainedModels : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new TemporaryDirectory;
    const Subwords characters = Subwords::from_bytes(
        subword_model("", {}, {"▁", "a", "t", "h", "e", "s", "m", "c", "o", "n", ".", "d", "g"}),
        "characters");
    const Subwords others = small_vocabulary(45);
    for (const auto& [name, seed] : {std::pair("a", 3), std::pair("b", 4)}) {
      std::filesystem::create_directory(*folder / name);
      write_untrained_model(*folder / name, characters, characters, static_cast<std::uint64_t>(seed));
    }
    for (const auto& [name, seed] : {std::pair("lm", 5), std::pair("lm2", 6)}) {
      std::filesystem::create_directory(*folder / name);
      write_untrained_language_model(*folder / name, characters, static_cast<std::uint64_t>(seed));
    }
    std::filesystem::create_directory(*folder / "c");
    write_untrained_model(*folder / "c", others, others);
  }
  static void TearDownTestSuite() {
    delete folder;
    folder = nullptr;
  }

  static ProgramResult gloss(const std::string& command, std::vector<std::string> options,
                             const std::string& input = "") {
    options.insert(options.begin(), {kGlossBinary, command, "-m", *folder / "a"});
    return run_program(options, input);
  }
  static ProgramResult translate(const std::string& input, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--max-length", "14"});
    return gloss("translate", options, input);
  }

  /// Expects the exit status and a message that contains `expected`.
  static void expect_failure(const ProgramResult& result, int status, const std::string& expected) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(expected), std::string::npos) << result.errors;
  }

  static inline TemporaryDirectory* folder = nullptr;
};

}  // namespace gloss
