// SPDX-License-Identifier: Apache-2.0
// Tokenizers of other programs against the ids that those programs gave.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/text.h"
#include "tests/support/shared_data.h"
#include "tokenizer/foreign_vocabulary.h"
#include "tokenizer/model_file.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr JsonLimits kFixture{.bytes = 64 << 20, .values = 10'000'000, .string_bytes = 1 << 20, .depth = 16};

/// A recorded tokenizer: its directory and the recorded results.
struct Recorded {
  std::string folder;
  json tokens;

  explicit Recorded(const std::string& path)
      : folder(path), tokens(read_json(path + "/tokens.json", kFixture)) {}
  int special(const std::string& name) const {
    const json& ids = tokens["special_ids"];
    return ids.contains(name) ? ids[name].get<int>() : -1;
  }
  ForeignVocabulary vocabulary(std::vector<std::string> pieces) const {
    ForeignVocabulary result;
    result.pieces = std::move(pieces);
    result.unknown = special("unk_token");
    result.begin = special("bos_token") >= 0 ? special("bos_token") : special("cls_token");
    result.end = special("eos_token") >= 0 ? special("eos_token") : special("sep_token");
    std::map<int, bool> ids;
    for (const auto& [name, id] : tokens["special_ids"].items()) {
      ids[id.get<int>()] |= name == "mask_token" && result.pieces[id.get<std::size_t>()] == "<mask>";
    }
    for (const auto& [id, takes_spaces] : ids) result.specials.push_back({id, takes_spaces});
    result.attaches_punctuation = true;
    return result;
  }
  std::vector<std::string> by_id(const std::string& file) const {
    const json map = read_json(folder + "/" + file, kFixture);
    std::vector<std::string> pieces(map.size());
    for (const auto& [piece, id] : map.items()) pieces.at(id.get<std::size_t>()) = piece;
    return pieces;
  }
};

/// Decoded text is one line here.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

void expect_recorded(const Subwords& subwords, const json& texts) {
  ASSERT_FALSE(texts.empty());
  for (const json& entry : texts) {
    const auto text = entry["text"].get<std::string>();
    EXPECT_EQ(json(subwords.encode(text)), entry["ids_no_special"]) << text;
  }
}

void expect_decoded(const Subwords& subwords, const json& texts) {
  for (const json& entry : texts) {
    const std::string text = entry.value("text", "");
    if (text.starts_with(">>")) continue;  // here the language of the target has no text
    const auto decoded = one_line(entry["decoded"].get<std::string>());
    EXPECT_EQ(subwords.decode(entry["ids"].get<std::vector<int>>()), decoded) << entry["ids"];
  }
}

TEST(ForeignTokens, BertEncodesAsRecorded) {
  for (const std::string name : {"bert-masked-lm", "bert-classification"}) {
    GLOSS_NEED_SHARED_DATA(folder, "interchange/huggingface/" + name);
    const Recorded recorded(*folder);
    const Subwords subwords =
        Subwords::from_bytes(word_piece_file(recorded.vocabulary(read_lines(*folder + "/vocab.txt")),
                                             name == "bert-masked-lm", name),
                             name);
    expect_recorded(subwords, recorded.tokens["sentences"]);
    expect_recorded(subwords, recorded.tokens["special_in_text"]);
    expect_decoded(subwords, recorded.tokens["sentences"]);
    expect_decoded(subwords, recorded.tokens["decode_only"]);
  }
}

TEST(ForeignTokens, ByteLevelPairsEncodeAsRecorded) {
  for (const std::string name : {"gpt2", "roberta-masked-lm", "roberta-classification", "bart"}) {
    const std::optional<std::string> folder = shared_data("interchange/huggingface/" + name);
    if (!folder) continue;  // one of them may be missing
    const Recorded recorded(*folder);
    std::vector<std::pair<std::string, std::string>> merges;
    for (const std::string& line : read_lines(*folder + "/merges.txt")) {
      if (line.starts_with("#version") || line.empty()) continue;
      merges.emplace_back(line.substr(0, line.find(' ')), line.substr(line.find(' ') + 1));
    }
    const Subwords subwords = Subwords::from_bytes(
        ranked_pairs_file(recorded.vocabulary(recorded.by_id("vocab.json")), merges, name), name);
    expect_recorded(subwords, recorded.tokens["sentences"]);
    expect_recorded(subwords, recorded.tokens["special_in_text"]);
    expect_decoded(subwords, recorded.tokens["sentences"]);
    expect_decoded(subwords, recorded.tokens["decode_only"]);
  }
  GLOSS_NEED_SHARED_DATA(any, "interchange/huggingface/gpt2");
}

TEST(ForeignTokens, MarianEncodesAsRecorded) {
  for (const std::string name : {"marian", "marian-separate"}) {
    GLOSS_NEED_SHARED_DATA(folder, "interchange/huggingface/" + name);
    const Recorded recorded(*folder);
    const bool separate = name == "marian-separate";
    const auto tokenizer = [&](const std::string& vocabulary, const std::string& model) {
      ForeignVocabulary pieces = recorded.vocabulary(recorded.by_id(vocabulary));
      for (std::size_t id = 0; id < pieces.pieces.size(); ++id) {
        const std::string& piece = pieces.pieces[id];
        if (piece.starts_with(">>") && piece.ends_with("<<"))
          pieces.specials.push_back({static_cast<int>(id)});
      }
      return Subwords::from_bytes(renumbered_file(pieces, read_file(*folder + "/" + model), name), name);
    };
    const Subwords source = tokenizer("vocab.json", "source.spm");
    const Subwords target = tokenizer(separate ? "target_vocab.json" : "vocab.json", "target.spm");
    expect_recorded(source, recorded.tokens["sentences"]);
    expect_recorded(source, recorded.tokens["special_in_text"]);
    expect_decoded(target, recorded.tokens["sentences"]);
    expect_decoded(target, recorded.tokens["decode_only"]);
    expect_decoded(target, recorded.tokens["targets"]);
  }
}

/// The texts of the pieces of a SentencePiece model.
std::vector<std::string> pieces_of(const std::string& model) {
  std::vector<std::string> texts;
  for (const Piece& piece : read_model_file(model, "model").pieces) texts.push_back(piece.text);
  return texts;
}

/// Adds special pieces at the end of a vocabulary.
void add_specials(ForeignVocabulary& vocabulary, const std::vector<std::string>& pieces) {
  for (const std::string& piece : pieces) {
    vocabulary.specials.push_back({static_cast<int>(vocabulary.pieces.size())});
    vocabulary.pieces.push_back(piece);
  }
}

void expect_all(const Recorded& recorded, const ForeignVocabulary& vocabulary, const std::string& model) {
  const Subwords subwords = Subwords::from_bytes(renumbered_file(vocabulary, model, recorded.folder), "file");
  expect_recorded(subwords, recorded.tokens["sentences"]);
  expect_recorded(subwords, recorded.tokens["special_in_text"]);
  expect_decoded(subwords, recorded.tokens["sentences"]);
  expect_decoded(subwords, recorded.tokens["decode_only"]);
}

TEST(ForeignTokens, ManyLanguagesEncodeAsRecorded) {
  {
    GLOSS_NEED_SHARED_DATA(folder, "interchange/huggingface/m2m100");
    const Recorded recorded(*folder);
    ForeignVocabulary vocabulary = recorded.vocabulary(recorded.by_id("vocab.json"));
    const json languages = read_json(*folder + "/special_tokens_map.json")["additional_special_tokens"];
    add_specials(vocabulary, languages.get<std::vector<std::string>>());
    expect_all(recorded, vocabulary, read_file(*folder + "/sentencepiece.bpe.model"));
  }
  for (const std::string name : {"nllb", "mbart50"}) {
    GLOSS_NEED_SHARED_DATA(folder, "interchange/huggingface/" + name);
    const Recorded recorded(*folder);
    const std::string model = read_file(*folder + "/sentencepiece.bpe.model");
    std::vector<std::string> pieces = pieces_of(model);
    pieces.erase(pieces.begin(), pieces.begin() + 3);
    pieces.insert(pieces.begin(), {"<s>", "<pad>", "</s>", "<unk>"});
    const std::string file =
        *folder + (name == "nllb" ? "/special_tokens_map.json" : "/tokenizer_config.json");
    auto languages = read_json(file)["additional_special_tokens"].get<std::vector<std::string>>();
    languages.push_back("<mask>");
    pieces.insert(pieces.end(), languages.begin(), languages.end());
    ForeignVocabulary vocabulary = recorded.vocabulary(pieces);
    for (std::size_t i = 1; i < languages.size(); ++i) {
      vocabulary.specials.push_back({static_cast<int>(pieces.size() - 1 - i)});
    }
    expect_all(recorded, vocabulary, model);
  }
}

TEST(ForeignTokens, T5EncodesAsRecorded) {
  for (const std::string name : {"t5", "t5-v1_1"}) {
    GLOSS_NEED_SHARED_DATA(folder, "interchange/huggingface/" + name);
    const Recorded recorded(*folder);
    const std::string model = read_file(*folder + "/spiece.model");
    ForeignVocabulary vocabulary = recorded.vocabulary(pieces_of(model));
    std::vector<std::string> extra;
    for (int i = 99; i >= 0; --i) extra.push_back(concat("<extra_id_", i, ">"));
    add_specials(vocabulary, extra);
    expect_all(recorded, vocabulary, model);
  }
}

}  // namespace
}  // namespace gloss
