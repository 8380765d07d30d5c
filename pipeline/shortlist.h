#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/networks/batch.h"
#include "tokenizer/subword.h"

namespace gloss {

/// Which shortlist is used, and how much of it.
struct ShortlistSettings {
  std::string shortlist;      ///< file; empty: translations may have all pieces
  int shortlist_first = 100;  ///< the most frequent pieces, always
  int shortlist_best = 100;   ///< of each source piece
};
Fields fields_of(ShortlistSettings&);
/// Throws UsageError if they say how much of no shortlist is used.
void check(const ShortlistSettings&);

/// Which target tokens a translation may have, depending on its source line alone: for each source token its
/// most probable translations, and the most frequent target tokens always. docs/shortlist.md has the format
/// of the file.
class Shortlist {
 public:
  /// Target tokens by falling frequency, and for each source token its translations by falling probability.
  Shortlist(std::vector<TokenId> frequent, const std::vector<std::vector<TokenId>>& translations);

  /// Throws InputError if the file is damaged or was made for other vocabularies.
  static Shortlist read(const std::string& path, const Subwords& source, const Subwords& target);
  /// In one step.
  void write(const std::string& path, const Subwords& source, const Subwords& target) const;

  /// What the translation of these source tokens may have, and `others` besides; ascending, each once.
  std::vector<TokenId> candidates(std::span<const TokenId> source, const ShortlistSettings&,
                                  std::vector<TokenId> others) const;
  /// All translations of all source tokens.
  std::int64_t size() const { return static_cast<std::int64_t>(translations_.size()); }

 private:
  Shortlist() = default;

  std::vector<TokenId> frequent_;
  std::vector<std::uint32_t> starts_{0};  // of each source token's translations, and the end of the last
  std::vector<TokenId> translations_;
};

}  // namespace gloss
