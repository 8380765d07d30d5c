// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/attention_mixer.h"
#include "model/networks/average_mixer.h"
#include "model/networks/bigbird_mixer.h"
#include "model/networks/conformer_block.h"
#include "model/networks/conv_mixer_block.h"
#include "model/networks/dynamic_mixer.h"
#include "model/networks/gated_convolution_mixer.h"
#include "model/networks/lightweight_mixer.h"
#include "model/networks/linear_mixer.h"
#include "model/networks/local_mixer.h"
#include "model/networks/lsh_mixer.h"
#include "model/networks/ssru_mixer.h"
#include "model/networks/token_mlp_mixer.h"

namespace gloss {
namespace {

const MixerKind* mixer_named(const std::string& name) {
  for (const MixerKind& kind : mixer_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

/// The name of the mixer of an encoder's layer.
const std::string& name_in(const TransformerSettings& settings, int layer) {
  const std::vector<std::string>& names = settings.encoder_mixers;
  return names[names.size() == 1 ? 0 : index(layer)];
}

/// Throws UsageError unless the list has one known name, or one for each layer.
void check_mixer_names(const NetworkSizes& sizes, const TransformerSettings& settings) {
  const std::vector<std::string>& names = settings.encoder_mixers;
  for (const std::string& name : names) {
    const MixerKind* const kind = mixer_named(name);
    if (kind == nullptr || !kind->in_encoders) {
      throw UsageError(concat("encoder_mixers has '", name, "'; expected ", encoder_mixer_names()));
    }
  }
  if (names.size() != 1 && std::ssize(names) != sizes.encoder_layers) {
    throw UsageError(concat("encoder_mixers has ", names.size(), " names; expected one, or one for each of ",
                            sizes.encoder_layers, " layers"));
  }
}

template <class Property>
bool some_layer(const NetworkSizes& sizes, const TransformerSettings& settings, Property property) {
  check_mixer_names(sizes, settings);
  for (int layer = 0; layer < sizes.encoder_layers; ++layer) {
    if (property(mixer_of(settings, layer, false))) return true;
  }
  return false;
}

bool has_setting(const MixerKind& kind, const std::string& setting) {
  return std::ranges::find(kind.settings, setting) != kind.settings.end();
}

std::string name_of_autoregression(Autoregression kind) {
  switch (kind) {
    case Autoregression::attention:
      return "attention";
    case Autoregression::ssru:
      return "ssru";
    case Autoregression::average:
      return "average";
  }
  return "";
}

}  // namespace

std::span<const MixerKind> mixer_kinds() {
  static const std::vector<MixerKind> all{attention_mixer(), conformer_mixer(),   gated_convolution_mixer(),
                                          local_mixer(),     lightweight_mixer(), dynamic_mixer(),
                                          linear_mixer(),    bigbird_mixer(),     lsh_mixer(),
                                          token_mlp_mixer(), conv_mixer(),        ssru_mixer(),
                                          average_mixer()};
  return all;
}

std::string encoder_mixer_names() {
  std::string names;
  for (const MixerKind& kind : mixer_kinds()) {
    if (kind.in_encoders) names += (names.empty() ? "" : ", ") + kind.name;
  }
  return names;
}

const MixerKind& mixer_of(const TransformerSettings& settings, int layer, bool causal) {
  const MixerKind* const kind = mixer_named(causal ? name_of_autoregression(settings.decoder_autoregression)
                                                   : name_in(settings, layer));
  expects(kind != nullptr, "a mixer that is not in the table");
  return *kind;
}

int window_of(const TransformerSettings& settings, int layer) {
  return has_setting(mixer_of(settings, layer, false), "attention_window") ? settings.attention_window : 0;
}

bool encoder_attends(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return some_layer(sizes, settings, [](const MixerKind& kind) { return kind.attends; });
}

bool encoder_drops_weights(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return some_layer(sizes, settings, [](const MixerKind& kind) { return kind.drops_weights; });
}

bool encoder_has_heads(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return some_layer(sizes, settings, [](const MixerKind& kind) { return kind.has_heads; });
}

void check_mixers(const NetworkSizes& sizes, const TransformerSettings& settings) {
  check_mixer_names(sizes, settings);
  const std::vector<int> shared = shared_layers(settings.encoder_layer_weights, sizes.encoder_layers);
  for (int layer = 0; layer < sizes.encoder_layers; ++layer) {
    const int of = shared[index(layer)];
    const MixerPlace place{sizes, settings, layer, false};
    if (mixer_of(settings, layer, false).check != nullptr) mixer_of(settings, layer, false).check(place);
    if (name_in(settings, layer) == name_in(settings, of)) continue;
    throw UsageError(
        concat("encoder_mixers has '", name_in(settings, layer), "' for layer ", layer + 1, " and '",
               name_in(settings, of), "' for layer ", of + 1,
               ", which share their weights by encoder_layer_weights; choose one mixer for both"));
  }
}

std::string reason_mixers_ignore(const NetworkSizes& sizes, const TransformerSettings& settings,
                                 const std::string& setting) {
  if (some_layer(sizes, settings, [&](const MixerKind& kind) { return has_setting(kind, setting); }))
    return "";
  std::string names;
  for (const MixerKind& kind : mixer_kinds()) {
    if (has_setting(kind, setting)) names += (names.empty() ? "" : " or ") + kind.name;
  }
  return names.empty() ? "" : "it needs --encoder-mixers " + names;
}

}  // namespace gloss
