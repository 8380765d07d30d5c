// SPDX-License-Identifier: Apache-2.0

#include "model/networks/network_settings.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/architecture.h"

namespace gloss {
namespace {

/// Checks a network that has only an encoder or only a decoder.
void check_one_side(const NetworkSettings& s) {
  const bool encodes = s.sizes.encoder_layers > 0, decodes = s.sizes.decoder_layers > 0;
  if (encodes && decodes) throw UsageError("a classifier needs encoder or decoder layers, not both");
  if (!encodes && !decodes) {
    throw UsageError("a network needs encoder or decoder layers; found 0 of both");
  }
  if (s.source_vocabulary != s.target_vocabulary) {
    throw UsageError(concat("a network without encoder or decoder layers needs a single vocabulary; found ",
                            s.source_vocabulary, " and ", s.target_vocabulary, " pieces"));
  }
  if (s.classifier.classes == 1) throw UsageError("a classifier needs at least 2 classes; found 1");
  const TiedEmbeddings tied = s.sizes.tied_embeddings;
  if ((!decodes && tied == TiedEmbeddings::target) || tied == TiedEmbeddings::inputs) {
    throw UsageError(concat("a network without ", encodes ? "decoder" : "encoder",
                            " layers cannot have the tied embeddings '", name_of(tied),
                            "'; choose 'all' or 'none'"));
  }
}

/// Throws UsageError unless these are finite numbers, `count` of them.
void check_numbers(const std::vector<std::string>& texts, const std::string& name, int count) {
  for (const std::string& text : texts) {
    double number = 0;
    if (!parse_number(text, number) || !std::isfinite(number))
      throw UsageError(concat(name, " has '", text, "'; expected numbers"));
  }
  if (std::ssize(texts) == count) return;
  throw UsageError(concat(name, " has ", texts.size(), " numbers; expected ", count));
}

/// Checks a network that reads recordings whose rate is known.
void check_recordings(const NetworkSettings& s) {
  const AudioSettings& audio = s.source.audio;
  if (audio.rate == 0) throw UsageError("audio_rate must be above 0");
  if (audio.norm != AudioNorm::global) return;
  check_numbers(audio.mean, "audio_mean", audio.bands);
  check_numbers(audio.deviation, "audio_deviation", audio.bands);
}

/// Checks a network that reads features whose size is known.
void check_features(const NetworkSettings& s) {
  const FeatureSettings& features = s.source.features;
  if (features.numbers == 0) throw UsageError("feature_numbers must be above 0");
  if (features.columns > s.sizes.max_positions) {
    throw UsageError(concat("feature_columns is ", features.columns, ", more than the ",
                            s.sizes.max_positions, " positions of max_positions"));
  }
  if (!features.normalise) return;
  check_numbers(features.mean, "feature_mean", features.numbers);
  check_numbers(features.deviation, "feature_deviation", features.numbers);
}

/// Checks a network that reads images whose size is known.
void check_images(const NetworkSettings& s) {
  const ImageSettings& image = s.source.image;
  if (image.height == 0 || image.width == 0 || image.channels == 0)
    throw UsageError("image_height, image_width and image_channels must be above 0");
  channel_numbers(image.mean, "image_mean", image.channels);
  channel_numbers(image.deviation, "image_deviation", image.channels);
  if (form_of(s) == Form::classifier && s.sizes.max_positions < row_length(s)) {
    throw UsageError(concat("max_positions is ", s.sizes.max_positions, ", less than the ", row_length(s),
                            " vectors of an image"));
  }
}

/// Throws UsageError if a given field has no effect.
void refuse_given(const Fields& fields, const std::function<bool(const std::string& name)>& given,
                  const std::function<std::string(const std::string& name)>& reason_unused) {
  for (const Field& field : fields) {
    if (!given(field.name)) continue;
    const std::string reason = reason_unused(field.name);
    if (reason.empty()) continue;
    const auto* const* flag = std::get_if<bool*>(&field.target);
    const bool off = flag != nullptr && !**flag;
    throw UsageError(
        concat(off ? "--no-" : "--", option_name(field.name), " has no effect: ", reason, "; leave it out"));
  }
}

Fields common_fields_of(NetworkSettings& s) {
  Fields fields{architecture_field(s)};
  append(fields, fields_of(s.sizes));
  return fields;
}

}  // namespace

Field architecture_field(NetworkSettings& s) {
  Choice rows;
  for (const Architecture& row : architectures()) rows.names.push_back(row.name);
  rows.get = [&s] { return static_cast<int>(&architecture_of(s) - architectures().data()); };
  rows.set = [&s](int index) { s.architecture = architectures()[gloss::index(index)].name; };
  rows.address = &s.architecture;
  return {"architecture", rows, "kind of network"};
}

Fields fields_of(NetworkSettings& s) {
  Fields fields = common_fields_of(s);
  for (const Architecture& row : architectures()) append(fields, s.of_architectures.fields(row.name));
  return fields;
}

Fields fields_for(Purpose purpose, NetworkSettings& s) {
  Fields fields = common_fields_of(s);
  for (const Architecture& row : architectures()) {
    append(fields,
           row.fields_for != nullptr ? row.fields_for(purpose, s) : s.of_architectures.fields(row.name));
  }
  if (purpose != Purpose::translation) leave_out_traits(fields, kTwoSided);
  return fields;
}

Fields chosen_fields_of(NetworkSettings& s) {
  Fields fields = common_fields_of(s);
  append(fields, s.of_architectures.fields(s.architecture));
  return fields;
}

Field classes_field(NetworkSettings& s) {
  return {"classes", &s.classifier.classes, "number of classes", {2, 1 << 20}};
}

Fields all_fields_of(NetworkSettings& s) {
  constexpr double kMostPieces = 1 << 24;
  Fields fields = chosen_fields_of(s);
  if (s.classifier.classes > 0) {
    fields.push_back(classes_field(s));
    append(fields, fields_of(s.classifier));
  }
  if (!s.source.is_text()) {
    fields.push_back(source_type_field(s.source));
    append(fields, stored_fields_of(s.source));
    if (form_of(s) == Form::classifier) return fields;  // no text on either side
  }
  fields.push_back({"alignment_head",
                    &s.sizes.alignment_head,
                    "head of the last decoder layer that was trained to align, from 1; 0: none",
                    {0, 1}});
  add_traits(fields, kOptional, s.sizes.alignment_head);
  fields.push_back({"ctc_head", &s.sizes.ctc_head, "label the encoder's vectors with target tokens (CTC)"});
  add_traits(fields, kOptional, s.sizes.ctc_head);
  if (s.source.is_text()) {
    fields.push_back(
        {"source_vocabulary", &s.source_vocabulary, "number of source pieces", {3, kMostPieces}});
  }
  fields.push_back({"target_vocabulary", &s.target_vocabulary, "number of target pieces", {3, kMostPieces}});
  fields.push_back(
      {"begin_token", &s.begin_token, "token id before every target; -1: a zero vector", {-1, kMostPieces}});
  fields.push_back(
      {"end_token", &s.end_token, "token id at the end of every source and target", {0, kMostPieces}});
  return fields;
}

Form form_of(const NetworkSettings& s) {
  if (s.classifier.classes > 0) return Form::classifier;
  if (!s.source.is_text()) return Form::encoder_decoder;
  if (s.sizes.encoder_layers == 0) return Form::decoder;
  return s.sizes.decoder_layers == 0 ? Form::encoder : Form::encoder_decoder;
}

void set_vocabulary(NetworkSettings& s, const VocabularySettings& of_tokenizers) {
  s.source_vocabulary = of_tokenizers.source;
  s.target_vocabulary = of_tokenizers.target;
  s.begin_token = begin_token_of(s, of_tokenizers.begin, of_tokenizers.end);
  s.end_token = of_tokenizers.end;
}

TokenId begin_token_of(const NetworkSettings& s, TokenId begin, TokenId end) {
  return begin >= 0 && s.sizes.encoder_layers == 0 && s.source.is_text() ? end : begin;
}

bool has_class_token(const NetworkSettings& s) {
  return form_of(s) == Form::classifier && s.classifier.pooling == Pooling::first;
}

int row_length(const NetworkSettings& s) { return vectors_of(s.source) + (has_class_token(s) ? 1 : 0); }

bool has_dropout(const NetworkSettings& s) {
  NetworkSettings copy = s;
  return std::ranges::any_of(chosen_fields_of(copy), [](const Field& field) {
    const auto* const* rate = std::get_if<double*>(&field.target);
    return rate != nullptr && **rate > 0 && std::string_view(field.name).ends_with("dropout");
  });
}

bool has_presets(const NetworkSettings& s) { return architecture_of(s).apply_preset != nullptr; }

void apply_preset(Preset preset, NetworkSettings& s) {
  expects(has_presets(s), "the architecture ", s.architecture, " has no presets");
  architecture_of(s).apply_preset(preset, s);
}

void apply_default_sizes(NetworkSettings& s) {
  s.sizes = NetworkSizes();
  const Architecture& row = architecture_of(s);
  if (row.change_defaults != nullptr) row.change_defaults(s);
}

void apply_purpose(Purpose purpose, NetworkSettings& s) {
  for (const Architecture& row : architectures()) {
    if (row.apply_purpose != nullptr) row.apply_purpose(purpose, s);
  }
}

NetworkSettings trained_further(NetworkSettings s) {
  const Architecture& row = architecture_of(s);
  if (row.prepare_training != nullptr) row.prepare_training(s);
  return s;
}

void refuse_unused(const NetworkSettings& settings,
                   const std::function<bool(const std::string& name)>& given) {
  NetworkSettings s = settings;
  const Architecture& chosen = architecture_of(s);
  refuse_given(chosen_fields_of(s), given, [&](const std::string& name) -> std::string {
    if (name == "output_bias" && form_of(s) == Form::classifier) return "a classifier has no output layer";
    return chosen.reason_unused != nullptr ? chosen.reason_unused(s, name) : "";
  });
  for (const Architecture& row : architectures()) {
    if (&row == &chosen) continue;
    refuse_given(s.of_architectures.fields(row.name), given, [&](const std::string&) {
      return concat("it is for ", row.plural, ", but the architecture is '", chosen.name, "'");
    });
  }
}

void check_chosen(const NetworkSettings& s) {
  const Architecture& row = architecture_of(s);
  if (!s.source.is_text()) {
    if (!row.reads_vectors) {
      throw UsageError(concat(row.plural,
                              " read text only; leave source_type out, or choose the architecture ",
                              "'transformer'"));
    }
    if (form_of(s) == Form::classifier ? s.sizes.encoder_layers == 0 : s.sizes.decoder_layers == 0) {
      throw UsageError(
          "a source_type other than text is for classifiers with encoder layers and for models with decoder "
          "layers; found 0 of them");
    }
    check(s.source);
  }
  if (row.check != nullptr) row.check(s);
}

void check(const NetworkSettings& s) {
  check_chosen(s);
  if (shares_sides(s.sizes.tied_embeddings) && s.source_vocabulary != s.target_vocabulary) {
    throw UsageError(concat("tied embeddings '", name_of(s.sizes.tied_embeddings),
                            "' need one vocabulary, but the source has ", s.source_vocabulary,
                            " pieces and the target ", s.target_vocabulary, "; choose 'target' or 'none'"));
  }
  if (form_of(s) != Form::encoder_decoder) check_one_side(s);
  if (s.source.type == SourceType::image) check_images(s);
  if (s.source.type == SourceType::audio) check_recordings(s);
  if (s.source.type == SourceType::features) check_features(s);
  if (s.begin_token < 0 && s.sizes.decoder_layers == 0) {
    throw UsageError("a network without decoder layers needs a begin token; found -1, a zero vector");
  }
  if (s.begin_token >= s.target_vocabulary || s.end_token >= s.target_vocabulary ||
      s.end_token >= s.source_vocabulary) {
    throw UsageError(concat("begin token ", s.begin_token, " or end token ", s.end_token,
                            " is outside the vocabularies of ", s.source_vocabulary, " and ",
                            s.target_vocabulary, " pieces"));
  }
}

bool keeps_positions(const NetworkSettings& s) {
  const Architecture& row = architecture_of(s);
  return row.keeps_positions != nullptr && row.keeps_positions(s);
}

bool joins_parts(const NetworkSettings& s) {
  const auto joins = architecture_of(s).joins_parts;
  return joins != nullptr && joins(s);
}

bool normalises_sums(const NetworkSettings& s) {
  const auto normalises = architecture_of(s).normalises_sums;
  return normalises != nullptr && normalises(s);
}

bool spreads_attention(const NetworkSettings& s) {
  const auto spreads = architecture_of(s).spreads_attention;
  return spreads != nullptr && spreads(s);
}

int states_of(const NetworkSettings& s, int vectors) {
  const auto states = architecture_of(s).states_of;
  return states == nullptr ? vectors : states(s, vectors);
}

bool needs_stories(const NetworkSettings& s) { return architecture_of(s).needs_stories; }

}  // namespace gloss
