// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/mixers.h"

#include <algorithm>
#include <vector>

#include "base/enumeration.h"
#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers/attention_mixer.h"
#include "model/networks/mixers/average_mixer.h"
#include "model/networks/mixers/bigbird_mixer.h"
#include "model/networks/mixers/bytenet_mixer.h"
#include "model/networks/mixers/conformer_block.h"
#include "model/networks/mixers/conv_mixer_block.h"
#include "model/networks/mixers/dynamic_mixer.h"
#include "model/networks/mixers/fixed_mixer.h"
#include "model/networks/mixers/gated_convolution_mixer.h"
#include "model/networks/mixers/lightweight_mixer.h"
#include "model/networks/mixers/linear_mixer.h"
#include "model/networks/mixers/local_mixer.h"
#include "model/networks/mixers/lsh_mixer.h"
#include "model/networks/mixers/ssru_mixer.h"
#include "model/networks/mixers/strided_mixer.h"
#include "model/networks/mixers/token_mlp_mixer.h"

namespace gloss {
namespace {

const MixerKind* mixer_named(const std::string& name) {
  for (const MixerKind& kind : mixer_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

/// One of the two stacks of layers that a network may have.
struct MixedStack {
  bool causal;
  int layers;
  std::string setting;                    // with the names of its mixers
  const std::vector<std::string>& names;  // one for all layers, or one for each
  std::string weights_setting;            // with the numbers of its weights
  const std::vector<std::string>& weights;

  const std::string& name(int layer) const { return names[names.size() == 1 ? 0 : index(layer)]; }
};

MixedStack stack_of(const NetworkSizes& sizes, const TransformerSettings& s, bool causal) {
  if (causal) {
    return {true,
            sizes.decoder_layers,
            "decoder_mixers",
            s.decoder_mixers,
            "decoder_layer_weights",
            s.decoder_layer_weights};
  }
  return {false,
          sizes.encoder_layers,
          "encoder_mixers",
          s.encoder_mixers,
          "encoder_layer_weights",
          s.encoder_layer_weights};
}

bool is_for(const MixerKind& kind, bool causal) { return causal ? kind.in_decoders() : kind.in_encoders; }

/// Throws UsageError unless the list has one known name, or one for each layer.
void check_mixer_names(const MixedStack& stack) {
  for (const std::string& name : stack.names) {
    const MixerKind* const kind = mixer_named(name);
    if (kind == nullptr || !is_for(*kind, stack.causal)) {
      throw UsageError(concat(stack.setting, " has '", name, "'; expected ", mixer_names(stack.causal)));
    }
  }
  if (stack.names.size() != 1 && std::ssize(stack.names) != stack.layers) {
    throw UsageError(concat(stack.setting, " has ", stack.names.size(),
                            " names; expected one, or one for each of ", stack.layers, " layers"));
  }
}

template <class Property>
bool some_layer(const NetworkSizes& sizes, const TransformerSettings& settings, bool causal,
                Property property) {
  const MixedStack stack = stack_of(sizes, settings, causal);
  check_mixer_names(stack);
  for (int layer = 0; layer < stack.layers; ++layer) {
    if (property(mixer_of(settings, layer, causal))) return true;
  }
  return false;
}

template <class Property>
bool some_layer(const NetworkSizes& sizes, const TransformerSettings& settings, Property property) {
  return some_layer(sizes, settings, false, property) || some_layer(sizes, settings, true, property);
}

bool has_setting(const MixerKind& kind, const std::string& setting) {
  return std::ranges::find(kind.settings, setting) != kind.settings.end();
}

/// The names of the kinds with a property, as in "a, b or c".
template <class Property>
std::string names_of_kinds(Property property) {
  std::vector<std::string> names;
  for (const MixerKind& kind : mixer_kinds()) {
    if (property(kind)) names.push_back(kind.name);
  }
  return enumeration(names, "or");
}

/// Throws UsageError if settings do not suit the mixers of a stack.
void check_stack(const NetworkSizes& sizes, const TransformerSettings& settings, bool causal) {
  const MixedStack stack = stack_of(sizes, settings, causal);
  check_mixer_names(stack);
  const std::vector<int> shared = shared_layers(stack.weights, stack.layers, stack.weights_setting);
  for (int layer = 0; layer < stack.layers; ++layer) {
    const int of = shared[index(layer)];
    const MixerKind& kind = mixer_of(settings, layer, causal);
    if (kind.check != nullptr) kind.check({sizes, settings, layer, causal});
    if (settings.deep_norm && !kind.deep_norm) {
      const auto suits = [&](const MixerKind& other) { return other.deep_norm && is_for(other, causal); };
      throw UsageError(concat("deep_norm cannot be used with the mixer '", kind.name, "' in ", stack.setting,
                              "; choose ", names_of_kinds(suits), ", or leave deep_norm out"));
    }
    if (stack.name(layer) == stack.name(of)) continue;
    throw UsageError(concat(stack.setting, " has '", stack.name(layer), "' for layer ", layer + 1, " and '",
                            stack.name(of), "' for layer ", of + 1, ", which share their weights by ",
                            stack.weights_setting, "; choose one mixer for both"));
  }
}

/// The sizes and settings of a decoder's layers.
TransformerSide decoder_of(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return sizes.encoder_layers > 0 ? decoder_side(sizes, settings) : TransformerSide{sizes, settings};
}

}  // namespace

std::span<const MixerKind> mixer_kinds() {
  static const std::vector<MixerKind> all{
      attention_mixer(), conformer_mixer(), gated_convolution_mixer(), bytenet_mixer(), local_mixer(),
      strided_mixer(),   fixed_mixer(),     lightweight_mixer(),       dynamic_mixer(), linear_mixer(),
      bigbird_mixer(),   lsh_mixer(),       token_mlp_mixer(),         conv_mixer(),    ssru_mixer(),
      average_mixer()};
  return all;
}

std::string mixer_names(bool causal) {
  std::string names;
  for (const MixerKind& kind : mixer_kinds()) {
    if (is_for(kind, causal)) names += (names.empty() ? "" : ", ") + kind.name;
  }
  return names;
}

const MixerKind& mixer_of(const TransformerSettings& settings, int layer, bool causal) {
  const std::vector<std::string>& names = causal ? settings.decoder_mixers : settings.encoder_mixers;
  const MixerKind* const kind = mixer_named(names[names.size() == 1 ? 0 : index(layer)]);
  expects(kind != nullptr, "a mixer that is not in the table");
  return *kind;
}

std::vector<MixerHistory> decoder_histories(const NetworkSizes& sizes, const TransformerSettings& settings) {
  const TransformerSide side = decoder_of(sizes, settings);
  std::vector<MixerHistory> all;
  for (int layer = 0; layer < sizes.decoder_layers; ++layer)
    all.push_back(mixer_of(settings, layer, true).history({side.sizes, side.settings, layer, true}));
  return all;
}

bool some_layer_attends(const NetworkSizes& sizes, const TransformerSettings& settings, bool causal) {
  return some_layer(sizes, settings, causal, [](const MixerKind& kind) { return kind.attends; });
}

bool mixers_drop_weights(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return some_layer(sizes, settings, [](const MixerKind& kind) { return kind.drops_weights; });
}

bool mixers_have_heads(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return some_layer(sizes, settings, [](const MixerKind& kind) { return kind.has_heads; });
}

bool mixers_feed_forward(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return some_layer(sizes, settings, [](const MixerKind& kind) { return kind.feeds_forward; });
}

void check_mixers(const NetworkSizes& sizes, const TransformerSettings& settings) {
  check_stack(sizes, settings, false);
  const TransformerSide decoder = decoder_of(sizes, settings);
  check_stack(decoder.sizes, decoder.settings, true);
}

std::string reason_mixers_ignore(const NetworkSizes& sizes, const TransformerSettings& settings,
                                 const std::string& setting) {
  if (some_layer(sizes, settings, [&](const MixerKind& kind) { return has_setting(kind, setting); }))
    return "";
  const auto needed = [&](bool causal) {
    return names_of_kinds(
        [&](const MixerKind& kind) { return has_setting(kind, setting) && is_for(kind, causal); });
  };
  const std::string encoders = needed(false), decoders = needed(true);
  if (encoders.empty() && decoders.empty()) return "";
  if (encoders == decoders) return concat("it needs --encoder-mixers or --decoder-mixers ", encoders);
  std::string needs = "it needs ";
  if (!encoders.empty()) needs += "--encoder-mixers " + encoders;
  if (!encoders.empty() && !decoders.empty()) needs += ", or ";
  if (!decoders.empty()) needs += "--decoder-mixers " + decoders;
  return needs;
}

}  // namespace gloss
