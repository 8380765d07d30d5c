// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/listener.h"
#include "pipeline/examples/text_windows.h"

namespace gloss {

/// The figures of training texts that a training is planned from, by a sample of their lines.
struct TextSample {
  std::int64_t lines = 0;      ///< of all texts, without those left out: pairs have text on both sides
  std::string noun = "pairs";  ///< what the lines are (IndexedPairs::noun)
  /// On a line, on average; text without spaces: estimated. Only pairs have target words.
  double source_words = 0, target_words = 0;
  double repeated = 0;  ///< share of the sampled sources that are in it earlier too
  /// The exponent of Heaps' law, V = K n^growth, for n words of which V are different: 0.5 to 0.6 for natural
  /// text; near 0 for a small language that is soon known.
  double growth = 0;
  std::int64_t different_words = 0;  ///< in the sample, on both sides
  int characters = 0;                ///< different ones in the sample
  double copied = 0;                 ///< share of the sampled pairs with the same text on both sides
  std::int64_t sampled = 0;          ///< pairs in the sample

  /// The words of both sides of all texts.
  double words() const { return static_cast<double>(lines) * (source_words + target_words); }
  /// The lines and their words, for messages.
  std::string text() const;
};

/// Reads a sample of the texts: all lines of small ones, and evenly spread blocks of larger ones.
TextSample sample_of(std::span<const WeightedText> texts);

/// Warns of what is most likely a mistake in parallel text: a text that is too small to learn from, that
/// repeats one line, or of which a tenth of the pairs or more have the same text on both sides; a corpus, or
/// a validation text, whose sides have the words of the other side of the first corpus. `validation` may be
/// null. `starts`: a trained model learns more, for which little text is enough.
void warn_of_mistakes(const TextSample&, bool starts, std::span<const WeightedText> texts,
                      const IndexedPairs* validation, Listener&);

}  // namespace gloss
