// SPDX-License-Identifier: Apache-2.0
// gloss rerank and gloss tune through the real binary.
#include <algorithm>

#include "base/random.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

const std::string kList =
    "0 ||| the cat sat ||| LogProbability= -3 Tokens= 3 ||| -1.0\n"
    "0 ||| a cat sat here ||| LogProbability= -4 Tokens= 4 ||| -1.1\n"
    "0 ||| the cat sat here ||| LogProbability= -5 Tokens= 4 ||| -1.2 ||| 0-0 1-1\n"
    "1 |||  ||| LogProbability= 0 Tokens= 0 ||| 0\n"
    "2 ||| dogs \xC3\xA4 ||| LogProbability= -2 Tokens= 2 ||| -1\n"
    "2 ||| dogs ||| b ||| LogProbability= -2.5 Tokens= 1 ||| -1.5\n";

class Rerank : public testing::Test {
 protected:
  static ProgramResult rerank(std::vector<std::string> options, const std::string& list = kList) {
    options.insert(options.begin(), {kGlossBinary, "rerank"});
    return run_program(options, list);
  }
  static ProgramResult tune(std::vector<std::string> options, const std::string& list = kList) {
    options.insert(options.begin(), {kGlossBinary, "tune"});
    return run_program(options, list);
  }
  static void expect_failure(const ProgramResult& result, int status, const std::string& expected) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(expected), std::string::npos) << result.errors;
  }
  TemporaryDirectory files;
};

TEST_F(Rerank, MinimumRiskChoosesWhatIsMostLikeTheOthers) {
  for (const std::string metric : {"chrf", "bleu", "ter"}) {
    const ProgramResult result = rerank({"--mbr", metric});
    EXPECT_EQ(result.status, 0) << result.errors;
    const std::vector<std::string> lines = output_lines(result.output);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "the cat sat here") << metric;
    EXPECT_EQ(lines[1], "");
  }
}

TEST_F(Rerank, NamesOfMetricsMayBeInCapitals) {
  const std::string references = files.write("references", "the cat\n\ndogs\n");
  EXPECT_EQ(rerank({"--mbr", "BLEU"}).output, rerank({"--mbr", "bleu"}).output);
  EXPECT_EQ(rerank({"--mbr", "chrF", "--mbr-mean"}).output, rerank({"--mbr", "chrf"}).output);
  EXPECT_EQ(rerank({"-r", references, "--metric", "TER"}).output,
            rerank({"-r", references, "--metric", "ter"}).output);
  EXPECT_EQ(rerank({"--config", files.write("settings", "mbr = BLEU\n")}).output,
            rerank({"--mbr", "bleu"}).output);
  EXPECT_EQ(tune({"-r", references, "--metric", "BLEU"}).output,
            tune({"-r", references, "--metric", "bleu"}).output);
  const ProgramResult compared =
      run_program({kGlossBinary, "compare", references, references, "-m", "BLEU,chrF"});
  EXPECT_EQ(compared.status, 0) << compared.errors;
  EXPECT_NE(compared.output.find("chrF2"), std::string::npos) << compared.output;
  const ProgramResult evaluated =
      run_program({kGlossBinary, "evaluate", references, "-i", references, "-m", "TER"});
  EXPECT_NE(evaluated.output.find("TER"), std::string::npos) << evaluated.errors;
}

TEST_F(Rerank, AnEmptyListIsNoted) {
  const ProgramResult result = rerank({"--mbr", "chrf"}, "");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("n-best list is empty"), std::string::npos) << result.errors;
  EXPECT_EQ(rerank({"--mbr", "chrf"}).errors, "");
}

TEST_F(Rerank, MinimumRiskComparesWithTheMeanOfAll) {
  for (const std::string metric : {"chrf", "bleu"}) {
    const ProgramResult result = rerank({"--mbr", metric, "--mbr-mean"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(output_lines(result.output).front(), "the cat sat here") << metric;
  }
  expect_failure(rerank({"--mbr", "ter", "--mbr-mean"}), 2, "--mbr-mean: ter has no counts");
  expect_failure(rerank({"--weights", "x", "--mbr-mean"}), 2, "--mbr-mean has no effect");
}

TEST_F(Rerank, MinimumRiskWeighsByTheProbabilitiesOfTheModel) {
  EXPECT_EQ(rerank({"--mbr", "chrf", "--mbr-scale", "100"}).output, "the cat sat\n\ndogs \xC3\xA4\n");
  EXPECT_EQ(rerank({"--mbr", "chrf", "--mbr-scale", "0"}).output, rerank({"--mbr", "chrf"}).output);
  expect_failure(rerank({"--mbr", "chrf", "--mbr-scale", "1"}, "0 ||| a ||| X= 1 ||| 0\n"), 3,
                 "LogProbability");
  expect_failure(rerank({"--weights", "x", "--mbr-scale", "1"}), 2, "--mbr-scale has no effect");
}

TEST_F(Rerank, WeightsChooseTheHighestSum) {
  const std::string short_ones = files.write("short", "Tokens= -1\n"),
                    likely = files.write("likely", "LogProbability= 1\n");
  EXPECT_EQ(rerank({"--weights", likely}).output, "the cat sat\n\ndogs \xC3\xA4\n");
  EXPECT_EQ(rerank({"--weights", short_ones}).output, "the cat sat\n\ndogs ||| b\n");
  const std::string both = files.write("both", "LogProbability= 0.25\n\nTokens= 0.5\n");
  EXPECT_EQ(rerank({"--weights", both, "--n-best", "2"}).output,
            "0 ||| a cat sat here ||| LogProbability= -4 Tokens= 4 ||| 1.000000\n"
            "0 ||| the cat sat ||| LogProbability= -3 Tokens= 3 ||| 0.750000\n"
            "1 |||  ||| LogProbability= 0 Tokens= 0 ||| 0.000000\n"
            "2 ||| dogs \xC3\xA4 ||| LogProbability= -2 Tokens= 2 ||| 0.500000\n"
            "2 ||| dogs ||| b ||| LogProbability= -2.5 Tokens= 1 ||| -0.125000\n");
  EXPECT_NE(rerank({"--weights", both, "--n-best", "3"}).output.find("||| 0.750000 ||| 0-0 1-1\n"),
            std::string::npos);
}

TEST_F(Rerank, ReferencesChooseWhatIsClosestToThem) {
  const std::string reference = files.write("reference", "a cat sat here now\n\ndogs and cats\n");
  for (const std::string metric : {"bleu", "chrf", "ter"}) {
    const ProgramResult result = rerank({"--references", reference, "--metric", metric});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(output_lines(result.output).at(0), "a cat sat here") << metric;
    EXPECT_EQ(output_lines(result.output).at(1), "");
  }
  EXPECT_EQ(rerank({"-r", files.write("equal", "x\nx\nx\n")}).output, "the cat sat\n\ndogs \xC3\xA4\n")
      << "the first of equal ones";
  EXPECT_EQ(rerank({"-r", reference, "--lowercase"},
                   "0 ||| A CAT ||| X= 1 ||| 0\n0 ||| dog ||| X= 1 ||| 0\n"
                   "1 |||  ||| X= 1 ||| 0\n2 ||| dogs ||| X= 1 ||| 0\n")
                .output,
            "A CAT\n\ndogs\n");
  expect_failure(rerank({"-r", files.write("two", "a\nb\n")}), 3, "two has 2 lines, but the list has");
  expect_failure(rerank({"-r", files.write("four", "a\nb\nc\nd\n")}), 3, "four has 4 lines");
  expect_failure(rerank({"-r", files.write("two", "a\nb\n"), reference}), 3, "reference has 3 lines, but");
}

TEST_F(Rerank, OptionsOfOtherMetricsAreNoted) {
  const std::string references = files.write("references", "the cat sat\n\ndogs\n");
  const auto noted = [](const ProgramResult& result, const std::string& option) {
    return result.errors.find(option + " has no effect") != std::string::npos;
  };
  for (const auto& run : {rerank, tune}) {
    EXPECT_TRUE(
        noted(run({"-r", references, "--metric", "chrf", "--tokenize", "none"}, kList), "--tokenize"));
    EXPECT_TRUE(noted(run({"-r", references, "--chrf-beta", "3"}, kList), "--chrf-beta"));
    const std::string errors =
        run({"-r", references, "--metric", "chrf", "--smooth-value", "1"}, kList).errors;
    EXPECT_TRUE(errors.find("--smooth-value") == errors.rfind("--smooth-value")) << errors;
    EXPECT_FALSE(noted(run({"-r", references, "--tokenize", "none"}, kList), "--tokenize"));
  }
  EXPECT_TRUE(noted(rerank({"--mbr", "ter", "--lowercase"}), "--lowercase"));
  EXPECT_TRUE(noted(rerank({"--weights", files.write("weights", "LogProbability= 1\n"), "--ter-no-punct"}),
                    "--ter-no-punct"));
}

TEST_F(Rerank, RemarksAboutTheListAreMadeOnce) {
  std::string list;
  for (int line = 0; line < 400; ++line)
    list += concat(line, " ||| a cat , a dog . ||| LogProbability= -1 ||| -1\n");
  const std::string errors = rerank({"--mbr", "chrf"}, list).errors;
  const std::size_t first = errors.find("looks tokenised");
  ASSERT_NE(first, std::string::npos) << errors;
  EXPECT_EQ(errors.find("looks tokenised", first + 1), std::string::npos) << errors;
}

TEST_F(Rerank, TheBytesDoNotDependOnThreads) {
  Random random(1);
  std::string list;
  for (int line = 0; line < 500; ++line) {
    for (int i = 0; i < 1 + line % 9; ++i) {
      list += concat(line, " ||| ");
      for (int word = 0; word < 8; ++word) list += concat("w", random.below(5), " ");
      list += concat(" ||| X= ", random.below(100), " ||| -1\n");
    }
  }
  const std::string one = rerank({"--mbr", "chrf", "-j", "1"}, list).output;
  EXPECT_EQ(output_lines(one).size(), 500u);
  EXPECT_EQ(rerank({"--mbr", "chrf", "-j", "5"}, list).output, one);
}

TEST_F(Rerank, MistakesAreNamedWithTheirPlace) {
  expect_failure(rerank({}), 2, "one of --mbr METRIC, --weights FILE");
  expect_failure(rerank({"--mbr", "chrf", "--weights", "x"}), 2, "found --mbr and --weights; ");
  expect_failure(rerank({"--mbr", "blue"}), 2, "--mbr: unknown metric 'blue'");
  expect_failure(rerank({"--mbr", "chrf", "--metric", "ter"}), 2, "--metric has no effect");
  expect_failure(rerank({"--mbr", "rouge"}), 2, "rouge");
  expect_failure(rerank({"--weights", files.write("w", "Fluency= 1\n")}), 3,
                 "standard input:1: the feature Fluency");
  expect_failure(rerank({"--mbr", "chrf"}, "0 ||| a ||| X= 1 ||| 0\n2 ||| b ||| X= 1 ||| 0\n"), 3,
                 "standard input:2: found source line 2, expected 0 or 1");
  expect_failure(rerank({"--mbr", "chrf"}, "1 ||| a ||| X= 1 ||| 0\n"), 3,
                 "standard input:1: found source line 1, expected 0");
  expect_failure(rerank({"--mbr", "chrf"}, "0 ||| a ||| X= 1 ||| 0\nplain text\n"), 3, "standard input:2: ");
  expect_failure(rerank({"--mbr", "chrf", "a", "b"}), 2, "found the files a and b");
  expect_failure(rerank({"--weights", files.write("x", "X= 1\n")}, "0 ||| a ||| X= 1 X= 2 ||| 0\n"), 3,
                 "standard input:1: the feature X occurs twice");
  EXPECT_EQ(rerank({"--mbr", "chrf"}, "").output, "");
  EXPECT_EQ(rerank({"--mbr", "chrf"}, "0 ||| a ||| X= 1 ||| 0\r\n").output, "a\n") << "lines of Windows";
}

TEST_F(Rerank, TheListIsNeverOverwritten) {
  const std::string list = files.write("list", kList), reference = files.write("three", "a\nb\nc\n");
  for (const std::vector<std::string>& input : {std::vector<std::string>{list}, {"-i", list}}) {
    const auto with = [&](std::vector<std::string> options) {
      options.insert(options.begin(), input.begin(), input.end());
      return options;
    };
    expect_failure(rerank(with({"--mbr", "chrf", "-o", list})), 2, "would overwrite");
    expect_failure(rerank(with({"--mbr", "chrf", "--log-json", list})), 2, "would overwrite");
    expect_failure(tune(with({"-r", reference, "-o", list})), 2, "would overwrite");
    EXPECT_EQ(files.read("list"), kList);
  }
}

TEST_F(Rerank, TuningLearnsWeightsThatChooseBetterTranslations) {
  // The translation with few tokens is right, whatever its probability says.
  std::string list, references;
  Random random(3);
  for (int line = 0; line < 60; ++line) {
    const auto right = random.below(5);
    references += concat("sentence number ", line, " is right\n");
    for (std::uint64_t i = 0; i < 5; ++i) {
      list += concat(line, " ||| sentence number ", line, i == right ? " is right" : " was quite wrong here",
                     " ||| LogProbability= -", random.below(9), " Tokens= ", i == right ? 4 : 6, " ||| -1\n");
    }
  }
  const std::string reference = files.write("reference", references);
  for (const std::string metric : {"bleu", "chrf", "ter"}) {
    const ProgramResult tuned = tune({"-r", reference, "--metric", metric}, list);
    EXPECT_EQ(tuned.status, 0) << tuned.errors;
    EXPECT_NE(tuned.errors.find("60 lines, 2 features"), std::string::npos) << tuned.errors;
    EXPECT_EQ(tune({"-r", reference, "--metric", metric}, list).output, tuned.output);
    EXPECT_EQ(rerank({"--weights", files.write("weights", tuned.output)}, list).output, references);
  }
}

TEST_F(Rerank, AListAmongTheReferencesIsNamed) {
  const std::string references = files.write("references", "the cat sat\n\ndogs\n");
  const std::string list = files.write("list", kList);
  for (const auto& run : {rerank, tune}) {
    expect_failure(run({"-r", references, list}, ""), 3, "list is an n-best list, not a file of references");
  }
  // At once, not after the list has come through a pipe that stays open.
  for (const std::string command : {"rerank", "tune"}) {
    const ProgramResult result =
        run_program({"/bin/bash", "-c", "timeout 20 \"$@\" < <(sleep 30 2> /dev/null)", "bash", kGlossBinary,
                     command, "-r", references, list});
    expect_failure(result, 3, "list is an n-best list");
  }
}

TEST_F(Rerank, MistakesInTuningAreNamedWithTheirPlace) {
  const std::string three = files.write("three", "a\nb\nc\n"), two = files.write("two", "a\nb\n"),
                    four = files.write("four", "a\nb\nc\nd\n");
  EXPECT_EQ(tune({"-r", three}).status, 0);
  // Of the two, 'dogs,' has the right word, and 'd o g s' exactly the right characters.
  const std::string list = "0 ||| dogs, ||| X= 1 Y= 0 ||| 0\n0 ||| d o g s ||| X= 0 Y= 1 ||| 0\n",
                    dogs = files.write("dogs", "dogs\n");
  EXPECT_NE(
      tune({"-r", dogs, "--smooth-method", "none", "--max-ngram-order", "1"}, list).errors.find("BLEU 50.00"),
      std::string::npos);
  EXPECT_NE(
      tune({"-r", dogs, "--smooth-method", "none", "--max-ngram-order", "1", "--tokenize", "char"}, list)
          .errors.find("BLEU 100.00"),
      std::string::npos);
  expect_failure(tune({"-r", three, "--tokenize", "no"}), 2, "'no'");
  expect_failure(tune({}), 2, "--references FILE is required");
  expect_failure(tune({"-r", two}), 3, "two has 2 lines");
  expect_failure(tune({"-r", three, four}), 3, "four has 4 lines");
  expect_failure(tune({"-r", four}), 3, "four has 4 lines, but the list has only 3 source lines");
  expect_failure(tune({"-r", three}, ""), 3, "is empty");
  expect_failure(tune({"-r", three}, "0 ||| a ||| X= 1 ||| 0\n1 ||| b ||| Y= 1 ||| 0\n"), 3,
                 "standard input:2: found the feature Y, expected X");
  expect_failure(tune({"-r", three}, "0 ||| a ||| X= 1 Y= 2 ||| 0\n1 ||| b ||| X= 1 ||| 0\n"), 3,
                 "standard input:2: the feature Y is missing");
  expect_failure(tune({"-r", three, "--metric", "rouge"}), 2, "--metric: unknown metric 'rouge'");
}

}  // namespace
}  // namespace gloss
