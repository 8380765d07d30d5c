// SPDX-License-Identifier: Apache-2.0
// gloss export --format huggingface of models that gloss itself trains.
#include <gtest/gtest.h>

#include "tests/pipeline/foreign/export_native.h"

namespace gloss {
namespace {

TEST_F(ExportNative, KeepsNetworksOfEveryKind) {
  for (const TiedEmbeddings tied :
       {TiedEmbeddings::none, TiedEmbeddings::target, TiedEmbeddings::inputs, TiedEmbeddings::all}) {
    NetworkSettings network = settings();
    network.sizes.tied_embeddings = tied;
    network.sizes.decoder_layers = 2;
    network.own<TransformerSettings>().decoder_heads = 4;
    network.own<TransformerSettings>().decoder_feed_forward_width = 48;
    expect_kept("huggingface", network);
  }
  expect_same_translations();
  NetworkSettings network = settings();
  auto& own = network.own<TransformerSettings>();
  network.sizes.scale_embeddings = false;
  network.sizes.output_bias = true;
  own.positions = Positions::learned;
  own.activation = Activation::gelu_exact;
  expect_kept("huggingface", network);
  own.positions = Positions::none;
  own.activation = Activation::swish;
  expect_kept("huggingface", network);
  expect_same_translations();
}

TEST_F(ExportNative, HasWhatItsProgramReads) {
  NetworkSettings network = settings();
  network.sizes.tied_embeddings = TiedEmbeddings::all;
  network.sizes.output_bias = true;
  write_native(network);
  const ProgramResult written = export_to("huggingface", native);
  ASSERT_EQ(written.status, 0) << written.errors;
  EXPECT_TRUE(has(written.errors, "nfkc")) << written.errors;
  const SafetensorsFile file(foreign + "/model.safetensors");
  const auto shape = [&](const std::string& name) { return file.arrays().at(name).shape; };
  EXPECT_EQ(shape("model.shared.weight"), (Shape{45, 32}));
  EXPECT_EQ(shape("final_logits_bias"), (Shape{1, 45}));
  EXPECT_EQ(shape("model.encoder.embed_positions.weight"), (Shape{60, 32}));
  EXPECT_EQ(shape("model.decoder.layers.0.encoder_attn.v_proj.weight"), (Shape{32, 32}));
  EXPECT_TRUE(has(std::string(reinterpret_cast<const char*>(file.bytes().data()), 100),
                  R"("__metadata__":{"format":"pt"})"));
  const auto json = [&](const std::string& name) {
    return nlohmann::json::parse(folder.read("foreign/" + name));
  };
  EXPECT_EQ(json("config.json")["model_type"], "marian");
  EXPECT_EQ(json("config.json")["decoder_start_token_id"], 1);
  EXPECT_EQ(json("config.json")["encoder_ffn_dim"], 64);
  EXPECT_EQ(json("generation_config.json")["eos_token_id"], 2);
  EXPECT_EQ(json("vocab.json")["</s>"], 2);
  EXPECT_EQ(json("tokenizer_config.json")["separate_vocabs"], false);
  EXPECT_EQ(folder.read("foreign/target.spm"), pieces.bytes());
}

TEST_F(ExportNative, PreNormBecomesPegasus) {
  NetworkSettings network = settings();
  network.sizes.tied_embeddings = TiedEmbeddings::all;
  network.sizes.output_bias = true;
  network.own<TransformerSettings>().norm = NormPlacement::pre;
  for (const Positions positions : {Positions::sinusoidal, Positions::learned, Positions::none}) {
    network.own<TransformerSettings>().positions = positions;
    expect_kept("huggingface", network);
    EXPECT_EQ(exported("config.json")["model_type"], "pegasus");
    EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "MarianTokenizer");
  }
  expect_same_translations();
}

TEST_F(ExportNative, NormalisedEmbeddingsBecomeBart) {
  NetworkSettings network = settings();
  network.sizes.tied_embeddings = TiedEmbeddings::all;
  auto& own = network.own<TransformerSettings>();
  own.embedding_norm = true;
  own.positions = Positions::learned;
  for (const NormPlacement norm : {NormPlacement::post, NormPlacement::pre}) {
    own.norm = norm;
    expect_kept("huggingface", network);
    EXPECT_EQ(exported("config.json")["model_type"], norm == NormPlacement::post ? "bart" : "mbart");
  }
  // Computed positions become learned ones.
  own.positions = Positions::sinusoidal;
  write_native(network);
  expect_class("mbart", "MarianTokenizer");
  expect_same_output({"translate", "--max-length", "9"}, "the small dog\n");
}

TEST_F(ExportNative, BucketsBecomeT5) {
  NetworkSettings network = text_to_text();
  expect_kept("huggingface", network);
  EXPECT_EQ(exported("config.json")["feed_forward_proj"], "relu");
  EXPECT_EQ(exported("tokenizer_config.json")["extra_ids"], 0);
  EXPECT_EQ(folder.read("foreign/spiece.model"), pieces.bytes());
  expect_same_translations();
  network.own<TransformerSettings>().gated_feed_forward = true;
  network.own<TransformerSettings>().activation = Activation::gelu;
  network.own<TransformerSettings>().head_width = 5;
  expect_kept("huggingface", network);
  EXPECT_EQ(exported("config.json")["feed_forward_proj"], "gated-gelu");
  EXPECT_EQ(exported("config.json")["d_kv"], 5);
  expect_same_translations();
}

TEST_F(ExportNative, MaskedModelsBecomeBert) {
  NetworkSettings network = encoder();
  write_with(network, masked_text());
  expect_class("bert", "BigBirdTokenizer");
  expect_same_output({"fill"}, "the small <mask> sees\n");
  EXPECT_EQ(exported("config.json")["architectures"], nlohmann::json({"BertForMaskedLM"}));
  EXPECT_EQ(exported("config.json")["type_vocab_size"], 1);
  EXPECT_EQ(exported("tokenizer_config.json")["cls_token"], "<s>");
  EXPECT_EQ(exported("tokenizer_config.json")["sep_token"], "</s>");
  EXPECT_EQ(exported("tokenizer_config.json")["mask_token"], pieces.piece(44));
  EXPECT_EQ(folder.read("foreign/spiece.model"), pieces.bytes());
  network.own<TransformerSettings>().token_types = 2;
  network.sizes.output_bias = true;
  network.sizes.tied_embeddings = TiedEmbeddings::none;
  write_with(network, masked_text());
  expect_class("bert", "BigBirdTokenizer");
  expect_same_output({"fill"}, "the small <mask> sees\n");
  expect_same_weights();
}

TEST_F(ExportNative, AMaskOfItsOwnFollowsThePieces) {
  NetworkSettings network = encoder();
  network.source_vocabulary = network.target_vocabulary = 46;
  TextFormat format;
  format.mask_token = 45;
  write_with(network, format);
  expect_class("bert", "BigBirdTokenizer");
  EXPECT_EQ(exported("tokenizer_config.json")["added_tokens_decoder"]["45"]["content"], "[MASK]");
  expect_same_output({"fill"}, "the small <mask> sees\n");
}

TEST_F(ExportNative, ClassifiersBecomeBert) {
  NetworkSettings network = encoder();
  network.classifier = {.classes = 2, .pooling = Pooling::first, .inner_layer = true};
  TextFormat format;
  format.labels = {"no", "yes"};
  write_with(network, format);
  expect_class("bert", "BigBirdTokenizer");
  EXPECT_EQ(exported("config.json")["architectures"], nlohmann::json({"BertForSequenceClassification"}));
  EXPECT_EQ(exported("config.json")["id2label"], nlohmann::json({{"0", "no"}, {"1", "yes"}}));
  expect_same_output({"classify"}, "the small dog\ta big house\n");
}

TEST_F(ExportNative, LanguageModelsBecomeGpt2) {
  folder.write("text", "the small dog\n");
  for (const TiedEmbeddings tied : {TiedEmbeddings::none, TiedEmbeddings::target, TiedEmbeddings::all}) {
    NetworkSettings network = language_model();
    network.sizes.tied_embeddings = tied;
    write_with(network, {});
    expect_class("gpt2", "LlamaTokenizer");
    EXPECT_EQ(exported("config.json")["tie_word_embeddings"], tied != TiedEmbeddings::none);
    expect_same_output({"generate", "--max-tokens", "5"}, "the small dog\n\n");
    expect_same_output({"score", "--input", folder / "text"}, "");
  }
  EXPECT_EQ(exported("tokenizer_config.json")["add_bos_token"], true);
  EXPECT_EQ(exported("tokenizer_config.json")["bos_token"], "</s>");
  EXPECT_EQ(folder.read("foreign/tokenizer.model"), pieces.bytes());
  NetworkSettings network = language_model();
  network.own<TransformerSettings>().positions = Positions::sinusoidal;
  write_with(network, {});
  expect_class("gpt2", "LlamaTokenizer");
  expect_same_output({"generate", "--max-tokens", "5"}, "the small dog\n");
}

}  // namespace
}  // namespace gloss
