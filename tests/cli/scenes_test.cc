// SPDX-License-Identifier: Apache-2.0
// The scripts of corpora/scenes.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/corpus_scripts.h"

namespace gloss {
namespace {

using Scenes = CorpusScripts;

// The first pictures do not depend on how many there are.
TEST_F(Scenes, HaveTheSameBytesOnEveryMachine) {
  const ProgramResult result =
      run("scenes/generate.py", {"--output", folder / ".", "--train", "30", "--valid", "10", "--test", "0"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(checksums({"train.idx", "train.en", "train.de", "train.scenes", "valid.idx"}),
            "beae74971161d094fe36a42cdc05d116 train.idx\n884aee287222ec8c17c72cc9ee28c231 train.en\n"
            "454c8900e96262dfe2b82e41a35e1d6b train.de\n4aad7e9d8c7fd6b72cbbbf0564323991 train.scenes\n"
            "0b03ede3be55e0cc8560a264e53d533c valid.idx\n");
  EXPECT_EQ(read_file(folder / "test.en"), "");
}

// Scenes of three shapes are turned and mirrored in seven ways, and described anew.
TEST_F(Scenes, AreTurned) {
  const ProgramResult result = run("scenes/generate.py", {"--output", folder / ".", "--train", "30",
                                                          "--valid", "0", "--test", "0", "--turned"});
  ASSERT_EQ(result.status, 0) << result.errors;
  std::ptrdiff_t threes = 0;
  for (const std::string& line : split(read_file(folder / "train.scenes"), '\n'))
    threes += std::ranges::count(line, '[') == 4;
  EXPECT_GT(threes, 3);
  EXPECT_EQ(std::ranges::count(read_file(folder / "turned.en"), '\n'), 7 * threes);
  EXPECT_EQ(checksums({"turned.idx", "turned.en", "turned.de"}),
            "3c73073bf001cb30990bf00df0adc72b turned.idx\n8f7b97955d9df2bbe7763a998bfff1c6 turned.en\n"
            "cb61fa06488a8c5d099bf550da2a544c turned.de\n");
}

TEST_F(Scenes, CheckCountsWhatIsTrue) {
  folder.write("scenes",
               "[[\"circle\", \"red\", \"small\", 30.0, 20.0, 3.5]]\n"
               "[[\"square\", \"blue\", \"large\", 8.0, 20.0, 7.0], [\"ring\", \"green\", \"small\", 30.0, "
               "22.0, 4.0]]\n"
               "[[\"square\", \"blue\", \"large\", 8.0, 20.0, 7.0], [\"ring\", \"green\", \"small\", 30.0, "
               "22.0, 4.0]]\n"
               "[[\"square\", \"blue\", \"large\", 8.0, 20.0, 7.0], [\"ring\", \"green\", \"small\", 30.0, "
               "22.0, 4.0]]\n");
  folder.write("said",
               "a small red circle on the right\n"
               "a large blue square to the left of a small green ring\n"
               "a small green ring to the right of a large blue square\n"
               "a large blue square above a small green ring\n");
  const ProgramResult result = run("scenes/check.py", {folder / "scenes", folder / "said", "--wrong"});
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const char* part :
       {"1 shape: 1 of 1", "2 shapes: 2 of 3", "all: 3 of 4", "4: a large blue square above"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part << " is not in " << result.output;
  folder.write("german",
               "ein kleiner roter Kreis rechts\n"
               "ein großes blaues Quadrat links von einem kleinen grünen Ring\n"
               "ein kleiner grüner Ring rechts von einem großen blauen Quadrat\n"
               "ein kleiner grüner Ring rechts von einem großen blaue Quadrat\n");
  EXPECT_NE(run("scenes/check.py", {folder / "scenes", folder / "german", "--language", "de"})
                .output.find("all: 3 of 4"),
            std::string::npos);
  folder.write("few", "a small red circle on the right\n");
  const ProgramResult few = run("scenes/check.py", {folder / "scenes", folder / "few"});
  EXPECT_EQ(few.status, 1);
  EXPECT_NE(few.errors.find("4 lines"), std::string::npos) << few.errors;
}

}  // namespace
}  // namespace gloss
