// SPDX-License-Identifier: Apache-2.0
// gloss export through the real binary.
#include <gtest/gtest.h>

#include <map>

#include "tests/pipeline/foreign/export_command.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

using Export = ExportCommand;

TEST_F(Export, ImportedModelsCanBeExported) {
  HuggingFaceMarian().write(folder / "transformers");
  ASSERT_EQ(gloss({"import", folder / "transformers", "-o", native}).status, 0);
  for (const std::string format : {"ctranslate2", "huggingface"}) {
    expect_back(format);
    const ProgramResult before = gloss({"translate", "-m", native, "--max-length", "9"}, "the cat\n"),
                        after = gloss({"translate", "-m", back, "--max-length", "9"}, "the cat\n");
    EXPECT_EQ(before.output, after.output);
    EXPECT_NE(before.output, "");
  }
}

TEST_F(Export, RecordedModelsKeepTheirWeights) {
  int models = 0;
  for (const std::string name : {"ctranslate2/aren-transliteration", "huggingface/marian", "huggingface/t5",
                                 "huggingface/t5-v1_1", "fairseq"}) {
    const auto recorded = shared_data("interchange/" + name);
    if (!recorded) continue;
    ASSERT_EQ(gloss({"import", *recorded, "-o", native, "--overwrite"}).status, 0) << name;
    expect_back("ctranslate2");
    if (name == "huggingface/marian") expect_back("huggingface");
    ++models;
  }
  if (models == 0) GTEST_SKIP() << "no recorded models; set GLOSS_SHARED_DATA to their folder";
}

TEST_F(Export, OtherNamesOfFormatsAreAnswered) {
  for (const auto& [name, meant] : std::map<std::string, std::string>{
           {"ct2", "ctranslate2"}, {"transformers", "huggingface"}, {"hf", "huggingface"}}) {
    const ProgramResult result = gloss({"export", "-m", native, "--format", name, "-o", back});
    EXPECT_EQ(result.status, 2) << result.errors;
    EXPECT_TRUE(has(result.errors, concat("did you mean '", meant, "'"))) << result.errors;
  }
}

TEST_F(Export, DoesNotReplaceOtherFiles) {
  write_native(settings());
  std::filesystem::create_directory(foreign);
  folder.write("foreign/notes", "mine");
  const std::vector<std::string> words{"export", "-m", native, "--format", "ctranslate2", "-o", foreign};
  const ProgramResult result = gloss(words);
  EXPECT_EQ(result.status, 2) << result.errors;
  EXPECT_TRUE(has(result.errors, "--overwrite")) << result.errors;
  EXPECT_EQ(export_to("ctranslate2", native).status, 0);
  EXPECT_EQ(folder.read("foreign/notes"), "mine");
  EXPECT_EQ(gloss({"export", "-m", native, "--format", "ctranslate2", "-o", native, "--overwrite"}).status,
            2);
  EXPECT_TRUE(std::filesystem::exists(native + "/model.safetensors"));
}

TEST_F(Export, NeedsModelFormatAndOutput) {
  write_native(settings());
  EXPECT_EQ(gloss({"export", "-m", native, "-o", foreign}).status, 2);
  EXPECT_FALSE(has(gloss({"export", "--help"}).output, "default")) << "--format is required";
  EXPECT_EQ(gloss({"export", "-m", native, "--format", "ctranslate2"}).status, 2);
  EXPECT_EQ(gloss({"export", "--format", "ctranslate2", "-o", foreign}).status, 2);
  const ProgramResult unknown = gloss({"export", "-m", native, "--format", "onnx", "-o", foreign});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.errors, "ctranslate2")) << unknown.errors;
  EXPECT_EQ(gloss({"export", "-m", folder / "missing", "--format", "ctranslate2", "-o", foreign}).status, 3);
}

}  // namespace
}  // namespace gloss
