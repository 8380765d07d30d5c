// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/transformer_settings.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers/mixers.h"

namespace gloss {

namespace {

std::vector<std::string> position_names() {
  return {"none", "sinusoidal", "learned", "relative", "rotary", "alibi", "buckets", "sinusoidal-relative"};
}

/// Those of the encoder, or one of `position_names`.
Choice decoder_positions_choice(std::optional<Positions>& value) {
  std::vector<std::string> names = position_names();
  names.insert(names.begin(), "as-encoder");
  return {std::move(names), [&value] { return value ? static_cast<int>(*value) + 1 : 0; },
          [&value](int index) {
            value = index > 0 ? std::optional(static_cast<Positions>(index - 1)) : std::nullopt;
          },
          &value};
}

/// The widths of feed-forward layers and the form of attention.
Fields size_fields(TransformerSettings& s) {
  constexpr double kWidest = 1 << 18, kMostHeads = 1 << 16;
  return {
      {"feed_forward_width", &s.feed_forward_width, "inner width of feed-forward layers", {2, kWidest}},
      {"decoder_feed_forward_width",
       &s.decoder_feed_forward_width,
       "inner width of feed-forward layers of the decoder (0: as the encoder)",
       {0, kWidest}},
      {"decoder_heads",
       &s.decoder_heads,
       "number of attention heads of the decoder (0: as the encoder)",
       {0, kMostHeads}},
      {"head_width",
       &s.head_width,
       "width of each attention head (0: the width divided by the number of heads)",
       {0, kMostHeads}},
      {"key_value_heads",
       &s.key_value_heads,
       "number of attention heads of keys and values, a divisor of the number of heads: 1 is multi-query "
       "attention, more is grouped-query attention (0: as many as heads)",
       {0, kMostHeads}},
      {"attention_scale", choice(s.attention_scale, {"sqrt", "none"}),
       "divide attention scores by the square root of the head width (sqrt), or not (none)"},
      {"query_key_norm", &s.query_key_norm,
       "normalise the queries and keys of each head (RMS, with learned gains) before their scores"},
  };
}

/// Where and how layers normalise.
Fields norm_fields(TransformerSettings& s) {
  return {
      {"norm", choice(s.norm, {"pre", "post", "steps"}),
       "position of normalisation: before or after each branch, or by --steps-before, --steps-after and "
       "--steps-top"},
      {"deep_norm", &s.deep_norm,
       "with --norm post: scale the input of each branch in its sum, and the initial values, by the depth of "
       "the network, for very deep ones (DeepNorm); for attention, and lightweight and dynamic convolutions"},
      {"steps_before", &s.steps_before,
       "steps before each branch: d dropout, n layer normalisation, r RMS normalisation"},
      {"steps_after", &s.steps_after,
       "steps after each branch, from left to right; a adds the input of the branch"},
      {"steps_top", &s.steps_top, "steps after all layers; a adds the input of the first layer"},
      {"norm_type", choice(s.norm_type, {"layer", "rms"}),
       "normalisation of mean and variance (layer), or of the root mean square, without bias (rms)"},
      {"norm_epsilon",
       &s.norm_epsilon,
       "number added to the variance or mean square before the division",
       {1e-12, 1}},
  };
}

/// The form of feed-forward layers, and the weights and mixers of layers.
Fields branch_fields(TransformerSettings& s) {
  return {
      {"activation", activation_choice(s.activation),
       "activation function of feed-forward layers; gelu is the tanh approximation"},
      {"gated_feed_forward", &s.gated_feed_forward,
       "multiply the inner part of feed-forward layers by a gate with the activation: GLU (sigmoid), GEGLU "
       "(gelu), SwiGLU (swish)"},
      {"feed_forward_depth",
       &s.feed_forward_depth,
       "number of linear layers in a feed-forward layer",
       {2, 16}},
      {"attention_projection", &s.attention_projection, "use a linear layer after attention"},
      {"encoder_layer_weights",
       &s.encoder_layer_weights,
       "numbers of the weights that each encoder layer uses, such as 1 1 2 2: layers with the same number "
       "share their weights",
       {},
       0,
       "N"},
      {"decoder_layer_weights",
       &s.decoder_layer_weights,
       "numbers of the weights that each decoder layer uses",
       {},
       0,
       "N"},
      {"encoder_mixers",
       &s.encoder_mixers,
       concat("how encoder layers mix the tokens of a sentence, one name for all layers or one for each: ",
              mixer_names(/*causal=*/false)),
       {},
       0,
       "NAME"},
      {"decoder_mixers",
       &s.decoder_mixers,
       concat("how decoder layers see the preceding tokens, one name for all layers or one for each: ",
              mixer_names(/*causal=*/true)),
       {},
       0,
       "NAME"},
      {"source_link", choice(s.source_link, {"attention", "unfolding"}),
       "how the decoder reads the source: by attention in each layer, or by the encoder's state at its own "
       "position, without attention (unfolding, as in ByteNet)"},
  };
}

/// The settings of single mixers.
Fields mixer_fields(TransformerSettings& s) {
  Fields fields = fields_of(s.kernels);
  append(fields, fields_of(s.local));
  append(fields, fields_of(s.strided));
  append(fields, fields_of(s.linear));
  append(fields,
         {{"attention_block",
           &s.attention_block,
           "number of tokens in a block of fixed or bigbird attention, or in a chunk of lsh attention",
           {1, kMostPositions}}});
  append(fields, fields_of(s.fixed));
  append(fields, fields_of(s.bigbird));
  append(fields, fields_of(s.lsh));
  append(fields, fields_of(s.token_mlp));
  return fields;
}

/// The embeddings and positions.
Fields input_fields(TransformerSettings& s) {
  return {
      {"linear_bias", &s.linear_bias, "use biases in the linear layers of attention and feed-forward layers"},
      {"readout_activation", activation_choice(s.readout_activation),
       "activation function between the encoder and the output layer of a masked model"},
      {"token_types",
       &s.token_types,
       "number of token types of an encoder, as in BERT; tokens after the first end token have the second",
       {0, 1024}},
      {"embedding_norm", &s.embedding_norm, "normalise the sum of embeddings and positions on both sides"},
      {"positions", choice(s.positions, position_names()),
       "position encoding: embeddings (sinusoidal, learned), within self-attention (relative, rotary, alibi, "
       "and buckets of distances as in T5), or both (sinusoidal-relative)"},
      {"decoder_positions", decoder_positions_choice(s.decoder_positions),
       "position encoding of the decoder after an encoder"},
      {"relative_reach",
       &s.relative_reach,
       "largest distance that relative positions and buckets distinguish (0: 16, with buckets 128)",
       {0, kMostPositions}},
      {"relative_buckets",
       &s.relative_buckets,
       "number of buckets of distances: half of them hold one distance each, the others growing ranges",
       {4, 1024}},
  };
}

}  // namespace

Fields fields_of(TransformerSettings& s) {
  const Range rate{0, 0.99};
  Fields fields = size_fields(s);
  append(fields, norm_fields(s));
  append(fields, branch_fields(s));
  append(fields, mixer_fields(s));
  append(fields, input_fields(s));
  append(fields, fields_of(s.average));
  append(
      fields,
      {{"raw_past", &s.raw_past,
        "during decoding, do not normalise keys and values of preceding tokens, as Marian's search does with "
        "norms before branches"},
       {"attention_dropout", &s.attention_dropout, "dropout rate of attention weights", rate},
       {"activation_dropout", &s.activation_dropout, "dropout rate inside feed-forward layers", rate}});
  add_traits(fields, kFromPreset, s.feed_forward_width);
  add_traits(fields, kTrainingOnly, s.attention_dropout, s.activation_dropout);
  add_traits(fields, kTwoSided, s.decoder_feed_forward_width, s.decoder_heads, s.decoder_positions);
  for (Field& field : fields) {  // the others are as old as config.json
    if (!refers_to(field, s.feed_forward_width, s.norm, s.activation, s.positions, s.attention_dropout,
                   s.activation_dropout))
      field.traits |= kOptional;
  }
  return fields;
}

int TransformerSettings::reach() const {
  if (relative_reach > 0) return relative_reach;
  return positions == Positions::buckets ? 128 : 16;
}

std::vector<int> shared_layers(const std::vector<std::string>& numbers, int layers,
                               const std::string& setting) {
  std::vector<int> shared(index(layers));
  std::iota(shared.begin(), shared.end(), 0);
  if (numbers.empty()) return shared;
  if (std::ssize(numbers) != layers) {
    throw UsageError(
        concat(setting, " has ", numbers.size(), " numbers; expected one for each of ", layers, " layers"));
  }
  std::vector<int> first;  // layer with each number
  for (int layer = 0; layer < layers; ++layer) {
    const std::string& text = numbers[index(layer)];
    const int known = static_cast<int>(first.size());
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > known + 1) {
      throw UsageError(concat(setting, " has '", text, "' for layer ", layer + 1, "; expected 1 to ",
                              known + 1, ": weights are numbered in the order of their first layers"));
    }
    if (number > known) first.push_back(layer);
    shared[index(layer)] = first[index(number) - 1];
  }
  return shared;
}

bool all_have_mixer(const std::vector<std::string>& mixers, std::string_view name) {
  return std::ranges::all_of(mixers, [&](const std::string& mixer) { return mixer == name; });
}

AttentionSizes attention_sizes(const NetworkSizes& sizes, const TransformerSettings& settings) {
  const int head_width = settings.head_width > 0 ? settings.head_width : sizes.width / sizes.heads;
  AttentionHeads heads = AttentionHeads::of_width(std::int64_t{sizes.heads} * head_width, sizes.heads);
  if (settings.key_value_heads > 0) heads.key_value_heads = settings.key_value_heads;
  if (settings.attention_scale == AttentionScale::none) heads.scale = 1;
  return {.width = sizes.width,
          .heads = heads,
          .linear_bias = settings.linear_bias,
          .projects_output = settings.attention_projection,
          .query_key_norm = settings.query_key_norm,
          .norm_epsilon = settings.norm_epsilon};
}

TransformerSide decoder_side(const NetworkSizes& sizes, const TransformerSettings& settings) {
  TransformerSide side{sizes, settings};
  if (settings.decoder_heads > 0) side.sizes.heads = settings.decoder_heads;
  if (settings.decoder_feed_forward_width > 0)
    side.settings.feed_forward_width = settings.decoder_feed_forward_width;
  side.settings.positions = settings.decoder_positions.value_or(settings.positions);
  return side;
}

}  // namespace gloss
