// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>

#include "pipeline/search/required_phrases.h"
#include "pipeline/search/search_settings.h"
#include "pipeline/search/trace.h"

namespace gloss {

/// What required phrases add to the score of a hypothesis.
struct PhraseCosts {
  double forced = 0;     ///< log-probability of the tokens of the phrases
  double placement = 0;  ///< weighted log-probability of the places of the phrases
  int counted = 0;       ///< number of tokens up to the end of the last phrase in `forced`
};

/// The required phrases of a hypothesis.
struct PhraseState {
  RequiredPhrases::Progress progress;
  PhraseCosts costs;
  PhraseCosts without_latest;  ///< the costs if the next token continues the word of the latest phrase
};

/// Scores where the hypotheses of a row have their required phrases.
///
/// A network may find a phrase so improbable that it costs least after the end of the sentence, or beside the
/// network's own word for the source term. Two rules prevent that:
/// - The attention to the source term is read as the probability that the step translates the term. A phrase
///   has the probability of the attention when its first token was predicted, and its further tokens add
///   nothing; any token outside of it has the probability that it does not translate the term (after Song et
///   al. 2020, who replace words by attention).
/// - The log-probability of the phrase's own tokens is normalised by the length of the source, so that a
///   longer translation does not spread it over more tokens.
class PhraseScoring {
 public:
  PhraseScoring(std::shared_ptr<const RequiredPhrases> phrases, const SearchSettings& settings,
                int source_length)
      : phrases_(std::move(phrases)), settings_(settings), source_length_(source_length) {}

  /// A token that continues a hypothesis.
  struct Next {
    const Trace& trace;
    int node;                         ///< of the hypothesis
    int row;                          ///< of the hypothesis in the present step
    std::span<const TokenId> tokens;  ///< of the hypothesis and the new one
    double log_probability;           ///< of `tokens`
  };
  /// The state of the empty hypothesis.
  PhraseState start() const { return {phrases_->start(), {}, {}}; }
  /// The state of a hypothesis with one more token; `before` is its state without it.
  PhraseState advance(const PhraseState& before, const Next&) const;

  /// The score of a hypothesis of `length` tokens, end token included.
  double score(double log_probability, const PhraseCosts&, int length) const;
  /// The most that the score can become up to the length `limit`, unless a phrase that is being built refunds
  /// costs of its tokens.
  double best_score(double log_probability, const PhraseState&, int limit) const;

 private:
  /// log(1 - the attention to the source term of a phrase); 0 if it is unknown.
  double cost_of_others(std::span<const float> attention, int phrase) const;
  double attention_to(std::span<const float> attention, int phrase) const;
  void add_phrase(const RequiredPhrases::Met&, const Next&, PhraseCosts&) const;

  std::shared_ptr<const RequiredPhrases> phrases_;
  SearchSettings settings_;
  int source_length_;
};

}  // namespace gloss
