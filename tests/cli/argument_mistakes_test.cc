// SPDX-License-Identifier: Apache-2.0
// What the program says to wrong values of options and to arguments without an option.
#include "tests/cli/refused_commands.h"

namespace gloss {
namespace {

using Words = std::vector<std::string>;
using ArgumentMistakes = RefusedCommands;

TEST_F(ArgumentMistakes, WeightsOutOfRangeAreNamedWithTheirLine) {
  const std::string errors = refusal(
      {"translate", "--config", folder.write("weights", "ensemble-weights = 1\nensemble-weights = 0\n")});
  EXPECT_TRUE(has(errors, "weights:2: --ensemble-weights") && has(errors, "'0'")) << errors;
}

TEST_F(ArgumentMistakes, ATranslationAmongTheReferencesIsNamed) {
  const ProgramResult result = run_program({kGlossBinary, "evaluate", text, more});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(has(result.errors, "-i " + more)) << result.errors;
}

TEST_F(ArgumentMistakes, ADirectoryIsNoFileAndAFileNoDirectory) {
  const auto fails = [](Words words, int status, const std::string& named) {
    words.insert(words.begin(), kGlossBinary);
    const ProgramResult result = run_program(words);
    EXPECT_EQ(result.status, status) << join(words, " ") << ": " << result.errors;
    EXPECT_TRUE(has(result.errors, named) && has(result.errors, "directory")) << result.errors;
  };
  fails({"evaluate", model, "-i", text}, 3, model);
  fails({"encode", "-t", model, text}, 3, model);
  fails({"info", text}, 3, text);
  fails({"average", text, "-o", folder / "mean"}, 3, text);
  fails({"translate", "-m", text, more}, 3, text);
  fails({"vocab", "-i", text, "-o", model}, 1, model);
  fails({"compare", text, more, text, "--html", model}, 1, model);
  const std::string file = folder.write("file", "");
  fails({"train", "--source", text, "--target", more, "-o", file}, 1, file);
}

TEST_F(ArgumentMistakes, AnOptionWithoutItsValueIsNamed) {
  for (const Words& words : {Words{"translate", "--beam-size"}, Words{"translate", "--beam-size="},
                             Words{"translate", "--beam-size", "--quiet"}}) {
    EXPECT_TRUE(has(refusal(words), "--beam-size needs a value")) << join(words, " ");
  }
  const std::string empty = refusal({"translate", "-m", "", "--input", text});
  EXPECT_TRUE(has(empty, "-m: ") && has(empty, "empty") && has(empty, "DIR")) << empty;
  EXPECT_TRUE(has(refusal({"translate", "--no-quiet=true"}), "--no-quiet takes no value"));
  EXPECT_TRUE(has(refusal({"translate", "--no-quiet", "true"}), "--no-quiet takes no value"));
}

TEST_F(ArgumentMistakes, ValuesAreSuggested) {
  const std::string cases[][4] = {{"translate", "--precision", "fp32", "f32"},
                                  {"translate", "--precision", "float32", "f32"},
                                  {"translate", "--precision", "INT8", "int8"},
                                  {"translate", "--precision", "fp16", "bf16"},
                                  {"train", "--precision", "float16", "bf16"},
                                  {"train", "--schedule", "inverse-sqrt", "inverse_sqrt"},
                                  {"train", "--schedule", "noam", "inverse_sqrt"},
                                  {"train", "--preset", "samll", "small"},
                                  {"vocab", "--type", "BPE", "bpe"},
                                  {"evaluate", "--format", "jsn", "json"}};
  for (const auto& [command, option, value, meant] : cases) {
    const std::string errors = refusal({command, option, value});
    EXPECT_TRUE(has(errors, "'" + value + "'") && has(errors, "expected one of")) << errors;
    EXPECT_TRUE(has(errors, "did you mean '" + meant + "'")) << errors;
  }
  const std::string other = refusal({"translate", "--precision", "exact"});
  EXPECT_TRUE(has(other, "auto, f32, bf16, int8") && !has(other, "did you mean")) << other;
}

TEST_F(ArgumentMistakes, RangesArePrintedInFull) {
  const std::string errors = refusal({"translate", "--sample", "--seed", "x"});
  EXPECT_TRUE(has(errors, "from 0 to 9000000000000000000")) << errors;
}

TEST_F(ArgumentMistakes, PlainArgumentsAreGivenTheirOptions) {
  const std::string both = concat("--source ", text, " --target ", more);
  EXPECT_TRUE(has(refusal({"align", "-m", model, text, more}), concat("'", both, "'")));
  EXPECT_TRUE(has(refusal({"score", "-m", model, text, more}), concat("'", both, "'")));
  EXPECT_TRUE(has(refusal({"train", text, more}), concat("'", both, "'")));
  EXPECT_TRUE(has(refusal({"align", model, text, more}), concat("'--model ", model, " ", both, "'")));
  EXPECT_TRUE(has(refusal({"vocab", text, more}), concat("'--input ", text, " ", more, "'")));
  EXPECT_TRUE(has(refusal({"quantize", model, "out"}), concat("'--model ", model, " --output out'")));
  EXPECT_TRUE(has(refusal({"vocab", "a b", "$c"}), "'--input a\\ b \\$c'"));
  const std::string second = refusal({"quantize", "-m", model, "-o", "x", "b"});
  EXPECT_TRUE(has(second, "'b'") && has(second, "one --model") && !has(second, "did you mean")) << second;
}

TEST_F(ArgumentMistakes, AModelWithoutItsOptionIsRecognised) {
  for (const char* command : {"translate", "generate", "fill", "classify", "embed"}) {
    for (const Words& words : {Words{command, model, text}, Words{command, text, model}}) {
      const std::string errors = refusal(words);
      EXPECT_TRUE(has(errors, concat("'gloss ", command, " -m ", model, " ", text, "'"))) << errors;
    }
  }
}

TEST_F(ArgumentMistakes, TheSuggestedCommandCanBePasted) {
  const std::string spaced = folder / "my model";
  std::filesystem::create_directory(spaced);
  const std::string errors = refusal({"translate", spaced, "it's (1).txt", "~ä"});
  EXPECT_TRUE(has(errors, concat("-m ", folder.path(), "/my\\ model it\\'s\\ \\(1\\).txt \\~ä'"))) << errors;
}

TEST_F(ArgumentMistakes, AnEmptyArgumentIsRefused) {
  for (const Words& words :
       {Words{"evaluate", "", "-i", text}, Words{"evaluate", text, "", "-i", text}, Words{"plot", ""},
        Words{"info", ""}, Words{"average", model, "", "-o", folder / "mean"}, Words{"compare", text, ""}}) {
    const std::string errors = refusal(words);
    EXPECT_TRUE(has(errors, "empty argument") && !has(errors, "did you mean")) << errors;
  }
  EXPECT_TRUE(has(refusal({"plot", ""}), "RUN"));
}

TEST_F(ArgumentMistakes, AReferenceAfterMetricsIsNotOneOfThem) {
  const std::string errors = refusal({"evaluate", "-m", "bleu", text});
  EXPECT_TRUE(has(errors, "--metrics (-m)")) << errors;
}

TEST_F(ArgumentMistakes, MetricsMayBeInCapitals) {
  const std::string lower =
      run_program({kGlossBinary, "evaluate", text, "-i", more, "-m", "bleu", "chrf"}).output;
  const ProgramResult capitals =
      run_program({kGlossBinary, "evaluate", text, "-i", more, "-m", "BLEU", "chrF"});
  EXPECT_EQ(capitals.status, 0) << capitals.errors;
  EXPECT_EQ(capitals.output, lower);
  EXPECT_EQ(run_program({kGlossBinary, "compare", text, more, text, "-m", "TER"}).status, 0);
}

TEST_F(ArgumentMistakes, AnEmptyShardIsNotTheWhole) {
  for (const Words& words : {Words{"translate", "-m", model, "-i", text, "--shard", ""},
                             Words{"score", "-m", model, "--input", text, "--shard", ""}}) {
    const std::string errors = refusal(words);
    EXPECT_TRUE(has(errors, "--shard") && has(errors, "I/N")) << errors;
  }
}

TEST_F(ArgumentMistakes, AHyphenIsNoNameOfALogOrAPage) {
  for (const Words& words : {Words{"encode", "-t", model, "--log-json", "-", text},
                             Words{"align", "-m", model, "--source", text, "--target", more, "--html", "-"},
                             Words{"compare", text, more, more, "--html", "-"}}) {
    const std::string errors = refusal(words);
    EXPECT_TRUE(has(errors, "found '-'") && has(errors, "/dev/stderr")) << errors;
  }
  EXPECT_FALSE(std::filesystem::exists("-"));
}

}  // namespace
}  // namespace gloss
