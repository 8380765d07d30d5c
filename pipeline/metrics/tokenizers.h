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

/// The names of all tokenizers.
const std::vector<std::string>& tokenizer_names();

/// The tokenizer called `name`; throws UsageError for unknown names. `model` is the SentencePiece model file
/// of "spm".
std::unique_ptr<WordTokenizer> make_tokenizer(const std::string& name, const std::string& model = "");

}  // namespace gloss
