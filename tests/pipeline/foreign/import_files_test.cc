// SPDX-License-Identifier: Apache-2.0
// What gloss import says about files of a model that are missing, cut or of another model.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/ctranslate2_model.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_encoders.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/hugging_face_t5.h"
#include "tests/support/marian_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

struct ImportFiles : testing::Test {
  ProgramResult import() const {
    return run_program({kGlossBinary, "import", model + "/", "-o", folder / "own", "--overwrite"}, "");
  }
  void expect_refused(const std::vector<std::string>& names) const {
    const ProgramResult result = import();
    EXPECT_EQ(result.status, 3) << result.errors;
    for (const std::string& name : names)
      EXPECT_TRUE(has(result.errors, name)) << name << " in " << result.errors;
    EXPECT_FALSE(has(result.errors, "//")) << result.errors;
  }
  /// The notes of an import that succeeds.
  std::string notes() const {
    const ProgramResult result = import();
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.errors;
  }
  void write(const HuggingFaceDirectory& files) const {
    fs::remove_all(model);
    files.write(model);
  }

  TemporaryDirectory folder;
  std::string model = folder / "model";
};

TEST_F(ImportFiles, AMissingFileNamesAllThatTheTokenizerNeeds) {
  write(HuggingFaceBert(false));
  fs::remove(model + "/vocab.txt");
  expect_refused({model + " has no vocab.txt", "bert", "tokenizer.json"});
  EXPECT_FALSE(has(import().errors, "merges.txt"));
  for (const std::string name : {"vocab.json", "merges.txt"}) {
    write(HuggingFaceGpt2());
    fs::remove(concat(model, "/", name));
    expect_refused({"has no " + name, "gpt2", "vocab.json, merges.txt"});
  }
  for (const std::string name : {"vocab.json", "source.spm", "target.spm"}) {
    HuggingFaceMarian().write(model);
    fs::remove(concat(model, "/", name));
    expect_refused({"has no " + name, "marian", "vocab.json, source.spm, target.spm"});
  }
  write(HuggingFaceT5(false));
  fs::remove(model + "/spiece.model");
  expect_refused({"has no spiece.model", "t5"});
  HuggingFaceM2m().write(model);
  fs::remove(model + "/sentencepiece.bpe.model");
  expect_refused({"has no sentencepiece.bpe.model", "m2m_100"});
}

TEST_F(ImportFiles, PartOfATokenizerGivesWayToTokenizerJson) {
  write(HuggingFaceBert(false));
  fs::rename(model + "/vocab.txt", model + "/merges.txt");
  folder.write("model/tokenizer.json", "{}");
  expect_refused({"tokenizer.json"});
}

TEST_F(ImportFiles, MissingLinesOfAVocabularyAreNoted) {
  HuggingFaceBert bert(false);
  write(bert);
  EXPECT_FALSE(has(notes(), "vocab_size")) << notes();
  bert.files["vocab.txt"] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsat\n##s\n.\n";
  write(bert);
  for (const std::string name : {"vocab.txt has 10 tokens", "'vocab_size' in config.json is 11"})
    EXPECT_TRUE(has(notes(), name)) << notes();
}

TEST_F(ImportFiles, MissingMergesAreNoted) {
  HuggingFaceGpt2 gpt2;
  write(gpt2);
  EXPECT_FALSE(has(notes(), "merges")) << notes();
  gpt2.files["vocab.json"] = R"({"a":0,"b":1,"c":2,"d":3,"ba":4,"bc":5,"ab":6,"<|endoftext|>":7})";
  write(gpt2);
  for (const std::string name : {"2 of 8 tokens", "there are 1"}) EXPECT_TRUE(has(notes(), name)) << notes();
}

TEST_F(ImportFiles, CapitalsOfALowerCasedVocabularyAreNoted) {
  HuggingFaceBert bert(false);
  bert.files["vocab.txt"] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nThe\ncat\nSat\ns\n##s\n.\n";
  write(bert);
  EXPECT_TRUE(has(notes(), "'do_lower_case'")) << notes();
  EXPECT_TRUE(has(notes(), "2 tokens")) << notes();
  bert.files["tokenizer_config.json"] = R"({"do_lower_case": false})";
  write(bert);
  EXPECT_FALSE(has(notes(), "do_lower_case")) << notes();
}

TEST_F(ImportFiles, LinesMayEndAsOnWindows) {
  HuggingFaceBert bert(false);
  for (const std::string vocabulary :
       {"[PAD]\r\n[UNK]\n[CLS]\r\n[SEP]\r\n[MASK]\nthe\ncat\nsat\ns\n##s\r\n.\n",
        "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\nthe\r\ncat\r\nsat\r\ns\r\n##s\r\n.",
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsat\ns\n##s\n."}) {
    bert.files["vocab.txt"] = vocabulary;
    write(bert);
    EXPECT_FALSE(has(notes(), "vocab_size")) << notes();
    const ProgramResult ids = run_program(
        {kGlossBinary, "encode", "-t", folder / "own/tokenizer.model", "--output-type", "id"}, "the cats.\n");
    EXPECT_EQ(ids.output, "5 6 9 10\n") << ids.errors;
  }
  HuggingFaceGpt2 gpt2;
  gpt2.files["merges.txt"] = "#version: 0.2\r\na b\n";
  write(gpt2);
  notes();
}

TEST_F(ImportFiles, AVocabularyOfAnotherSizeNamesBothFiles) {
  CTranslate2Model().write(model);
  const std::string words = folder.read("model/shared_vocabulary.json");
  folder.write("model/shared_vocabulary.json", words.substr(0, words.size() - 1) + R"(,"further"])");
  expect_refused({model + "/shared_vocabulary.json has 9 pieces", model + "/model.bin", "embeddings of 8"});
  fs::remove_all(model);
  MarianModel marian;
  marian.words.pop_back();
  marian.write(model);
  expect_refused({model + "/vocab.yml has 7 pieces", model + "/model.npz", "embeddings of 8"});
}

TEST_F(ImportFiles, WordsBetweenSpacesAreNoted) {
  const std::string note = "words between spaces";
  MarianModel().write(model);
  EXPECT_TRUE(has(notes(), note)) << notes();
  fs::remove_all(model);
  CTranslate2Model().write(model);
  EXPECT_TRUE(has(notes(), note)) << notes();
  fs::remove_all(model);
  HuggingFaceMarian().write(model);
  EXPECT_FALSE(has(notes(), note)) << notes();
}

TEST_F(ImportFiles, ListsOfMarianNeedBothSplittersOrNone) {
  MarianModel marian;
  marian.words = {"</s>", "<unk>", "▁the", "▁cat", "▁sat", "▁on", "▁mat", "a"};
  marian.write(model);
  folder.write("model/target.spm", cat_model());
  expect_refused({model + "/source.spm is missing", "target.spm", "vocab.yml"});
  folder.write("model/source.spm", cat_model());
  EXPECT_FALSE(has(notes(), "words between spaces")) << notes();
  folder.write("model/source.spm", "");
  expect_refused({model + "/source.spm is empty"});
}

TEST_F(ImportFiles, AListIsFoundWithoutTheDecodersConfiguration) {
  MarianModel marian;
  marian.words = {"</s>", "<unk>", "▁the", "▁cat", "▁sat", "▁on", "▁mat", "a"};
  marian.write(model);
  fs::remove(model + "/model.npz.decoder.yml");
  fs::rename(model + "/vocab.yml", model + "/joint.yml");
  folder.write("model/model.npz.yml", "type: transformer\n");
  EXPECT_TRUE(has(notes(), "words between spaces")) << notes();
  for (const std::string name : {"source.spm", "target.spm"}) folder.write("model/" + name, cat_model());
  EXPECT_FALSE(has(notes(), "words between spaces")) << notes();
}

TEST_F(ImportFiles, EmptyWeightsAreNamed) {
  HuggingFaceMarian().write(model);
  fs::remove(model + "/model.safetensors");
  folder.write("model/pytorch_model.bin", "");
  expect_refused({model + "/pytorch_model.bin has 0 bytes"});
}

}  // namespace
}  // namespace gloss
