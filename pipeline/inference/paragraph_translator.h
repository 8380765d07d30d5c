// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "pipeline/inference/repeated_lines.h"
#include "pipeline/inference/translator.h"
#include "tokenizer/sentences/sentence_splitter.h"

namespace gloss {

/// How lines of several sentences are read.
struct ParagraphSettings {
  bool split = false;      ///< each sentence is translated for itself
  std::string language{};  ///< of the text, such as "de"; empty: that of the model if it has one
  std::string rules{};     ///< file of more rules; empty: none
};
Fields fields_of(ParagraphSettings&);

/// The splitter for a text. `source_language`: the model's name for the language of the source, such as
/// "eng_Latn"; empty, or no language that is known: the rules that hold for all. Throws UsageError and
/// InputError as SentenceSplitter does.
SentenceSplitter sentence_splitter(const ParagraphSettings&, const std::string& source_language);

/// Translates lines that may have several sentences.
class ParagraphTranslator {
 public:
  /// `translator` and `source` must outlive this object. Sentences of more than `longest` tokens are divided.
  /// Without `split`, each line is translated as a whole.
  ParagraphTranslator(const Translator& translator, const Subwords& source, SentenceSplitter splitter,
                      bool split, int longest);

  /// One result per line, as Translator::translate; lines and sentences that occur again are not translated
  /// again (RepeatedLines). Split lines have one translation each: those of the
  /// sentences, with the white space between them as in the source. Its score and log-probability are sums.
  /// The numbers of the line and of the sentence in it seed the random numbers of sampling.
  std::vector<TranslatedLine> translate(std::span<const std::string> lines,
                                        const std::function<void(int lines)>& finished, std::int64_t first);
  /// True if each sentence is translated by itself.
  bool splits() const { return split_; }
  /// The number of lines, or of sentences with `split`, that got the translation of an earlier one.
  std::int64_t repeats() const { return once_.repeats(); }

 private:
  /// The parts of a line that are translated, each with the white space that follows it.
  std::vector<std::string_view> parts(const std::string& line) const;
  std::vector<TranslatedLine> translate_whole(std::span<const std::string> lines,
                                              const std::function<void(int lines)>& finished,
                                              std::int64_t first);

  RepeatedLines once_;
  const Subwords& source_;
  SentenceSplitter splitter_;
  bool split_;
  int longest_;
};

}  // namespace gloss
