// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.h"
#include "model/networks/mixers/mixers.h"
#include "network_variants.h"

namespace gloss {
namespace {

/// Collects variants of the small network.
class VariantList {
 public:
  /// Adds a variant that `change(settings, own)` makes.
  template <class Change>
  void add(const std::string& name, const Change& change) {
    NetworkSettings s = small_settings();
    change(s, s.own<TransformerSettings>());
    all_.push_back({name, s});
  }
  /// Adds the same and its decoder alone, a language model.
  template <class Change>
  void add_both(const std::string& name, const Change& change) {
    add(name, change);
    NetworkSettings s = all_.back().settings;
    s.sizes.encoder_layers = 0;
    s.own<TransformerSettings>().encoder_layer_weights = {};
    all_.push_back({"language_model_" + name, s});
  }
  void add_settings(const std::string& name, const NetworkSettings& s) { all_.push_back({name, s}); }

  std::vector<Variant> take() { return std::move(all_); }

 private:
  std::vector<Variant> all_;
};

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

/// The names of all mixers with a property, without attention, which other variants have.
std::vector<std::string> mixers_where(const std::function<bool(const MixerKind&)>& wanted) {
  std::vector<std::string> names;
  for (const MixerKind& kind : mixer_kinds()) {
    if (kind.name != "attention" && wanted(kind)) names.push_back(kind.name);
  }
  return names;
}

bool in_encoders(const MixerKind& kind) { return kind.in_encoders; }
bool on_both_sides(const MixerKind& kind) { return kind.in_encoders && kind.in_decoders(); }
bool only_in_decoders(const MixerKind& kind) { return !kind.in_encoders; }

void add_running_states(VariantList& to) {
  for (const std::string& mixer : mixers_where(only_in_decoders)) {
    for (const bool pre : {true, false}) {
      to.add_both(concat(mixer, pre ? "_pre_norm" : "_post_norm"), [&](NetworkSettings&, auto& own) {
        own.decoder_mixers = {mixer};
        own.norm = pre ? NormPlacement::pre : NormPlacement::post;
        own.average.width = pre ? 32 : 20;
        own.average.depth = pre ? 1 : 2;
        own.average.gate = !pre;
      });
    }
  }
}

std::string variant_name(std::string mixer) {
  std::ranges::replace(mixer, '-', '_');
  return mixer;
}

void add_mixers(VariantList& to) {
  for (const std::string& mixer : mixers_where(in_encoders)) {
    for (const bool pre : {true, false}) {
      to.add(concat(variant_name(mixer), pre ? "_pre_norm" : "_post_norm"),
             [&](NetworkSettings&, TransformerSettings& own) {
               own.encoder_mixers = {mixer};
               own.local.window = 2;
               own.strided.stride = 3;
               own.linear.features = 20;
               own.attention_block = mixer == "lsh" ? 13 : mixer == "fixed" ? 5 : 2;  // a hash may jump
               own.fixed.summary_tokens = 2;
               own.bigbird.window_blocks = own.bigbird.global_blocks = own.bigbird.random_blocks = 1;
               own.lsh.rounds = 2;
               own.token_mlp.window = 4;
               own.token_mlp.width = 10;
               own.norm = pre ? NormPlacement::pre : NormPlacement::post;
               if (!pre && (mixer == "lightweight" || mixer == "dynamic")) own.kernels.widths = {"5", "1"};
             });
    }
  }
  to.add("mixers_of_layers", [](NetworkSettings& s, TransformerSettings& own) {
    s.sizes.encoder_layers = 5;
    own.encoder_mixers = {"dynamic", "attention", "lightweight", "local", "local"};
    own.encoder_layer_weights = {"1", "2", "3", "4", "4"};
    own.kernels.widths = {"3", "7"};
    own.local.window = 5;
    own.linear_bias = false;
  });
  to.add("conformer_as_published", [](NetworkSettings&, TransformerSettings& own) {
    own.encoder_mixers = {"conformer"};
    own.kernels.widths = {"7"};
    own.activation = Activation::swish;
    own.positions = Positions::relative;
    own.relative_reach = 4;
    own.norm = NormPlacement::pre;
  });
  for (const Positions positions : {Positions::relative, Positions::rotary}) {
    to.add(positions == Positions::relative ? "local_relative_positions" : "local_rotary_positions",
           [&](NetworkSettings& s, TransformerSettings& own) {
             own.encoder_mixers = {"local", "lightweight"};
             own.local.window = 4;
             own.positions = positions;
             own.relative_reach = 3;
             own.key_value_heads = 2;
             s.sizes.decoder_layers = 1;
           });
  }
}

void add_causal_mixers(VariantList& to) {
  bool pre = false;
  for (const std::string& mixer : mixers_where(on_both_sides)) {
    pre = !pre;
    to.add_both(concat("causal_", variant_name(mixer)), [&](NetworkSettings& s, TransformerSettings& own) {
      own.decoder_mixers = {mixer};
      own.local.window = 3;
      own.strided.stride = 3;
      own.attention_block = 5;
      own.fixed.summary_tokens = 2;
      own.linear.features = 20;
      own.norm = pre ? NormPlacement::pre : NormPlacement::post;
      if (mixer == "lightweight" || mixer == "dynamic") own.kernels.widths = {"4"};
      s.sizes.encoder_layers = 1;
      s.sizes.decoder_layers = 2;
    });
  }
  to.add_both("causal_mixers_of_layers", [](NetworkSettings& s, TransformerSettings& own) {
    s.sizes.encoder_layers = 1;
    s.sizes.decoder_layers = 5;
    own.decoder_mixers = {"attention", "local", "strided", "dynamic", "local"};
    own.decoder_layer_weights = {"1", "2", "3", "4", "2"};
    own.kernels.widths = {"3"};
    own.kernels.dilations = {"2"};
    own.local.window = 2;
    own.strided.stride = 2;
    own.positions = Positions::relative;
    own.relative_reach = 5;
    own.key_value_heads = 2;
  });
  for (const std::string mixer : {"bytenet", "attention"}) {
    to.add(concat("unfolding_", mixer), [&](NetworkSettings& s, TransformerSettings& own) {
      s.sizes.encoder_layers = s.sizes.decoder_layers = 2;
      own.encoder_mixers = own.decoder_mixers = {mixer};
      own.source_link = SourceLink::unfolding;
      if (mixer == "bytenet") own.kernels.dilations = {"1", "2", "1", "2"};
    });
  }
  to.add_both("dilated_convolutions", [](NetworkSettings& s, TransformerSettings& own) {
    s.sizes.encoder_layers = 1;
    own.decoder_mixers = {"lightweight", "average", "gated-convolution"};
    own.kernels.widths = {"3"};
    own.kernels.dilations = {"1", "4"};
  });
  to.add("dilated_convolutions_of_both_sides", [](NetworkSettings& s, TransformerSettings& own) {
    s.sizes.decoder_layers = 2;
    own.encoder_mixers = {"dynamic"};
    own.decoder_mixers = {"dynamic", "linear"};
    own.kernels.widths = {"5", "3", "4"};
    own.kernels.dilations = {"1", "3", "2"};
  });
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
  add_running_states(all);
  add_mixers(all);
  add_causal_mixers(all);
  return all.take();
}

}  // namespace gloss
