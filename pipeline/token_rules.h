#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/networks/batch.h"

namespace gloss {

/// A rule on what may follow in a translation. The end token is always allowed, and a forced beginning is not
/// asked about.
class TokenRule {
 public:
  virtual ~TokenRule() = default;
  virtual bool allows(std::span<const TokenId> so_far, TokenId next) const = 0;
};

/// Rules that all hold for all rows of a search.
using TokenRules = std::vector<std::shared_ptr<const TokenRule>>;
bool all_allow(const TokenRules&, std::span<const TokenId> so_far, TokenId next);

/// No token appears that is no piece of the vocabulary, such as the mask of a model that restores text.
class KnownPieces : public TokenRule {
 public:
  explicit KnownPieces(int pieces) : pieces_(pieces) {}
  bool allows(std::span<const TokenId>, TokenId next) const override { return next < pieces_; }

 private:
  TokenId pieces_;
};

/// No run of `size` tokens comes twice in a translation (Paulus et al. 2018).
class NoRepeatedNgram : public TokenRule {
 public:
  explicit NoRepeatedNgram(int size) : size_(static_cast<std::size_t>(size)) {}
  bool allows(std::span<const TokenId> so_far, TokenId next) const override;

 private:
  std::size_t size_;
};

/// Phrases that do not appear as words of a translation, however they are cut into pieces. Letters and digits
/// make words. The piece that would complete a phrase is refused even if the word could go on.
class BannedPhrases : public TokenRule {
 public:
  /// `pieces` are the texts of all tokens, with spaces.
  BannedPhrases(std::vector<std::string> phrases, std::vector<std::string> pieces);
  bool allows(std::span<const TokenId> so_far, TokenId next) const override;
  /// The first phrase that `tokens` have, or null.
  const std::string* found_in(std::span<const TokenId> tokens) const;
  const std::string* found_in_text(const std::string& text) const { return find(text, 0); }

 private:
  /// The first phrase of `text` that ends behind `from`, or null.
  const std::string* find(const std::string& text, std::size_t from) const;

  std::vector<std::string> phrases_, pieces_;
  std::size_t reach_ = 0;  // bytes before a piece that may matter
};

}  // namespace gloss
