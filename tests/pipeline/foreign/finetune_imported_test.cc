// SPDX-License-Identifier: Apache-2.0
// Fine-tuning of models of other programs.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

struct FinetuneImported : testing::Test {
  FinetuneImported() {
    folder.write("a", "the cat\non a mat\n");
    folder.write("b", "a mat\nthe cat sat\n");
    MarianModel model;  // with norms before branches, and without a begin token
    model.make_pre_norm();
    model.write(foreign);
  }
  ProgramResult gloss(std::vector<std::string> words) const {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, "the cat\n");
  }
  ProgramResult finetune(const std::string& updates, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"finetune", "-m",         foreign,       "--source",     folder / "a",
                                   "--target", folder / "b", "-o",          folder / "run", "--max-updates",
                                   updates,    "--schedule", "inverse_sqrt"};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words);
  }
  nlohmann::json network_of(const std::string& model) const {
    return read_json(folder / model + "/config.json").at("network");
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign";
};

TEST_F(FinetuneImported, SearchesAsItTrains) {
  const ProgramResult imported = gloss({"import", foreign, "-o", folder / "own"});
  ASSERT_EQ(imported.status, 0) << imported.errors;
  EXPECT_EQ(network_of("own").at("raw_past"), true);
  ASSERT_EQ(finetune("2").status, 0);
  const nlohmann::json tuned = network_of("run/best");
  EXPECT_EQ(tuned.value("raw_past", false), false);
  EXPECT_EQ(tuned.at("begin_token"), -1);
  EXPECT_EQ(gloss({"translate", "-m", folder / "run"}).status, 0);
}

TEST_F(FinetuneImported, Continues) {
  ASSERT_EQ(finetune("2").status, 0);
  const ProgramResult more = finetune("3");
  ASSERT_EQ(more.status, 0) << more.errors;
  const std::string weights = read_file(folder / "run/best/model.safetensors");
  ASSERT_EQ(finetune("3", {"--fresh"}).status, 0);
  EXPECT_TRUE(read_file(folder / "run/best/model.safetensors") == weights) << "as without a pause";
}

/// As OPUS-MT: two models that split text, and one vocabulary of ids.
TEST_F(FinetuneImported, TwoSplittersMayShareEmbeddings) {
  HuggingFaceMarian model;
  model.files["target.spm"] = cat_model(model_piece("a mat"));
  std::filesystem::remove_all(foreign);
  model.write(foreign);
  const ProgramResult first = finetune("2"), more = finetune("3", {"--dropout", "0.1"});
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_TRUE(has(first.errors, "15 source and 15 target pieces (shared)")) << first.errors;
  ASSERT_EQ(more.status, 0) << more.errors;
  EXPECT_EQ(network_of("run/best").at("tied_embeddings"), "all");
  EXPECT_NE(read_file(folder / "run/best/source.model"), read_file(folder / "run/best/target.model"));
  const std::string best = folder / "run/best";
  EXPECT_EQ(gloss({"quantize", "-m", best, "--type", "int8", "-o", folder / "small"}).status, 0);
  EXPECT_EQ(gloss({"average", folder / "run", "-o", folder / "mean"}).status, 0);
  const auto translation = [&](const std::string& of) {
    const ProgramResult result = gloss({"translate", "-m", of, "--n-best", "2", "--precision", "f32"});
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  };
  const std::string expected = translation(best);
  for (const std::string format : {"huggingface", "ctranslate2"}) {
    const ProgramResult exported = gloss({"export", "-m", best, "--format", format, "-o", folder / format});
    EXPECT_EQ(exported.status, 0) << exported.errors;
    EXPECT_FALSE(translation(folder / format).empty());
  }
  EXPECT_EQ(translation(folder / "huggingface"), expected);
}

TEST_F(FinetuneImported, SettingsOfImportedModelsAreNoOptions) {
  for (const std::string command : {"train", "finetune"}) {
    const ProgramResult result = gloss({command, "--raw-past", "--output", folder / "run"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.errors, "'--raw-past'")) << result.errors;
  }
}

}  // namespace
}  // namespace gloss
