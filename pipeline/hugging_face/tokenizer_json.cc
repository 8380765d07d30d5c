// SPDX-License-Identifier: Apache-2.0

#include "pipeline/hugging_face/tokenizer_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/base64.h"
#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "pipeline/hugging_face/hugging_face_vocabulary.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

using nlohmann::json;

// A million pieces and as many merges, each a list of two.
constexpr JsonLimits kTokenizerJson{
    .bytes = 128 << 20, .values = 8'000'000, .string_bytes = 8 << 20, .depth = 16};

/// Throws InputError for a part of the file.
[[noreturn]] void refuse(const std::string& path, const std::string& part, const json& found,
                         const std::string& expected) {
  throw InputError(concat(path, ": '", part, "' is ", ascii_json_line(found).substr(0, 160), "; expected ",
                          expected, ", or the older files of the tokenizer"));
}

/// A member of an object; null if there is none.
const json& member(const json& object, const char* name) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

/// True if a member has this value or is missing.
bool is_or_missing(const json& object, const char* name, const json& value) {
  return member(object, name).is_null() || member(object, name) == value;
}

bool has_type(const json& object, const std::string& type) { return member(object, "type") == type; }

/// The steps of a sequence, or the only one; none for null.
std::vector<json> steps_of(const json& object, const char* list) {
  if (object.is_null()) return {};
  if (!has_type(object, "Sequence")) return {object};
  const json& steps = member(object, list);
  return steps.is_array() ? std::vector<json>(steps.begin(), steps.end()) : std::vector<json>{object};
}

/// Reads the parts of a file.
class Reader {
 public:
  explicit Reader(const std::string& path) : file_(read_json(path, kTokenizerJson)) { result_.path = path; }

  TokenizerJson read() {
    const json& model = member(file_, "model");
    read_added();
    // Older files do not name the type.
    if (has_type(model, "BPE") || (is_or_missing(model, "type", "BPE") && model.contains("merges"))) {
      read_byte_pairs(model);
    } else if (has_type(model, "WordPiece")) {
      read_word_pieces(model);
    } else if (has_type(model, "Unigram")) {
      read_unigram(model);
    } else {
      refuse("model.type", member(model, "type"), "BPE, WordPiece or Unigram");
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const std::string& part, const json& found, const std::string& expected) const {
    gloss::refuse(result_.path, part, found, expected);
  }
  void expect(const json& object, const std::string& part, const char* name, const json& value) const {
    if (!is_or_missing(object, name, value)) refuse(concat(part, ".", name), object.at(name), value.dump());
  }

  void read_added() {
    const json& tokens = member(file_, "added_tokens");
    if (tokens.is_null()) return;
    if (!tokens.is_array()) refuse("added_tokens", tokens, "a list of tokens");
    constexpr int kMostPieces = 4'000'000;
    for (const json& token : tokens) {
      const json &id = member(token, "id"), &text = member(token, "content");
      const bool valid = id.is_number_integer() && id >= 0 && id < kMostPieces && text.is_string() &&
                         !text.get_ref<const std::string&>().empty();
      if (!valid) refuse("added_tokens", token, "an object with an id and a content");
      result_.added.push_back(
          {id.get<int>(), text.get<std::string>(), member(token, "lstrip") == json(true)});
    }
  }

  void read_byte_pairs(const json& model) {
    result_.kind = TokenizerJson::Kind::byte_pairs;
    const json& before = member(file_, "pre_tokenizer");
    for (const json& step : steps_of(before, "pretokenizers")) {
      if (has_type(step, "Metaspace")) refuse_sentence_pieces();
    }
    if (!has_type(before, "ByteLevel")) refuse("pre_tokenizer", before, "ByteLevel, as in GPT-2");
    expect(before, "pre_tokenizer", "add_prefix_space", false);
    expect(before, "pre_tokenizer", "use_regex", true);
    expect_nothing("normalizer");
    for (const char* const name : {"continuing_subword_prefix", "end_of_word_suffix"})
      expect(model, "model", name, "");
    for (const char* const name : {"byte_fallback", "ignore_merges"}) expect(model, "model", name, false);
    result_.pieces = pieces_by_id(member(model, "vocab"), result_.path + ": model.vocab");
    const json& merges = member(model, "merges");
    if (!merges.is_array()) refuse("model.merges", merges, "a list of pairs of pieces");
    for (const json& merge : merges) result_.merges.push_back(pair_of(merge));
  }

  /// NLLB's tokenizer: the merges leave out in which order SentencePiece merges equal pairs.
  [[noreturn]] void refuse_sentence_pieces() const {
    throw InputError(concat(result_.path,
                            " has the BPE of a SentencePiece model, which gloss reads from the ",
                            "model itself; add sentencepiece.bpe.model (M2M-100, NLLB) or source.spm and ",
                            "target.spm (Marian) of the model from which this one was trained"));
  }

  /// Two pieces: a text with a space, or a list.
  std::pair<std::string, std::string> pair_of(const json& merge) const {
    if (merge.is_string()) {
      const auto& text = merge.get_ref<const std::string&>();
      const std::size_t space = text.find(' ');
      if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos)
        return {text.substr(0, space), text.substr(space + 1)};
    } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      return {merge[0].get<std::string>(), merge[1].get<std::string>()};
    }
    refuse("model.merges", merge, "pairs of pieces");
  }

  void expect_nothing(const char* part) const {
    if (const json& found = member(file_, part); !found.is_null()) refuse(part, found, "null");
  }

  void read_word_pieces(const json& model) {
    result_.kind = TokenizerJson::Kind::word_pieces;
    expect(model, "model", "continuing_subword_prefix", "##");
    expect(model, "model", "max_input_chars_per_word", 100);
    const json& words = member(file_, "pre_tokenizer");
    if (!has_type(words, "BertPreTokenizer")) refuse("pre_tokenizer", words, "BertPreTokenizer");
    const json& normalizer = member(file_, "normalizer");
    if (!has_type(normalizer, "BertNormalizer")) refuse("normalizer", normalizer, "BertNormalizer");
    for (const char* const name : {"clean_text", "handle_chinese_chars"})
      expect(normalizer, "normalizer", name, true);
    result_.lower_case = member(normalizer, "lowercase") == json(true);
    expect(normalizer, "normalizer", "strip_accents", result_.lower_case);
    result_.pieces = pieces_by_id(member(model, "vocab"), result_.path + ": model.vocab");
  }

  /// A list of pieces and scores becomes a SentencePiece model.
  void read_unigram(const json& model) {
    result_.kind = TokenizerJson::Kind::unigram;
    expect(model, "model", "byte_fallback", false);
    const json &vocabulary = member(model, "vocab"), &unknown = member(model, "unk_id");
    if (!vocabulary.is_array()) refuse("model.vocab", vocabulary, "a list of pieces and scores");
    if (!unknown.is_number_integer() || unknown < 0 || unknown >= vocabulary.size())
      refuse("model.unk_id", unknown, "the id of a piece");
    std::set<std::string> control;
    for (const TokenizerJson::Added& token : result_.added) control.insert(token.text);
    std::vector<Piece> pieces;
    for (const json& entry : vocabulary) {
      const bool valid = entry.is_array() && entry.size() == 2 && entry[0].is_string() &&
                         entry[1].is_number() && std::isfinite(entry[1].get<double>());
      if (!valid) refuse("model.vocab", entry, "a list of pieces and scores");
      const auto& text = entry[0].get_ref<const std::string&>();
      result_.pieces.push_back(text);
      pieces.push_back({text, static_cast<float>(entry[1].get<double>()),
                        control.contains(text) ? PieceType::control : PieceType::normal});
    }
    pieces[index(unknown.get<int>())].type = PieceType::unknown;
    result_.sentence_piece_model = write_unigram_file(pieces, read_charsmap(), joins_spaces());
  }

  /// The rules of normalisation, which are those of a SentencePiece model; empty if there are none.
  std::string read_charsmap() const {
    std::string map;
    for (const json& step : steps_of(member(file_, "normalizer"), "normalizers")) {
      if (has_type(step, "Precompiled") && map.empty()) {
        const json& text = member(step, "precompiled_charsmap");
        if (text.is_null()) continue;
        const auto bytes = text.is_string() ? from_base64(text.get_ref<const std::string&>()) : std::nullopt;
        if (!bytes) refuse("normalizer.precompiled_charsmap", text, "base64");
        map = *bytes;
      } else if (!has_type(step, "Strip") && !joins_spaces(step)) {
        refuse("normalizer", step, "Precompiled, Strip and Replace of several spaces");
      }
    }
    return map;
  }

  /// True for the step that replaces several spaces by one.
  static bool joins_spaces(const json& step) {
    return has_type(step, "Replace") && member(member(step, "pattern"), "Regex") == " {2,}" &&
           (member(step, "content") == " " || member(step, "content") == std::string(kPieceSpace));
  }

  /// True for the step that puts a space before the first word of a text, but not of the text after special
  /// tokens.
  static bool is_first(const json& step) { return member(step, "prepend_scheme") == "first"; }

  /// True if several spaces count as one. Checks and reads how words begin.
  bool joins_spaces() {
    bool joins = false, marks = false;
    for (const json& step : steps_of(member(file_, "normalizer"), "normalizers"))
      joins = joins || joins_spaces(step);
    const json& words = member(file_, "pre_tokenizer");
    for (const json& step : steps_of(words, "pretokenizers")) {
      const bool metaspace = has_type(step, "Metaspace");
      if (has_type(step, "WhitespaceSplit")) {
        joins = true;
      } else if (!metaspace || !is_or_missing(step, "replacement", std::string(kPieceSpace)) ||
                 !(is_or_missing(step, "prepend_scheme", "always") || is_first(step)) ||
                 !is_or_missing(step, "add_prefix_space", true)) {
        refuse("pre_tokenizer", step, "WhitespaceSplit, and Metaspace that precedes every word");
      }
      result_.continues_specials = result_.continues_specials || is_first(step);
      marks = marks || metaspace;
    }
    if (!marks) refuse("pre_tokenizer", words, "Metaspace");
    return joins;
  }

  json file_;
  TokenizerJson result_;
};

}  // namespace

TokenizerJson read_tokenizer_json(const std::string& path) { return Reader(path).read(); }

}  // namespace gloss
