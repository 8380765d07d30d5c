// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/search/required_phrases.h"
#include "pipeline/search/token_rules.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// Reads a file of phrases, one per line, that may not appear in translations. Leading and trailing white
/// space and blank lines are ignored. Throws InputError if the file cannot be read, has no phrases or has a
/// phrase without text.
std::shared_ptr<const BannedPhrases> read_banned_phrases(const std::string& path, const Subwords& target,
                                                         Normalization);

/// Terminology: if a source line contains a source term as whole words, its translation must contain the
/// target term. The line is scanned from left to right, and the longest term at each place is used. Several
/// target terms of one source term are alternatives.
class Lexicon {
 public:
  using TokenEnds = std::function<std::vector<std::size_t>()>;

  /// Reads lines `source TAB target`; leading and trailing white space of a term is ignored. Throws
  /// InputError, with file and line, for a line without exactly one tab, an empty term, a target term that
  /// the vocabulary cannot encode, or one that contains a banned phrase (null: none are banned).
  Lexicon(const std::string& path, const Subwords& target, Normalization, const BannedPhrases*);

  /// The phrases that the translation of a clean source line must contain; null if there are none.
  /// `token_ends` returns the offset in the line at which each of its first tokens ends: the phrases get the
  /// source tokens of their terms. It is called only if the line has a term; null: none are known.
  std::shared_ptr<const RequiredPhrases> required_for(const std::string& source,
                                                      const TokenEnds& token_ends = nullptr) const;

 private:
  std::map<std::string, RequiredPhrase, std::less<>> terms_;
  std::size_t longest_ = 0;  // length of the longest source term in bytes
  std::shared_ptr<const std::vector<bool>> continues_word_;
};

}  // namespace gloss
