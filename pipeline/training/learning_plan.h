// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/networks/network_settings.h"
#include "pipeline/data/text_sample.h"
#include "pipeline/data/tokenizer_pair.h"
#include "pipeline/training/training_settings.h"

namespace gloss {

/// The network chosen by the user, given the preset for its sizes.
using NetworkOfPreset = std::function<NetworkSettings(Preset)>;

/// What a training chooses itself once it knows its text.
struct Planning {
  std::set<std::string> given;     ///< names of the settings that the user gave: they are never chosen
  NetworkOfPreset network_of{};    ///< null: the network is not chosen
  std::optional<Preset> preset{};  ///< that the user gave
  int ranks = 1;                   ///< processes, of which each has batches of its own
  /// Choose vocabulary, mixers and norms, batches, optimizer, schedule and length; false: only the preset.
  bool all = false;
  bool starts = false;  ///< from trained weights, whose network and vocabulary are not chosen
};

/// The settings that a plan chooses, in their order in config.json.
Fields planned_fields_of(NetworkSettings&, TokenizerSettings&, LoopSettings&);
/// Takes the planned settings and the sizes of the network, unless they were given, from those that a
/// checkpoint stores ("training" in config.json).
void take_stored_plan(const Planning&, const nlohmann::json& stored, NetworkSettings&, TokenizerSettings&,
                      LoopSettings&);

/// A note on the preset of `lines` lines of text; empty if the user gave all sizes and it has no effect.
std::string preset_text(const NetworkOfPreset&, std::int64_t lines);

/// The preset for a training text of `lines` lines or pairs: tiny for fewer than 200,000, small for fewer
/// than 2,000,000, otherwise base.
Preset preset_for(std::int64_t lines);
/// The number of pieces of a vocabulary for a text of so many words and different characters.
int pieces_for(double words, int characters);

/// Chooses the settings of a new training from figures of its text. The choice depends on the text and on the
/// settings that were given; with a time limit, also on the measured time of an update.
class LearningPlan {
 public:
  /// Changes the settings that `planning` allows; all must outlive the plan. `figure`: the figure of the
  /// validation that selects the best model; none: there is no validation.
  LearningPlan(const Planning&, NetworkSettings&, TokenizerSettings&, LoopSettings&, TextSample,
               std::optional<StopOn> figure);

  void choose_vocabulary();
  /// Chooses everything else, given the tokens of both sides.
  void choose_rest(const LineEncoder& source, const LineEncoder& target);
  /// Chooses the length again, for a training that may last `seconds`, if an update takes `update_seconds`.
  /// Returns false if it has chosen a smaller network, whose updates must be measured first.
  bool fit_time(double seconds, double update_seconds);
  /// The number of updates: the limit in updates, or what fits into the time.
  std::int64_t updates() const { return updates_; }
  /// What was chosen and why, in a few lines.
  std::vector<std::string> text() const;

 private:
  template <class Member>
  void choose(Member& member, const Member& value);
  bool given(const void* member) const;
  void choose_network();
  void use_preset(Preset);
  bool choose_smaller_network(double updates);
  void take_network_parts(const nlohmann::json& values);
  void choose_batches();
  void choose_steps();
  void choose_length(std::int64_t updates);
  std::optional<std::int64_t> other_limit() const;
  std::int64_t given_updates() const;
  bool small_language() const;
  double tokens_per_update() const;
  double epochs() const;

  const Planning& planning_;
  NetworkSettings& network_;
  TokenizerSettings& tokenizers_;
  LoopSettings& loop_;
  TextSample figures_;
  std::optional<StopOn> figure_;
  Preset preset_ = Preset::tiny;
  double tokens_ = 0;  // of the longer sides of all pairs
  std::int64_t updates_ = 0;
};

}  // namespace gloss
