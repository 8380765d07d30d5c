// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

ProgramResult evaluate(std::vector<std::string> arguments, const std::string& input = "",
                       const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), {kGlossBinary, "evaluate"});
  return run_program(arguments, input, environment);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A reference of twelve lines and two systems.
class EvaluateCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string reference, first, second;
    for (int i = 0; i < 12; ++i) {
      const std::string number = std::to_string(i % 5);
      reference += "the cat number " + number + " sat on the mat.\n";
      first += "the cat number " + number + " sat on a mat.\n";
      second += i % 2 == 0 ? "the cat number " + number + " sat on the mat.\n" : "a dog sat there.\n";
    }
    reference_ = folder_.write("reference", reference);
    first_ = folder_.write("first", first);
    second_ = folder_.write("second", second);
    first_text_ = first;
  }
  TemporaryDirectory folder_;
  std::string reference_, first_, second_, first_text_;
};

TEST_F(EvaluateCommand, ScoresAFileOrStandardInput) {
  const std::string reference = folder_.write("ref", "the cat sat on the mat\n");
  const std::string hypothesis = folder_.write("hyp", "the cat sat on a mat\n");
  const ProgramResult file =
      evaluate({reference, "-i", hypothesis, "-m", "bleu", "-tok", "13a", "-b", "-w", "4"});
  EXPECT_EQ(file.status, 0) << file.errors;
  EXPECT_EQ(file.output, "53.7285\n");
  EXPECT_EQ(file.errors, "");
  const ProgramResult standard = evaluate({reference, "-b", "-w", "4"}, "the cat sat on a mat\n");
  EXPECT_EQ(standard.output, file.output);
  const ProgramResult stdin_reference =
      evaluate({"-", "-i", hypothesis, "-b", "-w", "4"}, "the cat sat on the mat\n");
  EXPECT_EQ(stdin_reference.output, file.output);
}

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

TEST_F(EvaluateCommand, TextIsAlignedAtTheEqualsSign) {
  const ProgramResult result = evaluate({reference_, "-i", first_, "-m", "bleu", "chrf", "-f", "text"});
  EXPECT_EQ(result.output.find("  BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:gloss-"), 0u)
      << result.output;
  const std::size_t line = result.output.find('\n') + 1;
  EXPECT_EQ(result.output.find('='), result.output.find('=', line) - line);
  EXPECT_TRUE(
      has(result.output.substr(line), "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:gloss-"));
  const ProgramResult short_names = evaluate({reference_, "-i", first_, "-f", "text", "--short"});
  EXPECT_EQ(short_names.output.find("BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:gloss-"), 0u);
  const ProgramResult variable = evaluate({reference_, "-i", first_}, "", {"SACREBLEU_FORMAT=text"});
  EXPECT_EQ(variable.output.find("BLEU|nrefs:1"), 0u);
}

TEST_F(EvaluateCommand, SentenceLevel) {
  const ProgramResult result = evaluate({reference_, "-i", second_, "-sl", "-b"});
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 12);
  EXPECT_EQ(result.output.substr(0, 6), "100.0\n");
  const ProgramResult full = evaluate({reference_, "-i", second_, "-sl", "-m", "bleu"});
  EXPECT_TRUE(has(full.output, "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a")) << full.output;
  EXPECT_EQ(evaluate({reference_, "-i", second_, "-sl", "-m", "bleu", "ter"}).status, 2);
  EXPECT_EQ(evaluate({reference_, "-i", first_, second_, "-sl"}).status, 2);
}

TEST_F(EvaluateCommand, SeveralSystemsMakeATable) {
  const ProgramResult text = evaluate({reference_, "-i", first_, second_, "-m", "bleu", "ter", "-f", "text"});
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_TRUE(has(text.output, "╒═")) << text.output;
  EXPECT_TRUE(has(text.output, "Metric signatures\n-----------------\n - BLEU       nrefs:1")) << text.output;
  EXPECT_FALSE(has(text.output, "\x1b"));
  const ProgramResult latex = evaluate({reference_, "-i", first_, second_, "-f", "latex"});
  EXPECT_EQ(latex.output.find("\\begin{tabular}{rc}\n\\toprule\n"), 0u) << latex.output;
  const auto objects = nlohmann::json::parse(evaluate({reference_, "-i", first_, second_}).output);
  EXPECT_EQ(objects[1]["system"], second_);
  EXPECT_TRUE(objects[1]["BLEU"].is_string());
  const ProgramResult columns = evaluate({reference_, "-f", "json", "--force"}, [&] {
    std::string both;
    for (std::size_t at = 0; at < first_text_.size();) {
      const std::size_t end = first_text_.find('\n', at);
      both += first_text_.substr(at, end - at) + "\t\n";
      at = end + 1;
    }
    return both.replace(both.find('\t'), 1, "\tx");  // the first line decides on the number of systems
  }());
  EXPECT_EQ(columns.status, 0) << columns.errors;
  EXPECT_EQ(nlohmann::json::parse(columns.output)[1]["system"], "System 2");
}

TEST_F(EvaluateCommand, PairedTests) {
  const auto bootstrap = nlohmann::json::parse(
      evaluate({reference_, "-i", first_, second_, "--paired-bs", "-pbsn", "200"}).output);
  EXPECT_EQ(bootstrap[0]["system"], "Baseline: " + first_);
  EXPECT_TRUE(bootstrap[0]["BLEU"]["p_value"].is_null());
  EXPECT_GT(bootstrap[1]["BLEU"]["p_value"], 0);
  EXPECT_GT(bootstrap[1]["BLEU"]["ci"], 0);
  const ProgramResult randomization = evaluate(
      {reference_, "-i", first_, second_, first_, "--paired-ar", "--paired-ar-n", "100", "-f", "text"});
  EXPECT_EQ(randomization.status, 0);
  EXPECT_TRUE(has(randomization.errors, "ignoring")) << randomization.errors;
  EXPECT_TRUE(has(randomization.output, "Paired approximate randomization test with 100 trials"));
  EXPECT_TRUE(has(randomization.output, "|ar:100|seed:12345|"));
  EXPECT_EQ(evaluate({reference_, "-i", first_, "--paired-bs"}).status, 2);
  EXPECT_EQ(evaluate({reference_, "-i", first_, second_, "--paired-bs", "--paired-ar"}).status, 2);
  EXPECT_EQ(evaluate({reference_, "-i", first_, second_, "--confidence"}).status, 2);
  EXPECT_EQ(evaluate({reference_, "-i", first_, second_, second_}).status, 2);
}

TEST_F(EvaluateCommand, ConfidenceRepeatsAndDependsOnTheSeed) {
  const std::vector<std::string> command{reference_, "-i", second_, "--confidence", "-f", "text", "-w", "6"};
  const std::string one = evaluate(command).output, again = evaluate(command).output;
  EXPECT_EQ(one, again);
  EXPECT_TRUE(has(one, "|bs:1000|seed:12345|")) << one;
  EXPECT_TRUE(has(one, "(μ = ")) << one;
  const std::string other = evaluate(command, "", {"SACREBLEU_SEED=7"}).output;
  EXPECT_TRUE(has(other, "seed:7")) << other;
  EXPECT_NE(other.substr(other.find("(μ")), one.substr(one.find("(μ")));
  EXPECT_TRUE(has(evaluate(command, "", {"SACREBLEU_SEED=None"}).output, "seed:none"));
  EXPECT_EQ(evaluate(command, "", {"SACREBLEU_SEED=seven"}).status, 2);
}

TEST_F(EvaluateCommand, ThreadsDoNotChangeResults) {
  std::vector<std::string> command{reference_, "-i",   first_, second_,      "-m",
                                   "bleu",     "chrf", "ter",  "--paired-bs"};
  command.insert(command.end(), {"-j", "1"});
  const std::string one = evaluate(command).output;
  command.back() = "3";
  EXPECT_EQ(evaluate(command).output, one);
}

TEST_F(EvaluateCommand, ResamplesWholeDocuments) {
  std::string ids;
  for (int i = 0; i < 12; ++i) ids += i < 6 ? "a\n" : "b\n";
  const std::string documents = folder_.write("ids", ids);
  const ProgramResult result =
      evaluate({reference_, "-i", first_, second_, "--paired-bs", "--documents", documents, "-f", "text"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "|unit:document|")) << result.output;
  const ProgramResult one =
      evaluate({reference_, "-i", second_, "--confidence", "--documents", documents, "-b"});
  EXPECT_TRUE(has(one.output, "± 0.")) << one.output;
  EXPECT_EQ(evaluate({reference_, "-i", second_, "--documents", folder_.write("few", "a\n")}).status, 3);
}

TEST_F(EvaluateCommand, SeveralReferences) {
  const std::string one = folder_.write("one", "a b c d\ne f g h\n"),
                    two = folder_.write("two", "x\ne f g i\n");
  const std::string columns = folder_.write("columns", "a b c d\tx\ne f g h\te f g i\n");
  const std::string varying = folder_.write("varying", "a b c d\ne f g h\te f g i\n");
  const std::string hypothesis = folder_.write("h", "a b c d\ne f g i\n");
  for (const std::string metric : {"bleu", "chrf", "ter"}) {
    const std::string files =
        evaluate({one, two, "-i", hypothesis, "-m", metric, "-f", "text", "-w", "6"}).output;
    EXPECT_TRUE(has(files, "nrefs:2")) << files;
    EXPECT_EQ(evaluate({columns, "-nr", "2", "-i", hypothesis, "-m", metric, "-f", "text", "-w", "6"}).output,
              files);
  }
  const std::string few = evaluate({varying, "--num-refs", "2", "-i", hypothesis, "-f", "text"}).output;
  EXPECT_TRUE(has(few, "nrefs:var")) << few;
  EXPECT_TRUE(has(few, "= 100.0")) << few;
  EXPECT_EQ(evaluate({one, two, "-nr", "2", "-i", hypothesis}).status, 2);
}

TEST_F(EvaluateCommand, ReportsInvalidInput) {
  const ProgramResult unequal = evaluate({folder_.write("two", "a\nb\n")}, "a\n");
  EXPECT_EQ(unequal.status, 3);
  EXPECT_TRUE(has(unequal.errors, "2 lines") && has(unequal.errors, "has 1")) << unequal.errors;
  EXPECT_EQ(unequal.output, "");
  const ProgramResult transposed = evaluate({folder_.write("row", "a\tb\tc\n")}, "a\nb\nc\n");
  EXPECT_EQ(transposed.status, 3);
  EXPECT_TRUE(has(transposed.errors, "3 columns")) << transposed.errors;
  const ProgramResult one_segment = evaluate({folder_.write("row", "a\tb\tc\n"), "-nr", "3"}, "a\n");
  EXPECT_EQ(one_segment.status, 0);
  EXPECT_TRUE(has(one_segment.errors, "only one segment")) << one_segment.errors;
  const ProgramResult uneven = evaluate({reference_}, "a\tb\nc\n");
  EXPECT_EQ(uneven.status, 3);
  EXPECT_TRUE(has(uneven.errors, "line 2")) << uneven.errors;
  const ProgramResult empty = evaluate({folder_.write("empty", "a\n\n")}, "a\nb\n");
  EXPECT_TRUE(has(empty.errors, "empty reference")) << empty.errors;
  EXPECT_EQ(evaluate({reference_}, "").status, 3);
  EXPECT_EQ(evaluate({folder_ / "missing"}, "a\n").status, 3);
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

TEST_F(EvaluateCommand, WarnsOfUnsuitableTokenization) {
  EXPECT_TRUE(has(evaluate({reference_, "-i", first_, "-tok", "none"}).errors, "untokenised"));
  EXPECT_EQ(evaluate({reference_, "-i", first_, "-tok", "none", "--force"}).errors, "");
  const std::string tokenised = folder_.write("tok", "a b .\nc d .\n");
  EXPECT_TRUE(has(evaluate({tokenised, "-i", tokenised}).errors, "tokenised already"));
  EXPECT_EQ(evaluate({tokenised, "-i", tokenised, "-tok", "none"}).errors, "");
  EXPECT_EQ(evaluate({tokenised, "-i", tokenised, "-m", "chrf"}).errors, "");
}

TEST_F(EvaluateCommand, CompressedInput) {
  const std::string packed = folder_ / "ref.gz";
  gzFile file = gzopen(packed.c_str(), "wb");
  const std::string text = folder_.read("reference");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  EXPECT_EQ(evaluate({packed, "-i", first_}).output, evaluate({reference_, "-i", first_}).output);
}

TEST_F(EvaluateCommand, NastyLinesAreScored) {
  using namespace std::string_literals;
  const std::string nasty = "\0a b\r\n\xff\xfe x\na\u2028b c\u0085d\n\n   \n"s + std::string(100000, 'y') +
                            "\n</s> & <skipped>\nno newline"s;
  const std::string file = folder_.write("nasty", nasty);
  for (const std::string metric : {"bleu", "chrf", "ter"}) {
    const ProgramResult result = evaluate({file, "-i", file, "-m", metric, "-b"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.output, metric == "ter" ? "0.0\n" : "100.0\n");
    EXPECT_TRUE(has(result.errors, "UTF-8")) << result.errors;
  }
}

TEST_F(EvaluateCommand, MistakesOnTheCommandLine) {
  EXPECT_EQ(evaluate({}).status, 2);
  EXPECT_TRUE(has(evaluate({reference_, "-tok", "14a"}, "a\n").errors, "did you mean '13a'"));
  EXPECT_TRUE(has(evaluate({reference_, "-m", "blue"}, "a\n").errors, "did you mean 'bleu'"));
  EXPECT_EQ(evaluate({"-"}, "a\n").status, 2);  // references and translations from the same stream
  EXPECT_EQ(evaluate({reference_, "-i", first_, "-e", "latin-1"}).status, 2);
  EXPECT_EQ(evaluate({reference_, "-i", first_, "-tok", "spm"}).status, 2);
  EXPECT_EQ(evaluate({reference_, "-i", first_, "-tok", "spm=" + reference_}).status, 3);
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
