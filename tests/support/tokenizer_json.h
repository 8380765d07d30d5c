// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/text.h"
#include "tokenizer/model_file.h"
#include "tokenizer/wire.h"

namespace gloss {

/// The tokenizer.json that the tokenizers library writes for the older files of a tokenizer.
class TokenizerJsonOf {
 public:
  static nlohmann::json byte_pairs(const nlohmann::json& vocabulary, const std::string& merges_txt,
                                   bool as_lists = false) {
    nlohmann::json file = common();
    nlohmann::json merges = nlohmann::json::array();
    for (const std::string& line : split(merges_txt, '\n')) {
      if (line.empty() || line.starts_with("#version")) continue;
      as_lists ? merges.push_back(split(line, ' ')) : merges.push_back(line);
    }
    file["pre_tokenizer"] = {
        {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
    file["decoder"] = {{"type", "ByteLevel"}};
    file["model"] = {{"type", "BPE"},
                     {"dropout", nullptr},
                     {"unk_token", nullptr},
                     {"continuing_subword_prefix", ""},
                     {"end_of_word_suffix", ""},
                     {"fuse_unk", false},
                     {"vocab", vocabulary},
                     {"merges", merges}};
    return file;
  }
  static nlohmann::json word_pieces(const std::string& vocab_txt, bool lower_case) {
    nlohmann::json file = common();
    nlohmann::json pieces;
    for (const std::string& line : split(vocab_txt, '\n')) {
      if (!line.empty()) pieces[line] = static_cast<int>(pieces.size());
    }
    file["normalizer"] = {{"type", "BertNormalizer"},
                          {"clean_text", true},
                          {"handle_chinese_chars", true},
                          {"strip_accents", nullptr},
                          {"lowercase", lower_case}};
    file["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
    file["model"] = {{"type", "WordPiece"},
                     {"unk_token", "[UNK]"},
                     {"continuing_subword_prefix", "##"},
                     {"max_input_chars_per_word", 100},
                     {"vocab", pieces}};
    return file;
  }
  /// `first`: pieces that precede those of the model, from `from` on.
  static nlohmann::json unigram(const std::string& sentence_piece_model,
                                const std::vector<std::string>& first, std::size_t from,
                                const std::vector<std::string>& last, const std::string& unknown) {
    nlohmann::json file = common();
    nlohmann::json pieces = nlohmann::json::array();
    for (const std::string& piece : first) pieces.push_back({piece, 0.0});
    const ModelFile model = read_model_file(sentence_piece_model, "a SentencePiece model");
    for (std::size_t id = from; id < model.pieces.size(); ++id)
      pieces.push_back({model.pieces[id].text, model.pieces[id].score});
    for (const std::string& piece : last) pieces.push_back({piece, 0.0});
    int unknown_id = 0;
    while (pieces[static_cast<std::size_t>(unknown_id)][0] != unknown) ++unknown_id;
    add_sentence_piece_rules(file, sentence_piece_model);
    file["model"] = {{"type", "Unigram"}, {"unk_id", unknown_id}, {"vocab", pieces}};
    return file;
  }
  /// The same of a BPE model, whose merges are found as the library finds them.
  static nlohmann::json merged(const std::string& sentence_piece_model, const std::vector<std::string>& first,
                               std::size_t from) {
    nlohmann::json file = common(), vocabulary, merges = nlohmann::json::array();
    std::vector<Piece> pieces;
    for (const std::string& piece : first) pieces.push_back({piece, 0});
    const ModelFile model = read_model_file(sentence_piece_model, "a SentencePiece model");
    pieces.insert(pieces.end(), model.pieces.begin() + static_cast<std::ptrdiff_t>(from), model.pieces.end());
    for (const Piece& piece : pieces) vocabulary[piece.text] = static_cast<int>(vocabulary.size());
    std::ranges::stable_sort(pieces, std::ranges::greater(), &Piece::score);
    for (const Piece& piece : pieces) {
      for (std::size_t size = 1; size < piece.text.size(); ++size) {
        const std::string left = piece.text.substr(0, size), right = piece.text.substr(size);
        if (vocabulary.contains(left) && vocabulary.contains(right)) merges.push_back(left + " " + right);
      }
    }
    add_sentence_piece_rules(file, sentence_piece_model);
    file["model"] = {{"type", "BPE"},          {"unk_token", "<unk>"}, {"fuse_unk", true},
                     {"byte_fallback", false}, {"vocab", vocabulary},  {"merges", merges}};
    return file;
  }
  static void add_token(nlohmann::json& file, int id, const std::string& text, bool lstrip = false) {
    file["added_tokens"].push_back({{"id", id},
                                    {"content", text},
                                    {"single_word", false},
                                    {"lstrip", lstrip},
                                    {"rstrip", false},
                                    {"normalized", false},
                                    {"special", true}});
  }
  static std::string base64(const std::string& bytes) {
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      std::uint32_t bits = 0;
      for (std::size_t k = 0; k < 3; ++k)
        bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
      for (int k = 3; k >= 0; --k) text += kDigits[bits >> 6 * k & 63];
      const std::size_t missing = i + 3 > bytes.size() ? i + 3 - bytes.size() : 0;
      text.replace(text.size() - missing, missing, missing, '=');
    }
    return text;
  }

 private:
  /// The normalisation and the spaces of a SentencePiece model.
  static void add_sentence_piece_rules(nlohmann::json& file, const std::string& sentence_piece_model) {
    file["normalizer"] = {
        {"type", "Sequence"},
        {"normalizers",
         {{{"type", "Precompiled"}, {"precompiled_charsmap", base64(charsmap_of(sentence_piece_model))}},
          {{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}}}}};
    file["pre_tokenizer"] = {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "always"}};
  }
  static nlohmann::json common() {
    return {{"version", "1.0"},         {"truncation", nullptr},
            {"padding", nullptr},       {"normalizer", nullptr},
            {"pre_tokenizer", nullptr}, {"post_processor", nullptr},
            {"decoder", nullptr},       {"added_tokens", nlohmann::json::array()}};
  }
  static std::string charsmap_of(const std::string& model) {
    for (WireReader reader(model, "a SentencePiece model"); reader.next();) {
      if (reader.field() != 3) continue;
      for (WireReader rules(reader.bytes("rules"), "its normalizer"); rules.next();) {
        if (rules.field() == 2) return std::string(rules.bytes("map"));
      }
    }
    return "";
  }
};

}  // namespace gloss
