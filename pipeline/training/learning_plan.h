// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/preparation/text_sample.h"
#include "pipeline/training/planned_settings.h"

namespace gloss {

/// What a plan must know of the kind of model that learns.
struct LearningTask {
  StopOn figure = StopOn::cross_entropy;  ///< that tells best how good a model is
  double updates = 1;                     ///< factor on the updates that translation needs for as much text
  /// Settings of the network with which it learns fastest, in addition to norms before the layers. Several
  /// mixers alternate in the layers.
  nlohmann::json network = nlohmann::json::object();
};

/// The preset for a training text of `lines` lines or pairs: tiny for fewer than 200,000, small for fewer
/// than 2,000,000, otherwise base.
Preset preset_for(std::int64_t lines);
/// The number of pieces of a vocabulary for a text of so many words and different characters.
int pieces_for(double words, int characters);

/// Chooses the settings of a new training from figures of its text. The choice depends on the text and on the
/// settings that were given; with a time limit, also on the measured time of an update.
class LearningPlan {
 public:
  /// Changes the settings that `planning` allows; all must outlive the plan. `validates`: false: no
  /// validation selects the best model.
  LearningPlan(const Planning&, NetworkSettings&, TokenizerSettings&, LoopSettings&, TextSample,
               const LearningTask&, bool validates);

  void choose_vocabulary();
  void choose_network();
  /// Chooses everything else, for so many tokens in an epoch, as batches count them.
  void choose_rest(std::int64_t tokens);
  /// Chooses the length again, for a training that may last `seconds`, if an update takes `update_seconds`.
  /// Returns false if it has chosen a smaller network, whose updates must be measured first.
  bool fit_time(double seconds, double update_seconds);
  /// The number of updates: the limit in updates, or what fits into the time.
  std::int64_t updates() const { return updates_; }
  /// What was chosen and why, in a few lines.
  std::vector<std::string> text();

 private:
  template <class Member>
  void choose(Member& member, const Member& value);
  bool given(const void* member) const;
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
  LearningTask task_;
  bool validates_;
  Preset preset_ = Preset::tiny;
  double tokens_ = 1;  // in an epoch
  std::int64_t updates_ = 0;
};

}  // namespace gloss
