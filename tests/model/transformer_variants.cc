// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "variant_list.h"

namespace gloss {
namespace {

void add_embeddings(VariantList& to) {
  to.add("post_norm", [](NetworkSettings&, TransformerSettings&) {});
  to.add("pre_norm_gelu_learned", [](NetworkSettings&, TransformerSettings& own) {
    own.norm = NormPlacement::pre;
    own.activation = Activation::gelu;
    own.positions = Positions::learned;
  });
  to.add("tied_target", [](NetworkSettings& s, TransformerSettings&) {
    s.sizes.tied_embeddings = TiedEmbeddings::target;
    s.source_vocabulary = 31;
  });
  to.add("untied_odd_heads", [](NetworkSettings& s, TransformerSettings&) {
    s.sizes.tied_embeddings = TiedEmbeddings::none;
    s.sizes.width = 42;
    s.sizes.heads = 3;
  });
  to.add_settings("language_model", small_language_model_settings());
  to.add("language_model_untied_post_norm", [](NetworkSettings& s, TransformerSettings&) {
    s.sizes.encoder_layers = 0;
    s.sizes.tied_embeddings = TiedEmbeddings::none;
  });
}

/// Sets a member to these positions, with few distances and layers.
template <class Member>
auto with_positions(Member TransformerSettings::*member, Positions positions) {
  return [member, positions](NetworkSettings& s, TransformerSettings& own) {
    own.*member = positions;
    own.relative_reach = 5;
    own.relative_buckets = 7;
    s.sizes.encoder_layers = s.sizes.decoder_layers = 1;
  };
}

void add_positions(VariantList& to) {
  const std::pair<const char*, Positions> kinds[] = {
      {"without_positions", Positions::none},
      {"relative_positions", Positions::relative},
      {"rotary_positions", Positions::rotary},
      {"alibi_positions", Positions::alibi},
      {"bucket_positions", Positions::buckets},
      {"sinusoidal_relative_positions", Positions::sinusoidal_relative}};
  for (const auto& [name, kind] : kinds)
    to.add_both(name, with_positions(&TransformerSettings::positions, kind));
}

void add_decoder_positions(VariantList& to) {
  const std::pair<const char*, Positions> kinds[] = {
      {"without_decoder_positions", Positions::none},
      {"learned_decoder_positions", Positions::learned},
      {"relative_decoder_positions", Positions::relative},
      {"sinusoidal_relative_decoder_positions", Positions::sinusoidal_relative},
      {"rotary_decoder_positions", Positions::rotary},
      {"alibi_decoder_positions", Positions::alibi},
      {"bucket_decoder_positions", Positions::buckets}};
  for (const auto& [name, kind] : kinds)
    to.add(name, with_positions(&TransformerSettings::decoder_positions, kind));
  to.add("sinusoidal_decoder_positions", [](NetworkSettings&, TransformerSettings& own) {
    own.positions = Positions::rotary;
    own.decoder_positions = Positions::sinusoidal;
  });
}

void add_feed_forward_layers(VariantList& to) {
  const std::pair<const char*, Activation> activations[] = {
      {"swish", Activation::swish}, {"gelu_exact", Activation::gelu_exact}, {"sigmoid", Activation::sigmoid}};
  for (const auto& [name, kind] : activations) {
    for (const bool gated : {false, true}) {
      to.add(concat(gated ? "gated_" : "activation_", name),
             [&, kind = kind](NetworkSettings&, TransformerSettings& own) {
               own.activation = kind;
               own.gated_feed_forward = gated;
             });
    }
  }
}

void add_norms_and_biases(VariantList& to) {
  for (const bool pre : {true, false}) {
    to.add(pre ? "rms_pre_norm" : "rms_post_norm", [&](NetworkSettings&, TransformerSettings& own) {
      own.norm = pre ? NormPlacement::pre : NormPlacement::post;
      own.norm_type = NormType::rms;
      own.norm_epsilon = 1e-3;
    });
  }
  to.add_both("output_bias_alone", [](NetworkSettings& s, TransformerSettings& own) {
    own.linear_bias = false;
    s.sizes.output_bias = true;
  });
  to.add_both("deep_norm", [](NetworkSettings&, TransformerSettings& own) { own.deep_norm = true; });
  to.add("deep_norm_of_convolutions", [](NetworkSettings&, TransformerSettings& own) {
    own.deep_norm = true;
    own.encoder_mixers = {"dynamic"};
    own.decoder_mixers = {"lightweight"};
  });
  to.add("unscaled_embeddings",
         [](NetworkSettings& s, TransformerSettings&) { s.sizes.scale_embeddings = false; });
  to.add("token_types", [](NetworkSettings&, TransformerSettings& own) { own.token_types = 2; });
  to.add_both("embedding_norm",
              [](NetworkSettings&, TransformerSettings& own) { own.embedding_norm = true; });
}

void add_heads(VariantList& to) {
  to.add("decoder_of_other_sizes", [](NetworkSettings&, TransformerSettings& own) {
    own.decoder_heads = 8;
    own.decoder_feed_forward_width = 40;
    own.positions = Positions::relative;
  });
  to.add_both("wide_heads_unscaled", [](NetworkSettings&, TransformerSettings& own) {
    own.head_width = 12;
    own.attention_scale = AttentionScale::none;
  });
  to.add("tied_inputs",
         [](NetworkSettings& s, TransformerSettings&) { s.sizes.tied_embeddings = TiedEmbeddings::inputs; });
  for (const bool rotary : {true, false}) {
    to.add_both(rotary ? "query_key_norm_rotary_groups" : "query_key_norm_unscaled",
                [&](NetworkSettings&, TransformerSettings& own) {
                  own.query_key_norm = true;
                  if (!rotary) {
                    own.attention_scale = AttentionScale::none;
                    return;
                  }
                  own.positions = Positions::rotary;
                  own.key_value_heads = 2;
                  own.norm_epsilon = 1e-3;
                });
  }
  for (const int key_value_heads : {1, 2}) {
    to.add_both(key_value_heads == 1 ? "multi_query" : "grouped_query",
                [&](NetworkSettings& s, TransformerSettings& own) {
                  own.key_value_heads = key_value_heads;
                  own.positions = Positions::rotary;
                  own.head_width = 10;
                  own.decoder_heads = 6;
                  s.sizes.decoder_layers = 2;
                });
  }
}

/// What Marian's transformers have.
void add_layers_of_marian(VariantList& to) {
  const std::vector<std::vector<std::string>> steps{{"n", "ndan", "an"}, {"", "dr", "a"}, {"rd", "adn", ""}};
  for (const std::vector<std::string>& one : steps) {
    to.add_both(concat("norm_steps_", one[0], "_", one[1], "_", one[2]),
                [&](NetworkSettings&, TransformerSettings& own) {
                  own.norm = NormPlacement::steps;
                  own.steps_before = one[0];
                  own.steps_after = one[1];
                  own.steps_top = one[2];
                });
  }
  to.add("deep_feed_forward_unprojected", [](NetworkSettings&, TransformerSettings& own) {
    own.feed_forward_depth = 4;
    own.attention_projection = false;
  });
  to.add_both("shared_layers", [](NetworkSettings&, TransformerSettings& own) {
    own.encoder_layer_weights = {"1", "1"};
    own.decoder_layer_weights = {"1", "2", "1"};
  });
  to.add("zero_vector_first", [](NetworkSettings& s, TransformerSettings&) { s.begin_token = -1; });
  NetworkSettings language_model = small_language_model_settings();
  language_model.begin_token = -1;
  to.add_settings("language_model_zero_vector_first", language_model);
}

}  // namespace

std::vector<Variant> transformer_variants() {
  VariantList all;
  add_embeddings(all);
  add_positions(all);
  add_decoder_positions(all);
  add_feed_forward_layers(all);
  add_norms_and_biases(all);
  add_heads(all);
  add_layers_of_marian(all);
  add_mixer_variants(all);
  return all.take();
}

}  // namespace gloss
