// SPDX-License-Identifier: Apache-2.0
// gloss export --format huggingface of models that gloss itself trains.
#include <gtest/gtest.h>

#include "base/json.h"
#include "model/formats/safetensors.h"
#include "tests/cli/export_command.h"

namespace gloss {
namespace {

struct ExportNative : ExportCommand {
  nlohmann::json exported(const std::string& name) const {
    return nlohmann::json::parse(folder.read("foreign/" + name));
  }
  /// Writes a model with random weights and text settings.
  void write_with(const NetworkSettings& network, const TextFormat& format) const {
    write_native(network);
    write_text(format);
  }
  /// Replaces the text settings of the native model.
  void write_text(const TextFormat& format) const {
    nlohmann::json config = read_model_config(native);
    config["text"] = text_settings(format);
    folder.write("native/config.json", config.dump());
  }
  /// Exports and imports the native model; expects a model_type and a tokenizer class.
  void expect_class(const std::string& model_type, const std::string& tokenizer_class) const {
    std::filesystem::remove_all(foreign);
    const ProgramResult written = export_to("huggingface", native);
    ASSERT_EQ(written.status, 0) << written.errors;
    EXPECT_EQ(exported("config.json")["model_type"], model_type);
    EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], tokenizer_class);
    const ProgramResult read = gloss({"import", foreign, "--output", back, "--overwrite"});
    ASSERT_EQ(read.status, 0) << read.errors;
  }
  void expect_same_output(const std::vector<std::string>& words, const std::string& text) const {
    const auto run = [&](const std::string& model) {
      std::vector<std::string> all{words.front(), "-m", model, "--precision", "f32"};
      all.insert(all.end(), words.begin() + 1, words.end());
      return gloss(all, text);
    };
    const ProgramResult before = run(native), after = run(back);
    EXPECT_EQ(before.status, 0) << before.errors;
    EXPECT_EQ(before.output, after.output) << after.errors;
    EXPECT_NE(before.output, "");
  }
  /// The settings of an encoder that BERT can have.
  NetworkSettings encoder() const {
    NetworkSettings network = settings();
    network.sizes.decoder_layers = 0;
    network.sizes.tied_embeddings = TiedEmbeddings::all;
    network.sizes.scale_embeddings = false;
    auto& own = network.own<TransformerSettings>();
    own.embedding_norm = true;
    own.norm_epsilon = 1e-12;
    own.positions = Positions::learned;
    own.activation = own.readout_activation = Activation::gelu_exact;
    return network;
  }
  /// The settings of a language model that GPT-2 can have.
  NetworkSettings language_model() const {
    NetworkSettings network = settings();
    network.sizes.encoder_layers = 0;
    network.sizes.scale_embeddings = false;
    network.begin_token = network.end_token;
    auto& own = network.own<TransformerSettings>();
    own.norm = NormPlacement::pre;
    own.positions = Positions::learned;
    own.activation = Activation::gelu;
    return network;
  }
  /// The settings of a network that T5 can have.
  NetworkSettings text_to_text() const {
    NetworkSettings network = settings();
    network.sizes.tied_embeddings = TiedEmbeddings::inputs;
    network.sizes.scale_embeddings = false;
    auto& own = network.own<TransformerSettings>();
    own.norm = NormPlacement::pre;
    own.norm_type = NormType::rms;
    own.linear_bias = false;
    own.attention_scale = AttentionScale::none;
    own.positions = Positions::buckets;
    own.relative_reach = 128;
    return network;
  }
  void expect_no_export(const NetworkSettings& network, const std::string& setting,
                        const std::string& value) const {
    expect_refused("huggingface", network, setting, value);
  }
  TextFormat masked_text() const {
    TextFormat format;
    format.mask_token = 44;
    return format;
  }
};

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

TEST_F(ExportNative, RefusesWhatTranslationModelsOfTransformersDoNotHave) {
  NetworkSettings network = settings();
  auto& own = network.own<TransformerSettings>();
  own.norm_epsilon = 1e-6;
  expect_no_export(network, "norm_epsilon", "1e-06");
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
                   "inner_layer", "false");
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
