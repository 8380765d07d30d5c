// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

/// `gloss translate --format` with an untrained model: its output is nonsense but reproducible.
struct TranslateDocuments : testing::Test {
  TranslateDocuments() {
    const Subwords vocabulary = small_vocabulary(330, true);
    write_untrained_model(folder.path(), vocabulary, vocabulary);
  }
  ProgramResult translate(const std::string& input, std::vector<std::string> options) const {
    options.insert(options.begin(), {kGlossBinary, "translate", "-m", folder.path(), "--max-length", "9"});
    return run_program(options, input);
  }

  TemporaryDirectory folder;
};

TEST_F(TranslateDocuments, OfParagraphs) {
  const std::string lines =
      translate("The small dog sees a house. A dog walks.\nHome?\n", {"-q", "--split"}).output;
  const std::size_t end = lines.find('\n');
  const std::string first = lines.substr(0, end), second = lines.substr(end + 1, lines.size() - end - 2);
  const std::string text = "\n  The small dog\n\tsees a house. A\n dog walks.\r\n\r\n\nHome?";
  for (const char* batch : {"1", "32"}) {
    const ProgramResult result = translate(text, {"--format", "paragraphs", "--batch-size", batch});
    EXPECT_EQ(result.output, "\n  " + first + "\r\n\r\n\n" + second);
    EXPECT_NE(result.errors.find("2 paragraphs"), std::string::npos) << result.errors;
  }
  EXPECT_EQ(translate("", {"--format", "paragraphs"}).output, "");
  EXPECT_EQ(translate(" \n\n", {"--format", "paragraphs"}).output, " \n\n");
}

TEST_F(TranslateDocuments, ExcludesWhatSpeaksOfLines) {
  const std::vector<std::vector<std::string>> all{
      {"--n-best", "2"}, {"--prefix"}, {"--word-scores"}, {"--alignment", "hard"}, {"--scores"}};
  for (std::vector<std::string> options : all) {
    const std::string name = options.front();
    options.insert(options.end(), {"--format", "paragraphs"});
    const ProgramResult result = translate("A dog.\n", options);
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.errors.find(name), std::string::npos) << result.errors;
  }
}

}  // namespace
}  // namespace gloss
