// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Splits a line into words for BLEU. Each thread needs its own object.
class WordTokenizer {
 public:
  virtual ~WordTokenizer() = default;
  /// The name in the signature, such as "13a".
  virtual std::string signature() const = 0;
  /// Splits a line of valid UTF-8 into `words`, which point into the buffer `text`.
  virtual void tokenize(std::string_view line, std::string& text, std::vector<std::string_view>& words) = 0;
};

/// The spellings of all tokenizers for messages.
const std::vector<std::string>& tokenizer_names();

/// The tokenizer `spelling`: a name or, for those that need a SentencePiece model, NAME=FILE. Throws
/// UsageError for unknown names, and for missing files with the place to get them.
std::unique_ptr<WordTokenizer> make_tokenizer(const std::string& spelling);

}  // namespace gloss
