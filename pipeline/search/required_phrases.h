// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"

namespace gloss {

/// A phrase that a translation must contain: one or more alternative forms, each a sequence of tokens.
using RequiredPhrase = std::vector<std::vector<TokenId>>;

/// The phrases that the translation of a row must contain; tracks which of them a hypothesis has. A
/// hypothesis has a phrase if it contains the tokens of one form in a row and the next token does not
/// continue the last word.
class RequiredPhrases {
 public:
  /// `continues_word` has an entry per token: true if the token continues the preceding word. No form is
  /// empty. `source_places` has the source tokens that each phrase translates, in any order; an empty entry
  /// or no entries: unknown.
  RequiredPhrases(std::vector<RequiredPhrase> phrases,
                  std::shared_ptr<const std::vector<bool>> continues_word,
                  std::vector<std::vector<int>> source_places = {});

  /// A phrase and the number of tokens of the form that a hypothesis has.
  struct Met {
    int phrase, size;
  };
  /// The state of a hypothesis.
  struct Progress {
    std::vector<bool> met;    ///< one entry per phrase
    std::vector<Met> latest;  ///< phrases that the latest token completed
    bool revoked = false;     ///< it continued the word of the phrases that the token before it completed
    int needed = 0;           ///< number of tokens needed to complete all phrases
    int missing = 0;          ///< number of phrases not met
  };
  Progress start() const;
  /// The state after one more token, the last of `tokens`.
  Progress advance(const Progress&, std::span<const TokenId> tokens) const;
  /// The distinct tokens that begin or continue an unmet phrase after `tokens`.
  std::vector<TokenId> next_tokens(const Progress&, std::span<const TokenId> tokens) const;
  /// All tokens of all forms.
  std::vector<TokenId> tokens() const;
  int phrases() const { return static_cast<int>(phrases_.size()); }
  /// The source tokens that a phrase translates; empty: unknown.
  const std::vector<int>& source_places(int phrase) const { return source_places_[index(phrase)]; }
  /// Number of tokens of all phrases, each in its shortest form.
  int total() const { return total_; }

 private:
  /// Length of the longest proper prefix of the form that `tokens` ends with.
  static std::size_t begun(const std::vector<TokenId>& form, std::span<const TokenId> tokens);
  void count(Progress&, std::span<const TokenId> tokens) const;

  std::vector<RequiredPhrase> phrases_;
  std::vector<std::vector<int>> source_places_;
  std::vector<int> shortest_;  // length of each phrase's shortest form
  int total_ = 0;
  std::shared_ptr<const std::vector<bool>> continues_word_;
};

}  // namespace gloss
