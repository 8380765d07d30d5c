// SPDX-License-Identifier: Apache-2.0
// gloss export through the real binary.
#include <gtest/gtest.h>

#include <cstring>

#include "base/files.h"
#include "model/formats/ctranslate2.h"
#include "model/formats/safetensors.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/run_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

const std::string kText = "the small dog\na big house\n\nwalks home\n";

struct Export : testing::Test {
  static ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), kGlossBinary);
    return run_program(words, input);
  }
  ProgramResult export_to(const std::string& format, const std::string& from) const {
    return gloss({"export", "-m", from, "--format", format, "--output", foreign, "--overwrite"});
  }
  /// The settings of a small transformer with a common vocabulary.
  NetworkSettings settings() const { return small_network(pieces, pieces); }
  void write_native(const NetworkSettings& network) const {
    std::filesystem::remove_all(native);
    std::filesystem::create_directory(native);
    write_random_model(native, network, pieces, pieces, 3);
  }
  /// Expects that a native model has the same settings and weights after export and import.
  void expect_kept(const std::string& format, const NetworkSettings& network) const {
    write_native(network);
    expect_back(format);
  }
  void expect_back(const std::string& format) const {
    const ProgramResult written = export_to(format, native);
    ASSERT_EQ(written.status, 0) << written.errors;
    const ProgramResult read = gloss({"import", foreign, "--output", back, "--overwrite"});
    ASSERT_EQ(read.status, 0) << read.errors;
    expect_same_weights();
    nlohmann::json before = read_model_config(native)["network"], after = read_model_config(back)["network"];
    for (const std::string training :
         {"dropout", "embedding_dropout", "attention_dropout", "activation_dropout"}) {
      before.erase(training);
      after.erase(training);
    }
    EXPECT_EQ(before, after);
    EXPECT_EQ(tokenizers(native), tokenizers(back));
  }
  static std::vector<std::string> tokenizers(const std::string& directory) {
    const TokenizerPaths paths = tokenizer_paths(directory);
    return {read_file(paths.source), read_file(paths.target)};
  }
  void expect_same_weights() const {
    const SafetensorsFile before(native + "/model.safetensors"), after(back + "/model.safetensors");
    ASSERT_EQ(before.arrays().size(), after.arrays().size());
    for (const auto& [name, array] : before.arrays()) {
      const NamedArray& other = after.array(name, array.dtype, array.shape);
      EXPECT_EQ(std::memcmp(array.data, other.data, index(array.shape.count()) * size_of(array.dtype)), 0)
          << name;
    }
  }
  void expect_same_translations() const {
    const std::vector<std::string> options{"--max-length", "10", "--n-best", "2"};
    const auto translate = [&](const std::string& model) {
      std::vector<std::string> words{"translate", "-m", model};
      words.insert(words.end(), options.begin(), options.end());
      return gloss(words, kText);
    };
    const ProgramResult before = translate(native), after = translate(back);
    EXPECT_EQ(before.status, 0) << before.errors;
    EXPECT_EQ(before.output, after.output) << after.errors;
  }
  /// Expects that a model is refused with a message that names a setting and its value.
  void expect_refused(const std::string& format, const NetworkSettings& network, const std::string& setting,
                      const std::string& value) const {
    write_native(network);
    const ProgramResult result = export_to(format, native);
    EXPECT_EQ(result.status, 2) << result.errors;
    EXPECT_TRUE(has(result.errors, setting)) << result.errors;
    EXPECT_TRUE(has(result.errors, value)) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(foreign + "/config.json"));
  }

  TemporaryDirectory folder;
  std::string native = folder / "native", foreign = folder / "foreign", back = folder / "back";
  Subwords pieces = small_vocabulary(45);
};

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

TEST_F(Export, HuggingFaceKeepsNetworksOfEveryKind) {
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

TEST_F(Export, HuggingFaceHasWhatItsProgramReads) {
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

TEST_F(Export, HuggingFaceRefusesWhatItsProgramDoesNotHave) {
  NetworkSettings network = settings();
  auto& own = network.own<TransformerSettings>();
  own.norm = NormPlacement::pre;
  expect_refused("huggingface", network, "norm", "pre");
  own.norm = NormPlacement::post;
  own.norm_epsilon = 1e-6;
  expect_refused("huggingface", network, "norm_epsilon", "1e-06");
  own.norm_epsilon = 1e-5;
  own.gated_feed_forward = true;
  expect_refused("huggingface", network, "gated_feed_forward", "true");
  own.gated_feed_forward = false;
  own.positions = Positions::rotary;
  expect_refused("huggingface", network, "positions", "rotary");
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
