// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_network.h"

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/shared/export_format.h"

namespace gloss {
namespace {

const std::set<std::string> kKnownSettings{"scale_embeddings",
                                           "feed_forward_width",
                                           "decoder_feed_forward_width",
                                           "decoder_heads",
                                           "head_width",
                                           "key_value_heads",
                                           "attention_scale",
                                           "norm",
                                           "norm_type",
                                           "norm_epsilon",
                                           "activation",
                                           "gated_feed_forward",
                                           "linear_bias",
                                           "output_bias",
                                           "embedding_norm",
                                           "positions",
                                           "relative_reach",
                                           "relative_buckets"};

[[noreturn]] void refuse(const std::string& setting, const std::string& value, const std::string& advice) {
  refuse_export(kCTranslate2, setting, value, advice);
}

void expect_form(const NetworkSettings& network) {
  const Form form = form_of(network);
  if (network.architecture != "transformer")
    refuse("architecture", network.architecture, "only transformers can be exported");
  if (form == Form::encoder_decoder || form == Form::decoder) return;
  const bool encodes = form == Form::encoder;
  refuse(encodes ? "decoder_layers" : "classes", concat(encodes ? 0 : network.classifier.classes),
         "only translation models and language models can be exported");
}

void expect_positions(const NetworkSettings& network) {
  const Positions positions = network.own<TransformerSettings>().positions;
  const std::string advice = "export a model with sinusoidal, learned, rotary, buckets or no positions";
  if (learns_distances(positions))
    refuse("positions", adds_sinusoids(positions) ? "sinusoidal-relative" : "relative", advice);
  const int heads = network.sizes.heads;
  const bool has_alibi = form_of(network) == Form::decoder && (heads & (heads - 1)) == 0;
  if (positions == Positions::alibi && !has_alibi) {
    refuse("positions", "alibi in an encoder, or with a number of heads that is no power of 2", advice);
  }
}

/// Attention to a memory has keys and values of all heads, or of a single one, and then heads that are
/// together as wide as the network.
void expect_heads(const NetworkSettings& network) {
  const auto& own = network.own<TransformerSettings>();
  if (form_of(network) == Form::decoder || own.key_value_heads == 0) return;
  if (own.key_value_heads > 1) {
    refuse("key_value_heads", concat(own.key_value_heads, " in a translation model"),
           "export one with 1 or 0, for all heads");
  }
  if (own.head_width > 0 && own.head_width * network.sizes.heads != network.sizes.width) {
    refuse("head_width", concat(own.head_width, " and key_value_heads 1"),
           "export a translation model without one of them");
  }
  if (own.positions == Positions::buckets) {
    refuse("positions", "buckets and key_value_heads 1", "export a translation model without one of them");
  }
}

}  // namespace

void expect_ctranslate2_network(const NetworkSettings& network) {
  expect_form(network);
  expect_known_settings(network, kKnownSettings, kCTranslate2);
  const auto& own = network.own<TransformerSettings>();
  if (own.activation == Activation::sigmoid)
    refuse("activation", "sigmoid", "export a model with relu, gelu, gelu-exact or swish");
  if (own.norm == NormPlacement::steps) refuse("norm", "steps", "export a model with pre or post");
  expect_positions(network);
  expect_heads(network);
}

}  // namespace gloss
