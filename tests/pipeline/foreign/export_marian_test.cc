// SPDX-License-Identifier: Apache-2.0
// The networks and files of gloss export --format marian, through the real binary.
#include <gtest/gtest.h>

#include "tests/pipeline/foreign/export_marian.h"

namespace gloss {
namespace {

TEST_F(ExportMarian, KeepsEmbeddingsOfEveryKind) {
  for (const TiedEmbeddings tied :
       {TiedEmbeddings::none, TiedEmbeddings::target, TiedEmbeddings::inputs, TiedEmbeddings::all}) {
    NetworkSettings network = settings();
    network.sizes.tied_embeddings = tied;
    network.sizes.output_bias = tied == TiedEmbeddings::target;
    expect_kept(network);
  }
  expect_same_translations();
}

TEST_F(ExportMarian, KeepsTransformersOfEveryKind) {
  NetworkSettings network = settings();
  network.sizes.encoder_layers = 2;
  network.sizes.decoder_layers = 3;
  network.sizes.output_bias = true;
  auto& own = network.own<TransformerSettings>();
  own.decoder_feed_forward_width = 48;
  own.feed_forward_depth = 3;
  own.activation = Activation::gelu_exact;
  own.decoder_layer_weights = {"1", "2", "1"};
  own.embedding_norm = true;
  expect_kept(network);
  own.norm = NormPlacement::pre;
  own.raw_past = true;
  own.attention_projection = false;
  own.activation = Activation::swish;
  expect_kept(network);
  own.norm_type = NormType::rms;
  expect_kept(network);
  expect_same_translations();
  own.embedding_norm = own.raw_past = false;
  own.norm = NormPlacement::steps;
  own.steps_before = "d";
  own.steps_after = "dnar";
  own.steps_top = "ar";
  expect_kept(network);
}

TEST_F(ExportMarian, KeepsDecodersWithoutSelfAttention) {
  NetworkSettings network = settings();
  auto& own = network.own<TransformerSettings>();
  own.decoder_mixers = {"ssru"};
  expect_kept(network);
  own.norm = NormPlacement::pre;  // nothing to normalise but the input
  expect_kept(network);
  own.norm = NormPlacement::post;
  own.decoder_mixers = {"average"};
  for (const bool gate : {true, false}) {
    own.average.gate = gate;
    own.average.width = gate ? 32 : 24;
    own.average.depth = gate ? 1 : 2;
    own.average.activation = gate ? Activation::relu : Activation::swish;
    expect_kept(network);
  }
  own.average.depth = 0;
  own.average.gate = true;
  expect_kept(network);
  expect_same_translations();
}

TEST_F(ExportMarian, KeepsLanguageModels) {
  NetworkSettings network = settings();
  network.sizes.encoder_layers = 0;
  network.own<TransformerSettings>().norm = NormPlacement::pre;
  expect_kept(network);
  network.sizes.tied_embeddings = TiedEmbeddings::none;
  expect_kept(network);
  EXPECT_EQ(options()["type"], "lm-transformer");
  EXPECT_EQ(options()["dim-vocabs"], nlohmann::json({45}));
}

TEST_F(ExportMarian, HasWhatItsProgramReads) {
  NetworkSettings network = settings();
  network.sizes.output_bias = true;
  write_native(network);
  const ProgramResult written = export_model();
  ASSERT_EQ(written.status, 0) << written.errors;
  EXPECT_TRUE(has(written.errors, "nfkc")) << written.errors;
  const StoredArrays arrays = read_npz(foreign + "/model.npz");
  const auto shape = [&](const std::string& name) { return arrays.at(name).shape(); };
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(shape("Wemb"), (Sizes{45, 32}));
  EXPECT_EQ(shape("encoder_l1_ffn_W1"), (Sizes{32, 64}));
  EXPECT_EQ(shape("decoder_l1_context_Wv"), (Sizes{32, 32}));
  EXPECT_EQ(shape("decoder_l1_self_Wo_ln_scale"), (Sizes{1, 32}));
  EXPECT_EQ(shape("decoder_ff_logit_out_b"), (Sizes{1, 45}));
  EXPECT_EQ(shape("special:model.yml").front() % 256, 0);
  const nlohmann::json all = options();
  EXPECT_EQ(all["type"], "transformer");
  EXPECT_EQ(all["dim-vocabs"], nlohmann::json({45, 45}));
  EXPECT_EQ(all["transformer-heads"], 2);
  EXPECT_EQ(all["transformer-postprocess"], "dan");
  EXPECT_EQ(all["transformer-ffn-activation"], "relu");
  EXPECT_EQ(all["tied-embeddings-all"], true);
  EXPECT_EQ(all["output-omit-bias"], false);
  const nlohmann::json decoder = read_yaml(foreign + "/model.npz.decoder.yml");
  EXPECT_EQ(decoder["relative-paths"], true);
  EXPECT_EQ(decoder["models"], nlohmann::json({"model.npz"}));
  EXPECT_EQ(decoder["vocabs"], nlohmann::json({"vocab.spm", "vocab.spm"}));
  EXPECT_EQ(decoder["beam-size"], 5);
  EXPECT_EQ(decoder["normalize"], 1);
  EXPECT_EQ(decoder["allow-unk"], true);
  EXPECT_EQ(folder.read("foreign/vocab.spm"), pieces.bytes());
}

TEST_F(ExportMarian, TheSameModelGivesTheSameBytes) {
  write_native(settings());
  ASSERT_EQ(export_model().status, 0);
  const std::string before = folder.read("foreign/model.npz");
  ASSERT_EQ(export_model().status, 0);
  EXPECT_EQ(folder.read("foreign/model.npz"), before);
}

TEST_F(ExportMarian, StoredInt8BecomesF32) {
  write_native(settings());
  const std::string small = folder / "small";
  ASSERT_EQ(gloss({"quantize", "-m", native, "-o", small}).status, 0);
  ASSERT_EQ(gloss({"export", "-m", small, "--format", "marian", "-o", foreign}).status, 0);
  ASSERT_EQ(gloss({"import", foreign, "-o", back}).status, 0);
  const std::string again = folder / "again";
  ASSERT_EQ(gloss({"quantize", "-m", back, "-o", again}).status, 0);
  EXPECT_EQ(read_file(small + "/model.safetensors"), read_file(again + "/model.safetensors"));
}

TEST_F(ExportMarian, RefusesWhatItsProgramDoesNotHave) {
  const auto with = [&](auto change) {
    NetworkSettings network = settings();
    change(network, network.own<TransformerSettings>());
    return network;
  };
  using Own = TransformerSettings;
  expect_refused(with([](NetworkSettings&, Own& own) { own.decoder_positions = Positions::learned; }),
                 "decoder_positions", "learned");
  expect_refused(with([](NetworkSettings&, Own& own) { own.norm_epsilon = 1e-5; }), "norm_epsilon",
                 "0.00001");
  expect_refused(with([](NetworkSettings&, Own& own) { own.norm = NormPlacement::pre; }), "raw_past",
                 "false");
  expect_refused(with([](NetworkSettings&, Own& own) { own.activation = Activation::gelu; }), "activation",
                 "gelu");
  expect_refused(with([](NetworkSettings&, Own& own) { own.positions = Positions::learned; }), "positions",
                 "learned");
  expect_refused(with([](NetworkSettings&, Own& own) { own.positions = Positions::none; }), "positions",
                 "none");
  expect_refused(with([](NetworkSettings&, Own& own) { own.gated_feed_forward = true; }),
                 "gated_feed_forward", "true");
  expect_refused(with([](NetworkSettings& network, Own&) { network.sizes.scale_embeddings = false; }),
                 "scale_embeddings", "false");
  expect_refused(with([](NetworkSettings& network, Own&) { network.begin_token = 2; }), "begin_token", "2");
  expect_refused(with([](NetworkSettings& network, Own&) {
                   network.sizes.decoder_layers = 0;
                   network.begin_token = 0;
                 }),
                 "decoder_layers", "0");
}

TEST_F(ExportMarian, RefusesClassifiers) {
  NetworkSettings network = settings();
  network.sizes.decoder_layers = 0;
  network.classifier.classes = 3;
  network.begin_token = 0;
  expect_refused(network, "classes", "3");
}

}  // namespace
}  // namespace gloss
