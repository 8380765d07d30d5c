// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/tokenizer_json.h"

#include <nlohmann/json.hpp>

#include "pipeline/foreign/hugging_face/sentence_piece_json.h"
#include "pipeline/foreign/hugging_face/tokenizer_parts.h"

namespace gloss {
namespace {

using nlohmann::json;

/// Reads the parts of a file.
class Reader {
 public:
  explicit Reader(const std::string& path) : parts_(path) { result_.path = path; }

  TokenizerJson read() {
    const json& model = parts_.model();
    read_added();
    // Older files do not name the type.
    if (json_has_type(model, "BPE") ||
        (json_is_or_missing(model, "type", "BPE") && model.contains("merges"))) {
      merges_between_spaces(parts_) ? read_merged_pieces(parts_, result_) : read_byte_pairs(model);
    } else if (json_has_type(model, "WordPiece")) {
      read_word_pieces(model);
    } else if (json_has_type(model, "Unigram")) {
      read_unigram(parts_, result_);
    } else {
      parts_.refuse("model.type", json_member(model, "type"), "BPE, WordPiece or Unigram");
    }
    return std::move(result_);
  }

 private:
  void read_added() {
    const json& tokens = parts_.part("added_tokens");
    if (tokens.is_null()) return;
    if (!tokens.is_array()) parts_.refuse("added_tokens", tokens, "a list of tokens");
    constexpr int kMostPieces = 4'000'000;
    for (const json& token : tokens) {
      const json &id = json_member(token, "id"), &text = json_member(token, "content");
      const bool valid = id.is_number_integer() && id >= 0 && id < kMostPieces && text.is_string() &&
                         !text.get_ref<const std::string&>().empty();
      if (!valid) parts_.refuse("added_tokens", token, "an object with an id and a content");
      result_.added.push_back(
          {id.get<int>(), text.get<std::string>(), json_member(token, "lstrip") == json(true)});
    }
  }

  void read_byte_pairs(const json& model) {
    result_.kind = TokenizerJson::Kind::byte_pairs;
    const json& before = parts_.part("pre_tokenizer");
    if (!json_has_type(before, "ByteLevel")) parts_.refuse("pre_tokenizer", before, "ByteLevel, as in GPT-2");
    parts_.expect(before, "pre_tokenizer", "add_prefix_space", false);
    parts_.expect(before, "pre_tokenizer", "use_regex", true);
    expect_nothing("normalizer");
    for (const char* const name : {"continuing_subword_prefix", "end_of_word_suffix"})
      parts_.expect(model, "model", name, "");
    for (const char* const name : {"byte_fallback", "ignore_merges"})
      parts_.expect(model, "model", name, false);
    result_.pieces = parts_.pieces();
    result_.merges = parts_.merges();
  }

  void expect_nothing(const char* part) const {
    if (const json& found = parts_.part(part); !found.is_null()) parts_.refuse(part, found, "null");
  }

  void read_word_pieces(const json& model) {
    result_.kind = TokenizerJson::Kind::word_pieces;
    parts_.expect(model, "model", "continuing_subword_prefix", "##");
    parts_.expect(model, "model", "max_input_chars_per_word", 100);
    const json& words = parts_.part("pre_tokenizer");
    if (!json_has_type(words, "BertPreTokenizer")) parts_.refuse("pre_tokenizer", words, "BertPreTokenizer");
    const json& normalizer = parts_.part("normalizer");
    if (!json_has_type(normalizer, "BertNormalizer"))
      parts_.refuse("normalizer", normalizer, "BertNormalizer");
    for (const char* const name : {"clean_text", "handle_chinese_chars"})
      parts_.expect(normalizer, "normalizer", name, true);
    result_.lower_case = json_member(normalizer, "lowercase") == json(true);
    parts_.expect(normalizer, "normalizer", "strip_accents", result_.lower_case);
    result_.pieces = parts_.pieces();
  }

  TokenizerParts parts_;
  TokenizerJson result_;
};

}  // namespace

TokenizerJson read_tokenizer_json(const std::string& path) { return Reader(path).read(); }

}  // namespace gloss
