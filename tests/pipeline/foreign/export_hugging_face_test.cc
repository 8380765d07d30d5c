// SPDX-License-Identifier: Apache-2.0
// gloss export --format huggingface of imported models of every family.
#include <gtest/gtest.h>

#include "base/json.h"
#include "model/formats/foreign_safetensors.h"
#include "model/formats/sharded_arrays.h"
#include "tests/pipeline/foreign/export_command.h"
#include "tests/support/hugging_face_relatives.h"
#include "tests/support/hugging_face_t5.h"
#include "tests/support/shared_data.h"
#include "tokenizer/model_file.h"

namespace gloss {
namespace {

constexpr JsonLimits kLargeJson{
    .bytes = 64 << 20, .values = 10'000'000, .string_bytes = 1 << 20, .depth = 16};

struct ExportHuggingFace : ExportCommand {
  nlohmann::json exported(const std::string& name) const {
    return read_json(concat(foreign, "/", name), kLargeJson);
  }
  /// Imports `original`, exports it and imports that; expects the same model directory.
  void expect_round_trip(const std::string& original) const {
    const ProgramResult first = gloss({"import", original, "-o", native, "--overwrite"});
    ASSERT_EQ(first.status, 0) << original << ": " << first.errors;
    expect_round_trip_of(native);
  }
  /// Exports a model and imports that; expects the same model directory.
  void expect_round_trip_of(const std::string& original) const {
    std::filesystem::remove_all(foreign);
    const ProgramResult written = export_to("huggingface", original);
    ASSERT_EQ(written.status, 0) << original << ": " << written.errors;
    const ProgramResult second = gloss({"import", foreign, "-o", back, "--overwrite"});
    ASSERT_EQ(second.status, 0) << original << ": " << second.errors;
    const std::string own = model_directory(original);
    EXPECT_EQ(read_file(own + "/model.safetensors"), read_file(back + "/model.safetensors")) << original;
    EXPECT_EQ(tokenizers(own), tokenizers(back)) << original;
    EXPECT_EQ(read_model_config(own)["network"], read_model_config(back)["network"]) << original;
    EXPECT_EQ(read_model_config(own)["text"], read_model_config(back)["text"]) << original;
  }
  /// The model directory that a path names.
  static std::string model_directory(const std::string& path) {
    return std::filesystem::exists(path + "/best") ? path + "/best" : path;
  }
  /// Expects tensors of the same names and shapes as the original's.
  void expect_same_tensors(const StoredArrays& original) const {
    const StoredArrays own = read_foreign_safetensors(foreign + "/model.safetensors");
    std::map<std::string, std::vector<std::int64_t>> expected, found;
    for (const auto& [name, array] : original.all()) expected[name] = array.shape();
    for (const auto& [name, array] : own.all()) found[name] = array.shape();
    EXPECT_EQ(found, expected) << original.path();
  }
  /// Expects the members of config.json that gloss reads.
  void expect_same_members(const nlohmann::json& original) const {
    const nlohmann::json own = exported("config.json");
    for (const std::string name : {"model_type",
                                   "architectures",
                                   "vocab_size",
                                   "decoder_vocab_size",
                                   "d_model",
                                   "encoder_layers",
                                   "decoder_layers",
                                   "encoder_attention_heads",
                                   "decoder_attention_heads",
                                   "encoder_ffn_dim",
                                   "decoder_ffn_dim",
                                   "activation_function",
                                   "max_position_embeddings",
                                   "scale_embedding",
                                   "share_encoder_decoder_embeddings",
                                   "decoder_start_token_id",
                                   "eos_token_id",
                                   "pad_token_id",
                                   "forced_bos_token_id",
                                   "hidden_size",
                                   "intermediate_size",
                                   "hidden_act",
                                   "num_hidden_layers",
                                   "num_attention_heads",
                                   "type_vocab_size",
                                   "layer_norm_eps",
                                   "id2label",
                                   "label2id",
                                   "n_embd",
                                   "n_layer",
                                   "n_head",
                                   "n_positions",
                                   "layer_norm_epsilon",
                                   "d_ff",
                                   "d_kv",
                                   "num_heads",
                                   "num_layers",
                                   "num_decoder_layers",
                                   "feed_forward_proj",
                                   "relative_attention_num_buckets",
                                   "relative_attention_max_distance"}) {
      // Every configuration has labels, whether it classifies or not.
      if (!original.contains(name) || original[name].is_null() || has(original[name].dump(), "LABEL_0"))
        continue;
      EXPECT_EQ(own.value(name, nlohmann::json()), original[name]) << name;
    }
  }
  /// Expects that a file is the model of the generated directories, piece by piece.
  void expect_pieces(const std::string& name) const {
    const ModelFile expected = read_model_file(cat_model(), "the original"),
                    found = read_model_file(read_file(concat(foreign, "/", name)), name);
    ASSERT_EQ(found.pieces.size(), expected.pieces.size());
    EXPECT_FALSE(found.foreign);
    for (std::size_t i = 0; i < expected.pieces.size(); ++i) {
      EXPECT_EQ(found.pieces[i].text, expected.pieces[i].text);
      EXPECT_EQ(found.pieces[i].score, expected.pieces[i].score);
      EXPECT_EQ(found.pieces[i].type, expected.pieces[i].type);
    }
  }
  void expect_same_output(const std::vector<std::string>& words, const std::string& text) const {
    const auto run = [&](const std::string& model) {
      std::vector<std::string> all{words.front(), "-m", model};
      all.insert(all.end(), words.begin() + 1, words.end());
      return gloss(all, text);
    };
    const ProgramResult before = run(native), after = run(back);
    EXPECT_EQ(before.status, 0) << before.errors;
    EXPECT_EQ(before.output, after.output) << after.errors;
    EXPECT_NE(before.output, "");
  }
  /// A generated model goes there and back.
  template <class Model>
  void expect_kept(const Model& model) const {
    const std::string original = folder / "original";
    std::filesystem::remove_all(original);
    model.write(original);
    expect_round_trip(original);
    expect_same_tensors(read_foreign_safetensors(original + "/model.safetensors"));
    expect_same_members(model.config);
  }
};

TEST_F(ExportHuggingFace, KeepsMarian) {
  expect_kept(HuggingFaceMarian());
  EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "MarianTokenizer");
  EXPECT_EQ(exported("generation_config.json")["bad_words_ids"], nlohmann::json({{14}}));
  expect_same_output({"translate", "--max-length", "9"}, "the cat\n");
}

TEST_F(ExportHuggingFace, KeepsM2m) {
  HuggingFaceM2m model;
  model.config["forced_bos_token_id"] = 13;
  expect_kept(model);
  EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "M2M100Tokenizer");
  EXPECT_EQ(exported("tokenizer_config.json")["src_lang"], "en");
  EXPECT_EQ(exported("vocab.json"), model.vocabulary);
  EXPECT_EQ(exported("special_tokens_map.json")["additional_special_tokens"],
            nlohmann::json({"__de__", "__en__", "__fr__"}));
  expect_same_output({"translate", "--max-length", "9"}, "the cat\n");
}

TEST_F(ExportHuggingFace, KeepsNllb) {
  const HuggingFaceNllb model;
  expect_kept(model);
  expect_pieces("sentencepiece.bpe.model");
  const nlohmann::json tokenizer = exported("tokenizer_config.json");
  EXPECT_EQ(tokenizer["tokenizer_class"], "NllbTokenizer");
  EXPECT_EQ(tokenizer["legacy_behaviour"], true);
  EXPECT_EQ(tokenizer["src_lang"], "eng_Latn");
  EXPECT_EQ(tokenizer["tgt_lang"], "fra_Latn");
  EXPECT_EQ(tokenizer["added_tokens_decoder"]["28"]["content"], "deu_Latn");
  EXPECT_EQ(tokenizer["added_tokens_decoder"]["31"]["content"], "<mask>");
  EXPECT_EQ(tokenizer["added_tokens_decoder"]["31"]["lstrip"], true);
  const nlohmann::json search = exported("generation_config.json");
  EXPECT_EQ(search["max_length"], 20);
  EXPECT_EQ(search["num_beams"], 3);
  EXPECT_EQ(search["early_stopping"], true);
  expect_same_output({"translate", "--target-language", "deu"}, "the cat\n");
}

TEST_F(ExportHuggingFace, KeepsMbart) {
  const HuggingFaceMbart model;
  expect_kept(model);
  expect_pieces("sentencepiece.bpe.model");
  EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "MBart50Tokenizer");
  EXPECT_EQ(exported("generation_config.json")["forced_bos_token_id"], 28);
  expect_same_output({"translate", "--target-language", "fr"}, "the cat\n");
}

TEST_F(ExportHuggingFace, KeepsBart) {
  const HuggingFaceBart model;
  expect_kept(model);
  EXPECT_EQ(exported("vocab.json"), nlohmann::json::parse(model.files.at("vocab.json")));
  EXPECT_EQ(folder.read("foreign/merges.txt"), model.files.at("merges.txt"));
  EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "BartTokenizer");
  EXPECT_EQ(exported("config.json")["forced_bos_token_id"], 0);
  expect_same_output({"translate", "--max-length", "9"}, "ab <mask> c\n");
}

TEST_F(ExportHuggingFace, KeepsT5) {
  for (const bool gated : {false, true}) {
    HuggingFaceT5 model(gated);
    expect_kept(model);
    expect_pieces("spiece.model");
    EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "T5Tokenizer");
    EXPECT_EQ(exported("tokenizer_config.json")["extra_ids"], 2);
    expect_same_output({"translate", "--max-length", "9"}, "the cat <extra_id_0>\n");
  }
}

TEST_F(ExportHuggingFace, KeepsBert) {
  const HuggingFaceBert masked(false);
  expect_kept(masked);
  EXPECT_EQ(folder.read("foreign/vocab.txt"), masked.files.at("vocab.txt"));
  EXPECT_EQ(exported("config.json")["architectures"], nlohmann::json({"BertForMaskedLM"}));
  EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "BertTokenizer");
  EXPECT_EQ(exported("tokenizer_config.json")["mask_token"], "[MASK]");
  EXPECT_EQ(exported("tokenizer_config.json")["do_lower_case"], true);
  EXPECT_FALSE(std::filesystem::exists(foreign + "/generation_config.json"));
  expect_same_output({"fill"}, "the <mask> sat\n");
  HuggingFaceBert classes(true);
  classes.files["tokenizer_config.json"] = R"({"do_lower_case": false})";
  expect_kept(classes);
  EXPECT_EQ(exported("config.json")["architectures"], nlohmann::json({"BertForSequenceClassification"}));
  EXPECT_EQ(exported("config.json")["label2id"]["so so"], 2);
  EXPECT_EQ(exported("tokenizer_config.json")["do_lower_case"], false);
  expect_same_output({"classify", "--format", "json"}, "the cat\tsat\n");
  expect_kept(HuggingFaceBareBert());
  EXPECT_EQ(exported("config.json")["architectures"], nlohmann::json({"BertModel"}));
  expect_same_output({"embed"}, "the cat\n");
}

TEST_F(ExportHuggingFace, KeepsRoberta) {
  for (const bool classifies : {false, true}) {
    expect_kept(HuggingFaceRoberta(classifies));
    EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "RobertaTokenizer");
    expect_kept(HuggingFaceRoberta(classifies, true));
    EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "XLMRobertaTokenizer");
    expect_pieces("sentencepiece.bpe.model");
  }
  expect_same_output({"classify", "--format", "json"}, "the cat\tsat\n");
}

TEST_F(ExportHuggingFace, KeepsGpt2) {
  const HuggingFaceGpt2 model;
  expect_kept(model);
  EXPECT_EQ(exported("vocab.json"), nlohmann::json::parse(model.files.at("vocab.json")));
  EXPECT_EQ(folder.read("foreign/merges.txt"), model.files.at("merges.txt"));
  EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "GPT2Tokenizer");
  EXPECT_EQ(exported("tokenizer_config.json")["add_bos_token"], false);
  expect_same_output({"generate", "--max-tokens", "5"}, "ab c\n");
  HuggingFaceGpt2 begins;
  begins.files["tokenizer_config.json"] = R"({"add_bos_token": true})";
  expect_kept(begins);
  EXPECT_EQ(exported("tokenizer_config.json")["add_bos_token"], true);
}

TEST_F(ExportHuggingFace, WritesFineTunedModels) {
  HuggingFaceNllb().write(folder / "original");
  ASSERT_EQ(gloss({"import", folder / "original", "-o", folder / "start"}).status, 0);
  folder.write("a", "the cat\nthe\n");
  folder.write("b", "cat\nthe cat\n");
  const auto finetune = [&](const std::string& run, const std::vector<std::string>& more) {
    std::vector<std::string> words{"finetune", "-m",         folder / "start",    "--source", folder / "a",
                                   "--target", folder / "b", "--target-language", "fra",      "--max-updates",
                                   "3",        "--output",   folder / run,        "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words);
    ASSERT_EQ(result.status, 0) << result.errors;
    expect_round_trip_of(folder / run);
  };
  // The positions of NLLB are computed; another class has room for others.
  finetune("free", {});
  EXPECT_EQ(exported("config.json")["model_type"], "pegasus");
  EXPECT_EQ(exported("tokenizer_config.json")["tokenizer_class"], "NllbTokenizer");
  finetune("frozen", {"--freeze", "encoder.positions", "decoder.positions"});
  EXPECT_EQ(exported("config.json")["model_type"], "m2m_100");
  EXPECT_EQ(exported("generation_config.json")["forced_bos_token_id"], 30);
}

/// The names of the recorded models.
const std::vector<std::string>& recorded_models() {
  static const std::vector<std::string> names{"marian",
                                              "marian-fp16",
                                              "marian-separate",
                                              "m2m100",
                                              "nllb",
                                              "mbart50",
                                              "bart",
                                              "t5",
                                              "t5-v1_1",
                                              "bert-masked-lm",
                                              "bert-classification",
                                              "roberta-masked-lm",
                                              "roberta-classification",
                                              "gpt2"};
  return names;
}

TEST_F(ExportHuggingFace, KeepsRecordedModels) {
  int models = 0;
  for (const std::string& name : recorded_models()) {
    const auto recorded = shared_data("interchange/huggingface/" + name);
    if (!recorded) continue;
    expect_round_trip(*recorded);
    const std::string weights = *recorded + "/model.safetensors";
    expect_same_tensors(std::filesystem::exists(weights)
                            ? read_foreign_safetensors(weights)
                            : read_shards(weights + ".index.json", read_foreign_safetensors));
    expect_same_members(read_json(*recorded + "/config.json", kLargeJson));
    for (const std::string file :
         {"vocab.json", "target_vocab.json", "vocab.txt", "merges.txt", "spiece.model"}) {
      const std::string path = concat(*recorded, "/", file);
      if (!std::filesystem::exists(path)) continue;
      if (file.ends_with(".json")) {
        EXPECT_EQ(exported(file), read_json(path, kLargeJson)) << name;
      } else {
        EXPECT_EQ(folder.read("foreign/" + file), read_file(path)) << name;
      }
    }
    ++models;
  }
  if (models == 0) GTEST_SKIP() << "SKIPPED: no recorded models; set GLOSS_SHARED_DATA to their directory";
}

}  // namespace
}  // namespace gloss
