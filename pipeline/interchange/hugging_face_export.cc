// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/hugging_face_export.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/index.h"
#include "model/formats/safetensors.h"
#include "model/networks/transformer_settings.h"
#include "pipeline/interchange/bart_parameters.h"
#include "pipeline/interchange/exported_tokenizers.h"
#include "pipeline/interchange/exported_weights.h"
#include "pipeline/interchange/stored_positions.h"

namespace gloss {
namespace {

using nlohmann::json;

const std::string kProgram = "Marian of transformers";

const char* activation_name(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return "relu";
    case Activation::gelu:
      return "gelu_new";
    case Activation::gelu_exact:
      return "gelu";
    case Activation::swish:
      return "swish";
    default:
      return nullptr;
  }
}

void expect_representable(const ModelToExport& model) {
  const NetworkSettings& network = model.model.settings;
  const auto refuse = [](const std::string& setting, const std::string& value, const std::string& advice) {
    refuse_export(kProgram, setting, value, advice);
  };
  const std::string other = "export it with --format ctranslate2";
  if (network.architecture != "transformer")
    refuse("architecture", network.architecture, "only transformers can be exported");
  if (form_of(network) != Form::encoder_decoder)
    refuse("encoder_layers", concat(network.sizes.encoder_layers), "only translation models can be exported");
  const auto& own = network.own<TransformerSettings>();
  if (own.norm != NormPlacement::post)
    refuse("norm", own.norm == NormPlacement::pre ? "pre" : "steps", other);
  expect_known_settings(
      network,
      {"encoder_layers", "decoder_layers", "width", "heads", "max_positions", "tied_embeddings",
       "scale_embeddings", "feed_forward_width", "decoder_feed_forward_width", "decoder_heads", "activation",
       "output_bias", "positions", "source_vocabulary", "target_vocabulary", "begin_token", "end_token"},
      kProgram);
  if (activation_name(own.activation) == nullptr)
    refuse("activation", "sigmoid", "train with relu, gelu or swish");
  const Positions positions = own.positions;
  if (positions != Positions::none && positions != Positions::sinusoidal && positions != Positions::learned) {
    refuse("positions", "within attention (relative, rotary or alibi)",
           "train with sinusoidal, learned or no positions");
  }
  if (network.begin_token < 0) refuse("begin_token", "-1, a zero vector", other);
  for (const Subwords* subwords : {model.tokenizers.source.get(), model.tokenizers.target.get()}) {
    if (!is_sentence_piece(*subwords)) refuse("tokenizers", "that are not SentencePiece models", other);
  }
  if (model.text.contains("source_prefix") || model.text.contains("target_prefix") ||
      model.text.contains("languages") || model.text.contains("source_end")) {
    refuse("text", "with tokens around lines", other);
  }
}

bool has_one_vocabulary(const NetworkSettings& network) {
  return shares_sides(network.sizes.tied_embeddings);
}

/// The padding token: one that is never generated, if there is one.
int padding_of(const ModelToExport& model) {
  const std::vector<int> never = model.tokenizers.target->never_generated();
  return never.empty() ? model.model.settings.end_token : never.front();
}

json config_of(const ModelToExport& model) {
  const NetworkSettings& network = model.model.settings;
  const NetworkSizes& sizes = network.sizes;
  const auto& own = network.own<TransformerSettings>();
  json config{{"architectures", {"MarianMTModel"}},
              {"model_type", "marian"},
              {"is_encoder_decoder", true},
              {"torch_dtype", "float32"},
              {"d_model", sizes.width},
              {"num_hidden_layers", sizes.encoder_layers},
              {"max_position_embeddings", sizes.max_positions},
              {"activation_function", activation_name(own.activation)},
              {"scale_embedding", sizes.scale_embeddings},
              {"static_position_embeddings", true},
              {"normalize_before", false},
              {"normalize_embedding", false},
              {"add_final_layer_norm", false},
              {"add_bias_logits", false},
              {"share_encoder_decoder_embeddings", has_one_vocabulary(network)},
              {"tie_word_embeddings", sizes.tied_embeddings == TiedEmbeddings::all ||
                                          sizes.tied_embeddings == TiedEmbeddings::target},
              {"vocab_size", network.source_vocabulary},
              {"decoder_vocab_size", network.target_vocabulary},
              {"decoder_start_token_id", network.begin_token},
              {"eos_token_id", network.end_token},
              {"pad_token_id", padding_of(model)},
              {"use_cache", true}};
  for (const bool decoder : {false, true}) {
    const std::string side = decoder ? "decoder_" : "encoder_";
    config[side + "layers"] = decoder ? sizes.decoder_layers : sizes.encoder_layers;
    config[side + "attention_heads"] = decoder && own.decoder_heads > 0 ? own.decoder_heads : sizes.heads;
    config[side + "ffn_dim"] = decoder && own.decoder_feed_forward_width > 0 ? own.decoder_feed_forward_width
                                                                             : own.feed_forward_width;
  }
  return config;
}

json generation_config_of(const ModelToExport& model) {
  const NetworkSettings& network = model.model.settings;
  json config{{"decoder_start_token_id", network.begin_token},
              {"eos_token_id", network.end_token},
              {"pad_token_id", padding_of(model)}};
  for (const int id : model.tokenizers.target->never_generated()) config["bad_words_ids"].push_back({id});
  // The names of gloss's options and those of transformers.
  const json search = model.text.value("search", json::object());
  for (const auto& [own, foreign] :
       std::map<std::string, std::string>{{"beam_size", "num_beams"},
                                          {"length_penalty", "length_penalty"},
                                          {"no_repeat_ngram", "no_repeat_ngram_size"}}) {
    if (search.contains(own)) config[foreign] = search.at(own);
  }
  // It counts the token at which the decoder starts.
  if (search.contains("max_length")) config["max_length"] = search.at("max_length").get<int>() + 1;
  return config;
}

void write_weights(const ModelToExport& model, const std::string& path) {
  const NetworkSettings& network = model.model.settings;
  const NetworkSizes& sizes = network.sizes;
  const Positions positions = network.own<TransformerSettings>().positions;
  std::map<std::string, ExportedArray> parts;
  std::vector<NamedArray> arrays;
  for (const ExportedArray& part :
       exported_arrays(*model.model.parameters, bart_parameters(network, BartPositions::stored))) {
    const std::vector<std::int64_t>& shape = part.shape;
    const bool row = part.name == "final_logits_bias";  // a matrix there
    arrays.push_back({part.name, DType::f32,
                      row                 ? Shape{1, shape[0]}
                      : shape.size() == 1 ? Shape{shape[0]}
                                          : Shape{shape[0], shape[1]},
                      nullptr});
    parts.emplace(part.name, part);
  }
  if (positions != Positions::learned) {
    for (const std::string side : {"encoder", "decoder"}) {
      arrays.push_back({concat("model.", side, ".embed_positions.weight"), DType::f32,
                        Shape{sizes.max_positions, sizes.width}, nullptr});
    }
  }
  std::vector<float> values;
  const auto data_of = [&](const NamedArray& array) -> const void* {
    const auto part = parts.find(array.name);
    if (part == parts.end()) {
      values = table_of_positions(positions, sizes.max_positions, sizes.width);
    } else {
      values.resize(part->second.count());
      part->second.read(values);
    }
    return values.data();
  };
  AtomicFile file(path);
  write_safetensors(file, arrays, data_of, {{"format", "pt"}});
  file.commit();
}

void write_json(const std::string& directory, const std::string& name, const json& value) {
  write_file(concat(directory, "/", name), value.dump(2) + "\n");
}

void write_tokenizers(const ModelToExport& model, const std::string& directory) {
  const auto ids_of = [](const Subwords& subwords) {
    const std::vector<std::string> pieces = exported_pieces(subwords);
    json ids = json::object();
    for (std::size_t id = 0; id < pieces.size(); ++id) ids[pieces[id]] = id;
    return ids;
  };
  const Tokenizers& tokenizers = model.tokenizers;
  const bool one = has_one_vocabulary(model.model.settings);
  const json source = ids_of(*tokenizers.source), target = ids_of(*tokenizers.target);
  if (one && source != target)
    refuse_export(kProgram, "tied_embeddings", "all and two vocabularies",
                  "export it with --format ctranslate2");
  write_json(directory, "vocab.json", source);
  if (!one) write_json(directory, "target_vocab.json", target);
  write_tokenizer(*tokenizers.source, directory, "source");
  write_tokenizer(*tokenizers.target, directory, "target");
  const std::vector<std::string> pieces = exported_pieces(*tokenizers.target);
  write_json(directory, "tokenizer_config.json",
             {{"tokenizer_class", "MarianTokenizer"},
              {"separate_vocabs", !one},
              {"model_max_length", model.model.settings.sizes.max_positions},
              {"clean_up_tokenization_spaces", attaches_punctuation(*tokenizers.target)},
              {"unk_token", pieces[index(tokenizers.target->unknown_id())]},
              {"eos_token", pieces[index(model.model.settings.end_token)]},
              {"pad_token", pieces[index(padding_of(model))]}});
}

void write(const ModelToExport& model, const std::string& directory, Listener& listener) {
  expect_representable(model);
  note_normalization(model, kProgram, listener);
  write_weights(model, directory + "/model.safetensors");
  write_tokenizers(model, directory);
  write_json(directory, "generation_config.json", generation_config_of(model));
  write_json(directory, "config.json", config_of(model));
}

}  // namespace

ExportFormat hugging_face_export() {
  return {"huggingface",
          "transformers",
          {"model.safetensors", "vocab.json", "target_vocab.json", "source.spm", "target.spm",
           "tokenizer_config.json", "generation_config.json", "config.json"},
          write};
}

}  // namespace gloss
