// SPDX-License-Identifier: Apache-2.0
// gloss import of models whose files lie or are no files: an error that names the file, and nothing worse.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/files.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_encoders.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

struct ImportHostile : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult import() const { return gloss({"import", foreign, "--output", own, "--overwrite"}); }
  void expect_refused(const std::vector<std::string>& parts) const {
    const ProgramResult result = import();
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& part : parts)
      EXPECT_TRUE(has(result.errors, part)) << part << ": " << result.errors;
  }
  /// Replaces a file of the model by a pipe that nobody writes to.
  void make_pipe(const std::string& name) const {
    const std::string path = concat(foreign, "/", name);
    fs::remove(path);
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  }
  /// Replaces a file of the model by a link to itself.
  void make_circle(const std::string& name) const {
    const std::string path = concat(foreign, "/", name);
    fs::remove(path);
    fs::create_symlink(path, path);
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

TEST_F(ImportHostile, NamesOfUnusedPiecesMayBeInTheVocabulary) {
  HuggingFaceGpt2 model;
  model.files["vocab.json"] =
      R"({"a":0,"b":1,"c":2,"d":3,"e":4,"\u0120":5,"ab":6,"<|endoftext|>":7,"<unused10>":8})";
  model.config["vocab_size"] = 12;  // the pieces 9 to 11 have no names
  model.add("transformer.wte.weight", {12, HuggingFaceGpt2::kWidth});
  model.write(foreign);
  const ProgramResult result = import();
  EXPECT_EQ(result.status, 0) << result.errors;
  const ProgramResult text = gloss({"generate", "-m", own, "--max-tokens", "2"}, "ab\n");
  EXPECT_EQ(text.status, 0) << text.errors;
}

TEST_F(ImportHostile, IdsOfAddedTokensAreNotCut) {
  HuggingFaceGpt2 model;
  model.files["added_tokens.json"] = R"({"<new>": 4294967304})";  // 8, the next id, in 32 bits
  model.config["vocab_size"] = 9;
  model.add("transformer.wte.weight", {9, HuggingFaceGpt2::kWidth});
  model.write(foreign);
  expect_refused({"added_tokens.json", "'<new>'", "4294967304"});
}

TEST_F(ImportHostile, PipesAndDevicesAreNoFiles) {
  HuggingFaceGpt2().write(foreign);
  make_pipe("merges.txt");
  expect_refused({"merges.txt", "regular file"});
  fs::remove_all(foreign);
  HuggingFaceBert(false).write(foreign);
  make_pipe("vocab.txt");
  expect_refused({"vocab.txt", "regular file"});
  fs::remove(foreign + "/vocab.txt");
  fs::create_symlink("/dev/zero", foreign + "/vocab.txt");
  expect_refused({"vocab.txt", "regular file"});
}

TEST_F(ImportHostile, LinksInACircleAreErrorsOnlyIfTheyAreRead) {
  HuggingFaceGpt2().write(foreign);
  make_circle("other.npz");
  ASSERT_EQ(import().status, 0);
  make_circle("generation_config.json");
  expect_refused({"generation_config.json"});
  fs::remove_all(foreign);
  MarianModel().write(foreign);
  make_circle("other.npz");
  EXPECT_EQ(import().status, 0);
  // Names that are too long for a file system.
  MarianModel::write_file(foreign, "model.npz.decoder.yml",
                          concat("models: [", std::string(300, 'm'), "]\nvocabs: [vocab.yml, vocab.yml]\n"));
  expect_refused({"mmm", "has no file"});
  // A link like this beside a model of gloss does not matter either.
  fs::create_symlink(own + "/loop.npz", own + "/loop.npz");
  EXPECT_EQ(gloss({"info", own}).status, 0);
}

TEST_F(ImportHostile, SizesInSettingsAreComparedWithTheArraysFirst) {
  HuggingFaceGpt2 model;
  constexpr int kWide = 65'536;
  model.config["n_embd"] = kWide;  // the attention would need 51 GB
  model.add("transformer.wte.weight", {HuggingFaceGpt2::kPieces, kWide});
  model.add("transformer.wpe.weight", {HuggingFaceGpt2::kPositions, kWide});
  for (const std::string name : {"transformer.h.0.ln_1", "transformer.h.0.ln_2", "transformer.ln_f"})
    model.add_norm(name, kWide);
  model.write(foreign);
  expect_refused({"model.safetensors", "'transformer.h.0.", "65536"});
}

TEST_F(ImportHostile, SettingsThatNoModelOfGlossMayHaveAreRefused) {
  MarianModel model;
  model.options["transformer-dim-ffn"] = "1";
  model.write(foreign);
  expect_refused({"feed_forward_width", "1", "2 to"});
}

TEST_F(ImportHostile, WhatIsNotANumberIsRefused) {
  MarianModel().write(foreign);
  MarianModel::write_file(foreign, "model.npz.decoder.yml",
                          "models: [model.npz]\nvocabs: [vocab.yml, vocab.yml]\nnormalize: .nan\n");
  expect_refused({"decoder.yml", "'normalize'", "0 to 10"});
}

}  // namespace
}  // namespace gloss
