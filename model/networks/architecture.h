// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/layers/parameters.h"
#include "model/networks/network.h"
#include "model/networks/network_settings.h"

namespace gloss {

/// A kind of network: a row of the table of architectures, and everything the rest of the program knows about
/// it. Functions may be null, with the default given below.
struct Architecture {
  std::string name;    ///< in config.json and for --architecture
  std::string plural;  ///< networks of this kind in messages, such as "transformers"
  /// Settings specific to this architecture (default_settings). Field names are unique among all
  /// architectures.
  std::unique_ptr<OwnSettings> (*own_settings)() = nullptr;
  /// Creates the network for checked settings and declares its parameters.
  std::unique_ptr<Network> (*make)(const NetworkSettings&, Parameters&) = nullptr;
  /// Throws UsageError if user settings are inconsistent. Null: no checks.
  void (*check)(const NetworkSettings&) = nullptr;
  /// Reason why the setting of this name has no effect given the others, to follow "--NAME has no effect: ";
  /// empty if it has one. Null: all settings have an effect.
  std::string (*reason_unused)(const NetworkSettings&, const std::string& name) = nullptr;
  /// Changes the sizes, which are those of NetworkSizes by default, and the pooling of classifiers where
  /// others are recommended. Null: no changes.
  void (*change_defaults)(NetworkSettings&) = nullptr;
  /// Sets the sizes of a preset. Null: no presets.
  void (*apply_preset)(Preset, NetworkSettings&) = nullptr;
  /// The fields of own settings that users may choose for a purpose. Null: all.
  Fields (*fields_for)(Purpose, NetworkSettings&) = nullptr;
  /// Sets the recommended own settings for a purpose. Null: keeps the defaults.
  void (*apply_purpose)(Purpose, NetworkSettings&) = nullptr;
  /// Changes what only imported models have, when a network is trained further. Null: nothing.
  void (*prepare_training)(NetworkSettings&) = nullptr;
  /// True if trained weights depend on `max_positions`. Null: never.
  bool (*keeps_positions)(const NetworkSettings&) = nullptr;
  /// True if an encoder and a decoder of different networks with equal settings can be combined.
  bool (*joins_parts)(const NetworkSettings&) = nullptr;
  /// True if layers normalise the sum of a branch and its input. Null: never.
  bool (*normalises_sums)(const NetworkSettings&) = nullptr;
  /// True if rows are stories with a question (MemoryStories), not other text.
  bool needs_stories = false;
  /// True if training can spread attention over the source (LossTerms::doubly_stochastic). Null: never.
  bool (*spreads_attention)(const NetworkSettings&) = nullptr;
  /// True if the encoder can read vectors of a source that is not text (SourceEmbedding).
  bool reads_vectors = false;
  /// The number of states that the encoder makes of a number of vectors. Null: the same number.
  int (*states_of)(const NetworkSettings&, int vectors) = nullptr;
};

// The rows; each is defined beside its networks.

/// Transformers: translation models, language models, masked models and classifiers.
Architecture transformer_architecture();
/// Recurrent networks: translation models, language models and classifiers.
Architecture recurrent_architecture();
/// Convolutional networks: classifiers.
Architecture convolutional_architecture();
/// Memory networks: classifiers of stories.
Architecture memory_architecture();
/// Neural Turing Machines: translation models.
Architecture turing_architecture();

/// The table of all architectures, the default first.
std::span<const Architecture> architectures();
/// The row for these settings. Throws UsageError if the architecture is unknown.
const Architecture& architecture_of(const NetworkSettings&);
/// Adds a row to the table; affects settings created afterwards.
void add_architecture(Architecture);

}  // namespace gloss
