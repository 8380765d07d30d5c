#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Divides a line into the words that BLEU counts. One object per thread.
class WordTokenizer {
 public:
  virtual ~WordTokenizer() = default;
  /// The name in the signature, such as "13a".
  virtual std::string signature() const = 0;
  /// Puts the words of `line`, which is valid UTF-8, into `words`; they point into `text`, which is filled
  /// with what they need.
  virtual void tokenize(std::string_view line, std::string& text, std::vector<std::string_view>& words) = 0;
};

/// The names of all tokenizers.
const std::vector<std::string>& tokenizer_names();

/// The tokenizer of that name; throws UsageError naming those that there are. `model` is the SentencePiece
/// model that "spm" works with.
std::unique_ptr<WordTokenizer> make_tokenizer(const std::string& name, const std::string& model = "");

}  // namespace gloss
