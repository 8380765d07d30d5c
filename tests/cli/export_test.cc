// SPDX-License-Identifier: Apache-2.0
// gloss export through the real binary.
#include <gtest/gtest.h>

#include "model/formats/ctranslate2.h"
#include "model/formats/safetensors.h"
#include "tests/cli/export_command.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

using Export = ExportCommand;

TEST_F(Export, CTranslate2KeepsNetworksOfEveryKind) {
  for (const TiedEmbeddings tied :
       {TiedEmbeddings::none, TiedEmbeddings::target, TiedEmbeddings::inputs, TiedEmbeddings::all}) {
    NetworkSettings network = settings();
    network.sizes.tied_embeddings = tied;
    network.sizes.decoder_layers = 2;
    network.own<TransformerSettings>().decoder_heads = 4;
    network.own<TransformerSettings>().decoder_feed_forward_width = 48;
    expect_kept("ctranslate2", network);
  }
  expect_same_translations();
  NetworkSettings network = settings();
  auto& own = network.own<TransformerSettings>();
  network.sizes.scale_embeddings = false;
  own.norm = NormPlacement::pre;
  own.positions = Positions::learned;
  own.activation = Activation::swish;
  own.gated_feed_forward = own.embedding_norm = network.sizes.output_bias = true;
  expect_kept("ctranslate2", network);
  own.norm_type = NormType::rms;
  own.norm_epsilon = 1e-7;
  own.linear_bias = own.embedding_norm = false;
  own.positions = Positions::rotary;
  network.sizes.max_positions = 1024;  // those of rotary positions are not stored
  own.activation = Activation::gelu_exact;
  expect_kept("ctranslate2", network);
  expect_same_translations();
  own.positions = Positions::none;
  expect_kept("ctranslate2", network);
}

TEST_F(Export, CTranslate2KeepsLanguageModels) {
  NetworkSettings network = settings();
  network.sizes.encoder_layers = 0;
  network.begin_token = network.end_token;
  network.own<TransformerSettings>().norm = NormPlacement::pre;
  expect_kept("ctranslate2", network);
  network.own<TransformerSettings>().positions = Positions::alibi;
  network.sizes.max_positions = 1024;
  expect_kept("ctranslate2", network);
}

TEST_F(Export, CTranslate2HasWhatItsProgramReads) {
  NetworkSettings network = settings();
  network.sizes.tied_embeddings = TiedEmbeddings::all;
  write_native(network);
  ASSERT_EQ(export_to("ctranslate2", native).status, 0);
  const CTranslate2File file = read_ctranslate2(foreign + "/model.bin");
  EXPECT_EQ(file.specification, "TransformerSpec");
  EXPECT_EQ(file.revision, 7u);
  EXPECT_EQ(file.aliases.at("decoder/projection/weight"), "decoder/embeddings/weight");
  EXPECT_EQ(file.aliases.at("encoder/embeddings_0/weight"), "decoder/embeddings/weight");
  const auto expect_number = [&](const std::string& name, NumberType type, float expected) {
    const ForeignArray& array = file.arrays.at(name);
    EXPECT_EQ(array.type(), type) << name;
    EXPECT_TRUE(array.shape().empty()) << name;
    float value = -99;
    array.read(std::span(&value, 1));
    EXPECT_EQ(value, expected) << name;
  };
  for (const std::string side : {"encoder/", "decoder/"}) {
    expect_number(side + "num_heads", NumberType::i16, 2);
    expect_number(side + "pre_norm", NumberType::i8, 0);
    expect_number(side + "activation", NumberType::i8, 0);
    expect_number(side + "scale_embeddings", NumberType::i8, 1);
  }
  expect_number("decoder/start_from_zero_embedding", NumberType::i8, 0);
  const nlohmann::json config = nlohmann::json::parse(folder.read("foreign/config.json")),
                       vocabulary = nlohmann::json::parse(folder.read("foreign/shared_vocabulary.json"));
  EXPECT_EQ(config["decoder_start_token"], "<s>");
  EXPECT_EQ(config["add_source_eos"], true);
  EXPECT_EQ(config["add_source_bos"], false);
  EXPECT_EQ(vocabulary.size(), index(pieces.size()));
  EXPECT_EQ(vocabulary[2], "</s>");
  EXPECT_EQ(folder.read("foreign/source.spm"), pieces.bytes());
}

TEST_F(Export, CTranslate2KeepsInt8) {
  write_native(settings());
  const std::string small = folder / "small";
  ASSERT_EQ(gloss({"quantize", "-m", native, "-o", small}).status, 0);
  ASSERT_EQ(export_to("ctranslate2", small).status, 0);
  EXPECT_LT(std::filesystem::file_size(foreign + "/model.bin"),
            std::filesystem::file_size(native + "/model.safetensors") / 2);
  ASSERT_EQ(gloss({"import", foreign, "-o", back}).status, 0);
  const std::string again = folder / "again";
  ASSERT_EQ(gloss({"quantize", "-m", back, "-o", again}).status, 0);
  const SafetensorsFile before(small + "/model.safetensors"), after(again + "/model.safetensors");
  int quantised = 0;
  for (const auto& [name, array] : before.arrays()) {
    if (array.dtype != DType::int8) continue;
    ++quantised;
    const NamedArray& other = after.array(name, array.dtype, array.shape);
    EXPECT_EQ(std::memcmp(array.data, other.data, index(array.shape.count())), 0) << name;
  }
  EXPECT_GT(quantised, 5);
}

TEST_F(Export, CTranslate2RefusesWhatItsProgramDoesNotHave) {
  const auto with = [&](auto change) {
    NetworkSettings network = settings();
    change(network, network.own<TransformerSettings>());
    return network;
  };
  using Own = TransformerSettings;
  const std::string format = "ctranslate2";
  expect_refused(format, with([](auto&, Own& own) { own.positions = Positions::relative; }), "positions",
                 "relative");
  expect_refused(format, with([](auto&, Own& own) { own.positions = Positions::alibi; }), "positions",
                 "alibi");
  expect_refused(format, with([](auto&, Own& own) { own.token_types = 2; }), "token_types", "2");
  expect_refused(format, with([](auto&, Own& own) { own.activation = Activation::sigmoid; }), "activation",
                 "sigmoid");
  expect_refused(format, with([](NetworkSettings& network, Own&) { network.architecture = "recurrent"; }),
                 "architecture", "recurrent");
  expect_refused(format, with([](NetworkSettings& network, Own&) {
                   network.sizes.decoder_layers = 0;
                   network.sizes.tied_embeddings = TiedEmbeddings::all;
                 }),
                 "decoder_layers", "0");
}

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

TEST_F(Export, NotesWhatUsersOfCTranslate2HaveToAdd) {
  const std::string given = folder / "given";
  HuggingFaceM2m model;
  model.config["num_beams"] = 3;
  model.write(given);
  const ProgramResult written = export_to("ctranslate2", given);
  EXPECT_EQ(written.status, 0) << written.errors;
  for (const std::string part :
       {"3 languages", "'__de__'", "before each source", "target prefix", "beam_size 3"})
    EXPECT_TRUE(has(written.errors, part)) << part << "\n" << written.errors;
}

TEST_F(Export, RecordedModelsKeepTheirWeights) {
  int models = 0;
  for (const std::string name : {"ctranslate2/aren-transliteration", "huggingface/marian", "fairseq"}) {
    const auto recorded = shared_data("interchange/" + name);
    if (!recorded) continue;
    ASSERT_EQ(gloss({"import", *recorded, "-o", native, "--overwrite"}).status, 0) << name;
    expect_back("ctranslate2");
    if (name == "huggingface/marian") expect_back("huggingface");
    ++models;
  }
  if (models == 0) GTEST_SKIP() << "no recorded models; set GLOSS_SHARED_DATA to their folder";
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
  EXPECT_EQ(gloss({"export", "-m", native, "--format", "ctranslate2"}).status, 2);
  EXPECT_EQ(gloss({"export", "--format", "ctranslate2", "-o", foreign}).status, 2);
  const ProgramResult unknown = gloss({"export", "-m", native, "--format", "onnx", "-o", foreign});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.errors, "ctranslate2")) << unknown.errors;
  EXPECT_EQ(gloss({"export", "-m", folder / "missing", "--format", "ctranslate2", "-o", foreign}).status, 3);
}

}  // namespace
}  // namespace gloss
