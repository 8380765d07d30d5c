// SPDX-License-Identifier: Apache-2.0
// Models of other programs that commands use without `gloss import`.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "base/files.h"
#include "tests/pipeline/foreign/foreign_model_use.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

TEST_F(ForeignModelUse, TranslatesAsTheImportedModel) {
  ASSERT_EQ(gloss({"import", foreign, "-o", own}).status, 0);
  const std::string expected = translation(own);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(translation(foreign), expected);
  EXPECT_EQ(names_in(temporary).size(), 0u);
}

TEST_F(ForeignModelUse, IsAnOrdinaryModelForEveryCommand) {
  const std::vector<std::string> pair{"--source", folder / "a", "--target", folder / "b"};
  for (const std::string command : {"score", "align"}) {
    std::vector<std::string> words{command, "-m", foreign};
    words.insert(words.end(), pair.begin(), pair.end());
    const ProgramResult result = gloss(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(result.output.empty()) << command;
  }
  const ProgramResult info = gloss({"info", foreign});
  EXPECT_EQ(info.status, 0) << info.errors;
  EXPECT_TRUE(has(info.output, foreign)) << info.output;
  EXPECT_FALSE(has(info.output, temporary)) << info.output;
  EXPECT_EQ(gloss({"quantize", "-m", foreign, "-o", folder / "small"}).status, 0);
  EXPECT_EQ(gloss({"average", foreign, folder / "small", "-o", folder / "mean"}).status, 0);
  EXPECT_EQ(translation(foreign + "/").empty(), false);
  ASSERT_EQ(gloss({"import", foreign, "-o", own}).status, 0);
  const ProgramResult ensemble =
      gloss({"translate", "-m", own, "-m", foreign, "--max-length", "9"}, "the cat\n");
  EXPECT_EQ(ensemble.status, 0) << ensemble.errors;
  std::vector<std::string> finetune{"finetune", "--task",       "translate",     "--model", foreign,
                                    "-o",       folder / "run", "--max-updates", "2"};
  finetune.insert(finetune.end(), pair.begin(), pair.end());
  const ProgramResult tuned = gloss(finetune);
  EXPECT_EQ(tuned.status, 0) << tuned.errors;
  EXPECT_EQ(names_in(temporary).size(), 0u);
}

TEST_F(ForeignModelUse, SaysWhatIsConvertedAndHow) {
  HuggingFaceMarian model;
  model.config["repetition_penalty"] = 1.2;
  model.write(foreign);
  const ProgramResult translated = gloss({"translate", "-m", foreign, "--max-length", "9"}, "the cat\n");
  EXPECT_TRUE(has(translated.errors, "converted " + foreign)) << translated.errors;
  EXPECT_TRUE(has(translated.errors, "repetition_penalty")) << translated.errors;
  EXPECT_FALSE(has(translated.errors, " MB")) << translated.errors;
  EXPECT_TRUE(has(gloss({"info", foreign}).errors, "repetition_penalty"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"translate", "-m", foreign, "--quiet"}, {"info", foreign, "--quiet"}})
    EXPECT_EQ(gloss(words, "\n").errors, "");
  const std::string cache = folder / "cache";
  EXPECT_TRUE(has(gloss({"info", foreign}, "", cache).errors, cache + "/"));
  EXPECT_EQ(gloss({"info", foreign}, "", cache).errors, "");
}

TEST_F(ForeignModelUse, IsNotConvertedForAnOutputThatIsRefused) {
  std::filesystem::create_directory(folder / "full");
  folder.write("full/thesis", "1");
  const std::vector<std::vector<std::string>> commands{
      {"export", "--format", "huggingface"}, {"quantize"}, {"average"}};
  for (std::vector<std::string> words : commands) {
    const std::string name = words.front();
    if (name != "average") words.emplace_back("-m");
    words.insert(words.end(), {foreign, "-o", folder / "full"});
    const ProgramResult refused = gloss(words);
    EXPECT_EQ(refused.status, 2) << name;
    EXPECT_TRUE(has(refused.errors, "thesis")) << refused.errors;
    EXPECT_FALSE(has(refused.errors, "converted")) << refused.errors;
    words.back() = foreign;
    words.emplace_back("--overwrite");
    EXPECT_EQ(gloss(words).status, 2) << name;
  }
}

TEST_F(ForeignModelUse, LeavesNothingAfterAnError) {
  HuggingFaceMarian model;
  model.arrays.at("model.decoder.layers.0.fc2.bias").values[3] = std::numeric_limits<float>::infinity();
  model.write(foreign);
  const ProgramResult result = gloss({"translate", "-m", foreign}, "the cat\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(has(result.errors, "model.decoder.layers.0.fc2.bias")) << result.errors;
  EXPECT_EQ(gloss({"export", "-m", foreign, "--format", "marian", "-o", folder / "new"}).status, 3);
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
  EXPECT_EQ(names_in(temporary).size(), 0u);
  // What a killed program left is removed by the next one, but nothing else.
  const std::string left = "model.gloss-0123456789abcdef.partial";
  std::filesystem::create_directory(concat(temporary, "/", left));
  std::filesystem::create_directory(temporary + "/gloss-models");
  folder.write(concat("temporary/", left, "/model.safetensors"), "1");
  std::filesystem::permissions(concat(temporary, "/", left), std::filesystem::perms::owner_all);
  folder.write("temporary/gloss-models/thesis", "1");
  HuggingFaceMarian().write(foreign);
  translation(foreign);
  EXPECT_EQ(names_in(temporary), std::vector<std::string>{"gloss-models"});
  EXPECT_EQ(folder.read("temporary/gloss-models/thesis"), "1");
}

TEST_F(ForeignModelUse, NeverRemovesTheModelItself) {
  const std::string model = temporary + "/gloss-abcdef/model";
  HuggingFaceMarian().write(model);
  EXPECT_FALSE(translation(model).empty());
  EXPECT_TRUE(std::filesystem::exists(model + "/config.json"));
}

TEST_F(ForeignModelUse, FilesOfModelsFormAnEnsemble) {
  MarianModel().write(folder / "marian");
  std::filesystem::copy(folder / "marian/model.npz", folder / "marian/other.npz");
  std::filesystem::remove(folder / "marian/model.npz.decoder.yml");
  const std::string first = folder / "marian/model.npz", second = folder / "marian/other.npz";
  const ProgramResult alone = gloss({"translate", "-m", first, "--max-length", "9"}, "the cat\n");
  EXPECT_EQ(alone.status, 0) << alone.errors;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"translate", "-m", first, second, "--max-length", "9"},
        {"translate", "-m", first, "-m", second, "--max-length", "9"}}) {
    const ProgramResult both = gloss(words, "the cat\n");
    EXPECT_EQ(both.status, 0) << both.errors;
    EXPECT_EQ(both.output, alone.output);
  }
}

TEST_F(ForeignModelUse, NamesPointersOfGitLfs) {
  folder.write("foreign/model.safetensors",
               "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 12\n");
  const ProgramResult result = gloss({"translate", "-m", foreign}, "the cat\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(has(result.errors, foreign + "/model.safetensors")) << result.errors;
  EXPECT_TRUE(has(result.errors, "git lfs pull")) << result.errors;
}

TEST_F(ForeignModelUse, ErrorsOfAConversionNameWhatToChange) {
  const ProgramResult missing =
      run_program({kGlossBinary, "info", foreign}, "", {"TMPDIR=" + folder / "no", "GLOSS_IMPORT_CACHE="});
  EXPECT_NE(missing.status, 0);
  EXPECT_TRUE(has(missing.errors, "TMPDIR, " + folder / "no")) << missing.errors;
  EXPECT_FALSE(has(missing.errors, "more room")) << missing.errors;
  const ProgramResult empty =
      run_program({kGlossBinary, "info", foreign}, "", {"TMPDIR=", "GLOSS_IMPORT_CACHE="});
  EXPECT_EQ(empty.status, 0) << empty.errors;
  const ProgramResult cache = gloss({"info", foreign}, "", "/dev/null/cache");
  EXPECT_NE(cache.status, 0);
  EXPECT_TRUE(has(cache.errors, "GLOSS_IMPORT_CACHE")) << cache.errors;
}

}  // namespace
}  // namespace gloss
