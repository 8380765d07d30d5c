// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/checksum.h"
#include "base/files.h"
#include "base/text.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/shell_tool.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// Runs the Python scripts below `corpora`. Tests are skipped where Python is not installed.
class CorpusScripts : public testing::Test {
 protected:
  void SetUp() override {
    python = find_tool("python3");
    if (python.empty()) GTEST_SKIP() << "Python is not installed";
  }
  /// Runs a script, such as "scenes/generate.py".
  ProgramResult run(const std::string& script, std::vector<std::string> words,
                    const std::string& input = "") const {
    words.insert(words.begin(), {python, "-B", concat(kSourceFolder, "/corpora/", script)});
    return run_program(words, input);
  }
  /// One line "CHECKSUM NAME" for each file of the folder.
  std::string checksums(const std::vector<std::string>& names) const {
    std::string sums;
    for (const std::string& name : names) sums += concat(checksum(read_file(folder / name)), " ", name, "\n");
    return sums;
  }

  std::string python;
  TemporaryDirectory folder;
};

}  // namespace gloss
