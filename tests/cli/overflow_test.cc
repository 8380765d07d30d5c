// SPDX-License-Identifier: Apache-2.0
// Models whose weights are finite, but so large that sums overflow.
#include <gtest/gtest.h>

#include "model/tensor/can_multiply.h"
#include "tests/support/has.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

class Overflow : public UntrainedModels {
 protected:
  /// Writes a model in whose matrix and norm gain, the first with these names, a number is huge.
  std::string with_huge(const std::string& matrix, const std::string& gain) const {
    const Subwords subwords = Subwords::from_bytes(
        subword_model("", {}, {"▁", "a", "t", "h", "e", "s", "m", "c", "o", "n", ".", "d", "g"}),
        "characters");
    const NetworkSettings settings = small_network(subwords, subwords);
    Parameters parameters;
    const auto network = make_network(settings, parameters);
    Random random(3);
    parameters.initialise(random);
    int changed = 0;
    for (const auto& entry : parameters.entries()) {
      if (entry.name != matrix && entry.name != gain) continue;
      parameters.values()[static_cast<std::size_t>(entry.offset)] = 3e38f;
      ++changed;
    }
    EXPECT_EQ(changed, 2) << names(parameters);
    const std::string path = files / (matrix + gain);
    std::filesystem::create_directory(path);
    write_model(path, settings, parameters, {{"text", text_settings({Normalization::nfkc})}},
                tokenizer_files(subwords, subwords));
    return path;
  }
  static std::string names(const Parameters& parameters) {
    std::string all;
    for (const auto& entry : parameters.entries()) all += entry.name + "\n";
    return all;
  }

  TemporaryDirectory files;
};

TEST_F(Overflow, EndsTheCommandInEveryPrecision) {
  const std::string model =
      with_huge("encoder.0.feed_forward.inner.weight", "encoder.0.self_attention.norm.weight");
  std::vector<std::string> precisions{"f32", "int8", "auto"};
  if (can_multiply(DType::bf16)) precisions.push_back("bf16");
  for (const std::string& precision : precisions) {
    const ProgramResult result =
        run_program({kGlossBinary, "translate", "-m", model, "--precision", precision}, "the cat\n");
    EXPECT_EQ(result.status, 3) << precision << ": " << result.errors;
    EXPECT_EQ(result.output, "") << precision;
    EXPECT_NE(result.errors.find("scores are not finite"), std::string::npos) << result.errors;
  }
}

TEST_F(Overflow, TheMessageNamesTheLinesAndTheModel) {
  const std::string model =
      with_huge("encoder.0.feed_forward.inner.weight", "encoder.0.self_attention.norm.weight");
  const std::string text = files.write("text", "the cat\nthe cat sat\n");
  const auto message = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {kGlossBinary, "translate", "--precision", "f32"});
    const ProgramResult result = run_program(options, "the cat\n");
    EXPECT_EQ(result.status, 3) << result.errors;
    return result.errors;
  };
  EXPECT_TRUE(has(message({"-m", model}), "standard input:1: "));
  EXPECT_TRUE(has(message({"-m", model, "--", text}), concat(text, ":1 to ", text, ":2: ")));
  EXPECT_TRUE(has(message({"-m", *folder / "a", model}), "model 2 of the ensemble"));
}

}  // namespace
}  // namespace gloss
