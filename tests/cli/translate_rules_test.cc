// SPDX-License-Identifier: Apache-2.0
// gloss translate beyond beam search: rules, sampling, ensembles, and scores and alignments of words.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class TranslateRules : public UntrainedModels {};

const std::string kText =
    "the cat sat on the mat.\ncat\n\nthe dog\non the mat the cats sat.\nmost dogs eat\n";

bool contains_word(const std::string& text, const std::string& word) {
  const std::string spaced = " " + text + " ";
  for (std::size_t at = 0; (at = spaced.find(word, at)) != std::string::npos; ++at) {
    const auto letter = [&](std::size_t place) { return spaced[place] >= 'a' && spaced[place] <= 'z'; };
    if (!letter(at - 1) && !letter(at + word.size())) return true;
  }
  return false;
}

TEST_F(TranslateRules, BytesDependOnNeitherBatchesNorThreads) {
  const TemporaryDirectory files;
  const std::string lexicon = files.write("lexicon", "cat\tdog\nmat\tmat\nsat\ton\n");
  const std::string ban = files.write("ban", "e\nan\nt t\n");
  std::string text;
  for (int i = 0; i < 8; ++i) text += kText;
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--lexicon", lexicon, "-b", "3"},
           {"--ban", ban, "--no-repeat-ngram", "2", "--n-best", "3"},
           {"--coverage-penalty", "0.5", "--alignment", "soft", "--word-scores"},
           {"--sample", "--top-k", "6", "--temperature", "1.5", "--n-best", "2", "--seed", "9"},
           {"--sample", "--top-p", "0.8", "--format", "json"},
           {"-m", *folder / "b", "--ensemble-weights", "1", "3", "--format", "json", "--alignment",
            "hard"}}) {
    std::vector<std::string> all = options;
    all.insert(all.end(), {"-j", "1", "--batch-size", "1"});
    const ProgramResult expected = translate(text, all);
    ASSERT_EQ(expected.status, 0) << expected.errors;
    for (const std::string threads : {"1", "3"}) {
      for (const std::string size : {"5", "64"}) {
        all = options;
        all.insert(all.end(), {"-j", threads, "--batch-size", size, "--batch-tokens", "150"});
        EXPECT_EQ(translate(text, all).output, expected.output) << join(all, " ");
      }
    }
  }
}

TEST_F(TranslateRules, OnlySamplesDependOnTheOrderOfLines) {
  std::vector<std::string> lines = output_lines(kText + kText);
  const std::vector<std::string> options{"--coverage-penalty", "0.3", "--no-repeat-ngram", "3", "--scores"};
  const auto expected = output_lines(translate(join(lines, "\n") + "\n", options).output);
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(5).shuffle(order);
  std::string shuffled;
  for (const std::size_t line : order) shuffled += lines[line] + "\n";
  const auto found = output_lines(translate(shuffled, options).output);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], expected[order[i]]);
  // A line gives another sample at another position, but the same one at the same position, whatever its
  // neighbours.
  const auto drawn = output_lines(translate("cat\ncat\ncat\n", {"--sample"}).output);
  EXPECT_FALSE(drawn[0] == drawn[1] && drawn[1] == drawn[2]);
  EXPECT_EQ(output_lines(translate("the dog\ncat\n", {"--sample"}).output)[1], drawn[1]);
  EXPECT_NE(translate(kText, {"--sample", "--seed", "2"}).output, translate(kText, {"--sample"}).output);
}

TEST_F(TranslateRules, TranslationsStartWithTheirPrefixes) {
  const auto lines = output_lines(translate("the cat\tthe mat\ncat\n\t\nsat\t \n", {"--prefix"}).output);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].starts_with("the mat")) << lines[0];
  EXPECT_EQ(lines[1], output_lines(translate("cat\n").output)[0]);
  EXPECT_EQ(lines[2], "");
  EXPECT_EQ(lines[3], output_lines(translate("sat\n").output)[0]);
  expect_failure(translate("a\na\tb\tc\n", {"--prefix"}), 3, "standard input:2: found 3 columns");
  for (const std::string blank : {"", " \r", "\xE2\x96\x81"}) {
    expect_failure(translate("a\n" + blank + "\tdog\n", {"--prefix"}), 3,
                   "standard input:2: found the beginning 'dog'");
  }
  expect_failure(translate("a\tz\n", {"--prefix"}), 3,
                 "standard input:1: the model has no pieces to spell the beginning 'z'");
  expect_failure(translate("\na\tthe cat sat on the mat\n", {"--prefix"}), 3,
                 "standard input:2: the beginning has 23 tokens, expected at most 14");
  const ProgramResult mixed = translate("the cat\na\tb\tc\ncat\n", {"--prefix"});
  expect_failure(mixed, 3, "1 of 3 lines");
  const std::vector<std::string> answers = output_lines(mixed.output);
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[1], "");
  EXPECT_EQ(answers[2], lines[1]) << "a bad line costs only itself";
  const TemporaryDirectory files;
  expect_failure(translate("a\tthe cat\n", {"--prefix", "--ban", files.write("ban", "cat\n")}), 3,
                 "the beginning 'the cat' contains the banned phrase 'cat'");
}

TEST_F(TranslateRules, RequiredTermsAppearAndBannedOnesDoNot) {
  const TemporaryDirectory files;
  const std::string lexicon = files.write("lexicon", "cat\tdog\nmat\tthe mat\n");
  for (const std::string beam : {"1", "5"}) {
    const auto lines = output_lines(translate(kText, {"--lexicon", lexicon, "-b", beam}).output);
    EXPECT_TRUE(contains_word(lines[0], "dog") && contains_word(lines[0], "the mat")) << lines[0];
    EXPECT_TRUE(contains_word(lines[1], "dog")) << lines[1];
    EXPECT_TRUE(contains_word(lines[4], "the mat")) << lines[4];
    EXPECT_EQ(lines[2], "");
    EXPECT_EQ(lines[5], output_lines(translate(kText, {"-b", beam}).output)[5]);
  }
  // Bans single letters as words, but not letters within words.
  std::string letters;
  for (const std::string& line : output_lines(translate(kText).output)) {
    for (const char letter : line) {
      if (letter >= 'a' && letter <= 'z' && letters.find(letter) == std::string::npos)
        letters += concat(letter, "\n");
    }
  }
  ASSERT_NE(letters, "");
  const std::string banned = files.write("ban", letters);
  for (const std::vector<std::string>& how : {std::vector<std::string>{}, {"--sample"}, {"-b", "1"}}) {
    std::vector<std::string> options{"--ban", banned};
    options.insert(options.end(), how.begin(), how.end());
    for (const std::string& line : output_lines(translate(kText, options).output)) {
      for (const std::string& letter : output_lines(letters))
        EXPECT_FALSE(contains_word(line, letter)) << line;
    }
  }
}

TEST_F(TranslateRules, TermsOfIgnoredTextAreNotRequired) {
  const TemporaryDirectory files;
  const std::string lexicon = files.write("lexicon", "cat\tdog\nmat\tthe mat\n");
  const std::vector<std::string> options{"--lexicon", lexicon, "--max-source-tokens", "9"};
  const auto lines =
      output_lines(translate("the cat mat\nthe cat\nthe cat sat on the mat\n", options).output);
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_TRUE(contains_word(lines[2], "dog")) << lines[2];
  EXPECT_FALSE(contains_word(lines[2], "the mat")) << lines[2];
}

TEST_F(TranslateRules, NamesTheLineOfAMistakeInAFileOfTerms) {
  const TemporaryDirectory files;
  expect_failure(translate("", {"--lexicon", "/no/such/file"}), 3, "/no/such/file");
  expect_failure(translate("", {"--ban", "/no/such/file"}), 3, "/no/such/file");
  expect_failure(translate("", {"--lexicon", files.write("l", "cat\tdog\ncat dog\n")}), 3,
                 files / "l:2: found 1 column");
  expect_failure(translate("", {"--lexicon", files.write("l", "cat\tzoo\n")}), 3, "no pieces to spell 'zoo'");
  expect_failure(
      translate("", {"--lexicon", files.write("l", "a\tthe cat\n"), "--ban", files.write("b", "cat\n")}), 3,
      "'the cat' is required, but 'cat' is banned");
  expect_failure(translate("cat\n", {"--lexicon", files.write("l", "cat\tsat on the mat\n")}), 3,
                 "have 15 tokens");
}

TEST_F(TranslateRules, RefusesInvalidSettings) {
  expect_failure(translate("", {"--sample", "--temperature", "0"}), 2, "--beam-size 1");
  expect_failure(translate("", {"--sample", "--temperature", "-1"}), 2, "temperature");
  expect_failure(translate("", {"--sample", "--top-p", "0"}), 2, "--top-p");
  expect_failure(translate("", {"--sample", "--top-p", "1.1"}), 2, "from 0 to 1");
  expect_failure(translate("", {"--top-k", "4"}), 2, "--sample");
  expect_failure(translate("", {"--seed", "1"}), 2, "without --sample");
  expect_failure(translate("", {"--sample", "-b", "5"}), 2, "--beam-size and --patience");
  expect_failure(translate("", {"--sample", "--patience", "0"}), 2, "--beam-size and --patience");
  expect_failure(translate("", {"--ban", "-"}), 2, "'-' is given for more than one file");
  expect_failure(translate("", {"--lexicon", "-", "--input", "-"}), 2, "'-' is given for more than one file");
  expect_failure(translate("", {"--lexicon", "-", "--ban", "-", "-i", "/dev/null"}), 2,
                 "'-' is given for more than one file");
  expect_failure(translate("", {"--sample", "--lexicon", "x"}), 2, "--lexicon");
  expect_failure(translate("", {"--beam-size", "40"}), 2, "vocabulary of 16");
  expect_failure(translate("", {"--scores", "--format", "json"}), 2, "--scores");
}

TEST_F(TranslateRules, ReportsScoresAndAlignmentsOfWords) {
  const auto objects = json_lines(
      translate(kText, {"--format", "json", "--word-scores", "--alignment", "soft", "--n-best", "2"}).output);
  const auto hard = json_lines(translate(kText, {"--format", "json", "--alignment", "hard"}).output);
  const auto columns =
      output_lines(translate(kText, {"--scores", "--word-scores", "--alignment", "hard"}).output);
  const auto list =
      output_lines(translate(kText, {"--n-best", "2", "--alignment", "hard", "--word-scores"}).output);
  ASSERT_EQ(objects.size(), 6u);
  std::size_t entry = 0;
  for (std::size_t line = 0; line < objects.size(); ++line) {
    EXPECT_EQ(objects[line]["line"], line);
    const auto& translations = objects[line]["translations"];
    for (const auto& translation : translations) {
      if (line == 2) {
        EXPECT_EQ(translation["text"], "");
        continue;
      }
      double sum = translation["end_log_probability"];
      for (const auto& word : translation["words"]) sum += static_cast<double>(word["log_probability"]);
      EXPECT_NEAR(sum, static_cast<double>(translation["log_probability"]), 1e-6);
      ASSERT_EQ(translation["alignment"].size(), translation["words"].size());
      for (const auto& row : translation["alignment"]) {
        double total = 0;
        for (const double weight : row) total += weight;
        EXPECT_GT(total, 0);
        EXPECT_LT(total, 1.00001);
      }
    }
    const auto& best = translations[0];
    // The hard alignment is the largest of each row of the soft one.
    for (std::size_t target = 0; target < best["alignment"].size(); ++target) {
      const std::vector<double> row = best["alignment"][target];
      EXPECT_EQ(hard[line]["translations"][0]["alignment"][target],
                nlohmann::json({std::max_element(row.begin(), row.end()) - row.begin(), target}));
    }
    const std::vector<std::string> fields = split(columns[line], '\t');
    ASSERT_EQ(fields.size(), 4u);
    EXPECT_EQ(fields[1], best["text"]);
    EXPECT_EQ(fields[3] == "", best["text"] == "") << fields[3];
    for (const auto& translation : translations) {
      EXPECT_TRUE(list[entry].starts_with(concat(line, " ||| ", translation["text"].get<std::string>(),
                                                 " ||| "
                                                 "LogProbability= ",
                                                 fixed_text(translation["log_probability"], 6), " Tokens= ",
                                                 translation["tokens"].get<int>(), " WordScores= ")))
          << list[entry];
      ++entry;
    }
  }
  EXPECT_EQ(entry, list.size());
}

TEST_F(TranslateRules, ReplacesUnknownPiecesFromTheSource) {
  // Samples of an untrained model have <unk> now and then.
  const std::vector<std::string> sample{"--sample", "--seed", "5", "--top-k", "16"};
  std::vector<std::string> replaced = sample;
  replaced.push_back("--unknown-replacement");
  std::string input;
  for (int i = 0; i < 20; ++i) input += "the zoo cat\n";
  const auto plain = output_lines(translate(input, sample).output),
             filled = output_lines(translate(input, replaced).output);
  int unknown = 0;
  for (std::size_t line = 0; line < plain.size(); ++line) {
    const bool has = plain[line].find("⁇") != std::string::npos;
    unknown += has ? 1 : 0;
    EXPECT_EQ(filled[line].find("⁇"), std::string::npos) << filled[line];
    EXPECT_EQ(filled[line].find('z') != std::string::npos, has) << filled[line];
    EXPECT_TRUE(has || filled[line] == plain[line]) << filled[line];
  }
  EXPECT_GT(unknown, 0);
}

TEST_F(TranslateRules, DoesNotBanTextCopiedFromTheSource) {
  const std::vector<std::string> options{"--sample", "--seed", "5", "--top-k", "16", "--unknown-replacement"};
  std::string input;
  for (int i = 0; i < 20; ++i) input += "the zoo cat\n";
  const TemporaryDirectory files;
  std::set<std::string> words;
  for (const std::string& line : output_lines(translate(input, options).output)) {
    for (const std::string& word : split(line, ' ')) {
      if (word.find('z') != std::string::npos) words.insert(word);
    }
  }
  ASSERT_FALSE(words.empty());
  std::vector<std::string> banning = options;
  banning.insert(banning.end(), {"--ban", files.write("ban", join({words.begin(), words.end()}, "\n"))});
  const ProgramResult result = translate(input, banning);
  EXPECT_EQ(result.status, 0) << result.errors;
  for (const std::string& line : output_lines(result.output)) {
    for (const std::string& word : split(line, ' ')) EXPECT_FALSE(words.contains(word)) << line;
  }
  EXPECT_NE(result.output.find("⁇"), std::string::npos) << result.output;
}

TEST_F(TranslateRules, AnUnknownPieceIsASeparateWord) {
  std::string input;
  for (int i = 0; i < 20; ++i) input += "the zoo cat\n";
  const auto lines = json_lines(translate(input, {"--sample", "--seed", "5", "--top-k", "16", "--format",
                                                  "json", "--word-scores", "--alignment", "hard"})
                                    .output);
  int unknown = 0;
  for (const nlohmann::json& line : lines) {
    const nlohmann::json& best = line["translations"][0];
    std::vector<std::string> expected, found;
    for (const std::string& word : split(best["text"].get<std::string>(), ' ')) {
      if (word != "") expected.push_back(word);
      unknown += word == "⁇" ? 1 : 0;
    }
    for (const nlohmann::json& word : best["words"]) {
      if (word["text"] != "") found.push_back(word["text"]);
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(best["alignment"].size(), best["words"].size());
  }
  EXPECT_GT(unknown, 0);
}

TEST_F(TranslateRules, TranslatesWithAnEnsemble) {
  const auto one = output_lines(translate(kText, {"--scores"}).output);
  const auto twice = output_lines(translate(kText, {"--scores", "-m", *folder / "a"}).output);
  for (std::size_t line = 0; line < one.size(); ++line) {
    const auto a = split(one[line], '\t'), b = split(twice[line], '\t');
    EXPECT_EQ(a[1], b[1]);
    EXPECT_NEAR(std::stod(a[0]), std::stod(b[0]), 1e-5);
  }
  EXPECT_NE(translate(kText, {"-m", *folder / "b"}).output, translate(kText).output);
  expect_failure(translate("", {"-m", *folder / "c"}), 2, "must have the same target vocabulary");
  expect_failure(translate("", {"--ensemble-weights", "1", "2"}), 2, "2 numbers for 1 model");
  expect_failure(translate("", {"-m", *folder / "b", "--ensemble-weights", "1", "0"}), 2, "found '0'");
}

}  // namespace
}  // namespace gloss
