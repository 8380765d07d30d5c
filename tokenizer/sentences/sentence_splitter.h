// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/sentences/sentence_rules.h"
#include "tokenizer/sentences/unicode_sentences.h"

namespace gloss {

/// Splits lines of text into sentences: by Unicode's rules and the abbreviations of the Common Locale Data
/// Repository (ICU), and by rules of gloss for what these miss: items of lists, ordinal numbers, initials,
/// abbreviations of several parts, quotations, brackets, ellipses, scripts without spaces.
class SentenceSplitter {
 public:
  /// `language`: a code such as "de"; "" for the rules that hold for all languages. Throws UsageError for
  /// codes that do not exist.
  explicit SentenceSplitter(const std::string& language);

  /// Adds rules from a file (SentenceRules::add_file).
  void add_rules(const std::string& path) { rules_.add_file(path); }
  /// The sentences of a line, each with the white space that follows it; the first one also with white space
  /// before it. Joined, they are the line, byte for byte. An empty line has no sentence. Time is linear in
  /// the size of the line. Safe to call on many threads at once.
  std::vector<std::string_view> split(std::string_view line) const;

 private:
  UnicodeSentences unicode_;
  SentenceRules rules_;
};

}  // namespace gloss
