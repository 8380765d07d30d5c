// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/marian/marian.h"
#include "pipeline/foreign/marian/marian_options.h"
#include "pipeline/foreign/marian/marian_parameters.h"
#include "pipeline/foreign/marian/marian_settings.h"
#include "pipeline/foreign/marian/marian_vocabulary.h"

namespace gloss {
namespace {

// Marian computes positions of any number; gloss has a table of them.
constexpr int kTransformerPositions = 1024;

Activation read_activation(const ForeignConfig& options, const std::string& name, const char* otherwise) {
  static const std::map<std::string, Activation> activations{
      {"relu", Activation::relu}, {"gelu", Activation::gelu_exact}, {"swish", Activation::swish}};
  const auto found = activations.find(options.text(name, otherwise));
  if (found == activations.end()) options.refuse(name, "relu, gelu or swish");
  return found->second;
}

/// An option of the decoder that is 0 if it is that of the encoder.
int decoder_size(const ForeignConfig& options, const std::string& name, int of_encoder) {
  const int size = options.integer("transformer-decoder-" + name, 0);
  return size == 0 ? of_encoder : size;
}

/// The steps of normalisation that an option has.
std::string read_steps(const ForeignConfig& options, const std::string& name, const std::string& allowed) {
  const std::string steps = options.text(name, "");
  if (steps.find_first_not_of(allowed) != std::string::npos)
    options.refuse(name, concat("the letters ", allowed, "; gloss has no highway connections (h)"));
  return steps;
}

/// Reads where normalisations are, and of which kind. The usual places have names; others are spelled.
void read_norms(const ForeignConfig& options, TransformerSettings& settings) {
  settings.norm_epsilon = kMarianEpsilon;
  settings.steps_before = read_steps(options, "transformer-preprocess", "dnr");
  settings.steps_after = read_steps(options, "transformer-postprocess", "danr");
  settings.steps_top = read_steps(options, "transformer-postprocess-top", "danr");
  const std::string embedding = read_steps(options, "transformer-postprocess-emb", "dnr");
  const auto has = [](const std::string& steps, char letter) {
    return steps.find(letter) != std::string::npos;
  };
  const std::string all = settings.steps_before + settings.steps_after + settings.steps_top;
  settings.embedding_norm = has(embedding, 'n') || has(embedding, 'r');
  const bool rms = has(settings.embedding_norm ? embedding : all, 'r');
  settings.norm_type = rms ? NormType::rms : NormType::layer;
  const std::string norm = rms ? "r" : "n";
  const std::string found = concat(settings.steps_before, " ", settings.steps_after, " ", settings.steps_top);
  settings.norm = NormPlacement::steps;
  if (found == concat(" da", norm, " ")) settings.norm = NormPlacement::post;
  if (found == concat(norm, " da ", norm)) settings.norm = NormPlacement::pre;
  if (settings.norm == NormPlacement::steps) return;
  const TransformerSettings defaults;
  settings.steps_before = defaults.steps_before;
  settings.steps_after = defaults.steps_after;
  settings.steps_top = defaults.steps_top;
}

/// Reads how the decoder sees preceding tokens.
void read_autoregression(const ForeignConfig& options, TransformerSettings& settings) {
  const std::string name = "transformer-decoder-autoreg", kind = options.text(name, "self-attention");
  if (kind == "rnn") {
    if (options.text("dec-cell", "") != "ssru") options.refuse("dec-cell", "ssru");
    settings.decoder_mixers = {"ssru"};
  } else if (kind == "average-attention") {
    settings.decoder_mixers = {"average"};
    settings.average.width = options.required_integer("transformer-dim-aan", 2, 1 << 18);
    settings.average.depth = options.integer("transformer-aan-depth", 2, 1, 17) - 1;
    settings.average.activation = read_activation(options, "transformer-aan-activation", "swish");
    settings.average.gate = !options.flag("transformer-aan-nogate", false);
  } else if (kind != "self-attention") {
    options.refuse(name, "self-attention, average-attention or rnn");
  }
}

/// The numbers of the weights that the decoder's layers use, in the order of their first layers.
std::vector<std::string> read_tied_layers(const ForeignConfig& options, int layers) {
  const std::string name = "transformer-tied-layers";
  if (!options.has(name)) return {};
  const std::vector<int> tied = options.integers(name, 1, 1000);
  if (tied.empty()) return {};
  if (std::ssize(tied) != layers) options.refuse(name, concat(layers, " numbers, one for each layer"));
  std::vector<int> known;
  std::vector<std::string> numbers;
  for (const int layer : tied) {
    auto found = std::ranges::find(known, layer);
    if (found == known.end()) found = known.insert(known.end(), layer);
    numbers.push_back(std::to_string(found - known.begin() + 1));
  }
  return numbers;
}

bool has_norm(const std::string& steps_before, NormPlacement norm) {
  return norm == NormPlacement::pre ||
         (norm == NormPlacement::steps && steps_before.find_first_of("nr") != std::string::npos);
}

/// A learned table of positions, or those that Marian computes. Marian decides by the array, too: the setting
/// transformer-train-position-embeddings has no effect on this type of network.
void read_positions(const MarianFiles& files, NetworkSettings& settings) {
  settings.sizes.max_positions = kTransformerPositions;
  const StoredArray* const table = files.weights->find(kPositionTable);
  if (table == nullptr) return;
  constexpr std::int64_t kMostPositions = 1 << 20;
  if (table->shape().size() != 2 || table->shape().front() < 2 || table->shape().front() > kMostPositions) {
    throw InputError(concat(table->where(), " has the shape ", shape_text(table->shape()),
                            "; expected a row for each of 2 or more positions"));
  }
  settings.sizes.max_positions = static_cast<int>(table->shape().front());
  settings.sizes.scale_embeddings = false;
  settings.own<TransformerSettings>().positions = Positions::learned;
}

NetworkSettings read_network(const MarianFiles& files, bool translates) {
  const ForeignConfig& options = files.options;
  check_marian_transformer_options(options);
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = translates ? options.required_integer("enc-depth", 1, 1000) : 0;
  sizes.decoder_layers = options.required_integer("dec-depth", 1, 1000);
  sizes.width = options.required_integer("dim-emb", 2);
  sizes.heads = options.required_integer("transformer-heads", 1);
  set_marian_embeddings(options, settings);
  auto& own = settings.own<TransformerSettings>();
  own.feed_forward_width = options.required_integer("transformer-dim-ffn", 1);
  if (translates) own.decoder_feed_forward_width = options.integer("transformer-decoder-dim-ffn", 0);
  own.feed_forward_depth = options.integer("transformer-ffn-depth", 2, 2, 16);
  if (decoder_size(options, "ffn-depth", own.feed_forward_depth) != own.feed_forward_depth)
    options.refuse("transformer-decoder-ffn-depth", concat(own.feed_forward_depth, ", that of the encoder"));
  own.activation = read_activation(options, "transformer-ffn-activation", "swish");
  own.attention_projection = !options.flag("transformer-no-projection", false);
  own.decoder_layer_weights = read_tied_layers(options, sizes.decoder_layers);
  read_norms(options, own);
  read_autoregression(options, own);
  // Its training and scorer normalise the input of all keys and values, its search only that of queries.
  own.raw_past =
      translates && has_norm(own.steps_before, own.norm) && all_have_mixer(own.decoder_mixers, "attention");
  read_positions(files, settings);
  return settings;
}

MarianSpelling spelling_of(const MarianFiles& files, const NetworkSettings& network) {
  MarianSpelling spelling;
  spelling.older_output = files.weights->find(kOlderOutput) != nullptr;
  if (!network.own<TransformerSettings>().decoder_layer_weights.empty())
    spelling.decoder_layers = files.options.integers("transformer-tied-layers");
  return spelling;
}

ForeignModel read_transformer(const MarianFiles& files, bool translates) {
  NetworkSettings network = read_network(files, translates);
  const Tokenizers tokenizers =
      read_marian_vocabularies(files, network.source_vocabulary, network.target_vocabulary);
  network.end_token = tokenizers.target->end_id();
  ParameterMap map = marian_parameters(network, spelling_of(files, network));
  map.ignore("special:model.yml");
  return {translates ? "a transformer of Marian" : "a language model of Marian, a transformer", network,
          tokenizers, WeightReaders(files.weights, std::move(map), marian_array_names())};
}

}  // namespace

ForeignModel read_marian_transformer(const MarianFiles& files) { return read_transformer(files, true); }

ForeignModel read_marian_language_model(const MarianFiles& files) { return read_transformer(files, false); }

}  // namespace gloss
