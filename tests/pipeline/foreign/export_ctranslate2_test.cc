// SPDX-License-Identifier: Apache-2.0
// gloss export to directories of CTranslate2, through the real binary.
#include <gtest/gtest.h>

#include "model/formats/ctranslate2.h"
#include "model/formats/safetensors.h"
#include "tests/pipeline/foreign/export_command.h"
#include "tests/support/hugging_face_marian.h"

namespace gloss {
namespace {

using ExportCTranslate2 = ExportCommand;

TEST_F(ExportCTranslate2, KeepsNetworksOfEveryKind) {
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

TEST_F(ExportCTranslate2, KeepsLanguageModels) {
  NetworkSettings network = settings();
  network.sizes.encoder_layers = 0;
  network.begin_token = network.end_token;
  network.own<TransformerSettings>().norm = NormPlacement::pre;
  expect_kept("ctranslate2", network);
  network.own<TransformerSettings>().positions = Positions::alibi;
  network.sizes.max_positions = 1024;
  expect_kept("ctranslate2", network);
}

TEST_F(ExportCTranslate2, KeepsAttentionOfT5) {
  NetworkSettings network = settings();
  network.sizes.encoder_layers = 2;
  network.sizes.decoder_layers = 3;
  network.sizes.tied_embeddings = TiedEmbeddings::all;
  network.sizes.scale_embeddings = false;
  network.sizes.max_positions = 1 << 14;  // buckets need no table
  auto& own = network.own<TransformerSettings>();
  own.positions = Positions::buckets;
  own.relative_buckets = 12;
  own.relative_reach = 40;
  own.attention_scale = AttentionScale::none;
  own.norm = NormPlacement::pre;
  own.norm_type = NormType::rms;
  own.linear_bias = false;
  expect_kept("ctranslate2", network);
  own.head_width = 6;
  expect_kept("ctranslate2", network);
  expect_same_translations();
  const CTranslate2File file = read_ctranslate2(foreign + "/model.bin");
  const std::string biases = "/self_attention/relative_attention_bias";
  EXPECT_EQ(file.aliases.at("encoder/layer_1" + biases), "encoder/layer_0" + biases);
  EXPECT_EQ(file.aliases.at("decoder/layer_2" + biases), "decoder/layer_0" + biases);
  EXPECT_EQ(file.arrays.at("decoder/layer_0" + biases).shape(), (std::vector<std::int64_t>{12, 2}));
  EXPECT_EQ(file.arrays.at("decoder/layer_2/attention/queries_scale").type(), NumberType::f32);
  EXPECT_EQ(file.arrays.find("encoder/position_encodings/encodings"), nullptr);
}

TEST_F(ExportCTranslate2, KeepsSharedHeadsOfKeysAndValues) {
  NetworkSettings network = settings();
  network.sizes.heads = 4;
  auto& own = network.own<TransformerSettings>();
  own.key_value_heads = 1;
  expect_kept("ctranslate2", network);
  expect_same_translations();
  network.sizes.encoder_layers = 0;
  network.begin_token = network.end_token;
  network.sizes.max_positions = 1024;
  own.positions = Positions::rotary;
  own.head_width = 6;
  for (const int heads : {1, 2}) {
    own.key_value_heads = heads;
    expect_kept("ctranslate2", network);
    EXPECT_EQ(nlohmann::json::parse(folder.read("foreign/config.json"))["multi_query_attention"], true);
  }
}

TEST_F(ExportCTranslate2, HasWhatItsProgramReads) {
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
    const StoredArray& array = file.arrays.at(name);
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

TEST_F(ExportCTranslate2, KeepsInt8) {
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

TEST_F(ExportCTranslate2, RefusesWhatItsProgramDoesNotHave) {
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
  expect_refused(format, with([](auto&, Own& own) { own.decoder_positions = Positions::learned; }),
                 "decoder_positions", "learned");
  expect_refused(format, with([](auto&, Own& own) { own.token_types = 2; }), "token_types", "2");
  expect_refused(format, with([](auto&, Own& own) { own.activation = Activation::sigmoid; }), "activation",
                 "sigmoid");
  expect_refused(format, with([](auto&, Own& own) {
                   own.raw_past = true;
                   own.norm = NormPlacement::pre;
                 }),
                 "raw_past true", "--format marian");
  expect_refused(format, with([](NetworkSettings& network, Own& own) {
                   network.sizes.heads = 4;
                   own.key_value_heads = 2;
                 }),
                 "key_value_heads", "2");
  expect_refused(format, with([](auto&, Own& own) {
                   own.key_value_heads = 1;
                   own.head_width = 10;
                 }),
                 "head_width", "10");
  expect_refused(format, with([](auto&, Own& own) {
                   own.key_value_heads = 1;
                   own.positions = Positions::buckets;
                 }),
                 "positions", "buckets");
  expect_refused(format, with([](NetworkSettings& network, Own&) { network.architecture = "recurrent"; }),
                 "architecture", "recurrent");
  expect_refused(format, with([](NetworkSettings& network, Own&) {
                   network.sizes.decoder_layers = 0;
                   network.sizes.tied_embeddings = TiedEmbeddings::all;
                 }),
                 "decoder_layers", "0");
}

TEST_F(ExportCTranslate2, NotesWhatUsersOfCTranslate2HaveToAdd) {
  const std::string given = folder / "given";
  HuggingFaceM2m model;
  model.config["num_beams"] = 3;
  model.write(given);
  const ProgramResult written = export_to("ctranslate2", given);
  EXPECT_EQ(written.status, 0) << written.errors;
  for (const std::string part :
       {"3 languages", "default '__en__'", "before each source", "target prefix", "beam_size 3"})
    EXPECT_TRUE(has(written.errors, part)) << part << "\n" << written.errors;
  ASSERT_EQ(gloss({"import", given, "-o", folder / "own"}).status, 0);
  nlohmann::json config = nlohmann::json::parse(folder.read("own/config.json"));
  config["text"]["languages"]["source"] = "";
  config["text"]["languages"]["target"] = "fr";
  folder.write("own/config.json", config.dump());
  const ProgramResult chosen =
      gloss({"export", "-m", folder / "own", "--format", "ctranslate2", "-o", folder / "other"});
  EXPECT_EQ(chosen.status, 0) << chosen.errors;
  for (const std::string part : {"such as '__de__'", "default '__fr__'"})
    EXPECT_TRUE(has(chosen.errors, part)) << part << "\n" << chosen.errors;
}

}  // namespace
}  // namespace gloss
