// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// True if the character ends sentences in some script, or is a full stop (Unicode Standard Annex 29, the
/// values STerm and ATerm of Sentence_Break).
bool is_sentence_terminal(char32_t);

/// The sentence boundaries of a language by Unicode's rules (Unicode Standard Annex 29), from ICU.
class UnicodeSentences {
 public:
  /// `language`: a code such as "de" or "pt-BR"; "" for the rules of all languages. Throws UsageError if ICU
  /// does not know it.
  explicit UnicodeSentences(const std::string& language);
  /// True if ICU knows the language.
  static bool knows(const std::string& language);
  ~UnicodeSentences();
  UnicodeSentences(UnicodeSentences&&) noexcept;

  /// The bytes at which a sentence begins by Unicode's rules, ascending, without 0. Throws Error if ICU
  /// fails. Safe to call on many threads at once.
  std::vector<std::size_t> begins(std::string_view line) const;
  /// The abbreviations of the language that the Common Locale Data Repository lists, each with its full stop.
  /// (ICU's own filter takes them for ends of longer words as well: German "r." for that of "Uhr.".)
  const std::vector<std::string>& abbreviations() const { return abbreviations_; }
  /// The language without script and region: "pt" of "pt-BR".
  const std::string& language() const { return language_; }

 private:
  struct Iterator;
  std::string language_;
  std::vector<std::string> abbreviations_;
  std::unique_ptr<const Iterator> iterator_;
};

}  // namespace gloss
