// SPDX-License-Identifier: Apache-2.0
// What gloss import and -m say about a path that is no model.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "tests/support/ctranslate2_model.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

struct NoModel : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words) {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, "");
  }
  ProgramResult import(const std::string& path, const std::string& output = "own") const {
    return gloss({"import", path, "-o", folder / output, "--overwrite"});
  }
  /// The error of a command after its name.
  static std::string message(const ProgramResult& result) {
    EXPECT_EQ(result.status, 3) << result.errors;
    return result.errors.substr(result.errors.find(": "));
  }
  /// gloss import and -m refuse a path with the same message, which has these names.
  void expect_refused(const std::string& path, const std::vector<std::string>& names) const {
    const std::string imported = message(import(path, "other"));
    EXPECT_EQ(message(gloss({"translate", "-m", path})), imported);
    EXPECT_EQ(message(gloss({"info", path})), imported);
    EXPECT_EQ(message(gloss({"average", path, "-o", folder / "mean"})), imported);
    for (const std::string& name : names) EXPECT_TRUE(has(imported, name)) << name << " in " << imported;
    EXPECT_FALSE(has(imported, "//")) << imported;
  }

  TemporaryDirectory folder;
  std::string model = folder / "model";
};

TEST_F(NoModel, AFileOfADirectoryNamesTheDirectory) {
  HuggingFaceMarian().write(model);
  for (const std::string name : {"model.safetensors", "config.json", "vocab.json", "source.spm"})
    expect_refused(concat(model, "/", name), {name, "Hugging Face directory", "give the directory " + model});
  CTranslate2Model().write(folder / "ct2");
  expect_refused(folder / "ct2/model.bin", {"CTranslate2 directory", "give the directory " + folder / "ct2"});
  EXPECT_EQ(import(model).status, 0);
  expect_refused(folder / "own/model.safetensors", {"gloss", "give the directory " + folder / "own"});
}

TEST_F(NoModel, ALinkThatWasCopiedAloneIsNamed) {
  fs::create_symlink("checkpoint-000500", folder / "copied");
  expect_refused(folder / "copied", {"copied is a link to checkpoint-000500", "cp -rL"});
}

TEST_F(NoModel, DamagedWeightsAreNotPartsOfAModel) {
  MarianModel().write(folder / "marian");
  folder.write("marian/empty.bin", "");
  folder.write("marian/other.bin", "no weights");
  expect_refused(folder / "marian/empty.bin", {"marian/empty.bin is empty"});
  expect_refused(folder / "marian/other.bin", {"marian/other.bin", "damaged", folder / "marian"});
}

TEST_F(NoModel, AModelOfGlossNeedsNoImport) {
  HuggingFaceMarian().write(model);
  const std::string own = folder / "own";
  ASSERT_EQ(import(model).status, 0);
  for (const std::string& path : {own, own + "/"}) {
    const std::string errors = message(gloss({"import", path, "-o", folder / "other"}));
    EXPECT_TRUE(has(errors, own + " is a model of gloss already")) << errors;
  }
}

TEST_F(NoModel, MissingFilesAreNamed) {
  HuggingFaceMarian().write(model);
  fs::remove(model + "/config.json");
  expect_refused(model, {"model.safetensors", "config.json"});
  expect_refused(model + "//", {model + " has", "config.json"});
  expect_refused(model + "/model.safetensors", {"no config.json"});
  HuggingFaceMarian().write(model);
  fs::remove(model + "/model.safetensors");
  expect_refused(model, {"no weights", "pytorch_model.bin"});
  CTranslate2Model().write(folder / "ct2");
  for (const std::string name : {"shared_vocabulary.json", "source_vocabulary.txt", "target_vocabulary.txt"})
    fs::remove(concat(folder / "ct2/", name));
  folder.write("ct2/config.json", "{}");
  expect_refused(folder / "ct2", {"no vocabulary", "shared_vocabulary.json", "target_vocabulary.json"});
  CTranslate2Model().write(folder / "words");
  for (const std::string name : {"model.bin", "config.json"}) fs::remove(concat(folder / "words/", name));
  expect_refused(folder / "words", {"CTranslate2", "no model.bin"});
  for (const std::string name : {"dictionaries", "pieces"}) fs::create_directory(folder / name);
  folder.write("dictionaries/dict.de.txt", "the 3\n");
  expect_refused(folder / "dictionaries", {"fairseq", "no checkpoint"});
  folder.write("pieces/source.spm", cat_model());
  expect_refused(folder / "pieces", {"source.spm", "model.npz"});
}

TEST_F(NoModel, DirectoriesOfModelsNameThem) {
  const std::string cache = folder / "hub/models--org--name", snapshot = cache + "/snapshots/1a2b3c";
  HuggingFaceMarian().write(snapshot);
  fs::create_directory(cache + "/refs");
  expect_refused(cache, {"give its snapshot " + snapshot});
  expect_refused(folder / "hub", {cache});
  HuggingFaceMarian().write(folder / "models/one");
  MarianModel().write(folder / "models/two");
  expect_refused(folder / "models", {folder / "models/one", folder / "models/two"});
}

TEST_F(NoModel, CheckpointsOfFairseqAreNamed) {
  fs::create_directory(model);
  folder.write("model/checkpoint1.pt", "1");
  expect_refused(model, {"checkpoint1.pt", "dict.LANGUAGE.txt"});
  expect_refused(model + "/checkpoint1.pt", {"checkpoint1.pt", "dict.LANGUAGE.txt"});
  folder.write("model/checkpoint2.pt", "1");
  expect_refused(model, {"2 checkpoints", "checkpoint1.pt, checkpoint2.pt"});
  folder.write("model/dict.de.txt", "the 3\n");
  expect_refused(model, {"2 checkpoints", "checkpoint1.pt, checkpoint2.pt"});
}

TEST_F(NoModel, WhatDoesNotExistMayHaveToBeDownloaded) {
  expect_refused("Helsinki-NLP/opus-mt-en-de", {"huggingface-cli download Helsinki-NLP/opus-mt-en-de"});
  expect_refused(folder / "missing/",
                 {folder / "missing does not exist", "model directory of gloss", "Marian"});
}

TEST_F(NoModel, OtherFilesAndDirectories) {
  folder.write("text", "the cat\n");
  fs::create_directory(folder / "empty");
  expect_refused(folder / "text", {"text is no model", "Hugging Face directory"});
  expect_refused(folder / "empty", {"empty is an empty directory", "Hugging Face directory"});
  folder.write("empty/notes", "the cat\n");
  expect_refused(folder / "empty", {"has no model", "Hugging Face directory"});
}

TEST_F(NoModel, OtherFormsOfWeightsAreNamed) {
  fs::create_directory(model);
  folder.write("model/model.gguf", "GGUF");
  expect_refused(model, {"model.gguf", "Hugging Face directory"});
  expect_refused(model + "/model.gguf", {"model.gguf", "Hugging Face directory"});
  HuggingFaceMarian().write(model);
  fs::rename(model + "/model.safetensors", model + "/tf_model.h5");
  expect_refused(model, {"tf_model.h5", "expected model.safetensors"});
}

TEST_F(NoModel, PointersOfGitLfsAreNamed) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 12\n";
  for (const std::string name : {"config.json", "model.safetensors", "vocab.json"}) {
    HuggingFaceMarian().write(model);
    folder.write("model/" + name, pointer);
    expect_refused(model, {concat(model, "/", name), "git lfs pull"});
  }
  for (const std::string name : {"model.safetensors", "model.bin", "model.npz", "checkpoint.pt"}) {
    const std::string alone = folder / ("alone." + name);
    fs::create_directory(alone);
    folder.write(concat("alone.", name, "/", name), pointer);
    expect_refused(concat(alone, "/", name), {concat(alone, "/", name), "git lfs pull"});
    expect_refused(alone, {concat(alone, "/", name), "git lfs pull"});
  }
}

TEST_F(NoModel, WebPagesInPlaceOfFilesAreNamed) {
  for (const std::string name : {"config.json", "model.safetensors", "source.spm", "vocab.json"}) {
    HuggingFaceMarian().write(model);
    folder.write("model/" + name, "<!DOCTYPE html>\n<html>Access denied</html>\n");
    expect_refused(model, {concat(model, "/", name), "web page"});
  }
  folder.write("model.npz", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>");
  expect_refused(folder / "model.npz", {folder / "model.npz", "web page"});
}

TEST_F(NoModel, LinksToNothingAreNamed) {
  for (const std::string name : {"config.json", "model.safetensors", "source.spm", "vocab.json"}) {
    const std::string file = concat(model, "/", name);
    HuggingFaceMarian().write(model);
    fs::remove(file);
    fs::create_symlink("../../blobs/1a2b", file);
    expect_refused(model, {file, "blobs/1a2b, which does not exist"});
    fs::remove(file);
  }
}

TEST_F(NoModel, ArchivesMustBeUnpacked) {
  fs::create_directory(model);
  folder.write("model/opus.zip", "PK");
  folder.write("model/model.bin.gz", "1");
  expect_refused(model, {"model.bin.gz, opus.zip", "unpack"});
  expect_refused(model + "/opus.zip", {model + "/opus.zip", "unpack"});
}

TEST_F(NoModel, AnAdapterIsNoModel) {
  fs::create_directory(model);
  folder.write("model/adapter_config.json", "{}");
  folder.write("model/adapter_model.safetensors", "1");
  expect_refused(model, {"adapter_config.json", "PEFT"});
}

TEST_F(NoModel, WithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every directory";
  HuggingFaceMarian().write(model);
  fs::permissions(model, fs::perms::none);
  const ProgramResult imported = import(model), used = gloss({"translate", "-m", model});
  fs::permissions(model, fs::perms::owner_all);
  EXPECT_EQ(message(imported), message(used));
  EXPECT_TRUE(has(imported.errors, model)) << imported.errors;
  EXPECT_TRUE(has(imported.errors, "Permission denied")) << imported.errors;
}

}  // namespace
}  // namespace gloss
