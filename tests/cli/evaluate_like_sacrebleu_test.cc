// SPDX-License-Identifier: Apache-2.0
// Habits of sacreBLEU: its flags, output, tokenizers and rules.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/evaluate_command.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

TEST_F(EvaluateCommand, FlagsHaveSacreBleusSpellings) {
  const std::string reference = folder_.write("ref", "The CAT sat\n");
  const std::string hypothesis = folder_.write("hyp", "the cat sat\n");
  EXPECT_EQ(
      evaluate({reference, "-i", hypothesis, "-lc", "-b", "-s", "floor", "-sv", "0.5", "-f", "text"}).output,
      "0.0\n");
  EXPECT_EQ(evaluate({reference, "-i", hypothesis, "-lc", "--effective-order", "-b"}).output, "100.0\n");
  EXPECT_EQ(evaluate({reference, "-i", hypothesis, "-lc", "-sl", "-b"}).output, "100.0\n");
  EXPECT_EQ(evaluate({reference, "-i", hypothesis, "--max-ngram-order", "1", "-b", "-w", "2"}).output,
            "33.33\n");
  EXPECT_EQ(
      evaluate({reference, "-i", hypothesis, "-m", "chrf", "-cc", "1", "-cw", "0", "-b", "-w", "2"}).output,
      "55.56\n");
  EXPECT_EQ(evaluate({reference, "-i", hypothesis, "-m", "ter", "-b"}).output, "0.0\n");
  EXPECT_EQ(
      evaluate({reference, "-i", hypothesis, "-m", "ter", "-b", "-w", "2", "--ter-case-sensitive"}).output,
      "66.67\n");
}

TEST_F(EvaluateCommand, WritesTheJsonOfSacreBleu) {
  const ProgramResult result = evaluate({reference_, "-i", first_});
  EXPECT_EQ(result.output.find("{\n \"name\": \"BLEU\",\n \"score\": "), 0u) << result.output;
  const auto object = nlohmann::ordered_json::parse(result.output);
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"name", "score", "signature", "verbose_score", "nrefs", "case",
                                             "eff", "tok", "smooth", "version"}));
  EXPECT_TRUE(has(object["version"], "gloss"));
  EXPECT_EQ(object["tok"], "13a");
  EXPECT_TRUE(has(object["verbose_score"], "hyp_len = 108 ref_len = 108"));

  const auto several =
      nlohmann::json::parse(evaluate({reference_, "-i", first_, "-m", "ter", "bleu"}).output);
  EXPECT_EQ(several.size(), 2u);
  EXPECT_EQ(several[0]["name"], "BLEU");  // in the order of the alphabet
  EXPECT_EQ(several[1]["name"], "TER");
  const auto perfect = evaluate({reference_, "-i", reference_, "-m", "ter"});
  EXPECT_TRUE(has(perfect.output, "\"score\": 0.0,")) << perfect.output;
}

// sacreBLEU reads a byte order mark as a character of the first word.
TEST_F(EvaluateCommand, AByteOrderMarkIsPartOfTheTextUnlessStripped) {
  const std::string reference = folder_.write("ref", "a b c d\n");
  const std::string marked =
      "\xEF\xBB\xBF"
      "a b c d\n";
  const ProgramResult kept = evaluate({reference, "-b", "-w", "4"}, marked);
  EXPECT_EQ(kept.output, "59.4604\n");  // 3/4, 2/3, 1/2 and 1/(2 * 1)
  EXPECT_TRUE(has(kept.errors, "byte order mark") && has(kept.errors, "--strip-bom")) << kept.errors;
  EXPECT_EQ(evaluate({folder_.write("marked", marked), "-b"}, marked).output, "100.0\n");
  const ProgramResult stripped = evaluate({reference, "-b", "--strip-bom"}, marked);
  EXPECT_EQ(stripped.output, "100.0\n");
  EXPECT_TRUE(has(stripped.errors, "byte order mark")) << stripped.errors;
  EXPECT_EQ(evaluate({reference, "--task", "classify", "-b", "-m", "accuracy"}, marked).output, "100.0\n");
}

TEST_F(EvaluateCommand, EmptyReferencesAmongOthersArePadding) {
  const std::string one = folder_.write("one", "a b c d\ne f g h\ni j k l\n"),
                    two = folder_.write("two", "a b c e\n\n   \n"),
                    columns = folder_.write("columns", "a b c d\ta b c e\ne f g h\t\n\ti j k l\n");
  const std::string hypothesis = folder_.write("h", "a b c d\ne f g\ni j k l m\n");
  // One deletion and one insertion in 4 + 4 + 4 words; with lengths of 0 it would be 2 of 8.
  const ProgramResult files = evaluate({one, two, "-i", hypothesis, "-m", "ter", "-f", "text", "-w", "4"});
  EXPECT_TRUE(has(files.output, "nrefs:var") && has(files.output, "= 16.6667")) << files.output;
  EXPECT_TRUE(has(files.errors, "2 segments") && has(files.errors, "line 2")) << files.errors;
  EXPECT_EQ(evaluate({columns, "-nr", "2", "-i", hypothesis, "-m", "ter", "-f", "text", "-w", "4"}).output,
            files.output);
  const ProgramResult none = evaluate({two, two, "-i", hypothesis, "-m", "ter", "-b"});
  EXPECT_EQ(none.status, 0) << none.errors;
  EXPECT_TRUE(has(none.errors, "2 segments") && has(none.errors, "sacreBLEU refuses")) << none.errors;
}

TEST_F(EvaluateCommand, ASmoothingValueWithoutUseIsIgnoredAsBySacreBleu) {
  const ProgramResult plain = evaluate({reference_, "-i", second_});
  const ProgramResult valued = evaluate({reference_, "-i", second_, "-s", "exp", "-sv", "0.5"});
  EXPECT_EQ(valued.status, 0) << valued.errors;
  EXPECT_EQ(valued.output, plain.output);
  EXPECT_TRUE(has(valued.errors, "--smooth-value has no effect")) << valued.errors;
  EXPECT_NE(evaluate({reference_, "-i", first_, "-s", "add-k", "-sv", "0.5"}).output,
            evaluate({reference_, "-i", first_, "-s", "add-k"}).output);
  const std::string help = run_program({kGlossBinary, "evaluate", "--help", "all"}).output;
  const std::size_t option = help.find("--smooth-value");
  ASSERT_NE(option, std::string::npos);
  EXPECT_EQ(help.substr(option, help.find("--", option + 2) - option).find("(default 0)"), std::string::npos);
}

TEST_F(EvaluateCommand, SaysWhatToDoInsteadOfWhatSacreBleuDoes) {
  const auto errors = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {reference_, "-i", first_});
    const ProgramResult result = evaluate(more);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.output, "");
    return result.errors;
  };
  EXPECT_TRUE(has(errors({"-tok", "flores200"}), "flores200=FILE"));
  EXPECT_TRUE(has(errors({"-tok", "flores200"}), "flores200_sacrebleu_tokenizer_spm.model"));
  EXPECT_TRUE(has(errors({"-tok", "flores101"}), "/flores/sacrebleu_tokenizer_spm.model"));
  EXPECT_TRUE(has(errors({"-tok", "spm"}), "flores101=FILE"));
  EXPECT_TRUE(has(errors({"-tok", "ko-mecab"}), "mecab-ko-dic"));
  EXPECT_TRUE(has(errors({"-l", "en-ko"}), "mecab-ko-dic"));
  EXPECT_TRUE(has(errors({"-tok", "13a=" + reference_}), "flores200"));
  const std::string unknown = errors({"-tok", "14a"});
  EXPECT_TRUE(has(unknown, "did you mean '13a'") && !has(unknown, "one of none")) << unknown;
  for (const char* option : {"-t", "--echo", "--list"}) {
    EXPECT_TRUE(has(errors({option}), "--echo ref >")) << option;
  }
  EXPECT_TRUE(has(errors({"--cite"}), "Post (2018)"));
  EXPECT_TRUE(has(errors({"--spm-model", first_}), "spm=FILE"));
}

TEST_F(EvaluateCommand, PiecesOfAGivenModel) {
  const std::string model = folder_ / "mine.model";
  const ProgramResult made = run_program(
      {kGlossBinary, "vocab", "--input", reference_, "--size", "40", "--output", model, "--quiet"});
  ASSERT_EQ(made.status, 0) << made.errors;
  const ProgramResult result = evaluate({reference_, "-i", first_, "-tok", "spm=" + model, "-f", "text"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "|tok:spm-mine-")) << result.output;
  // sacreBLEU's tokenizers split text into pieces in the same way, and their signature is their name.
  const ProgramResult flores =
      evaluate({reference_, "-i", first_, "-tok", "flores200=" + model, "-f", "text"});
  EXPECT_TRUE(has(flores.output, "|tok:flores200|")) << flores.output << flores.errors;
  const auto score = [](const std::string& output) { return output.substr(output.find(" = ")); };
  EXPECT_EQ(score(flores.output), score(result.output));
  const ProgramResult pieces =
      run_program({kGlossBinary, "encode", "-t", model, "--output-type", "piece"}, folder_.read("first"));
  EXPECT_EQ(pieces.status, 0) << pieces.errors;
  const ProgramResult by_hand = evaluate(
      {folder_.write("pieces",
                     run_program({kGlossBinary, "encode", "-t", model}, folder_.read("reference")).output),
       "-i", folder_.write("own", pieces.output), "-tok", "none", "-f", "text"});
  EXPECT_EQ(score(by_hand.output), score(result.output));
}

// MeCab and its dictionary may be missing: then the message says what to install.
TEST_F(EvaluateCommand, JapaneseNeedsMecab) {
  const std::string text = folder_.write("ja", "今日は天気がいいですね。\n");
  const ProgramResult result = evaluate({text, "-i", text, "-tok", "ja-mecab", "-f", "text"});
  if (result.status == 0) {
    EXPECT_TRUE(has(result.output, "tok:ja-mecab-0.996-IPA")) << result.output;
    EXPECT_TRUE(has(result.output, "ref_len = 8)")) << result.output;
    EXPECT_EQ(evaluate({text, "-i", text, "-l", "en-ja", "-f", "text"}).output, result.output);
  } else {
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(has(result.errors, "apt-get install libmecab2 mecab-ipadic-utf8")) << result.errors;
  }
}

// p-values and intervals that a program of its own computed with NumPy from counts of its own.
TEST_F(EvaluateCommand, PairedTestsAgreeWithNumpy) {
  GLOSS_NEED_SHARED_DATA(data, "wmt17_en_de");
  std::vector<std::string> command{*data + "/ref.de", "-tok", "none", "--force", "-i"};
  for (const char* name :
       {"LMU-nmt-single.4893", "online-B.0", "LMU-nmt-reranked.4934", "RWTH-nmt-ensemble.4921"}) {
    command.push_back(*data + "/systems/newstest2017." + name + ".en-de.txt");
  }
  command.push_back("--paired-bs");
  const auto bootstrap = nlohmann::json::parse(evaluate(command).output);
  const double p_values[] = {0, 0.24275724275724275, 0.001998001998001998, 0.030969030969030968};
  const double means[] = {21.496721216180166, 21.57250612846008, 21.96609120213205, 21.105241948546446};
  const double widths[] = {0.6335609274610547, 0.6304838310704302, 0.6575489828541716, 0.6142377673385138};
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) {
      EXPECT_DOUBLE_EQ(bootstrap[i]["BLEU"]["p_value"], p_values[i]);
    }
    EXPECT_NEAR(bootstrap[i]["BLEU"]["mean"], means[i], 1e-13);
    EXPECT_NEAR(bootstrap[i]["BLEU"]["ci"], widths[i], 1e-13);
  }
  command.back() = "--paired-ar";
  const auto randomization = nlohmann::json::parse(evaluate(command).output);
  const double randomized[] = {0, 0.6931306869313069, 0.000999900009999, 0.09709029097090291};
  for (std::size_t i = 1; i < 4; ++i) EXPECT_DOUBLE_EQ(randomization[i]["BLEU"]["p_value"], randomized[i]);
}

}  // namespace
}  // namespace gloss
