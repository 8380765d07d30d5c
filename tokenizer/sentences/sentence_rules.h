// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// What a word means for the end of a sentence. Words with a full stop include it.
enum class SentenceWord {
  title,            ///< "Dr.": never the last word of a sentence
  abbreviation,     ///< "etc.": the last word only if a word that begins sentences follows
  before_number,    ///< "No.": never the last word before a number
  name,             ///< "Yahoo!": has a mark that does not end a sentence
  first,            ///< "However": begins sentences
  unmarked,         ///< "The": begins a sentence after a word without a mark if a small letter follows
  unmarked_always,  ///< "Der": the same, whatever follows
  before_ordinal,   ///< "am": a number with a full stop after it is an ordinal
  month,            ///< "Mai": a number with a full stop before it is an ordinal
  speech,           ///< "asked": follows a quotation that belongs to the same sentence
  pause,            ///< "Well": an ellipsis after it does not end a sentence
  after_quotation,  ///< "と": begins what follows a quotation within a sentence, also without a space
  ordinary,         ///< "Schweiz.": no abbreviation, though "schweiz." is one, unless it begins the sentence
  before_letter,    ///< "Vitamin": a single letter after it is no initial
  label,            ///< "Step": with a number and a full stop after it, begins a sentence as "1." does
  smiley,           ///< ":-)": belongs to the sentence before it
};
inline constexpr std::size_t kSentenceWords = 16;

/// The words of a language that matter for the ends of its sentences. They come from files with lines
///     title Dr. Prof. z.B.
/// the kind of word (as in SentenceWord, with '-' for '_') and words of this kind; lines that begin with '#'
/// are comments. Abbreviations and names of several parts are written without spaces: "z.B." also stands for
/// "z. B.", "GuessWho?" for "Guess Who?". "-str." is the end of longer words, such as "Hauptstr.".
class SentenceRules {
 public:
  /// The rules that hold for all languages and those of `language`, a code such as "de"; only the former if
  /// gloss has none for it.
  static SentenceRules of_language(std::string_view language);
  /// The languages with rules of their own, in alphabetical order.
  static std::vector<std::string> languages();

  void add(SentenceWord kind, const std::string& word) { of(kind).insert(word); }
  /// Adds the lines of a text; `name` stands for it in messages. Throws InputError that names the line.
  void add(std::string_view text, const std::string& name);
  /// Adds the lines of a file. Throws InputError if it cannot be read or a line is wrong.
  void add_file(const std::string& path);

  /// True if the word, or the same word without a capital at its beginning, is of this kind.
  bool has(SentenceWord kind, std::string_view word) const;
  /// True if the part after a hyphen, slash or apostrophe ("Dipl.-Ing.", "l'art."), or a listed end of words
  /// ("Hauptstr."), is of this kind.
  bool has_end_of(SentenceWord kind, std::string_view word) const;
  /// True if the word would be an abbreviation, and no ordinary word, with a capital at its beginning.
  bool has_abbreviation_of_capitals(std::string_view word) const;
  /// True if the language writes ordinal numbers with a full stop.
  bool has_ordinals() const;

 private:
  std::set<std::string, std::less<>>& of(SentenceWord kind) { return words_[static_cast<std::size_t>(kind)]; }
  const std::set<std::string, std::less<>>& of(SentenceWord kind) const {
    return words_[static_cast<std::size_t>(kind)];
  }
  void add_line(std::string_view line);

  std::array<std::set<std::string, std::less<>>, kSentenceWords> words_;
};

}  // namespace gloss
