// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/tokenizers.h"

#include "base/error.h"
#include "pipeline/metrics/mecab.h"
#include "pipeline/metrics/piece_tokenizer.h"
#include "pipeline/metrics/segment_words.h"
#include "pipeline/metrics/unicode_tokenizers.h"
#include "pipeline/metrics/western.h"

namespace gloss {
namespace {

/// Splits text that is already tokenized at white space.
class NoTokenizer : public WordTokenizer {
 public:
  std::string signature() const override { return "none"; }
  void tokenize(std::string_view line, std::string& text, std::vector<std::string_view>& words) override {
    text.assign(line);
    split_words(text, words);
  }
};

/// The tokenization of mteval-v13a.pl, used for scores of the Conference on Machine Translation.
class Tokenizer13a : public WordTokenizer {
 public:
  std::string signature() const override { return "13a"; }
  void tokenize(std::string_view line, std::string& text, std::vector<std::string_view>& words) override {
    text.assign(line);
    if (text.find('<') != std::string::npos) replace_all(text, "<skipped>", "");
    unescape_entities(text);
    western_words(text, LineEnds::blank, words);
  }
};

}  // namespace

const std::vector<std::string>& tokenizer_names() {
  static const std::vector<std::string> names{"none", "zh", "13a", "char", "intl", "ja-mecab", "spm"};
  return names;
}

std::unique_ptr<WordTokenizer> make_tokenizer(const std::string& name, const std::string& model) {
  if (name == "none") return std::make_unique<NoTokenizer>();
  if (name == "13a") return std::make_unique<Tokenizer13a>();
  if (name == "intl") return make_international_tokenizer();
  if (name == "zh") return make_chinese_tokenizer();
  if (name == "char") return make_character_tokenizer();
  if (name == "ja-mecab") return make_mecab_tokenizer();
  if (name == "spm") return make_piece_tokenizer(model);
  const std::string meant = nearest(name, tokenizer_names());
  throw UsageError(concat("--tokenize: unknown tokenizer '", name, "'; expected one of ",
                          join(tokenizer_names(), ", "),
                          meant.empty() ? "" : concat("; did you mean '", meant, "'?")));
}

}  // namespace gloss
