// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"
#include "pipeline/search/search_settings.h"
#include "tokenizer/subword.h"

namespace gloss {

/// A rule on the next token of a translation. The end token and the tokens of a forced prefix are always
/// allowed, and the rule is not asked about them.
class TokenRule {
 public:
  virtual ~TokenRule() = default;
  virtual bool allows(std::span<const TokenId> so_far, TokenId next) const = 0;
  /// The rule refuses at most this many of the next tokens after `length` tokens. A rule that may refuse any
  /// number makes the search slower: it needs the scores of all tokens.
  virtual std::size_t most_refused(std::size_t length) const;
  /// Tokens that it always refuses and whose probability is 0, so that those of the others sum to 1.
  virtual std::span<const TokenId> impossible() const { return {}; }
};

/// Rules that apply together to every row of a search.
using TokenRules = std::vector<std::shared_ptr<const TokenRule>>;
bool all_allow(const TokenRules&, std::span<const TokenId> so_far, TokenId next);
/// The number of tokens that the rules together refuse at most after `length` tokens; nothing if it is not
/// small.
std::optional<int> most_refused(const TokenRules&, std::size_t length);
/// The rules of a target vocabulary, for a network with `scored` scores: only pieces, and none that are never
/// generated.
TokenRules rules_of(const Subwords& target, int scored);
/// `rules` and those that the settings request.
TokenRules with_rules_of(const SearchSettings&, TokenRules rules);

/// Forbids tokens that are not pieces of the vocabulary, such as the mask token of a denoising model.
class KnownPieces : public TokenRule {
 public:
  KnownPieces(int pieces, int vocabulary) : pieces_(pieces), others_(index(vocabulary - pieces)) {}
  bool allows(std::span<const TokenId>, TokenId next) const override { return next < pieces_; }
  std::size_t most_refused(std::size_t) const override { return others_; }

 private:
  TokenId pieces_;
  std::size_t others_;
};

/// Forbids certain tokens.
class BannedTokens : public TokenRule {
 public:
  /// `impossible`: their probability is 0 (see TokenRule::impossible); otherwise the others keep theirs.
  explicit BannedTokens(std::vector<TokenId> tokens, bool impossible = false)
      : tokens_(std::move(tokens)), impossible_(impossible) {}
  bool allows(std::span<const TokenId>, TokenId next) const override;
  std::size_t most_refused(std::size_t) const override { return tokens_.size(); }
  std::span<const TokenId> impossible() const override {
    return impossible_ ? std::span<const TokenId>(tokens_) : std::span<const TokenId>();
  }

 private:
  std::vector<TokenId> tokens_;
  bool impossible_;
};

/// Forbids that an n-gram of `size` tokens appears twice in a translation (Paulus et al. 2018).
class NoRepeatedNgram : public TokenRule {
 public:
  explicit NoRepeatedNgram(int size) : size_(index(size)) {}
  bool allows(std::span<const TokenId> so_far, TokenId next) const override;
  std::size_t most_refused(std::size_t length) const override { return length; }

 private:
  std::size_t size_;
};

/// Forbids phrases as words of a translation, regardless of their segmentation into pieces. Words consist of
/// letters and digits. The piece that would complete a phrase is refused even if the word could continue.
class BannedPhrases : public TokenRule {
 public:
  /// `pieces` has the text of each token, with spaces.
  BannedPhrases(std::vector<std::string> phrases, std::vector<std::string> pieces);
  bool allows(std::span<const TokenId> so_far, TokenId next) const override;
  /// The first banned phrase in `tokens`, or null.
  const std::string* found_in(std::span<const TokenId> tokens) const;
  const std::string* found_in_text(const std::string& text) const { return find(text, 0); }

 private:
  /// The first banned phrase in `text` that ends after offset `from`, or null.
  const std::string* find(const std::string& text, std::size_t from) const;

  std::vector<std::string> phrases_, pieces_;
  std::size_t reach_ = 0;  // bytes before a piece that can affect the decision
};

}  // namespace gloss
