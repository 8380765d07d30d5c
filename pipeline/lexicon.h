#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/required_phrases.h"
#include "pipeline/token_rules.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// A file of phrases, one a line, that do not appear in translations. White space at the ends of a phrase and
/// blank lines count nothing. Throws InputError if there are none, one has no text or the file cannot be
/// read.
std::shared_ptr<const BannedPhrases> read_banned_phrases(const std::string& path, const Subwords& target,
                                                         Normalization);

/// Terminology: where a source line has the source term, as words, its translation must have the target term.
/// Of terms that overlap the longer one counts, then the first. Several target terms of one source term are
/// alternatives.
class Lexicon {
 public:
  /// Reads lines `source TAB target`; white space at the ends of a term counts nothing. Throws InputError,
  /// with file and line, for a line without exactly one tab, an empty term, a target term that the vocabulary
  /// cannot spell, or one that has a banned phrase (null: none are banned).
  Lexicon(const std::string& path, const Subwords& target, Normalization, const BannedPhrases*);

  /// What the translation of a clean source line must have; null if nothing.
  std::shared_ptr<const RequiredPhrases> required_for(const std::string& source) const;

 private:
  std::map<std::string, RequiredPhrase, std::less<>> terms_;
  std::size_t longest_ = 0;  // source term, in bytes
  std::shared_ptr<const std::vector<bool>> continues_word_;
};

}  // namespace gloss
