// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/imported_seeds.h"

#include <filesystem>

#include "pipeline/foreign/import_model.h"
#include "tests/fuzz/model_files.h"
#include "tests/fuzz/plain_weights.h"
#include "tests/support/ctranslate2_model.h"
#include "tests/support/hugging_face_encoders.h"
#include "tests/support/hugging_face_marian.h"
#include "tests/support/hugging_face_t5.h"
#include "tests/support/marian_recurrent.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using nlohmann::json;

std::vector<ForeignSeed> seeds_of_hugging_face() {
  std::vector<ForeignSeed> seeds;
  const auto add = [&](const std::string& name, const auto& model) {
    const TemporaryDirectory folder;
    model.write(folder.path());
    ModelFiles files = files_of(folder.path());
    seeds.push_back({"import_hugging_face", name, packed(files)});
    for (InputModelFile& file : files) {
      if (file.name == "model.safetensors") file.name = "pytorch_model.bin|torch";
    }
    if (name == "marian") seeds.push_back({"import_hugging_face", "torch", packed(files)});
  };
  HuggingFaceMarian marian;
  marian.files["generation_config.json"] =
      json{{"num_beams", 2},          {"length_penalty", 0.5},  {"max_length", 20},
           {"early_stopping", true},  {"bad_words_ids", {{1}}}, {"suppress_tokens", {3}},
           {"forced_eos_token_id", 0}}
          .dump();
  add("marian", marian);

  HuggingFaceM2m m2m;
  m2m.files["tokenizer_config.json"] = R"({"src_lang": "en", "tgt_lang": "de"})";
  add("m2m", m2m);
  m2m.vocabulary = json();  // as NLLB: the ids of the SentencePiece model, shifted
  m2m.config["vocab_size"] = 33;
  m2m.add("model.shared.weight", {33, HuggingFaceMarian::kWidth});
  m2m.special_tokens["additional_special_tokens"] = {"eng_Latn", "deu_Latn"};
  m2m.files.erase("tokenizer_config.json");
  add("nllb", m2m);
  m2m.config["model_type"] = "mbart";
  for (const std::string side : {"encoder", "decoder"}) {
    m2m.add(concat("model.", side, ".embed_positions.weight"), {HuggingFaceMarian::kPositions + 2, 8});
    m2m.add_norm(concat("model.", side, ".layernorm_embedding"), 8);
  }
  add("mbart", m2m);

  HuggingFaceMarian bart;
  bart.vocabulary = {{"<s>", 0}, {"<pad>", 1}, {"</s>", 2},   {"<unk>", 3}, {"a", 4},      {"b", 5},
                     {"c", 6},   {"t", 7},     {"\u0120", 8}, {"ab", 9},    {"<mask>", 10}};
  bart.files = {{"merges.txt", "#version: 0.2\na b\n"}};
  bart.config["model_type"] = "bart";
  bart.config["activation_function"] = "gelu";
  bart.config["vocab_size"] = bart.config["decoder_vocab_size"] = 11;
  bart.config["decoder_start_token_id"] = bart.config["eos_token_id"] = 2;
  bart.config["forced_bos_token_id"] = 0;
  bart.arrays.erase("final_logits_bias");
  bart.add("model.shared.weight", {11, 8});
  for (const std::string side : {"encoder", "decoder"}) {
    bart.add(concat("model.", side, ".embed_positions.weight"), {HuggingFaceMarian::kPositions + 2, 8});
    bart.add_norm(concat("model.", side, ".layernorm_embedding"), 8);
  }
  add("bart", bart);

  add("t5", HuggingFaceT5(false));
  add("t5_gated", HuggingFaceT5(true));
  add("bert", HuggingFaceBert(false));
  add("bert_classes", HuggingFaceBert(true));
  const HuggingFaceGpt2 gpt2;
  add("gpt2", gpt2);
  HuggingFaceGpt2 shards = gpt2;
  json places = json::object();
  for (const auto& [name, array] : gpt2.arrays) places[name] = "some.safetensors";
  shards.files["model.safetensors.index.json"] = json{{"weight_map", places}}.dump();
  add("shards", shards);
  ModelFiles files = unpacked(seeds.back().bytes);
  for (InputModelFile& file : files) {
    if (file.name == "model.safetensors") file.name = "some.safetensors";
  }
  seeds.back().bytes = packed(files);

  HuggingFaceBert roberta(false);
  for (const auto& [name, array] : HuggingFaceBert(false).arrays) {
    if (name.starts_with("bert.")) roberta.rename(name, "roberta." + name.substr(5));
  }
  std::erase_if(roberta.arrays, [](const auto& array) { return !array.first.starts_with("roberta."); });
  roberta.files = {{"merges.txt", "a b\n"},
                   {"vocab.json", R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"ab":6,"c":7,"d":8,)"
                                  R"("\u0120":9,"<mask>":10})"}};
  roberta.config["model_type"] = "roberta";
  roberta.config["type_vocab_size"] = 1;
  roberta.add("roberta.embeddings.token_type_embeddings.weight", {1, 8});
  roberta.add_linear("lm_head.dense", 8, 8);
  roberta.add_norm("lm_head.layer_norm", 8);
  roberta.add("lm_head.bias", {11});
  add("roberta", roberta);
  return seeds;
}

/// The arrays and options of a model of Marian.
PlainWeights plain(const MarianModel& model) {
  PlainWeights weights;
  const std::string options = model.model_yml();
  weights.arrays.push_back({"special:model.yml", "I8", {static_cast<std::int64_t>(options.size())}, options});
  for (const auto& [name, array] : model.arrays) {
    weights.arrays.push_back(
        {name, "F32", {array.shape.begin(), array.shape.end()}, little_endian(array.values)});
  }
  return weights;
}

std::vector<ForeignSeed> seeds_of_marian() {
  std::vector<ForeignSeed> seeds;
  const auto add = [&](const std::string& name, const MarianModel& model, bool binary = false) {
    ModelFiles files{{binary ? "model.bin|marian" : "model.npz|npz", written_plain(plain(model))},
                     {"vocab.yml", model.vocabulary()}};
    if (!binary) files.push_back({"model.npz.decoder.yml", MarianModel::decoder_yml()});
    seeds.push_back({"import_marian", name, packed(files)});
  };
  const MarianModel model;
  add("transformer", model);
  add("binary", model, true);
  MarianModel ssru = model;
  ssru.remove("decoder_l1_self");
  ssru.options["transformer-decoder-autoreg"] = "rnn";
  ssru.options["dec-cell"] = "ssru";
  ssru.add("decoder_l1_rnn_W", {8, 8});
  ssru.add_linear("decoder_l1_rnn", "f");
  ssru.add_norm("decoder_l1_rnn_ffn");
  add("ssru", ssru);
  MarianModel average = model;
  average.remove("decoder_l1_self");
  average.options["transformer-decoder-autoreg"] = "average-attention";
  average.options["transformer-dim-aan"] = "8";
  average.options["transformer-aan-depth"] = "2";
  for (const std::string end : {"1", "i", "f"}) average.add_linear("decoder_l1_aan", end);
  average.add_norm("decoder_l1_aan_ffn");
  add("average", average);
  MarianModel language = model;
  language.remove("encoder");
  language.remove("decoder_l1_context");
  language.options["type"] = "lm-transformer";
  language.options["dim-vocabs"] = "[8]";
  language.options["tied-embeddings-all"] = "false";
  language.options["tied-embeddings"] = "true";
  language.arrays["decoder_Wemb"] = language.arrays.at("Wemb");
  language.remove("Wemb");
  add("language", language);
  using Kind = MarianRecurrent::Kind;
  add("s2s", MarianRecurrent(Kind{}).named());
  add("lstm", MarianRecurrent(Kind{.cell = "lstm",
                                   .encoder = "alternating",
                                   .encoder_depth = 2,
                                   .decoder_depth = 2,
                                   .norm = true,
                                   .skip = true})
                  .named());
  add("nematus",
      MarianRecurrent(
          Kind{.type = "nematus", .cell = "gru-nematus", .encoder_cells = 2, .base_cells = 3, .norm = true})
          .named());
  add("amun", MarianRecurrent(Kind{.type = "amun"}).named());
  seeds.push_back(
      {"import_marian", "opus",
       packed({{"model.npz|npz", written_plain(plain(model))},
               {"source.spm", cat_model()},
               {"target.spm", cat_model()},
               {"vocab.yml", "</s>: 0\n<unk>: 1\n\u2581the: 2\n\u2581cat: 3\na: 4\nt: 5\n\u2581: 6\nh: 7\n"},
               {"decoder.yml", MarianModel::decoder_yml()}})});
  return seeds;
}

PlainWeights plain(const CTranslate2Model& model) {
  static const char* const kTypes[] = {"F32", "I8", "I16", "I32", "F16", "BF16"};
  PlainWeights weights;
  for (const auto& [name, item] : model.items)
    weights.arrays.push_back({name, kTypes[item.type], {item.shape.begin(), item.shape.end()}, item.data});
  for (const auto& [alias, name] : model.aliases) weights.about[alias] = name;
  return weights;
}

std::vector<ForeignSeed> seeds_of_ctranslate2() {
  std::vector<ForeignSeed> seeds;
  const auto add = [&](const std::string& name, const PlainWeights& weights, const json& config,
                       const json& tokens, bool decodes_only = false) {
    ModelFiles files{{"model.bin|ctranslate2", written_plain(weights)},
                     {"config.json", config.dump()},
                     {decodes_only ? "vocabulary.json" : "shared_vocabulary.json", tokens.dump()}};
    seeds.push_back({"import_ctranslate2", name, packed(files)});
  };
  CTranslate2Model model;
  add("plain", plain(model), model.config, model.tokens);
  CTranslate2Model shared = model;
  shared.items.erase("encoder/embeddings_0/weight");
  shared.items.erase("decoder/projection/weight");
  shared.aliases = {{"encoder/embeddings_0/weight", "decoder/embeddings/weight"},
                    {"decoder/projection/weight", "decoder/embeddings/weight"}};
  const std::string embeddings = "decoder/embeddings/weight";
  shared.items[embeddings] = {embeddings, {8, 8}, 1, std::string(64, '\x11')};
  shared.items[embeddings + "_scale"] = {
      embeddings + "_scale", {8}, 0, little_endian(std::vector<float>(8, 90.0F))};
  for (const std::string side : {"encoder", "decoder"})
    shared.add(side + "/position_encodings/encodings", {20, 8});
  add("quantised", plain(shared), shared.config, shared.tokens);
  CTranslate2Model language = model;
  std::erase_if(language.items, [](const auto& item) {
    return item.first.starts_with("encoder") || item.first.starts_with("decoder/layer_0/attention");
  });
  language.add_number<std::int8_t>("decoder/alibi", 1);
  PlainWeights weights = plain(language);
  weights.about["decoder_only"] = true;
  json config = language.config;
  config["bos_token"] = "</s>";
  add("language", weights, config, language.tokens, true);
  return seeds;
}

std::vector<ForeignSeed> seeds_of_fairseq() {
  constexpr int kWidth = 8, kInner = 12, kPieces = 7;
  HuggingFaceDirectory arrays;  // named as in fairseq
  json settings{{"source_lang", "de"},          {"target_lang", "en"},     {"max_source_positions", 20},
                {"max_target_positions", 20},   {"activation_fn", "relu"}, {"no_scale_embedding", false},
                {"share_all_embeddings", false}};
  for (const std::string side : {"encoder", "decoder"}) {
    settings[side + "_layers"] = 1;
    settings[side + "_embed_dim"] = kWidth;
    settings[side + "_attention_heads"] = 2;
    settings[side + "_ffn_embed_dim"] = kInner;
    settings[side + "_learned_pos"] = settings[side + "_normalize_before"] = false;
    const std::string layer = side + ".layers.0.";
    arrays.add(side + ".embed_tokens.weight", {kPieces, kWidth});
    for (const std::string attention : {"self_attn", "encoder_attn"}) {
      if (side == "encoder" && attention == "encoder_attn") continue;
      for (const std::string part : {"q", "k", "v", "out"})
        arrays.add_linear(concat(layer, attention, ".", part, "_proj"), kWidth, kWidth);
      arrays.add_norm(concat(layer, attention, "_layer_norm"), kWidth);
    }
    arrays.add_linear(layer + "fc1", kInner, kWidth);
    arrays.add_linear(layer + "fc2", kWidth, kInner);
    arrays.add_norm(layer + "final_layer_norm", kWidth);
  }
  arrays.add("decoder.output_projection.weight", {kPieces, kWidth});
  const std::string dictionary = "the 30\ncat 20\nsat 10\n";
  std::vector<ForeignSeed> seeds;
  for (const bool old : {true, false}) {
    PlainWeights weights;
    for (const auto& [name, array] : arrays.arrays) {
      std::vector<std::int64_t> shape;
      for (int i = 0; i < array.shape.rank(); ++i) shape.push_back(array.shape[i]);
      weights.arrays.push_back({name, "F32", shape, little_endian(array.values)});
    }
    weights.about = old ? json{{"args", settings}} : json{{"cfg", {{"model", settings}}}};
    seeds.push_back({"import_fairseq", old ? "args" : "cfg",
                     packed({{"checkpoint_best.pt|fairseq", written_plain(weights)},
                             {"dict.de.txt", dictionary},
                             {"dict.en.txt", dictionary}})});
  }
  return seeds;
}

}  // namespace

std::vector<ForeignSeed> imported_seeds() {
  std::vector<ForeignSeed> all;
  for (const auto& seeds :
       {seeds_of_hugging_face(), seeds_of_marian(), seeds_of_ctranslate2(), seeds_of_fairseq()})
    all.insert(all.end(), seeds.begin(), seeds.end());
  for (const ForeignSeed& seed : all) {
    const TemporaryDirectory foreign, own;
    write_files(unpacked(seed.bytes), foreign.path());
    Listener silent;
    // Throws unless it is a model.
    write_foreign_model(read_foreign_model(foreign.path()), own.path(), silent);
  }
  return all;
}

}  // namespace gloss
