// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian.h"

#include <map>

#include "base/error.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "pipeline/foreign/marian/marian_recurrent_parameters.h"
#include "pipeline/foreign/marian/marian_settings.h"
#include "pipeline/foreign/marian/marian_vocabulary.h"

namespace gloss {
namespace {

constexpr int kRecurrentPositions = 1024;  // Marian's networks have no limit

/// The kind of all cells.
Cell read_cell(const ForeignConfig& options, bool nematus) {
  const std::string cell = options.text("dec-cell", "gru");
  if (options.text("enc-cell", cell) != cell) options.refuse("enc-cell", cell + ", as in the decoder");
  if (cell == "gru" && !nematus) return Cell::gru;
  if (cell == "gru-nematus" && nematus) return Cell::gru;
  if (cell == "lstm" && !nematus) return Cell::lstm;
  options.refuse("dec-cell", nematus ? "gru-nematus" : "gru or lstm");
}

EncoderStack read_stack(const ForeignConfig& options, int layers) {
  static const std::map<std::string, EncoderStack> stacks{{"bidirectional", EncoderStack::separate},
                                                          {"alternating", EncoderStack::alternating},
                                                          {"bi-unidirectional", EncoderStack::first}};
  const auto found = stacks.find(options.text("enc-type", "bidirectional"));
  if (found == stacks.end()) options.refuse("enc-type", "bidirectional, alternating or bi-unidirectional");
  return layers == 1 ? EncoderStack::joined : found->second;
}

/// Nematus has a single layer on each side.
void check_nematus(const ForeignConfig& options) {
  for (const std::string name : {"enc-depth", "dec-depth"}) {
    if (options.integer(name, 1) != 1) options.refuse(name, "1 for this type");
  }
  if (options.flag("skip", false)) options.refuse("skip", "false for this type");
}

NetworkSettings read_network(const ForeignConfig& options) {
  const std::string type = options.text("type", "");
  if (type != "s2s") check_nematus(options);
  NetworkSettings settings;
  settings.architecture = "recurrent";
  apply_default_sizes(settings);
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = options.required_integer("enc-depth", 1, 1000);
  sizes.decoder_layers = options.required_integer("dec-depth", 1, 1000);
  sizes.width = options.required_integer("dim-rnn", 2, 1 << 16);
  sizes.max_positions = kRecurrentPositions;
  sizes.scale_embeddings = false;
  set_marian_embeddings(options, settings);
  auto& own = settings.own<RecurrentSettings>();
  own.cell = read_cell(options, type == "nematus");
  own.embedding_width = options.required_integer("dim-emb", 2, 1 << 16);
  own.encoder_stack = read_stack(options, sizes.encoder_layers);
  own.query = QueryPlacement::between;
  own.first_state = FirstState::mean;
  const auto transitions = [&](const std::string& depth, int usual) {
    return options.integer(depth, usual, usual, 100) - usual;
  };
  own.encoder_transitions = transitions("enc-cell-depth", 1);
  own.decoder_transitions = transitions("dec-cell-base-depth", 2);
  own.upper_transitions = transitions("dec-cell-high-depth", 1);
  own.residual = options.flag("skip", false);
  if (options.flag("layer-normalization", false)) {
    own.product_norm = type == "nematus" ? ProductNorm::separate : ProductNorm::joint;
    own.product_norm_epsilon = marian_product_epsilon(own.product_norm);
  }
  const bool one_direction = own.encoder_stack == EncoderStack::first;
  own.attention_width = sizes.width * (one_direction ? 1 : 2);
  return settings;
}

MarianRecurrentSpelling spelling_of(const MarianFiles& files, const std::string& type) {
  const bool nematus = type != "s2s";
  return {nematus, files.weights->find(MarianRecurrentNames(nematus).of(kOlderRecurrentOutput)) != nullptr};
}

}  // namespace

ForeignModel read_marian_recurrent(const MarianFiles& files) {
  NetworkSettings network = read_network(files.options);
  const Tokenizers tokenizers =
      read_marian_vocabularies(files, network.source_vocabulary, network.target_vocabulary);
  network.end_token = tokenizers.target->end_id();
  const std::string type = files.options.text("type", "");
  return {concat("a recurrent network of Marian (", type, ")"), network, tokenizers,
          WeightReaders(files.weights, marian_recurrent_parameters(network, spelling_of(files, type)),
                        marian_array_names())};
}

}  // namespace gloss
