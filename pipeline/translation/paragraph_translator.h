// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/translation/repeated_lines.h"
#include "pipeline/translation/split_lines.h"
#include "pipeline/translation/translator.h"

namespace gloss {

/// Translates lines that may have several sentences.
class ParagraphTranslator {
 public:
  /// `translator` must outlive this object. Without `split`, each line is translated as a whole.
  ParagraphTranslator(const Translator& translator, LineSplitter splitter, bool split);

  /// One result per line, as Translator::translate; lines and sentences that occur again are not translated
  /// again (RepeatedLines). Split lines have one translation each: those of the sentences, with the white
  /// space between them as in the source. Its score and log-probability are sums.
  /// The numbers of the line and of the sentence in it seed the random numbers of sampling.
  std::vector<TranslatedLine> translate(std::span<const std::string> lines,
                                        std::span<const std::int64_t> numbers,
                                        const std::function<void(int lines)>& finished);
  /// The same for lines with numbers from `first` on.
  std::vector<TranslatedLine> translate(std::span<const std::string> lines,
                                        const std::function<void(int lines)>& finished, std::int64_t first);
  /// True if each sentence is translated by itself.
  bool splits() const { return split_; }
  /// The number of lines, or of sentences with `split`, that got the translation of an earlier one.
  std::int64_t repeats() const { return once_.repeats(); }

 private:
  std::vector<TranslatedLine> translate_whole(std::span<const std::string> lines,
                                              std::span<const std::int64_t> line_numbers,
                                              const std::function<void(int lines)>& finished);

  RepeatedLines once_;
  LineSplitter splitter_;
  bool split_;
  bool items_;  // lines name items, which have no sentences
};

}  // namespace gloss
