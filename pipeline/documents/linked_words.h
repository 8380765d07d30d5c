// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"
#include "pipeline/examples/token_links.h"

namespace gloss {

/// Numbers of words: from `begin` to before `end`.
struct WordSpan {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  std::size_t size() const { return empty() ? 0 : end - begin; }
  bool operator==(const WordSpan&) const = default;
};

/// A piece of a translation that is replaced.
struct TargetEdit {
  ByteRange old{};     ///< bytes of the translation
  std::string text{};  ///< in its place
  WordSpan
      sources{};    ///< the source words that the text belongs to, in one sentence; empty: the text is none
  ByteRange now{};  ///< bytes of the translation with all edits; found by `apply`
};

/// The words of a text and of its translation, and how much they belong together. Words of different
/// sentences do not.
class LinkedWords {
 public:
  /// `links`: of the sentences, in their order.
  LinkedWords(std::string_view source, std::string_view target, std::span<const TokenLinks> links);

  const std::vector<ByteRange>& sources() const { return sources_; }
  const std::vector<ByteRange>& targets() const { return targets_; }
  /// The source words that the bytes from `begin` to `end` have a part of.
  WordSpan source_words(std::size_t begin, std::size_t end) const;
  /// The target words of the sentences that these source words are in; all for none.
  WordSpan target_sentences(WordSpan sources) const;
  /// The part of a target word, 0 to 1, that belongs to these source words.
  float share(std::size_t target, WordSpan sources) const;
  /// Changes the translation, `target`, by edits in their order, which do not overlap. The text of an edit is
  /// one word.
  void apply(std::vector<TargetEdit>& edits, std::string& target);
  /// True if both words are in the same sentence.
  bool same_sentence(std::size_t source, std::size_t next) const;

 private:
  struct Sentence {
    WordSpan sources, targets;
    std::vector<float> sums;  ///< [targets, sources + 1]: of the shares of the source words before
  };

  void add(std::string_view source, std::string_view target, const TokenLinks&, WordSpan sources,
           WordSpan targets);
  /// The sentence that has this source or target word.
  std::size_t sentence_of_source(std::size_t word) const;
  std::size_t sentence_of_target(std::size_t word) const;

  std::vector<ByteRange> sources_, targets_;
  std::vector<Sentence> sentences_;
};

}  // namespace gloss
