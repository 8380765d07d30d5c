// SPDX-License-Identifier: Apache-2.0
// Standard input that is a file (< FILE).
#include <gtest/gtest.h>

#include "base/output.h"
#include "base/random.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class RedirectedInput : public UntrainedModels {
 protected:
  RedirectedInput() {
    // Random characters, so that it has more than 64 KiB even when it is packed.
    Random random(3);
    for (int line = 0; line < 4; ++line) {
      std::string text;
      for (int i = 0; i < 20'000; ++i) text += static_cast<char>('!' + random.below(90));
      pairs += concat(text, " cat\t", text, " cat\n");
    }
  }

  /// Runs a command that reads pairs from standard input, which is the file at `path`.
  static ProgramResult read(const std::string& command, const std::string& path) {
    return run_program({"/bin/sh", "-c", "exec \"$@\" < \"$0\"", path, kGlossBinary, command, "-m",
                        *folder / "a", "--tsv", "-"});
  }

  std::string pairs;
  TemporaryDirectory files;
};

TEST_F(RedirectedInput, IsNotDoubtedIfItIsPacked) {
  for (const std::string suffix : {".gz", ".zst"}) {
    const std::string path = files / ("pairs" + suffix);
    Output packed(path);
    packed.write(pairs);
    packed.close();
    ASSERT_GT(std::filesystem::file_size(path), 1u << 16);
    for (const std::string command : {"score", "align"}) {
      const ProgramResult result = read(command, path);
      EXPECT_EQ(result.status, 0) << result.errors;
      EXPECT_EQ(result.errors.find("UTF-8"), std::string::npos) << result.errors;
    }
  }
}

TEST_F(RedirectedInput, IsNotDoubtedIfItIsConverted) {
  std::string wide = "\xFF\xFE";
  for (int line = 0; line < 3000; ++line) {
    for (const char character : std::string("the cat\tthe cat\n")) wide += {character, '\0'};
  }
  const std::string path = files.write("wide", wide);
  for (const std::string command : {"score", "align"}) {
    const ProgramResult result = read(command, path);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.errors.find("warning"), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find("UTF-16LE"), std::string::npos) << result.errors;
    EXPECT_EQ(output_lines(result.output).size(), 3000u);
  }
}

TEST_F(RedirectedInput, IsDoubtedIfItIsBinary) {
  const std::string path = files.write("binary", std::string("a\0\tb\n", 5));
  for (const std::string command : {"score", "align"}) {
    const ProgramResult result = read(command, path);
    EXPECT_NE(result.errors.find("standard input does not look like UTF-8 text: 1 NUL byte in"),
              std::string::npos)
        << result.errors;
  }
}

}  // namespace
}  // namespace gloss
