// SPDX-License-Identifier: Apache-2.0

#include "model/networks/architecture.h"

#include <algorithm>

#include "base/error.h"
#include "model/networks/mixers/mixers.h"
#include "model/networks/transformer/transformer.h"
#include "model/networks/transformer/transformer_classifier.h"
#include "model/networks/transformer/transformer_encoder.h"
#include "model/networks/transformer/transformer_language_model.h"

namespace gloss {
namespace {

/// Checks the heads of one side; `name`: of the setting with their number.
void check_heads(const NetworkSizes& sizes, const TransformerSettings& own, const std::string& name) {
  constexpr std::int64_t kWidestHeads = 1 << 18;
  if (own.head_width == 0) expect_heads_divide(sizes.width, sizes.heads, name);
  if (own.key_value_heads > 0 && sizes.heads % own.key_value_heads != 0) {
    throw UsageError(concat(name, " ", sizes.heads, " is not divisible by key_value_heads ",
                            own.key_value_heads, "; choose a divisor"));
  }
  if (std::int64_t{own.head_width} * sizes.heads > kWidestHeads) {
    throw UsageError(concat("head_width ", own.head_width, " times ", name, " ", sizes.heads, " exceeds ",
                            kWidestHeads, "; choose narrower heads"));
  }
  const std::int64_t head_width = attention_sizes(sizes, own).heads.head_width;
  if (own.positions == Positions::rotary && head_width % 2 != 0) {
    throw UsageError(concat("rotary positions need an even width per head; found ", head_width, " (width ",
                            sizes.width, ", ", name, " ", sizes.heads, ")"));
  }
  const std::int64_t widest = std::max({std::int64_t{sizes.width}, head_width, std::int64_t{sizes.heads}});
  const bool has_table = own.positions != Positions::none && own.positions != Positions::relative &&
                         own.positions != Positions::buckets;
  if (has_table && sizes.max_positions * widest > kMostPositionNumbers) {
    throw UsageError(concat("max_positions ", sizes.max_positions, " times ", widest,
                            ", the largest of width, ", name, " and head_width, exceeds ",
                            kMostPositionNumbers, " elements; choose fewer positions"));
  }
  if (std::int64_t{own.reach()} * sizes.heads > kMostPositionNumbers / 4) {
    throw UsageError(concat("relative_reach ", own.reach(), " for each of ", sizes.heads,
                            " heads is too large; choose a smaller reach"));
  }
}

/// Throws UsageError unless steps of normalisation are some of the allowed ones.
void check_steps(const std::string& steps, const std::string& name, const std::string& allowed) {
  constexpr std::size_t kMost = 16;
  if (steps.size() <= kMost && steps.find_first_not_of(allowed) == std::string::npos) return;
  throw UsageError(concat(name, " is '", steps, "'; expected at most ", kMost, " of the letters ", allowed));
}

/// Throws UsageError if positions are within attention, and a side has no attention.
void check_positions_of_mixers(const NetworkSizes& sizes, const TransformerSettings& own) {
  for (const bool causal : {false, true}) {
    if (!within_attention((causal ? decoder_side(sizes, own).settings : own).positions)) continue;
    if ((causal ? sizes.decoder_layers : sizes.encoder_layers) == 0) continue;
    if (some_layer_attends(sizes, own, causal)) continue;
    const bool of_two = sizes.encoder_layers > 0 && sizes.decoder_layers > 0;
    throw UsageError(concat(causal ? "decoder" : "encoder",
                            "_mixers without attention have no use for these positions; choose ",
                            causal && of_two ? "decoder_positions" : "positions",
                            " sinusoidal, learned or none, or a mixer with attention in some layer"));
  }
}

/// Checks an encoder of vectors that are a grid.
void check_grid(const NetworkSettings& s) {
  const auto& own = s.own<TransformerSettings>();
  const auto has_mixer = [&](const char* name) { return std::ranges::count(own.encoder_mixers, name) > 0; };
  const bool offsets = learns_distances(own.positions) && s.sizes.encoder_layers > 0;
  if (within_attention(own.positions) && !learns_distances(own.positions)) {
    throw UsageError(
        "positions rotary, alibi and buckets are distances in a text; for images and grids choose positions "
        "learned, sinusoidal, relative or sinusoidal-relative (in two dimensions) or none");
  }
  if (has_class_token(s) && (offsets || has_mixer("conv-mixer"))) {
    throw UsageError(concat(offsets ? "relative positions are offsets in" : "the mixer conv-mixer convolves",
                            " the grid of an image, but the pooling 'first' puts a class token before it; "
                            "choose the pooling 'mean' or 'max'"));
  }
  if (adds_sinusoids(own.positions) && s.sizes.width % 4 != 0) {
    throw UsageError(
        concat("sinusoidal positions in two dimensions need a width divisible by 4; found ", s.sizes.width));
  }
  if (!offsets) return;
  if (has_mixer("strided")) {
    throw UsageError(
        "the mixer strided has no relative positions in the grid of an image; choose positions learned, "
        "sinusoidal or none");
  }
  if (form_of(s) == Form::classifier && own.relative_reach > 0)
    throw UsageError("relative_reach is a distance in a text; leave it out for images and grids");
  const std::int64_t numbers = offsets_of(grid_of_vectors(s.source, s.sizes.max_positions)) * s.sizes.heads;
  if (numbers > kMostPositionNumbers) {
    throw UsageError(concat("relative positions have ", numbers, " numbers for the offsets in the grid and ",
                            s.sizes.heads, " heads; expected at most ", kMostPositionNumbers,
                            "; choose larger patches or strides"));
  }
}

/// Checks an encoder of images or recordings.
void check_source(const NetworkSettings& s) {
  const auto& own = s.own<TransformerSettings>();
  if (!is_sequence(s.source)) check_grid(s);
  if (own.token_types > 0 || own.embedding_norm)
    throw UsageError(
        "token_types and embedding_norm are for embeddings of tokens; leave them out for sources that are "
        "not text");
  if (form_of(s) == Form::classifier || s.sizes.encoder_layers > 0) return;
  if (own.deep_norm)
    throw UsageError("deep_norm depends on the number of encoder layers, which is 0; leave it out");
  if (own.decoder_heads > 0 || own.decoder_feed_forward_width > 0 || own.decoder_positions.has_value()) {
    throw UsageError(
        "decoder_heads, decoder_feed_forward_width and decoder_positions differ from those of an encoder, "
        "but encoder_layers is 0; use heads, feed_forward_width and positions");
  }
}

void check_transformer(const NetworkSettings& s) {
  const NetworkSizes& sizes = s.sizes;
  const auto& own = s.own<TransformerSettings>();
  check_heads(sizes, own, "heads");
  if (form_of(s) != Form::encoder_decoder && own.decoder_positions.has_value())
    throw UsageError("decoder_positions are those of a decoder after an encoder; leave them out");
  const TransformerSide decoder = decoder_side(sizes, own);
  const Positions of_decoder = decoder.settings.positions;
  if (form_of(s) == Form::encoder_decoder && (own.decoder_heads > 0 || of_decoder != own.positions))
    check_heads(decoder.sizes, decoder.settings, own.decoder_heads > 0 ? "decoder_heads" : "heads");
  if (!s.source.is_text()) check_source(s);
  if ((adds_sinusoids(own.positions) || adds_sinusoids(of_decoder)) && sizes.width % 2 != 0) {
    throw UsageError(concat("sinusoidal positions need an even width; found ", sizes.width));
  }
  check_steps(own.steps_before, "steps_before", "dnr");
  check_steps(own.steps_after, "steps_after", "danr");
  check_steps(own.steps_top, "steps_top", "danr");
  shared_layers(own.encoder_layer_weights, sizes.encoder_layers, "encoder_layer_weights");
  shared_layers(own.decoder_layer_weights, sizes.decoder_layers, "decoder_layer_weights");
  check_mixers(sizes, own);
  check_positions_of_mixers(sizes, own);
  const bool marian_attends = form_of(s) == Form::encoder_decoder && own.key_value_heads == 0;
  // The keys of preceding tokens are stored as they are; rotary positions would have to turn them.
  if (own.raw_past && (!marian_attends || of_decoder == Positions::rotary)) {
    throw UsageError(
        "raw_past is for translation models without key_value_heads and rotary positions; leave it out");
  }
  if (own.query_key_norm && own.raw_past)
    throw UsageError("raw_past is for networks as Marian has them, without query_key_norm; leave one out");
  if (own.deep_norm && own.norm != NormPlacement::post)
    throw UsageError(
        "deep_norm scales the sums before norms after branches; choose norm post, or leave it out");
  if (own.source_link == SourceLink::unfolding && own.deep_norm)
    throw UsageError(
        "deep_norm has factors for attention to the source; choose source_link attention, or leave it out");
  if (!own.attention_projection && own.head_width > 0 && own.head_width * sizes.heads != sizes.width) {
    throw UsageError(concat("attention without a projection needs heads as wide as the width ", sizes.width,
                            "; found ", sizes.heads, " of ", own.head_width, "; leave head_width out"));
  }
  for (const TransformerSettings* side : {&own, &decoder.settings}) {
    if (side->positions != Positions::buckets || side->reach() > own.relative_buckets / 2) continue;
    throw UsageError(concat("relative_reach ", side->reach(), " is too small for relative_buckets ",
                            own.relative_buckets, ", half of which have a distance of their own; choose ",
                            "fewer buckets or a reach above ", own.relative_buckets / 2));
  }
}

/// Why positions have no use for a setting; empty if they have one.
std::string reason_positions_ignore(const NetworkSettings& s, const std::string& name) {
  const auto& own = s.own<TransformerSettings>();
  const Positions of_decoder = decoder_side(s.sizes, own).settings.positions;
  const bool translates = form_of(s) == Form::encoder_decoder;
  if (name == "decoder_positions" && translates && own.decoder_positions == own.positions)
    return "the encoder has the same positions";
  const std::string of_either = translates ? ", or such --decoder-positions" : "";
  const bool buckets = own.positions == Positions::buckets || of_decoder == Positions::buckets;
  if (name == "relative_buckets" && !buckets) return concat("it needs --positions buckets", of_either);
  // The offsets in a grid have no reach.
  const bool grid = translates && !s.source.is_text() && !is_sequence(s.source);
  const bool distances = learns_distances(of_decoder) || (!grid && learns_distances(own.positions));
  if (name == "relative_reach" && !distances && !buckets)
    return concat("it needs --positions relative, sinusoidal-relative or buckets", of_either);
  return "";
}

std::string reason_unused_by_transformer(const NetworkSettings& s, const std::string& name) {
  const auto& own = s.own<TransformerSettings>();
  const std::string ignored = reason_mixers_ignore(s.sizes, own, name);
  if (!ignored.empty()) return ignored;
  const std::string reason = reason_positions_ignore(s, name);
  if (!reason.empty()) return reason;
  if ((name == "decoder_heads" || name == "decoder_feed_forward_width" || name == "decoder_positions") &&
      form_of(s) != Form::encoder_decoder) {
    return "the network has no decoder besides an encoder";
  }
  if (name == "deep_norm" && own.norm != NormPlacement::post) return "it needs --norm post";
  if (name == "source_link" && form_of(s) != Form::encoder_decoder) return "there is no source";
  const bool attends_to_source =
      form_of(s) == Form::encoder_decoder && own.source_link == SourceLink::attention;
  const auto attends = [&](bool causal) {
    const int layers = causal ? s.sizes.decoder_layers : s.sizes.encoder_layers;
    return layers > 0 && some_layer_attends(s.sizes, own, causal);
  };
  const bool has_attention = attends_to_source || attends(false) || attends(true);
  if ((name == "attention_projection" || name == "head_width" || name == "key_value_heads" ||
       name == "attention_scale" || name == "query_key_norm") &&
      !has_attention)
    return "there is no attention";
  if (name == "attention_dropout" && !has_attention && !mixers_drop_weights(s.sizes, own))
    return "no layer has weights of attention or of a normalised kernel";
  if ((name == "feed_forward_width" || name == "feed_forward_depth" || name == "gated_feed_forward") &&
      !mixers_feed_forward(s.sizes, own))
    return "no layer has a feed-forward layer";
  if (name == "heads" && !has_attention && !mixers_have_heads(s.sizes, own)) return "no layer has heads";
  if ((name == "encoder_layer_weights" || name == "encoder_mixers") && s.sizes.encoder_layers == 0)
    return "there is no encoder";
  if ((name == "decoder_layer_weights" || name == "decoder_mixers") && s.sizes.decoder_layers == 0)
    return "there is no decoder";
  if (name.starts_with("steps_") && s.own<TransformerSettings>().norm != NormPlacement::steps)
    return "it needs --norm steps";
  if (name == "token_types" && s.sizes.encoder_layers == 0) return "there is no encoder";
  if (name == "readout_activation" && form_of(s) != Form::encoder) return "only masked models have a readout";
  return "";
}

void set_preset_sizes(Preset preset, NetworkSettings& s) {
  const auto set = [&](int layers, int width, int feed_forward_width, int heads) {
    s.sizes.encoder_layers = s.sizes.decoder_layers = layers;
    s.sizes.width = width;
    s.sizes.heads = heads;
    s.own<TransformerSettings>().feed_forward_width = feed_forward_width;
  };
  const auto lighten_decoder = [&](int layers) {
    s.sizes.decoder_layers = layers;
    s.own<TransformerSettings>().decoder_mixers = {"ssru"};
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
    case Preset::student:  // the depths "12-1" of Behnke et al. 2021, the widths of Bergamot's "base"
      set(12, 512, 2048, 8);
      lighten_decoder(1);
      break;
    case Preset::student_tiny:  // Bergamot's "tiny": Bogoychev et al. 2020
      set(6, 256, 1536, 8);
      lighten_decoder(2);
      break;
  }
}

/// What only imported models have is no choice for training.
Fields trained_fields(Purpose, NetworkSettings& s) {
  auto& own = s.own<TransformerSettings>();
  Fields fields = fields_of(own);
  leave_out(fields, own.raw_past);
  return fields;
}

/// Training normalises the keys and values of preceding tokens, so the trained network's search does, too.
void prepare_training(NetworkSettings& s) { s.own<TransformerSettings>().raw_past = false; }

/// Models of one text follow GPT-2: pre-norm and GELU (Radford et al. 2019).
void set_transformer_for_purpose(Purpose purpose, NetworkSettings& s) {
  if (purpose == Purpose::translation) return;
  s.own<TransformerSettings>().norm = NormPlacement::pre;
  s.own<TransformerSettings>().activation = Activation::gelu;
}

/// Sinusoidal positions are computed, not learned, so their number may change.
bool fixes_positions(const NetworkSettings& s) {
  const auto& own = s.own<TransformerSettings>();
  return own.positions != Positions::sinusoidal ||
         decoder_side(s.sizes, own).settings.positions != Positions::sinusoidal;
}

bool has_post_norm(const NetworkSettings& s) {
  return s.own<TransformerSettings>().norm == NormPlacement::post;
}

/// The factors of deep_norm depend on the depth of both parts.
bool has_separate_parts(const NetworkSettings& s) { return !s.own<TransformerSettings>().deep_norm; }

std::unique_ptr<Network> make_transformer(const NetworkSettings& s, Parameters& parameters) {
  const auto& own = s.own<TransformerSettings>();
  const VocabularySettings vocabulary = s.vocabulary();
  switch (form_of(s)) {
    case Form::encoder_decoder:
      return std::make_unique<Transformer>(s.sizes, own, s.source, vocabulary, parameters);
    case Form::decoder:
      return std::make_unique<TransformerLanguageModel>(s.sizes, own, vocabulary, parameters);
    case Form::encoder:
      return std::make_unique<TransformerEncoder>(s.sizes, own, vocabulary, parameters);
    case Form::classifier:
      if (!s.source.is_text()) {
        const SourceParts source{.source = s.source,
                                 .width = s.sizes.width,
                                 .norm = own.norms(),
                                 .positions = own.positions,
                                 .max_positions = s.sizes.max_positions,
                                 .class_token = has_class_token(s)};
        return std::make_unique<TransformerClassifier>(s.sizes, own, s.classifier, source, parameters);
      }
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
          .reason_unused = reason_unused_by_transformer,
          .apply_preset = set_preset_sizes,
          .fields_for = trained_fields,
          .apply_purpose = set_transformer_for_purpose,
          .prepare_training = prepare_training,
          .keeps_positions = fixes_positions,
          .joins_parts = has_separate_parts,
          .normalises_sums = has_post_norm,
          .reads_vectors = true};
}

}  // namespace gloss
