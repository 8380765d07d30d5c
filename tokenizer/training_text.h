// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace gloss {

/// Statistics of the lines from which a vocabulary is learned.
struct TrainingTextCounts {
  std::int64_t lines = 0;     ///< lines read
  std::int64_t blank = 0;     ///< empty and blank lines
  std::int64_t parts = 0;     ///< sentences; long lines are split into several
  std::int64_t reserved = 0;  ///< characters that SentencePiece reserves, replaced by spaces
  std::int64_t cut = 0;       ///< splits of overlong words
};

/// A uniform sample of the sentences of a text in bounded memory, drawn in one pass by reservoir sampling
/// (Vitter 1985, algorithm R). The same lines, limit and seed give the same sample.
class TrainingText {
 public:
  TrainingText(std::int64_t limit, std::uint64_t seed) : limit_(limit), random_(seed) {}

  /// Adds a line of valid UTF-8.
  void add(std::string_view line);

  std::vector<std::string>& sentences() { return sentences_; }
  const TrainingTextCounts& counts() const { return counts_; }

 private:
  void add_words(std::string_view words);
  void add_sentence(std::string_view sentence);

  std::int64_t limit_;
  Random random_;
  std::vector<std::string> sentences_;
  TrainingTextCounts counts_;
};

}  // namespace gloss
