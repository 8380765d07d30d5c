// SPDX-License-Identifier: Apache-2.0
// Names that the system refuses to look up: too long, links in a circle.
#include <filesystem>

#include "tests/support/has.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class UnreachableFiles : public UntrainedModels {
 protected:
  UnreachableFiles() { std::filesystem::create_symlink(circle, circle); }
  /// Expects a message that names the file and the reason, in the words of the program.
  static void expect_named(const ProgramResult& result, int status, const std::string& file) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_TRUE(has(result.errors, file)) << result.errors;
    EXPECT_FALSE(has(result.errors, "filesystem error")) << result.errors;
  }
  TemporaryDirectory files;
  std::string circle = files / "circle", too_long = files / std::string(300, 'n');
};

TEST_F(UnreachableFiles, AProtectedPatternMayBeLong) {
  std::string names;
  for (int product = 0; product < 40; ++product) names += concat(product > 0 ? "|" : "", "product", product);
  ASSERT_GT(names.size(), 255u);
  const ProgramResult result = translate("cat product7\n", {"--protect", names});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "product7")) << result.output;
}

TEST_F(UnreachableFiles, InputsAreNamed) {
  for (const std::string& path : {circle, too_long}) {
    expect_named(translate("cat\n", {"--beam-size", "1", "--draft", path}), 3, path);
    expect_named(gloss("translate", {path}), 3, path);
    expect_named(run_program({kGlossBinary, "merge", "-o", files / "whole", path}), 3, path);
  }
}

TEST_F(UnreachableFiles, OutputsAreNamed) {
  const std::string text = files.write("text", "the cat sat\n");
  for (const std::string& path : {circle, too_long}) {
    expect_named(run_program({kGlossBinary, "vocab", "-i", text, "--size", "20", "-o", path}), 1, path);
    expect_named(translate("cat\n", {"--log-json", path}), 1, path);
    expect_named(translate("cat\n", {"-o", path}), 1, path);
    expect_named(translate("cat\n", {"-o", files / "out", "--report", path}), 1, path);
  }
}

TEST_F(UnreachableFiles, ARemovedDirectoryIsNoOtherWriter) {
  const std::string gone = files / "gone",
                    script = "mkdir \"$1\" && cd \"$1\" && rmdir \"$1\" && exec \"$0\" ";
  const ProgramResult result =
      run_program({"/bin/bash", "-c", script + "quantize -m \"$2\" -o .", kGlossBinary, gone, *folder / "a"});
  expect_named(result, 1, "removed");
  EXPECT_FALSE(has(result.errors, "another process")) << result.errors;
}

}  // namespace
}  // namespace gloss
