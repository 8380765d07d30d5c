// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/sentence_piece_json.h"

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/base64.h"
#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

using nlohmann::json;

/// True for the step that replaces several spaces by one.
bool joins_spaces(const json& step) {
  return json_has_type(step, "Replace") && json_member(json_member(step, "pattern"), "Regex") == " {2,}" &&
         (json_member(step, "content") == " " || json_member(step, "content") == std::string(kPieceSpace));
}

/// True for the step that puts a space before the first word of a text, but not of the text after special
/// tokens.
bool is_first(const json& step) { return json_member(step, "prepend_scheme") == "first"; }

/// The rules of normalisation, which are those of a SentencePiece model; empty if there are none.
std::string read_charsmap(const TokenizerParts& parts) {
  std::string map;
  for (const json& step : json_steps_of(parts.part("normalizer"), "normalizers")) {
    if (json_has_type(step, "Precompiled") && map.empty()) {
      const json& text = json_member(step, "precompiled_charsmap");
      if (text.is_null()) continue;
      const auto bytes = text.is_string() ? from_base64(text.get_ref<const std::string&>()) : std::nullopt;
      if (!bytes) parts.refuse("normalizer.precompiled_charsmap", text, "base64");
      map = *bytes;
    } else if (!json_has_type(step, "Strip") && !joins_spaces(step)) {
      parts.refuse("normalizer", step, "Precompiled, Strip and Replace of several spaces");
    }
  }
  return map;
}

/// The rules of normalisation and of spaces. Checks and reads how words begin.
SentencePieceRules read_rules(const TokenizerParts& parts, TokenizerJson& to) {
  bool joins = false, marks = false;
  for (const json& step : json_steps_of(parts.part("normalizer"), "normalizers"))
    joins = joins || joins_spaces(step);
  const json& words = parts.part("pre_tokenizer");
  for (const json& step : json_steps_of(words, "pretokenizers")) {
    const bool metaspace = json_has_type(step, "Metaspace");
    if (json_has_type(step, "WhitespaceSplit")) {
      joins = true;
    } else if (!metaspace || !json_is_or_missing(step, "replacement", std::string(kPieceSpace)) ||
               !(json_is_or_missing(step, "prepend_scheme", "always") || is_first(step)) ||
               !json_is_or_missing(step, "add_prefix_space", true)) {
      parts.refuse("pre_tokenizer", step, "WhitespaceSplit, and Metaspace that precedes every word");
    }
    to.continues_specials = to.continues_specials || is_first(step);
    marks = marks || metaspace;
  }
  if (!marks) parts.refuse("pre_tokenizer", words, "Metaspace");
  return {read_charsmap(parts), joins};
}

std::set<std::string> added_texts(const TokenizerJson& file) {
  std::set<std::string> texts;
  for (const TokenizerJson::Added& token : file.added) texts.insert(token.text);
  return texts;
}

// Far longer than those of SentencePiece.
constexpr std::size_t kLongestMerged = 256;

/// The places of pieces in the order in which SentencePiece prefers them.
class Ranks {
 public:
  Ranks(const TokenizerParts& parts, const std::vector<std::string>& pieces)
      : parts_(parts), pieces_(pieces.begin(), pieces.end()) {
    const std::vector<std::pair<std::string, std::string>> merges = parts.merges();
    std::string latest;
    for (const auto& [left, right] : merges) {
      const std::string merged = left + right;
      for (const std::string& piece : {left, right, merged}) {
        if (piece.empty() || !pieces_.contains(piece)) refuse(left, right, "merges of pieces");
      }
      if (merged.size() > kLongestMerged)
        refuse(left, right, concat("merges to pieces of at most ", kLongestMerged, " bytes"));
      if (merged != latest && !ranks_.try_emplace(merged, static_cast<int>(ranks_.size())).second)
        refuse(left, right, "all merges to one piece together");
      latest = merged;
      ++merges_[merged];
    }
    for (const auto& [piece, count] : merges_) {
      if (count != ways_to_merge(piece))
        refuse(piece, "", concat(ways_to_merge(piece), " merges to this piece, as of a SentencePiece model"));
    }
  }

  /// -1: no merge gives the piece.
  int of(const std::string& piece) const {
    const auto found = ranks_.find(piece);
    return found == ranks_.end() ? -1 : found->second;
  }
  int size() const { return static_cast<int>(ranks_.size()); }

 private:
  /// SentencePiece merges any two pieces to a third one.
  int ways_to_merge(std::string_view piece) const {
    int ways = 0;
    for (std::size_t at = character_size(piece); at < piece.size(); at += character_size(piece.substr(at)))
      ways += pieces_.contains(piece.substr(0, at)) && pieces_.contains(piece.substr(at));
    return ways;
  }
  [[noreturn]] void refuse(const std::string& left, const std::string& right,
                           const std::string& expected) const {
    parts_.refuse("model.merges", concat(left, right.empty() ? "" : " ", right), expected);
  }

  const TokenizerParts& parts_;
  std::set<std::string, std::less<>> pieces_;
  std::map<std::string, int> ranks_, merges_;
};

}  // namespace

void read_unigram(const TokenizerParts& parts, TokenizerJson& to) {
  const json& model = parts.model();
  to.kind = TokenizerJson::Kind::sentence_pieces;
  parts.expect(model, "model", "byte_fallback", false);
  const json &vocabulary = json_member(model, "vocab"), &unknown = json_member(model, "unk_id");
  if (!vocabulary.is_array()) parts.refuse("model.vocab", vocabulary, "a list of pieces and scores");
  if (!unknown.is_number_integer() || unknown < 0 || unknown >= vocabulary.size())
    parts.refuse("model.unk_id", unknown, "the id of a piece");
  const std::set<std::string> control = added_texts(to);
  std::vector<Piece> pieces;
  for (const json& entry : vocabulary) {
    const bool valid = entry.is_array() && entry.size() == 2 && entry[0].is_string() &&
                       entry[1].is_number() && std::isfinite(entry[1].get<double>());
    if (!valid) parts.refuse("model.vocab", entry, "a list of pieces and scores");
    const auto& text = entry[0].get_ref<const std::string&>();
    to.pieces.push_back(text);
    pieces.push_back({text, static_cast<float>(entry[1].get<double>()),
                      control.contains(text) ? PieceType::control : PieceType::normal});
  }
  pieces[index(unknown.get<int>())].type = PieceType::unknown;
  to.sentence_piece_model = write_sentence_piece_file(pieces, Segmentation::unigram, read_rules(parts, to));
}

bool merges_between_spaces(const TokenizerParts& parts) {
  for (const json& step : json_steps_of(parts.part("pre_tokenizer"), "pretokenizers")) {
    if (json_has_type(step, "Metaspace")) return true;
  }
  return false;
}

void read_merged_pieces(const TokenizerParts& parts, TokenizerJson& to) {
  const json &model = parts.model(), &unknown_piece = json_member(model, "unk_token");
  to.kind = TokenizerJson::Kind::sentence_pieces;
  to.pieces = parts.pieces();
  if (!unknown_piece.is_string()) parts.refuse("model.unk_token", unknown_piece, "a piece");
  const std::string unknown = unknown_piece;
  for (const char* const name : {"continuing_subword_prefix", "end_of_word_suffix"})
    parts.expect(model, "model", name, "");
  for (const char* const name : {"byte_fallback", "ignore_merges"}) parts.expect(model, "model", name, false);
  const json& fuses = json_member(model, "fuse_unk");
  if (fuses != true) parts.refuse("model.fuse_unk", fuses, "true");
  const Ranks ranks(parts, to.pieces);
  const std::set<std::string> control = added_texts(to);
  std::vector<Piece> pieces;
  for (const std::string& text : to.pieces) {
    const int rank = ranks.of(text);
    const bool found = rank >= 0 || (!text.empty() && character_size(text) == text.size());
    const bool special = control.contains(text) || !found;
    // Characters are in no order.
    pieces.push_back({text, -static_cast<float>(rank >= 0 ? rank : ranks.size()),
                      text == unknown ? PieceType::unknown
                      : special       ? PieceType::control
                                      : PieceType::normal});
  }
  to.sentence_piece_model = write_sentence_piece_file(pieces, Segmentation::bpe, read_rules(parts, to));
}

}  // namespace gloss
