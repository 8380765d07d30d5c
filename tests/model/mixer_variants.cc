// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "model/networks/mixers/mixers.h"
#include "variant_list.h"

namespace gloss {
namespace {

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

void add_mixer_variants(VariantList& to) {
  add_running_states(to);
  add_mixers(to);
  add_causal_mixers(to);
}

}  // namespace gloss
