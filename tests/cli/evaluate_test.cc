// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/evaluate_command.h"

namespace gloss {
namespace {

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

TEST_F(EvaluateCommand, SentenceLevelAsJsonIsAnObjectPerLine) {
  const ProgramResult json = evaluate({reference_, "-i", second_, "-sl", "-f", "json", "-w", "2"});
  EXPECT_EQ(json.status, 0) << json.errors;
  const std::string scores = evaluate({reference_, "-i", second_, "-sl", "-b", "-w", "2"}).output;
  std::istringstream lines(json.output), numbers(scores);
  std::string line, number;
  int count = 0;
  for (; std::getline(lines, line) && std::getline(numbers, number); ++count) {
    const auto object = nlohmann::json::parse(line);
    EXPECT_EQ(object["line"], count);
    EXPECT_EQ(object["name"], "BLEU");
    EXPECT_EQ(object["score"], std::stod(number));
    EXPECT_EQ(object["eff"], "yes");
  }
  EXPECT_EQ(count, 12);
  EXPECT_EQ(evaluate({reference_, "-i", second_, "-sl"}, "", {"SACREBLEU_FORMAT=json"}).output,
            evaluate({reference_, "-i", second_, "-sl", "-f", "json"}).output);
}

TEST_F(EvaluateCommand, NotesOptionsOfOtherFormats) {
  const ProgramResult text = evaluate({reference_, "-i", first_, "-f", "text"}),
                      latex = evaluate({reference_, "-i", first_, "-f", "latex"});
  EXPECT_EQ(latex.output, text.output);
  EXPECT_TRUE(has(latex.errors, "--format latex")) << latex.errors;
  EXPECT_EQ(text.errors, "");
  EXPECT_TRUE(has(evaluate({reference_, "-i", first_, "--short"}).errors, "--short"));
  EXPECT_EQ(evaluate({reference_, "-i", first_, "--short", "-f", "text"}).errors, "");
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

TEST_F(EvaluateCommand, WarnsOfUnsuitableTokenization) {
  EXPECT_TRUE(has(evaluate({reference_, "-i", first_, "-tok", "none"}).errors, "untokenised"));
  EXPECT_EQ(evaluate({reference_, "-i", first_, "-tok", "none", "--force"}).errors, "");
  const std::string tokenised = folder_.write("tok", "a b .\nc d .\n");
  EXPECT_TRUE(has(evaluate({tokenised, "-i", tokenised}).errors, "tokenised already"));
  EXPECT_EQ(evaluate({tokenised, "-i", tokenised, "-tok", "none"}).errors, "");
  EXPECT_EQ(evaluate({tokenised, "-i", tokenised, "-m", "chrf"}).errors, "");
}

TEST_F(EvaluateCommand, WarnsOnceOfEachFileAndOnceOfAllTokenisedSystems) {
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const std::string marked = folder_.write("marked",
                                           "\xEF\xBB\xBF"
                                           "a \xFF b .\nc d .\n"),
                    other = folder_.write("other", "a b .\nc d .\n");
  const std::string errors =
      evaluate({marked, "-i", marked, other, "-m", "bleu", "chrf", "ter", "--documents", marked}).errors;
  EXPECT_EQ(count(errors, "byte order mark"), 1) << errors;
  EXPECT_EQ(count(errors, "not valid UTF-8"), 1) << errors;
  EXPECT_EQ(count(errors, "tokenised already"), 1) << errors;
  EXPECT_TRUE(has(errors, marked + " (2 lines)") && has(errors, other + " (2 lines)")) << errors;
}

TEST_F(EvaluateCommand, NotesConvertedText) {
  std::string utf16 = "\xFF\xFE";
  for (const char c : first_text_) utf16 += {c, '\0'};
  const std::string system = folder_.write("utf16", utf16);
  const ProgramResult expected = evaluate({reference_, "-i", first_});
  const ProgramResult result = evaluate({reference_, "-i", system});
  EXPECT_EQ(result.output, expected.output);
  EXPECT_TRUE(has(result.errors, system) && has(result.errors, "UTF-16LE")) << result.errors;
  const ProgramResult quiet = evaluate({reference_, "-i", system, "-q"});
  EXPECT_EQ(quiet.errors, "");
  const ProgramResult source =
      run_program({kGlossBinary, "compare", reference_, first_, "--source", system, "--html", folder_ / "x"});
  EXPECT_TRUE(has(source.errors, system) && has(source.errors, "UTF-16LE")) << source.errors;
  EXPECT_TRUE(has(folder_.read("x"), "the cat number 0 sat on a mat"));
}

TEST_F(EvaluateCommand, NamesOfFilesReachTheTerminalWithEscapes) {
  const std::string evil = folder_.write("evil\x1b[2J\u202E\nname", first_text_);
  const std::vector<std::vector<std::string>> commands{
      {"evaluate", reference_, "-i", evil, second_, "-f", "text"},
      {"evaluate", reference_, "-i", evil, second_, "-f", "latex"},
      {"evaluate", reference_, "-i", evil, second_, "-f", "text", "--paired-bs"},
      {"compare", reference_, evil, second_, "--length-groups", "2"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.begin(), kGlossBinary);
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.status, 0) << result.errors;
    for (const char* raw : {"\x1b", "\u202E", "\nname"})
      EXPECT_FALSE(has(result.output, raw)) << result.output;
    EXPECT_TRUE(has(result.output, "x1b[2J")) << result.output;
  }
  const std::string labels = folder_.write("labels", "a\x1b[2J\nb\n");
  const ProgramResult result = evaluate({labels, "-i", labels, "--task", "classify", "-f", "text"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(has(result.output, "\x1b")) << result.output;
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

}  // namespace
}  // namespace gloss
