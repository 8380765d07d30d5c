// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/near_words.h"
#include "tokenizer/sentences/sentence_end.h"
#include "tokenizer/sentences/sentence_rules.h"

namespace gloss {

/// Decides which places in a line end a sentence.
class SentenceEnds {
 public:
  /// Both must outlive this object.
  SentenceEnds(const SentenceRules& rules, const LineCharacters& line)
      : rules_(rules), line_(line), words_(rules, line) {}

  /// True if a sentence ends here.
  bool ends(const SentenceEnd&) const;

 private:
  bool ends_without_space(const SentenceEnd&) const;
  bool after_full_stop(const SentenceEnd&, const NearWords::Both&) const;
  bool after_ellipsis(const SentenceEnd&, const NearWords::Both&) const;
  bool after_question(const SentenceEnd&, const NearWords::Both&) const;
  bool after_number(const SentenceEnd&, const NearWords::Both&) const;
  /// True if the last word is no abbreviation, though there is one that looks alike ("Schweiz.").
  bool is_ordinary(const NearWords::Both&) const;
  /// True if quotation marks or brackets close after the mark.
  bool is_quoted(const SentenceEnd&) const;
  /// The word before the last one.
  std::string word_before(const SentenceEnd&, const NearWords::Both&) const;
  /// True if the sentence and what follows begin as items of a list do: "a. Open it. | b. Close it."
  bool between_items(const SentenceEnd&) const;
  /// True if the number before the place and what follows are parts of a date: "3. | 5. 2001".
  bool in_date(const SentenceEnd&) const;
  bool in_brackets(const SentenceEnd&) const;
  /// True if words such as "Tom said" follow.
  bool speech_follows(const SentenceEnd&) const;

  const SentenceRules& rules_;
  const LineCharacters& line_;
  NearWords words_;
};

}  // namespace gloss
