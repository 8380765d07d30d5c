// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/networks/batch.h"
#include "model/networks/own_settings.h"
#include "model/networks/parts/classifier_settings.h"
#include "model/networks/parts/network_sizes.h"
#include "model/networks/parts/source_settings.h"

namespace gloss {

/// Vocabulary sizes and special tokens of a network.
struct VocabularySettings {
  int source = 0;  ///< number of pieces
  int target = 0;
  TokenId begin = 1;  ///< of targets; -1: a zero vector
  TokenId end = 2;
};

/// Those of a network that neither reads nor writes text.
inline constexpr VocabularySettings kWithoutText{3, 3, 1, 2};

/// The parts of a network: an encoder of the source and a decoder of the target; only a decoder (a language
/// model); only an encoder that predicts hidden tokens (a masked model); or only one of them with a
/// classification layer.
enum class Form { encoder_decoder, decoder, encoder, classifier };

/// Purpose of a new network, which determines its recommended settings.
enum class Purpose { translation, plain_text, classification };

/// All settings of a network: the content of "network" in config.json.
struct NetworkSettings {
  std::string architecture = "transformer";  ///< name of a row in the table of architectures
  NetworkSizes sizes;
  OwnSettingsSet of_architectures;
  ClassifierSettings classifier;
  SourceSettings source;
  int source_vocabulary = 0;  ///< number of pieces
  int target_vocabulary = 0;
  int begin_token = 1;  ///< in the target vocabulary; -1: targets begin with a zero vector
  int end_token = 2;

  /// The settings of one architecture, such as TransformerSettings. Used only by the files of that
  /// architecture.
  template <class Settings>
  Settings& own() {
    return of_architectures.of<Settings>();
  }
  template <class Settings>
  const Settings& own() const {
    return of_architectures.of<Settings>();
  }
  VocabularySettings vocabulary() const {
    return {source_vocabulary, target_vocabulary, begin_token, end_token};
  }
};

/// User settings of all architectures (without the sizes determined by the vocabulary).
Fields fields_of(NetworkSettings&);
/// User settings for a purpose. Except for translation, they exclude the numbers of layers of both sides and
/// how a decoder reads its source.
Fields fields_for(Purpose, NetworkSettings&);
/// User settings of the chosen architecture.
Fields chosen_fields_of(NetworkSettings&);
Field architecture_field(NetworkSettings&);
/// The number of classes of a classifier.
Field classes_field(NetworkSettings&);
/// Every field of the architecture, as stored in config.json; classifier fields only for classifiers.
Fields all_fields_of(NetworkSettings&);

Form form_of(const NetworkSettings&);
/// Sets vocabulary sizes, end token and begin token (begin_token_of) to match the tokenizers.
void set_vocabulary(NetworkSettings&, const VocabularySettings& of_tokenizers);
/// The first target token, given the special tokens of the tokenizers; -1 if they have none: a zero vector. A
/// network without an encoder continues text: its targets follow the end of another line, the end token.
TokenId begin_token_of(const NetworkSettings&, TokenId begin, TokenId end);

/// True if training can spread attention over the source.
bool spreads_attention(const NetworkSettings&);
/// True if a class token comes before the vectors of an item of a source that is not text.
bool has_class_token(const NetworkSettings&);
/// The number of states that the encoder makes of a number of vectors of a source.
int states_of(const NetworkSettings&, int vectors);
/// The number of vectors of every image, with the class token.
int row_length(const NetworkSettings&);

/// True if the network drops something in training, so that two passes over a batch differ.
bool has_dropout(const NetworkSettings&);
/// True if the architecture has presets.
bool has_presets(const NetworkSettings&);
/// Sets the sizes of a preset of the architecture.
void apply_preset(Preset, NetworkSettings&);
/// Sets the sizes that the architecture has by default.
void apply_default_sizes(NetworkSettings&);
/// Sets the recommended settings for a new network with this purpose, for every architecture.
void apply_purpose(Purpose, NetworkSettings&);
/// The settings of a trained network for more training, without what only imported models have.
NetworkSettings trained_further(NetworkSettings);

/// Throws UsageError if a given setting, by field name, has no effect with the other settings.
void refuse_unused(const NetworkSettings&, const std::function<bool(const std::string& name)>& given);
/// Throws UsageError if user settings are inconsistent, such as a width that is not divisible by the heads.
void check_chosen(const NetworkSettings&);
/// Checks all settings, including the sizes determined by the vocabulary.
void check(const NetworkSettings&);

/// True if trained weights depend on the number of positions, so that a trained network keeps it.
bool keeps_positions(const NetworkSettings&);
/// True if an encoder and a decoder of different networks of this architecture can be combined.
bool joins_parts(const NetworkSettings&);
/// True if layers normalise the sum of a branch and its input, so that learning rates must be lower.
bool normalises_sums(const NetworkSettings&);
/// True if the network reads only stories with questions.
bool needs_stories(const NetworkSettings&);

}  // namespace gloss
