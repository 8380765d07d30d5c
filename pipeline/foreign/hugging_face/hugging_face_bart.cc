// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face.h"

#include <array>
#include <functional>
#include <utility>

#include "base/error.h"
#include "base/paths.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/bart_kinds.h"
#include "pipeline/foreign/hugging_face/bart_parameters.h"
#include "pipeline/foreign/hugging_face/bart_tokenizers.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings.h"
#include "pipeline/foreign/shared/stored_positions.h"

namespace gloss {
namespace {

using ReadTokenizers = std::function<TokenizersOfDirectory(const HuggingFaceFiles&, const NetworkSettings&,
                                                           const HuggingFaceGeneration&)>;

/// Reads a size of both sides; that of the decoder becomes 0 if it is the same.
void read_sizes(const ForeignConfig& config, const std::string& name, int& encoder, int& decoder) {
  encoder = config.required_integer("encoder_" + name, 1);
  decoder = config.required_integer("decoder_" + name, 1);
  if (decoder == encoder) decoder = 0;
}

/// Throws InputError if a member asks for something that the code of the family does not do.
void expect_flags(const ForeignConfig& config, const BartKind& kind) {
  const bool pre = kind.norm == NormPlacement::pre;
  const auto expect = [&](const std::string& name, bool value) {
    if (config.flag(name, value) != value) config.refuse(name, value ? "true" : "false");
  };
  expect("normalize_before", pre);
  expect("add_final_layer_norm", pre);
  expect("normalize_embedding", kind.embedding_norm);
  expect("static_position_embeddings", kind.positions != BartPositions::learned);
  // Positions are counted from the id of the padding token.
  if (kind.positions == BartPositions::sines_from_two && config.integer("pad_token_id", 1) != 1)
    config.refuse("pad_token_id", "1");
}

TiedEmbeddings tied_embeddings(const ForeignConfig& config) {
  const bool output = config.flag("tie_word_embeddings", true);
  if (config.flag("share_encoder_decoder_embeddings", true))
    return output ? TiedEmbeddings::all : TiedEmbeddings::inputs;
  return output ? TiedEmbeddings::target : TiedEmbeddings::none;
}

NetworkSettings read_bart_network(const HuggingFaceFiles& files, const BartKind& kind) {
  const ForeignConfig& config = files.config;
  expect_flags(config, kind);
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = config.required_integer("encoder_layers", 1, 1000);
  sizes.decoder_layers = config.required_integer("decoder_layers", 1, 1000);
  sizes.width = config.required_integer("d_model", 2);
  sizes.max_positions = config.required_integer("max_position_embeddings", 2);
  sizes.tied_embeddings = tied_embeddings(config);
  sizes.scale_embeddings = config.flag("scale_embedding", kind.scales);
  settings.source_vocabulary = config.required_integer("vocab_size", 1);
  settings.target_vocabulary = config.integer("decoder_vocab_size", settings.source_vocabulary, 1);
  // Older files leave out what is the default of the family.
  settings.end_token = config.integer("eos_token_id", kind.end);
  settings.begin_token = config.has("decoder_start_token_id")
                             ? config.required_integer("decoder_start_token_id")
                         : kind.starts_with_padding ? config.required_integer("pad_token_id")
                                                    : settings.end_token;
  auto& own = settings.own<TransformerSettings>();
  read_sizes(config, "attention_heads", sizes.heads, own.decoder_heads);
  read_sizes(config, "ffn_dim", own.feed_forward_width, own.decoder_feed_forward_width);
  own.activation = activation_of(config, "activation_function", "gelu");
  own.norm = kind.norm;
  own.embedding_norm = kind.embedding_norm;
  own.positions = Positions::learned;
  sizes.output_bias = files.weights->find("final_logits_bias") != nullptr;
  return settings;
}

/// The position tables that the file of a Marian model has; empty if they have to be computed.
std::vector<const StoredArray*> stored_tables(const HuggingFaceFiles& files) {
  std::vector<const StoredArray*> tables;
  for (const std::string side : {"encoder", "decoder"}) {
    const std::string name = side + ".embed_positions.weight";
    const StoredArray* table = files.weights->find("model." + name);
    if (table == nullptr) table = files.weights->find(name);
    if (table == nullptr) return {};
    tables.push_back(table);
  }
  return tables;
}

/// Reads the tokenizers that the directory has. `usual`: of the family, for messages about missing files.
TokenizersOfDirectory read_text(const HuggingFaceFiles& files, const NetworkSettings& network,
                                const HuggingFaceGeneration& generation, const ReadTokenizers& usual) {
  static const std::array<std::pair<const char*, ReadTokenizers>, 3> readers{
      {{"sentencepiece.bpe.model", read_language_tokenizer},
       {"merges.txt", read_bart_tokenizer},
       {"source.spm", read_marian_tokenizers}}};
  for (const auto& [file, read] : readers) {
    if (path_exists(files.file(file))) return read(files, network, generation);
  }
  return usual(files, network, generation);
}

ForeignModel read_model(const HuggingFaceFiles& files, const BartKind& kind, const ReadTokenizers& usual) {
  NetworkSettings network = read_bart_network(files, kind);
  BartPositions positions = kind.positions;
  if (positions == BartPositions::marian) {
    if (const auto tables = stored_tables(files); !tables.empty()) {
      network.own<TransformerSettings>().positions = kind_of_positions(tables);
      positions = BartPositions::stored;
    }
  }
  HuggingFaceGeneration generation = read_generation(files, network);
  TokenizersOfDirectory text = read_text(files, network, generation, usual);
  // The older name of forced_bos_token_id.
  const bool forces = files.config.flag("force_bos_token_to_be_generated", false);
  if (!text.format.target_prefix.empty() && generation.forced_begin < 0 && !forces) {
    generation.notes.push_back(concat(
        files.generation.path(), ": there is no 'forced_bos_token_id'; translations begin with the token ",
        text.format.target_prefix.front(), " all the same, as in training"));
  }
  text.format.search = generation.search;
  WeightReaders weights(
      files.weights, bart_parameters(network, positions),
      {.optional_prefix = "model.", .older_ends = older_norm_names(), .ignored_ends = {".version"}});
  return {kind.description, network, text.tokenizers, std::move(weights), text.format, generation.notes};
}

}  // namespace

ForeignModel read_hugging_face_marian(const HuggingFaceFiles& files) {
  return read_model(files, bart_kind("marian"), read_marian_tokenizers);
}

ForeignModel read_hugging_face_bart(const HuggingFaceFiles& files) {
  return read_model(files, bart_kind("bart"), read_bart_tokenizer);
}

ForeignModel read_hugging_face_mbart(const HuggingFaceFiles& files) {
  return read_model(files, bart_kind("mbart"), read_language_tokenizer);
}

ForeignModel read_hugging_face_m2m(const HuggingFaceFiles& files) {
  return read_model(files, bart_kind("m2m_100"), read_language_tokenizer);
}

ForeignModel read_hugging_face_pegasus(const HuggingFaceFiles& files) {
  return read_model(files, bart_kind("pegasus"), read_marian_tokenizers);
}

}  // namespace gloss
