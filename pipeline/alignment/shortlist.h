// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/index.h"
#include "model/networks/batch.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The shortlist to use, and how many of its tokens are allowed.
struct ShortlistSettings {
  std::string shortlist;           ///< file; empty: all pieces are allowed
  int shortlist_first = 100;       ///< number of most frequent pieces that are always allowed
  int shortlist_best = 100;        ///< number of pieces allowed for each source piece
  double shortlist_threshold = 0;  ///< smallest probability of those, of a text of Marian
};
Fields fields_of(ShortlistSettings&);
/// Throws UsageError if the numbers are changed but no shortlist is given.
void check(const ShortlistSettings&);

/// Restricts a translation to candidate target tokens that depend on its source line alone: the most probable
/// translations of each source token, and the most frequent target tokens. docs/shortlist.md describes the
/// file format.
class Shortlist {
 public:
  /// `frequent` are target tokens in descending order of frequency; `translations` has the translations of
  /// each source token in descending order of probability.
  Shortlist(std::vector<TokenId> frequent, const std::vector<std::vector<TokenId>>& translations);

  /// Reads a file of `gloss shortlist`, or a text or binary shortlist of Marian. Throws InputError if it is
  /// damaged or was made for other vocabularies.
  static Shortlist read(const std::string& path, const Subwords& source, const Subwords& target,
                        double threshold = 0);
  /// True if the file begins as those of `gloss shortlist` do.
  static bool is_gloss_shortlist(const std::string& path);
  /// Writes the file atomically.
  void write(const std::string& path, const Subwords& source, const Subwords& target) const;

  /// The candidates for the translation of these source tokens, and `others`; ascending, each once.
  std::vector<TokenId> candidates(std::span<const TokenId> source, const ShortlistSettings&,
                                  std::vector<TokenId> others) const;
  /// The translations of a source token in descending order of probability, if the file has that order.
  std::span<const TokenId> translations_of(TokenId source) const {
    const std::uint32_t first = starts_[index(source)], last = starts_[index(source) + 1];
    return std::span(translations_).subspan(first, last - first);
  }
  /// Total number of translations of all source tokens.
  std::int64_t size() const { return static_cast<std::int64_t>(translations_.size()); }

 private:
  Shortlist() = default;
  static Shortlist read_marian(std::string_view bytes, const std::string& path, const Subwords& source,
                               const Subwords& target, double threshold);

  /// What Marian allows besides the lists.
  struct MarianRules {
    TokenId source_end;     ///< has translations too
    bool copies_source;     ///< allows the source tokens, of the same vocabulary
    int target_vocabulary;  ///< further tokens fill up to a multiple of eight
  };
  std::optional<MarianRules> marian_;
  std::vector<TokenId> frequent_;
  std::vector<std::uint32_t> starts_{0};  // offsets of each source token's translations, and the end
  std::vector<TokenId> translations_;
};

}  // namespace gloss
