// SPDX-License-Identifier: Apache-2.0
// Text files as plain arguments, as for `cat`, of all commands that read text line by line.
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

/// A command that reads lines, with its required options.
using Filter = std::vector<std::string>;

class InputFiles : public UntrainedModels {
 protected:
  InputFiles() {
    vocabulary = files.write("cat.model", cat_model());
    one = files.write("one", "the cat\n\nno final newline");
    two = files.write("two", "a dog\nthe \xff cat\n");
    filters = {{"translate", "--max-length", "8", "-m", *folder / "a"},
               {"generate", "--max-tokens", "3", "-m", *folder / "lm"},
               {"embed", "-m", *folder / "a"},
               {"encode", "-t", vocabulary},
               {"decode", "-t", vocabulary}};
  }

  static ProgramResult run(Filter filter, const std::vector<std::string>& more,
                           const std::string& input = "") {
    filter.insert(filter.begin(), kGlossBinary);
    filter.insert(filter.end(), more.begin(), more.end());
    return run_program(filter, input);
  }

  TemporaryDirectory files;
  std::string vocabulary, one, two;
  std::vector<Filter> filters;
};

TEST_F(InputFiles, AreReadOneAfterTheOther) {
  for (const Filter& filter : filters) {
    const ProgramResult expected = run(filter, {}, files.read("one") + "\n" + files.read("two"));
    ASSERT_EQ(expected.status, 0) << expected.errors;
    ASSERT_EQ(output_lines(expected.output).size(), 5u);
    const ProgramResult both = run(filter, {one, two});
    EXPECT_EQ(both.status, 0) << both.errors;
    EXPECT_EQ(both.output, expected.output) << filter[0];
    EXPECT_NE(both.errors.find(two + ":2: invalid UTF-8"), std::string::npos) << both.errors;
    const ProgramResult with_input = run(filter, {"-", two}, files.read("one"));
    EXPECT_EQ(with_input.output, expected.output) << filter[0] << ": " << with_input.errors;
    EXPECT_EQ(run(filter, {"--input", two}).output, run(filter, {two}).output);
  }
}

TEST_F(InputFiles, ComeBeforeTheModelsToo) {
  const std::string model = *folder / "a";
  const std::string expected = run({"translate", "-m", model}, {one, two}).output;
  EXPECT_EQ(run({"translate", one, two, "-m", model}, {}).output, expected);
  expect_failure(run({"translate", one, "-m", model, two}, {}), 2, "in one place");
  const std::string of_two = run({"translate", "-m", model, *folder / "b", "-i", one}, {}).output;
  EXPECT_EQ(run({"translate", "-m", model, *folder / "b", one}, {}).output, of_two) << "an ensemble";
}

TEST_F(InputFiles, AreNotTakenAsValuesOfFlags) {
  const std::vector<std::string> given{"translate", "--max-length", "8", "-m", *folder / "a"};
  const ProgramResult expected = run(given, {"--input", one, "--scores", "-q"});
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"-q", "--scores", one}, {"--scores", one, "-q"}, {one, "-q", "--scores"}}) {
    const ProgramResult result = run(given, order);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.output, expected.output);
    EXPECT_EQ(result.errors, expected.errors);
  }
}

TEST_F(InputFiles, AMissingFileIsAnErrorBeforeAnythingIsWritten) {
  for (const Filter& filter : filters) {
    const std::string output = files / "output";
    const ProgramResult missing = run(filter, {one, files / "missing", "-o", output});
    expect_failure(missing, 3, files / "missing");
    EXPECT_FALSE(std::filesystem::exists(output)) << filter[0];
    EXPECT_EQ(run(filter, {one, files / "missing"}).output, "") << filter[0];
  }
}

TEST_F(InputFiles, AreGivenAsArgumentsOrWithInput) {
  for (const Filter& filter : filters) {
    expect_failure(run(filter, {"--input", one, "--quiet", two}), 2, "--input");
    expect_failure(run(filter, {"-", one, "-"}), 2, "standard input");
  }
  expect_failure(run({"generate", "--unprompted", "2", "-m", *folder / "lm"}, {one}), 2, "--unprompted");
}

TEST_F(InputFiles, ArgumentsOverrideTheInputOfASettingsFile) {
  const std::string settings = files.write("settings", concat("input = ", one, "\n"));
  for (const Filter& filter : filters) {
    const ProgramResult result = run(filter, {"--config", settings, two});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.output, run(filter, {two}).output) << filter[0];
  }
  const Filter translate{"translate", "--max-length", "8"};
  const ProgramResult after_model = run(translate, {"--config", settings, "-m", *folder / "a", two});
  EXPECT_EQ(after_model.output, run(translate, {"-m", *folder / "a", two}).output) << after_model.errors;
}

TEST_F(InputFiles, ErrorsNameTheFileAndTheLineInIt) {
  const std::string bad = files.write("bad", "11\nx\n"), good = files.write("good", "6\n6");
  const ProgramResult result = run({"decode", "-t", vocabulary, "--input-type", "id"}, {good, bad});
  expect_failure(result, 3, bad + ":2: found 'x'");
  EXPECT_EQ(result.output, "the\nthe\ncat\n");
  const ProgramResult translated =
      run({"translate", "--prefix", "-m", *folder / "a"}, {good, files.write("columns", "a\nb\tc\td\n")});
  expect_failure(translated, 3, files / "columns:2: found 3 columns");
  EXPECT_EQ(output_lines(translated.output).size(), 4u) << "only the bad line is lost";
}

}  // namespace
}  // namespace gloss
