// SPDX-License-Identifier: Apache-2.0
// gloss export --format huggingface of models that transformers does not have.
#include <gtest/gtest.h>

#include "tests/pipeline/foreign/export_native.h"

namespace gloss {
namespace {

TEST_F(ExportNative, RefusesWhatTranslationModelsOfTransformersDoNotHave) {
  NetworkSettings network = settings();
  auto& own = network.own<TransformerSettings>();
  own.norm_epsilon = 1e-6;
  expect_no_export(network, "norm_epsilon", "1e-06");
  own.decoder_mixers = {"ssru"};
  expect_no_export(network, "decoder_mixers", "ssru");
  own.decoder_mixers = {"attention"};
  own.encoder_mixers = {"lightweight"};
  expect_no_export(network, "encoder_mixers", "lightweight");
  own.encoder_mixers = {"attention"};
  own.norm_epsilon = 1e-5;
  own.gated_feed_forward = true;
  expect_no_export(network, "gated_feed_forward", "true");
  own.gated_feed_forward = false;
  own.positions = Positions::rotary;
  expect_no_export(network, "positions", "rotary");
  own.positions = Positions::learned;
  own.activation = Activation::sigmoid;
  expect_no_export(network, "activation", "sigmoid");
  own.activation = Activation::relu;
  own.norm = NormPlacement::steps;
  expect_no_export(network, "norm", "steps");
  own.norm = NormPlacement::pre;  // tied to the target only
  expect_no_export(network, "tied_embeddings", "target");
  network.architecture = "recurrent";
  expect_no_export(network, "architecture", "recurrent");
  own.norm = NormPlacement::post;
  network.architecture = "transformer";
  write_with(network, {.source_prefix = {5}});
  const ProgramResult framed = export_to("huggingface", native);
  EXPECT_EQ(framed.status, 2);
  EXPECT_TRUE(has(framed.errors, "source_prefix 5")) << framed.errors;
}

TEST_F(ExportNative, RefusesWhatT5DoesNotHave) {
  const auto with = [&](auto change) {
    NetworkSettings network = text_to_text();
    change(network, network.own<TransformerSettings>());
    return network;
  };
  using Own = TransformerSettings;
  expect_no_export(with([](auto&, Own& own) { own.norm = NormPlacement::post; }), "norm", "post");
  expect_no_export(with([](auto&, Own& own) { own.norm_type = NormType::layer; }), "norm_type", "layer");
  expect_no_export(with([](auto&, Own& own) { own.linear_bias = true; }), "linear_bias", "true");
  expect_no_export(with([](auto&, Own& own) { own.attention_scale = AttentionScale::sqrt; }),
                   "attention_scale", "sqrt");
  expect_no_export(with([](NetworkSettings& network, Own&) { network.sizes.scale_embeddings = true; }),
                   "scale_embeddings", "true");
  expect_no_export(
      with([](NetworkSettings& network, Own&) { network.sizes.tied_embeddings = TiedEmbeddings::target; }),
      "tied_embeddings", "target");
  expect_no_export(with([](auto&, Own& own) { own.decoder_heads = 4; }), "decoder_heads", "4");
  expect_no_export(with([](auto&, Own& own) { own.decoder_positions = Positions::learned; }),
                   "decoder_positions", "learned");
}

TEST_F(ExportNative, RefusesWhatBertDoesNotHave) {
  const auto with = [&](auto change) {
    NetworkSettings network = encoder();
    change(network, network.own<TransformerSettings>());
    return network;
  };
  using Own = TransformerSettings;
  expect_no_export(with([](auto&, Own& own) { own.norm = NormPlacement::pre; }), "norm", "pre");
  expect_no_export(with([](auto&, Own& own) { own.embedding_norm = false; }), "embedding_norm", "false");
  expect_no_export(with([](NetworkSettings& network, Own&) { network.sizes.scale_embeddings = true; }),
                   "scale_embeddings", "true");
  expect_no_export(with([](auto&, Own& own) { own.readout_activation = Activation::relu; }),
                   "readout_activation", "relu");
  expect_no_export(with([](NetworkSettings& network, Own&) { network.classifier.classes = 2; }),
                   "BERT of transformers", "false");
  expect_no_export(with([](NetworkSettings& network, Own&) {
                     network.classifier = {.classes = 2, .pooling = Pooling::mean, .inner_layer = true};
                   }),
                   "pooling", "mean");
  expect_no_export(with([](NetworkSettings& network, Own&) {
                     network.classifier = {.classes = 2, .pooling = Pooling::first, .inner_layer = true};
                     network.sizes.encoder_layers = 0;
                     network.sizes.decoder_layers = 1;
                   }),
                   "encoder_layers", "0");
}

TEST_F(ExportNative, RefusesWhatGpt2DoesNotHave) {
  const auto with = [&](auto change) {
    NetworkSettings network = language_model();
    change(network, network.own<TransformerSettings>());
    return network;
  };
  using Own = TransformerSettings;
  expect_no_export(with([](auto&, Own& own) { own.norm = NormPlacement::post; }), "norm", "post");
  expect_no_export(with([](auto&, Own& own) { own.positions = Positions::alibi; }), "positions", "alibi");
  expect_no_export(with([](NetworkSettings& network, Own&) { network.sizes.scale_embeddings = true; }),
                   "scale_embeddings", "true");
  expect_no_export(with([](auto&, Own& own) { own.key_value_heads = 1; }), "key_value_heads", "1");
}

TEST_F(ExportNative, RefusesTokenizersThatItsProgramDoesNotHave) {
  Listener silent;
  SubwordSettings bytes;
  bytes.type = VocabularyType::byte_bpe;
  bytes.size = 270;
  int line = 0;
  const Subwords own_bytes = learn_subwords(
      [&](std::string& text) {
        text = "the small dog";
        return line++ < 10;
      },
      bytes, 1, silent);
  NetworkSettings network = small_network(own_bytes, own_bytes);
  std::filesystem::create_directory(native);
  write_random_model(native, network, own_bytes, own_bytes, 3);
  const ProgramResult result = export_to("huggingface", native);
  EXPECT_EQ(result.status, 2) << result.errors;
  EXPECT_TRUE(has(result.errors, "tokenizers of gloss's byte-bpe")) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(foreign + "/config.json"));
}

}  // namespace
}  // namespace gloss
