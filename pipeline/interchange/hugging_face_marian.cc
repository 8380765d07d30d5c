// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/hugging_face_marian.h"

#include <array>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/json.h"
#include "model/networks/transformer_settings.h"
#include "tokenizer/foreign_vocabulary.h"

namespace gloss {
namespace {

// A vocabulary of a million pieces.
constexpr JsonLimits kVocabularyJson{
    .bytes = 64 << 20, .values = 2'000'000, .string_bytes = 1 << 16, .depth = 2};

/// The pieces of a vocab.json, by their ids.
std::vector<std::string> read_pieces(const std::string& path) {
  const nlohmann::json map = read_json(path, kVocabularyJson);
  if (!map.is_object()) throw InputError(concat(path, ": expected an object with the id of each piece"));
  std::vector<std::string> pieces(map.size());
  std::vector<bool> found(map.size());
  for (const auto& [piece, id] : map.items()) {
    if (!id.is_number_integer() || id < 0 || id >= map.size()) {
      throw InputError(concat(path, ": the piece '", piece, "' has the id ", ascii_json_line(id),
                              "; expected 0 to ", map.size() - 1, " for ", map.size(), " pieces"));
    }
    const auto place = id.get<std::size_t>();
    if (found[place])
      throw InputError(
          concat(path, ": the pieces '", piece, "' and '", pieces[place], "' have the id ", place));
    found[place] = true;
    pieces[place] = piece;
  }
  return pieces;
}

int id_of(const std::vector<std::string>& pieces, const std::string& piece, const std::string& path) {
  for (std::size_t id = 0; id < pieces.size(); ++id) {
    if (pieces[id] == piece) return static_cast<int>(id);
  }
  throw InputError(concat(path, ": there is no piece '", piece, "'"));
}

/// True for the language codes of targets, such as >>deu<<.
bool is_language(const std::string& piece) { return piece.starts_with(">>") && piece.ends_with("<<"); }

std::shared_ptr<const Subwords> read_tokenizer(const HuggingFaceFiles& files,
                                               const std::string& vocabulary_file,
                                               const std::string& model_file) {
  const std::string path = concat(files.directory, "/", vocabulary_file);
  ForeignVocabulary vocabulary;
  vocabulary.pieces = read_pieces(path);
  vocabulary.unknown = id_of(vocabulary.pieces, "<unk>", path);
  vocabulary.begin = files.config.required_integer("decoder_start_token_id");
  vocabulary.end = files.config.required_integer("eos_token_id");
  vocabulary.specials = {{vocabulary.unknown}, {vocabulary.begin}, {vocabulary.end}};
  for (std::size_t id = 0; id < vocabulary.pieces.size(); ++id) {
    if (is_language(vocabulary.pieces[id])) vocabulary.specials.push_back({static_cast<int>(id)});
  }
  vocabulary.never_generated = {vocabulary.begin};  // it is the padding too
  const std::string model = concat(files.directory, "/", model_file);
  return std::make_shared<const Subwords>(
      Subwords::from_bytes(renumbered_file(vocabulary, read_file(model), path), path));
}

/// transformers' positions of Marian: sines in the first half of the columns, cosines in the second.
void fill_positions(std::span<float> table, int width) {
  const int half = width / 2;
  for (std::size_t at = 0; at < table.size(); ++at) {
    const auto place = static_cast<double>(at / index(width));
    const int column = static_cast<int>(at % index(width));
    const double angle = place / std::pow(10000.0, 2.0 * (column % half) / width);
    table[at] = static_cast<float>(column < half ? std::sin(angle) : std::cos(angle));
  }
}

Activation read_activation(const ForeignConfig& config) {
  static const std::map<std::string, Activation> activations{{"relu", Activation::relu},
                                                             {"gelu", Activation::gelu_exact},
                                                             {"gelu_new", Activation::gelu},
                                                             {"swish", Activation::swish},
                                                             {"silu", Activation::swish}};
  const auto found = activations.find(config.text("activation_function", "gelu"));
  if (found == activations.end()) config.refuse("activation_function", "relu, gelu, gelu_new, swish or silu");
  return found->second;
}

/// A size of the decoder; 0: as the encoder.
int own_size(int of_decoder, int of_encoder) { return of_decoder == of_encoder ? 0 : of_decoder; }

NetworkSettings read_network(const ForeignConfig& config) {
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = config.required_integer("encoder_layers", 1, 1000);
  sizes.decoder_layers = config.required_integer("decoder_layers", 1, 1000);
  sizes.width = config.required_integer("d_model", 2);
  sizes.heads = config.required_integer("encoder_attention_heads", 1);
  sizes.max_positions = config.required_integer("max_position_embeddings", 2);
  const bool shared = config.flag("share_encoder_decoder_embeddings", true);
  sizes.tied_embeddings = shared ? TiedEmbeddings::all : TiedEmbeddings::target;
  sizes.output_bias = true;
  settings.source_vocabulary = config.required_integer("vocab_size", 1);
  settings.target_vocabulary = config.integer("decoder_vocab_size", settings.source_vocabulary, 1);
  settings.begin_token = config.required_integer("decoder_start_token_id");
  settings.end_token = config.required_integer("eos_token_id");
  auto& own = settings.own<TransformerSettings>();
  own.feed_forward_width = config.required_integer("encoder_ffn_dim", 1);
  own.decoder_heads = own_size(config.required_integer("decoder_attention_heads", 1), sizes.heads);
  own.decoder_feed_forward_width =
      own_size(config.required_integer("decoder_ffn_dim", 1), own.feed_forward_width);
  own.activation = read_activation(config);
  own.positions = Positions::learned;
  if (!config.flag("scale_embedding", true)) config.refuse("scale_embedding", "true");
  if (!config.flag("static_position_embeddings", true)) config.refuse("static_position_embeddings", "true");
  for (const std::string name : {"normalize_before", "normalize_embedding", "add_final_layer_norm"}) {
    if (config.flag(name, false)) config.refuse(name, "false");
  }
  return settings;
}

/// The weights of an attention sub-layer.
void take_attention(WeightSources& weights, const std::string& own, const std::string& foreign, bool cross) {
  const auto part = [&](const std::string& name) { return concat(foreign, ".", name, "_proj"); };
  if (cross) {
    weights.take_linear(own + ".query", {part("q")});
    weights.take_linear(own + ".key_value", {part("k"), part("v")});
  } else {
    weights.take_linear(own + ".query_key_value", {part("q"), part("k"), part("v")});
  }
  weights.take_linear(own + ".output", {part("out")});
  weights.take_linear(own + ".norm", {foreign + "_layer_norm"});
}

WeightSources read_sources(const HuggingFaceFiles& files, const NetworkSizes& sizes) {
  WeightSources weights(files.weights, {"model.", ""});
  if (sizes.tied_embeddings == TiedEmbeddings::all) {
    weights.take("embedding.weight", {"shared.weight"});
    for (const std::string copy : {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"})
      weights.ignore(copy);
  } else {
    weights.take("source_embedding.weight", {"encoder.embed_tokens.weight"});
    weights.take("target_embedding.weight", {"decoder.embed_tokens.weight"});
  }
  weights.ignore("lm_head.weight");
  weights.take("output.bias", {"final_logits_bias"});
  for (const bool decoder : {false, true}) {
    const std::string side = decoder ? "decoder" : "encoder";
    weights.compute(side + ".positions",
                    [width = sizes.width](std::span<float> table) { fill_positions(table, width); });
    weights.ignore(side + ".embed_positions.weight");
    for (int layer = 0; layer < (decoder ? sizes.decoder_layers : sizes.encoder_layers); ++layer) {
      const std::string own = concat(side, ".", layer), foreign = concat(side, ".layers.", layer);
      take_attention(weights, own + ".self_attention", foreign + ".self_attn", false);
      if (decoder) take_attention(weights, own + ".cross_attention", foreign + ".encoder_attn", true);
      weights.take_linear(own + ".feed_forward.inner", {foreign + ".fc1"});
      weights.take_linear(own + ".feed_forward.outer", {foreign + ".fc2"});
      weights.take_linear(own + ".feed_forward.norm", {foreign + ".final_layer_norm"});
    }
  }
  return weights;
}

}  // namespace

ForeignModel read_hugging_face_marian(const HuggingFaceFiles& files) {
  const NetworkSettings network = read_network(files.config);
  const bool separate = network.sizes.tied_embeddings != TiedEmbeddings::all;
  return {"a Marian model of transformers",
          network,
          {read_tokenizer(files, "vocab.json", "source.spm"),
           read_tokenizer(files, separate ? "target_vocab.json" : "vocab.json", "target.spm")},
          read_sources(files, network.sizes)};
}

}  // namespace gloss
