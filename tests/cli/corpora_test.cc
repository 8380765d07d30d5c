// SPDX-License-Identifier: Apache-2.0
// Generators of corpora whose files are text.
#include "tests/support/corpus_scripts.h"

namespace gloss {
namespace {

using Corpora = CorpusScripts;

TEST_F(Corpora, LookupHasTheSameBytesOnEveryMachine) {
  const ProgramResult result = run("lookup/generate.py", {"--output", folder / ".", "--tokens", "100",
                                                          "--short", "20", "--train", "20", "--test", "10"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(checksums({"short.tsv", "train.tsv", "valid.tsv", "test.tsv"}),
            "773200f9e874415217ba1e177b7abbe6 short.tsv\nd7ffdeaa037d2e8c042fbdfe2909df49 train.tsv\n"
            "1be69529b044dc3ea6479142d24c36d0 valid.tsv\n24d0636489f1648ad91b8f446fd96a3f test.tsv\n");
}

// The label of a document is that of most of its sentences.
TEST_F(Corpora, JoinedDocumentsHaveTheLabelOfMostSentences) {
  const std::string sentences = "0\tit is dull .\n1\tit is fun .\n1\ta joy .\n";
  const ProgramResult result =
      run("joined/join.py", {"-", "--documents", "50", "--sentences", "10"}, sentences);
  ASSERT_EQ(result.status, 0) << result.errors;
  int lines = 0;
  for (const std::string& line : split(result.output, '\n')) {
    if (line.empty()) continue;
    ++lines;
    int dull = 0, all = 0;
    for (const std::string& word : split(line.substr(2), ' ')) {
      dull += word == "dull";
      all += word == ".";
    }
    EXPECT_EQ(all, 10) << line;
    EXPECT_TRUE(line[0] == '0' ? dull >= 6 && dull <= 9 : dull >= 1 && dull <= 4) << line;
  }
  EXPECT_EQ(lines, 50);
  EXPECT_EQ(checksum(result.output), "c160259efe01a540754389d1ffdf2a43");
  EXPECT_EQ(run("joined/join.py", {"-"}, "0\tdull\n0\tboring\n").status, 1);
  EXPECT_EQ(run("joined/join.py", {"-", "--sentences", "4"}, sentences).status, 2);
  const ProgramResult umlauts = run("joined/join.py", {"-", "--documents", "9"}, "0\tblöd\n1\tschön\n");
  EXPECT_NE(umlauts.output.find("schön"), std::string::npos) << umlauts.errors;
  const ProgramResult invalid = run("joined/join.py", {"-"}, "0\tbl\xf6\n1\tnice\n");
  EXPECT_EQ(invalid.status, 1);
  EXPECT_EQ(invalid.errors.find("Traceback"), std::string::npos) << invalid.errors;
  const ProgramResult broken = run("joined/join.py", {"-"}, "0\tdull\nfun\n");
  EXPECT_EQ(broken.status, 1);
  EXPECT_NE(broken.errors.find(":2:"), std::string::npos) << broken.errors;
}

}  // namespace
}  // namespace gloss
