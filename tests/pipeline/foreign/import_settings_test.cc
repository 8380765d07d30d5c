// SPDX-License-Identifier: Apache-2.0
// Settings of models of transformers: each is followed, refused, noted or known to be harmless.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "pipeline/foreign/import_model.h"
#include "tests/support/has.h"
#include "tests/support/hugging_face_relatives.h"
#include "tests/support/hugging_face_t5.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using nlohmann::json;

const std::string kConfig = "config.json", kGeneration = "generation_config.json",
                  kTokenizer = "tokenizer_config.json";

/// Members that change no probability, no id and no search.
const std::set<std::string>& harmless() {
  static const std::set<std::string> names{"_from_model_config",
                                           "_name_or_path",
                                           "activation_dropout",
                                           "add_bias_logits",
                                           "attention_dropout",
                                           "attention_probs_dropout_prob",
                                           "attn_pdrop",
                                           "bos_token_id",
                                           "classif_dropout",
                                           "classifier_dropout",
                                           "decoder_layerdrop",
                                           "dropout",
                                           "dropout_rate",
                                           "embd_pdrop",
                                           "encoder_layerdrop",
                                           "errors",
                                           "gradient_checkpointing",
                                           "hidden_dropout_prob",
                                           "init_std",
                                           "initializer_factor",
                                           "initializer_range",
                                           "is_encoder_decoder",
                                           "model_max_length",
                                           "n_ctx",
                                           "n_positions",
                                           "num_hidden_layers",
                                           "output_past",
                                           "padding_side",
                                           "pad_token",
                                           "pad_token_id",
                                           "reorder_and_upcast_attn",
                                           "resid_pdrop",
                                           "source_lang",
                                           "summary_first_dropout",
                                           "summary_proj_to_labels",
                                           "summary_type",
                                           "summary_use_proj",
                                           "target_lang",
                                           "torch_dtype",
                                           "transformers_version",
                                           "use_cache",
                                           "name_or_path",
                                           "temperature",
                                           "top_k",
                                           "top_p"};
  return names;
}

/// Another value of the same type.
json changed(const json& value) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_integer()) return value.get<int>() + (value.get<int>() < 100 ? 1 : -1);
  if (value.is_number()) return value.get<double>() + 0.125;
  if (value.is_array()) {
    json longer = value;
    longer.push_back("zz");
    return longer;
  }
  return "zz";
}

/// A model with the files of its vocabulary.
HuggingFaceDirectory whole(const HuggingFaceMarian& model, const json& special_tokens = nullptr) {
  HuggingFaceDirectory result = model;
  if (!model.vocabulary.empty()) result.files["vocab.json"] = model.vocabulary.dump();
  if (!special_tokens.is_null()) result.files["special_tokens_map.json"] = special_tokens.dump();
  return result;
}
HuggingFaceDirectory whole(const HuggingFaceM2m& model) { return whole(model, model.special_tokens); }

struct ImportSettings : testing::Test {
  /// All that an import of the model says and writes; the message if it is refused.
  std::string outcome(const HuggingFaceDirectory& model) const {
    std::filesystem::remove_all(foreign);
    std::filesystem::remove_all(own);
    model.write(foreign);
    try {
      const ForeignModel read = read_foreign_model(foreign);
      std::filesystem::create_directories(own);
      Listener silent;
      write_foreign_model(read, own, silent);
      std::string all = join(read.notes, "\n");
      for (const auto& file : std::filesystem::directory_iterator(own))
        all += file.path().filename().string() + read_file(file.path());
      return all;
    } catch (const InputError& error) {
      return error.what();
    }
  }
  /// Gives a file of a model another member.
  static void set(HuggingFaceDirectory& model, const std::string& file, const std::string& member,
                  const json& value) {
    if (file == kConfig) {
      model.config[member] = value;
      return;
    }
    json content = model.files.contains(file) ? json::parse(model.files.at(file)) : json::object();
    content[member] = value;
    model.files[file] = content.dump();
  }
  /// Changes one member after another of all files.
  void expect_followed(HuggingFaceDirectory model, const json& config, const json& generation,
                       const json& tokenizer) const {
    const std::string type = model.config["model_type"];
    for (const auto& [name, value] : config.items()) set(model, kConfig, name, value);
    for (const auto& [name, value] : generation.items()) set(model, kGeneration, name, value);
    for (const auto& [name, value] : tokenizer.items()) set(model, kTokenizer, name, value);
    const std::string usual = outcome(model);
    ASSERT_TRUE(has(usual, "model.safetensors")) << type << ": " << usual;
    for (const std::string& file : {kConfig, kGeneration, kTokenizer}) {
      if (file != kConfig && !model.files.contains(file)) continue;
      const json members = file == kConfig ? model.config : json::parse(model.files.at(file));
      for (const auto& [name, value] : members.items()) {
        if (value.is_object() || value.is_null()) continue;
        HuggingFaceDirectory other = model;
        set(other, file, name, changed(value));
        EXPECT_TRUE(harmless().contains(name) || outcome(other) != usual)
            << type << ", " << file << ": '" << name << "', " << value << " became " << changed(value);
      }
    }
  }
  void expect_told(HuggingFaceDirectory model, const std::string& file, const std::string& member,
                   const json& value, bool refused = true) const {
    set(model, file, member, value);
    const std::string result = outcome(model);
    EXPECT_TRUE(has(result, file + ": '" + member + "' is ")) << member << ": " << result.substr(0, 300);
    EXPECT_EQ(!has(result, "model.safetensors"), refused) << member << ": " << result.substr(0, 300);
  }

  TemporaryDirectory folder;
  std::string foreign = folder / "foreign", own = folder / "own";
};

const json kTraining{
    {"dropout", 0.1},           {"attention_dropout", 0.0}, {"activation_dropout", 0.0},
    {"init_std", 0.02},         {"decoder_layerdrop", 0.0}, {"is_encoder_decoder", true},
    {"torch_dtype", "float32"}, {"use_cache", true},        {"transformers_version", "4.39.0"}};

TEST_F(ImportSettings, EveryMemberOfMarianCounts) {
  json config = kTraining;
  config.update({{"architectures", {"MarianMTModel"}},
                 {"add_bias_logits", false},
                 {"add_final_layer_norm", false},
                 {"normalize_before", false},
                 {"normalize_embedding", false},
                 {"static_position_embeddings", true},
                 {"share_encoder_decoder_embeddings", true},
                 {"num_hidden_layers", 1}});
  expect_followed(whole(HuggingFaceMarian()), config,
                  {{"bad_words_ids", {{14}}},
                   {"decoder_start_token_id", 14},
                   {"eos_token_id", 0},
                   {"forced_eos_token_id", 0},
                   {"length_penalty", 1.0},
                   {"max_length", 512},
                   {"num_beams", 4},
                   {"pad_token_id", 14},
                   {"renormalize_logits", true},
                   {"repetition_penalty", 1.0}},
                  {{"source_lang", "en"}, {"target_lang", "de"}, {"model_max_length", 512}});
}

TEST_F(ImportSettings, EveryMemberOfOtherTranslatorsCounts) {
  HuggingFaceM2m m2m;
  m2m.config["pad_token_id"] = 1;
  expect_followed(whole(m2m), kTraining,
                  {{"decoder_start_token_id", 2},
                   {"eos_token_id", 2},
                   {"max_length", 200},
                   {"early_stopping", true},
                   {"num_beams", 5}},
                  {{"src_lang", "en"}, {"tgt_lang", "fr"}, {"tokenizer_class", "M2M100Tokenizer"}});
  expect_followed(HuggingFaceT5(true),
                  {{"dropout_rate", 0.1},
                   {"is_gated_act", true},
                   {"dense_act_fn", "gelu_new"},
                   {"n_positions", 512},
                   {"initializer_factor", 1.0},
                   {"architectures", {"T5ForConditionalGeneration"}}},
                  {{"decoder_start_token_id", 1}, {"eos_token_id", 2}, {"pad_token_id", 1}}, {});
}

TEST_F(ImportSettings, EveryMemberOfEncodersCounts) {
  const json training{{"attention_probs_dropout_prob", 0.1},
                      {"hidden_dropout_prob", 0.1},
                      {"initializer_range", 0.02},
                      {"is_decoder", false},
                      {"layer_norm_eps", 1e-5},
                      {"position_embedding_type", "absolute"},
                      {"use_cache", true}};
  expect_followed(HuggingFaceBert(true), training, {},
                  {{"do_lower_case", true}, {"strip_accents", true}, {"tokenize_chinese_chars", true}});
  HuggingFaceRoberta roberta(false);
  roberta.config["pad_token_id"] = 1;
  // The id of the padding token fixes the first position.
  const std::string usual = outcome(roberta);
  roberta.config["pad_token_id"] = 2;
  EXPECT_NE(outcome(roberta), usual);
}

TEST_F(ImportSettings, EveryMemberOfGpt2Counts) {
  expect_followed(HuggingFaceGpt2(),
                  {{"architectures", {"GPT2LMHeadModel"}},
                   {"attn_pdrop", 0.1},
                   {"layer_norm_epsilon", 1e-5},
                   {"n_ctx", 30},
                   {"scale_attn_weights", true},
                   {"scale_attn_by_inverse_layer_idx", false},
                   {"reorder_and_upcast_attn", false}},
                  {{"eos_token_id", 7}, {"num_beams", 2}, {"no_repeat_ngram_size", 2}, {"min_new_tokens", 2}},
                  {{"add_bos_token", false}, {"add_prefix_space", false}, {"errors", "replace"}});
}

TEST_F(ImportSettings, OtherSearchesAreNoted) {
  const HuggingFaceT5 t5;
  const json settings{
      {"repetition_penalty", 1.5}, {"do_sample", true},       {"diversity_penalty", 0.5},
      {"num_beam_groups", 2},      {"max_time", 3.0},         {"begin_suppress_tokens", {5}},
      {"typical_p", 0.5},          {"sequence_bias", {{1}}},  {"some_new_setting", 3},
      {"penalty_alpha", 0.6},      {"stop_strings", {"end"}}, {"encoder_no_repeat_ngram_size", 3}};
  for (const auto& [name, value] : settings.items()) {
    HuggingFaceDirectory model = t5;
    set(model, kGeneration, "do_sample", name == "typical_p");
    expect_told(model, kGeneration, name, value, false);
    if (name != "some_new_setting" && name != "typical_p") expect_told(t5, kConfig, name, value, false);
  }
  HuggingFaceGpt2 gpt2;
  for (const std::string name : {"max_length", "min_length", "max_new_tokens"})
    expect_told(gpt2, kGeneration, name, 7, false);
  expect_told(t5, kConfig, "some_new_setting", 3, false);
}

TEST_F(ImportSettings, ClassesOfTokenizersThatReadOtherFilesAreRefused) {
  const HuggingFaceDirectory marian = whole(HuggingFaceMarian()), m2m = whole(HuggingFaceM2m());
  expect_told(marian, kTokenizer, "tokenizer_class", "BertTokenizer");
  expect_told(marian, kConfig, "tokenizer_class", "T5TokenizerFast");
  expect_told(m2m, kTokenizer, "tokenizer_class", "NllbTokenizer");
  expect_told(HuggingFaceBert(true), kTokenizer, "tokenizer_class", "RobertaTokenizerFast");
  expect_told(HuggingFaceGpt2(), kTokenizer, "tokenizer_class", "LlamaTokenizer");
  expect_told(HuggingFaceT5(), kTokenizer, "tokenizer_class", "XLMRobertaTokenizer");
}

TEST_F(ImportSettings, ClassesOfTokenizersThatReadTheSameFilesAreNot) {
  const auto expect_read = [&](HuggingFaceDirectory model, const std::string& name) {
    set(model, kTokenizer, "tokenizer_class", name);
    EXPECT_TRUE(has(outcome(model), "model.safetensors")) << name;
    // Only tokenizer_config.json counts if both have a class.
    set(model, kConfig, "tokenizer_class", "LlamaTokenizer");
    EXPECT_TRUE(has(outcome(model), "model.safetensors")) << name;
  };
  for (const std::string name : {"MarianTokenizer", "PreTrainedTokenizerFast"})
    expect_read(whole(HuggingFaceMarian()), name);
  for (const std::string name : {"GPT2Tokenizer", "GPT2TokenizerFast", "RobertaTokenizerFast"})
    expect_read(HuggingFaceGpt2(), name);
  for (const std::string name : {"T5Tokenizer", "MT5Tokenizer"}) expect_read(HuggingFaceT5(), name);
  expect_read(HuggingFaceBert(true), "DistilBertTokenizer");
}

TEST_F(ImportSettings, OtherTokensAndNetworksAreRefused) {
  const HuggingFaceDirectory marian = whole(HuggingFaceMarian());
  expect_told(marian, kGeneration, "decoder_start_token_id", 3);
  expect_told(marian, kGeneration, "eos_token_id", 3);
  expect_told(marian, kGeneration, "forced_eos_token_id", 3);
  expect_told(marian, kGeneration, "early_stopping", 3);
  expect_told(marian, kConfig, "architectures", {"MarianForCausalLM"});
  expect_told(marian, kConfig, "tokenizer_class", "SMALL100Tokenizer");
  expect_told(marian, kTokenizer, "tokenizer_class", "BertJapaneseTokenizer");
  expect_told(marian, kConfig, "quantization_config", {{"bits", 4}});
  expect_told(HuggingFaceBart(), kConfig, "architectures", {"BartForSequenceClassification"});
  expect_told(HuggingFaceGpt2(), kConfig, "architectures", {"GPT2ForSequenceClassification"});
  expect_told(HuggingFaceGpt2(), kTokenizer, "add_prefix_space", true);
  expect_told(HuggingFaceT5(), kConfig, "architectures", {"T5EncoderModel"});
  expect_told(whole(HuggingFaceM2m()), kConfig, "pad_token_id", 0);
  const HuggingFaceBert bert(true);
  expect_told(bert, kConfig, "problem_type", "multi_label_classification");
  expect_told(bert, kConfig, "problem_type", "regression");
  expect_told(bert, kTokenizer, "strip_accents", false);
  expect_told(bert, kTokenizer, "tokenize_chinese_chars", false);
  expect_told(bert, kTokenizer, "do_basic_tokenize", false);
}

TEST_F(ImportSettings, TokensThatBeginTargetsAreThoseOfTheSearch) {
  HuggingFaceT5 t5;
  t5.write(foreign);
  EXPECT_TRUE(read_foreign_model(foreign).format.target_prefix.empty());
  t5.files[kGeneration] = R"({"forced_bos_token_id": 5})";
  t5.write(foreign);
  EXPECT_EQ(read_foreign_model(foreign).format.target_prefix, std::vector<int>{5});
  HuggingFaceBart bart;
  EXPECT_TRUE(has(outcome(bart), "forced_bos_token_id"));
  bart.config["force_bos_token_to_be_generated"] = true;
  EXPECT_FALSE(has(outcome(bart), "no 'forced_bos_token_id'"));
}

TEST_F(ImportSettings, RobertaHasOneTokenType) {
  HuggingFaceRoberta model(true);
  const std::string name = "roberta.embeddings.token_type_embeddings.weight";
  const auto row = model.arrays.at(name).values;
  model.config["type_vocab_size"] = 3;
  model.add(name, {3, HuggingFaceRoberta::kWidth});
  std::copy(row.begin(), row.end(), model.arrays.at(name).values.begin());
  model.write(foreign);
  const ForeignModel read = read_foreign_model(foreign);
  std::vector<float> first(row.size());
  read.weights.read("encoder.token_types", {1, HuggingFaceRoberta::kWidth}, first);
  EXPECT_EQ(first, row);
}

TEST_F(ImportSettings, DistancesInBucketsHaveNoLimit) {
  const HuggingFaceT5 t5;
  t5.write(foreign);
  EXPECT_GE(read_foreign_model(foreign).network.sizes.max_positions, 4096);
}

}  // namespace
}  // namespace gloss
