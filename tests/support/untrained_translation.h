// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {

/// `gloss translate` with an untrained model: its output is nonsense but reproducible.
struct UntrainedTranslation : testing::Test {
  UntrainedTranslation() {
    const Subwords vocabulary = small_vocabulary(330, true);
    write_untrained_model(folder.path(), vocabulary, vocabulary);
  }
  ProgramResult translate(const std::string& input, std::vector<std::string> options) const {
    options.insert(options.begin(), {kGlossBinary, "translate", "-m", folder.path(), "--max-length", "9"});
    return run_program(options, input);
  }

  TemporaryDirectory folder;
};

/// Expects that a command failed without output, with a message that has this part.
inline void expect_failed(const ProgramResult& result, int status, const std::string& part) {
  EXPECT_EQ(result.status, status) << result.errors;
  EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors << "expected: " << part;
  EXPECT_EQ(result.output, "");
}

/// Expects that each of the options is refused with a message that names it.
inline void expect_excluded(const UntrainedTranslation& test,
                            const std::vector<std::vector<std::string>>& all,
                            const std::vector<std::string>& others) {
  for (std::vector<std::string> options : all) {
    const std::string name = options.front();
    options.insert(options.end(), others.begin(), others.end());
    expect_failed(test.translate("A dog.\n", options), 2, name);
  }
}

}  // namespace gloss
