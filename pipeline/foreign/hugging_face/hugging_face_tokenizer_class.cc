// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_tokenizer_class.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"

namespace gloss {
namespace {

/// Tokenizers that read the same files.
struct ClassFamily {
  std::vector<std::string> classes;  ///< without "Fast"
  std::vector<std::string> files;
  std::optional<TokenizerJson::Kind> whole{};  ///< of the tokenizer.json that can take their place
};

const std::array<ClassFamily, 7>& class_families() {
  using Kind = TokenizerJson::Kind;
  static const std::array<ClassFamily, 7> all{
      ClassFamily{{"BartTokenizer", "GPT2Tokenizer", "RobertaTokenizer"},
                  {"vocab.json", "merges.txt"},
                  Kind::byte_pairs},
      {{"BertTokenizer", "DistilBertTokenizer"}, {"vocab.txt"}, Kind::word_pieces},
      {{"MBart50Tokenizer", "MBartTokenizer", "NllbTokenizer", "XLMRobertaTokenizer"},
       {"sentencepiece.bpe.model"},
       Kind::sentence_pieces},
      {{"M2M100Tokenizer"}, {"sentencepiece.bpe.model", "vocab.json"}},
      {{"MarianTokenizer"}, {"source.spm", "target.spm", "vocab.json"}},
      {{"BigBirdTokenizer", "MT5Tokenizer", "T5Tokenizer"}, {"spiece.model"}, Kind::sentence_pieces},
      {{"LlamaTokenizer"}, {"tokenizer.model"}, Kind::sentence_pieces}};
  return all;
}

/// Reads tokenizer.json, whatever it has.
const std::string kAnyClass = "PreTrainedTokenizer";

bool fits(const ClassFamily& family, const HuggingFaceFiles& files) {
  const auto exists = [&](const std::string& name) { return path_exists(files.file(name)); };
  if (files.tokenizer) return family.whole == files.tokenizer->kind;
  // With vocab.json, the ids of fairseq's pieces are those of M2M-100.
  const bool fairseq = family.files == std::vector<std::string>{"sentencepiece.bpe.model"};
  return std::ranges::all_of(family.files, exists) && !(fairseq && exists("vocab.json"));
}

/// The class that a file names, or "".
std::string class_in(const ForeignConfig& config, const std::string& member) {
  std::string name = config.text(member, "");
  if (name.ends_with("Fast")) name.resize(name.size() - 4);
  return name;
}

void expect_known_class(const ForeignConfig& config, const std::string& member) {
  const std::string name = class_in(config, member);
  std::vector<std::string> known{kAnyClass};
  for (const ClassFamily& family : class_families())
    known.insert(known.end(), family.classes.begin(), family.classes.end());
  std::ranges::sort(known);
  if (!name.empty() && std::ranges::count(known, name) == 0)
    config.refuse(member, concat("one of ", join(known, ", ")));
}

}  // namespace

void expect_tokenizer_class(const HuggingFaceFiles& files) {
  const std::string member = "tokenizer_class", path = files.file("tokenizer_config.json");
  expect_known_class(files.config, member);
  ForeignConfig deciding = files.config;
  if (path_exists(path)) {
    const ForeignConfig settings(path, read_json(path));
    expect_known_class(settings, member);
    if (!class_in(settings, member).empty()) deciding = settings;
  }
  const std::string name = class_in(deciding, member);
  if (name.empty() || name == kAnyClass) return;
  std::vector<std::string> fitting;
  for (const ClassFamily& family : class_families()) {
    if (!fits(family, files)) continue;
    if (std::ranges::count(family.classes, name) > 0) return;
    fitting.insert(fitting.end(), family.classes.begin(), family.classes.end());
  }
  std::ranges::sort(fitting);
  deciding.refuse(member, concat("a class that reads the tokenizer in this directory: ",
                                 fitting.empty() ? kAnyClass : join(fitting, ", ")));
}

}  // namespace gloss
