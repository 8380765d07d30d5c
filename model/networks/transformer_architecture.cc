// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer_architecture.h"

#include "base/error.h"
#include "model/networks/transformer.h"
#include "model/networks/transformer_classifier.h"
#include "model/networks/transformer_encoder.h"
#include "model/networks/transformer_language_model.h"

namespace gloss {
namespace {

void check_transformer(const NetworkSettings& s) {
  const NetworkSizes& sizes = s.sizes;
  const auto& own = s.own<TransformerSettings>();
  if (own.positions == Positions::sinusoidal && sizes.width % 2 != 0) {
    throw UsageError(concat("sinusoidal positions need an even width; found ", sizes.width));
  }
  if (own.positions == Positions::rotary && sizes.width / sizes.heads % 2 != 0) {
    throw UsageError(concat("rotary positions need an even width per head; found ", sizes.width / sizes.heads,
                            " (width ", sizes.width, ", heads ", sizes.heads, ")"));
  }
  constexpr std::int64_t kMostPositionNumbers =
      1 << 24;  // limits tables that are allocated before weights are checked
  if (std::int64_t{sizes.max_positions} * sizes.width > kMostPositionNumbers) {
    throw UsageError(concat("max_positions ", sizes.max_positions, " times width ", sizes.width, " exceeds ",
                            kMostPositionNumbers, " elements; choose fewer positions"));
  }
  if (std::int64_t{own.relative_reach} * sizes.heads > kMostPositionNumbers / 4) {
    throw UsageError(concat("relative_reach ", own.relative_reach, " for each of ", sizes.heads,
                            " heads is too large; choose a smaller reach"));
  }
}

std::string reason_unused(const NetworkSettings& s, const std::string& name) {
  if (name == "relative_reach" && s.own<TransformerSettings>().positions != Positions::relative) {
    return "it needs --positions relative";
  }
  if (name == "token_types" && s.sizes.encoder_layers == 0) return "there is no encoder";
  return "";
}

void set_preset_sizes(Preset preset, NetworkSettings& s) {
  const auto set = [&](int layers, int width, int feed_forward_width, int heads) {
    s.sizes.encoder_layers = s.sizes.decoder_layers = layers;
    s.sizes.width = width;
    s.sizes.heads = heads;
    s.own<TransformerSettings>().feed_forward_width = feed_forward_width;
  };
  switch (preset) {
    case Preset::tiny:
      set(4, 128, 256, 4);
      break;
    case Preset::small:
      set(6, 256, 1024, 4);
      break;
    case Preset::base:
      set(6, 512, 2048, 8);
      break;
    case Preset::big:
      set(6, 1024, 4096, 16);
      break;
  }
}

/// Models of one text follow GPT-2: pre-norm and GELU (Radford et al. 2019).
void set_for_purpose(Purpose purpose, NetworkSettings& s) {
  if (purpose == Purpose::translation) return;
  s.own<TransformerSettings>().norm = NormPlacement::pre;
  s.own<TransformerSettings>().activation = Activation::gelu;
}

/// Sinusoidal positions are computed, not learned, so their number may change.
bool fixes_positions(const NetworkSettings& s) {
  return s.own<TransformerSettings>().positions != Positions::sinusoidal;
}

std::unique_ptr<Network> make_transformer(const NetworkSettings& s, Parameters& parameters) {
  const auto& own = s.own<TransformerSettings>();
  const VocabularySettings vocabulary = s.vocabulary();
  switch (form_of(s)) {
    case Form::encoder_decoder:
      return std::make_unique<Transformer>(s.sizes, own, vocabulary, parameters);
    case Form::decoder:
      return std::make_unique<TransformerLanguageModel>(s.sizes, own, vocabulary, parameters);
    case Form::encoder:
      return std::make_unique<TransformerEncoder>(s.sizes, own, vocabulary, parameters);
    case Form::classifier:
      return std::make_unique<TransformerClassifier>(s.sizes, own, s.classifier, vocabulary, parameters);
  }
  throw BrokenPromise("a form without a network");
}

}  // namespace

Architecture transformer_architecture() {
  return {.name = "transformer",
          .plural = "transformers",
          .own_settings = default_settings<TransformerSettings>,
          .make = make_transformer,
          .check = check_transformer,
          .reason_unused = reason_unused,
          .apply_preset = set_preset_sizes,
          .apply_purpose = set_for_purpose,
          .keeps_positions = fixes_positions,
          .joins_parts = true};
}

}  // namespace gloss
