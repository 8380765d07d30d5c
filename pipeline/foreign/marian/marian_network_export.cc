// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_network_export.h"

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/marian/marian_recurrent_export.h"
#include "pipeline/foreign/marian/marian_settings.h"
#include "pipeline/foreign/shared/export_format.h"

namespace gloss {
namespace {

using nlohmann::json;

[[noreturn]] void refuse_network(const std::string& setting, const std::string& value,
                                 const std::string& advice) {
  refuse_export(kMarian, setting, value, advice);
}

/// Marian's name of an activation; null if it has none.
const char* activation_name(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return "relu";
    case Activation::gelu_exact:
      return "gelu";
    case Activation::swish:
      return "swish";
    default:
      return nullptr;
  }
}

void expect_activation(const std::string& setting, Activation activation) {
  if (activation_name(activation) != nullptr) return;
  refuse_network(setting, activation == Activation::gelu ? "gelu, the approximation" : "sigmoid",
                 "train with relu, gelu-exact or swish");
}

/// Where the steps of normalisation of a network are, in Marian's spelling.
struct Steps {
  std::string before, after, top;
};

Steps steps_of(const TransformerSettings& own) {
  const std::string norm = own.norm_type == NormType::rms ? "r" : "n";
  switch (own.norm) {
    case NormPlacement::pre:
      return {norm, "da", norm};
    case NormPlacement::post:
      return {"", "da" + norm, ""};
    case NormPlacement::steps:
      return {own.steps_before, own.steps_after, own.steps_top};
  }
  throw BrokenPromise("a place of norms without a spelling");
}

/// Marian's search does not normalise keys and values of preceding tokens, its training and scorer do.
void expect_raw_past(const NetworkSettings& network) {
  const auto& own = network.own<TransformerSettings>();
  const bool differs = all_have_mixer(own.decoder_mixers, "attention") && network.sizes.encoder_layers > 0 &&
                       steps_of(own).before.find_first_of("nr") != std::string::npos;
  if (!differs || own.raw_past) return;
  refuse_network(
      "raw_past", "false and norms before branches: its search does not normalise preceding tokens",
      "train with --norm post or --decoder-mixers ssru, or write \"raw_past\": true in config.json, "
      "so that gloss translates as Marian does");
}

void expect_transformer(const NetworkSettings& network) {
  expect_known_settings(network,
                        {"output_bias",
                         "feed_forward_width",
                         "decoder_feed_forward_width",
                         "feed_forward_depth",
                         "norm",
                         "steps_before",
                         "steps_after",
                         "steps_top",
                         "norm_type",
                         "norm_epsilon",
                         "activation",
                         "attention_projection",
                         "decoder_layer_weights",
                         "embedding_norm",
                         "positions",
                         "decoder_mixers",
                         "average_width",
                         "average_depth",
                         "average_activation",
                         "average_gate",
                         "raw_past",
                         "readout_activation"},
                        kMarian);
  const auto& own = network.own<TransformerSettings>();
  if (own.norm_epsilon != kMarianEpsilon)
    refuse_network("norm_epsilon", number_text(own.norm_epsilon), "train with --norm-epsilon 1e-6");
  expect_activation("activation", own.activation);
  const std::string& mixer = own.decoder_mixers.front();
  if (!all_have_mixer(own.decoder_mixers, mixer) ||
      (mixer != "attention" && mixer != "ssru" && mixer != "average")) {
    refuse_network("decoder_mixers", json(own.decoder_mixers).dump(),
                   "train with attention, ssru or average in all decoder layers");
  }
  if (mixer == "average") expect_activation("average_activation", own.average.activation);
  if (own.positions != Positions::sinusoidal) {
    refuse_network("positions",
                   own.positions == Positions::none ? "none"
                   : own.positions == Positions::learned
                       ? "learned: its search takes the first of them everywhere"
                       : "within attention",
                   "train with --positions sinusoidal");
  }
  expect_raw_past(network);
}

json options_of_transformer(const NetworkSettings& network) {
  const NetworkSizes& sizes = network.sizes;
  const auto& own = network.own<TransformerSettings>();
  const Steps steps = steps_of(own);
  const bool translates = sizes.encoder_layers > 0, averages = all_have_mixer(own.decoder_mixers, "average");
  json tied = json::array();
  for (const std::string& number : own.decoder_layer_weights) tied.push_back(std::stoi(number));
  json options{{"type", translates ? "transformer" : "lm-transformer"},
               {"dim-emb", sizes.width},
               {"enc-depth", translates ? sizes.encoder_layers : sizes.decoder_layers},
               {"dec-depth", sizes.decoder_layers},
               {"transformer-heads", sizes.heads},
               {"transformer-dim-ffn", own.feed_forward_width},
               {"transformer-decoder-dim-ffn", translates ? own.decoder_feed_forward_width : 0},
               {"transformer-ffn-depth", own.feed_forward_depth},
               {"transformer-ffn-activation", activation_name(own.activation)},
               {"transformer-no-projection", !own.attention_projection},
               {"transformer-tied-layers", tied},
               {"transformer-preprocess", steps.before},
               {"transformer-postprocess", steps.after},
               {"transformer-postprocess-top", steps.top}};
  if (own.embedding_norm)
    options["transformer-postprocess-emb"] = own.norm_type == NormType::rms ? "dr" : "dn";
  if (averages) {
    options["transformer-decoder-autoreg"] = "average-attention";
    options["transformer-dim-aan"] = own.average.width;
    options["transformer-aan-depth"] = own.average.depth + 1;
    options["transformer-aan-activation"] = activation_name(own.average.activation);
    options["transformer-aan-nogate"] = !own.average.gate;
  }
  if (all_have_mixer(own.decoder_mixers, "ssru")) {
    options["transformer-decoder-autoreg"] = "rnn";
    options["dec-cell"] = "ssru";
  }
  return options;
}

/// What Marian stores for every network, with its defaults.
json default_options() {
  return {{"bert-train-type-embeddings", true},
          {"bert-type-vocab-size", 2},
          {"dec-cell", "gru"},
          {"dec-cell-base-depth", 2},
          {"dec-cell-high-depth", 1},
          {"dim-rnn", 1024},
          {"enc-cell", "gru"},
          {"enc-cell-depth", 1},
          {"enc-type", "bidirectional"},
          {"factors-combine", "sum"},
          {"factors-dim-emb", 0},
          {"input-types", json::array()},
          {"layer-normalization", false},
          {"lemma-dependency", ""},
          {"lemma-dim-emb", 0},
          {"right-left", false},
          {"separator-symbol", "[eos]"},
          {"skip", false},
          {"transformer-aan-activation", "swish"},
          {"transformer-aan-depth", 2},
          {"transformer-aan-nogate", false},
          {"transformer-alibi-shift", false},
          {"transformer-alibi-trainable", false},
          {"transformer-attention-mask", "default"},
          {"transformer-decoder-autoreg", "self-attention"},
          {"transformer-decoder-dim-ffn", 0},
          {"transformer-decoder-ffn-depth", 0},
          {"transformer-dim-aan", 2048},
          {"transformer-dim-ffn", 2048},
          {"transformer-disable-position-embeddings", false},
          {"transformer-ffn-activation", "swish"},
          {"transformer-ffn-depth", 2},
          {"transformer-guided-alignment-layer", "last"},
          {"transformer-heads", 8},
          {"transformer-no-affine", false},
          {"transformer-no-bias", false},
          {"transformer-no-projection", false},
          {"transformer-pool", false},
          {"transformer-postprocess", "dan"},
          {"transformer-postprocess-emb", "d"},
          {"transformer-postprocess-top", ""},
          {"transformer-preprocess", ""},
          {"transformer-rnn-projection", false},
          {"transformer-tied-layers", json::array()},
          {"transformer-train-position-embeddings", false},
          {"ulr", false},
          {"ulr-dim-emb", 0},
          {"ulr-trainable-transformation", false}};
}

void add_embeddings(const NetworkSettings& network, json& options) {
  const TiedEmbeddings tied = network.sizes.tied_embeddings;
  options["dim-vocabs"] = json::array({network.target_vocabulary});
  if (network.sizes.encoder_layers > 0)
    options["dim-vocabs"] = {network.source_vocabulary, network.target_vocabulary};
  options["tied-embeddings"] = tied == TiedEmbeddings::target;
  options["tied-embeddings-src"] = tied == TiedEmbeddings::inputs;
  options["tied-embeddings-all"] = tied == TiedEmbeddings::all;
  options["output-omit-bias"] = !network.sizes.output_bias;
}

}  // namespace

void expect_marian_network(const NetworkSettings& network) {
  const Form form = form_of(network);
  if (form == Form::classifier)
    refuse_network("classes", concat(network.classifier.classes),
                   "only translation and language models can be exported");
  if (form == Form::encoder)
    refuse_network("decoder_layers", "0", "only translation and language models can be exported");
  if (network.begin_token >= 0) {
    refuse_network("begin_token", concat(network.begin_token, ": its translations begin with a zero vector"),
                   "train with a vocabulary from 'gloss vocab --no-begin-piece'");
  }
  network.architecture == "recurrent" ? expect_marian_recurrent(network) : expect_transformer(network);
}

json options_for_marian(const NetworkSettings& network) {
  json options = default_options();
  options.update(network.architecture == "recurrent" ? marian_recurrent_options(network)
                                                     : options_of_transformer(network));
  add_embeddings(network, options);
  return options;
}

}  // namespace gloss
