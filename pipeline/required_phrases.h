#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/networks/batch.h"

namespace gloss {

/// A phrase that a translation must have, as tokens; any one of several forms will do.
using RequiredPhrase = std::vector<std::vector<TokenId>>;

/// What the translation of a row must have, and how far a hypothesis is with it. A phrase is there when the
/// tokens of a form follow one another and the next token does not continue its last word.
class RequiredPhrases {
 public:
  /// `continues_word` says of each token whether it goes on with the word before it. No form is empty.
  RequiredPhrases(std::vector<RequiredPhrase> phrases,
                  std::shared_ptr<const std::vector<bool>> continues_word);

  /// How far a hypothesis is.
  struct Progress {
    std::vector<bool> met;    ///< of each phrase
    std::vector<int> latest;  ///< phrases that the latest token completed
    int needed = 0;           ///< tokens that would complete all phrases
    int missing = 0;          ///< phrases not met
  };
  Progress start() const;
  /// After one more token, the last of `tokens`.
  Progress advance(const Progress&, std::span<const TokenId> tokens) const;
  /// The tokens that bring a phrase nearer after `tokens`, each once.
  std::vector<TokenId> next_tokens(const Progress&, std::span<const TokenId> tokens) const;
  /// All tokens of all forms.
  std::vector<TokenId> tokens() const;
  int phrases() const { return static_cast<int>(phrases_.size()); }
  /// Tokens of all phrases, each in its shortest form.
  int total() const { return total_; }

 private:
  /// How many tokens at the end of `tokens` begin the form.
  static std::size_t begun(const std::vector<TokenId>& form, std::span<const TokenId> tokens);
  void count(Progress&, std::span<const TokenId> tokens) const;

  std::vector<RequiredPhrase> phrases_;
  std::vector<int> shortest_;  // of each phrase's forms
  int total_ = 0;
  std::shared_ptr<const std::vector<bool>> continues_word_;
};

}  // namespace gloss
