// SPDX-License-Identifier: Apache-2.0
// Records that are JSON objects, one a line.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/records/record_lines.h"

namespace gloss {
namespace {

/// The names of both texts in the objects of known corpora: HPLT, Bitextor, OPUS, Hugging Face.
constexpr auto kJsonNames =
    std::to_array<std::pair<const char*, const char*>>({{"source", "target"},
                                                        {"src_text", "trg_text"},
                                                        {"src_text", "tgt_text"},
                                                        {"src", "trg"},
                                                        {"src", "tgt"},
                                                        {"source_text", "target_text"},
                                                        {"sentence1", "sentence2"},
                                                        {"text1", "text2"}});

/// The text of a member; other values as JSON.
std::string text_of_member(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : json_line(value);
}

/// Objects with a member for each text. Their other members are columns, those of the first object.
class JsonRecords : public LineRecords {
 public:
  JsonRecords(const RecordFiles& files, const TextShard& shard)
      : LineRecords(shard, files.max_line_bytes), languages_(files.languages) {
    const std::optional<std::string> line = first_line(shard, files.jsonl, /*keep=*/true);
    std::string broken;
    const nlohmann::json first = line ? object_of(*line, broken) : nlohmann::json();
    choose_names(first, files.columns);
    columns_.names = {source_, target_};
    if (one_language_) columns_ = {.names = {source_}, .one_language = true};
    for (const auto& [name, value] : first.items()) {
      if (first.is_object() && name != source_ && name != target_ && name != "translation")
        columns_.names.push_back(name);
    }
  }
  RecordColumns columns() const override { return columns_; }

 private:
  static nlohmann::json object_of(const std::string& line, std::string& broken) {
    try {
      nlohmann::json object = parse_json(valid_utf8(line), "JSON", kRecordJson);
      if (object.is_object()) return object;
      broken = "expected a JSON object";
    } catch (const InputError& error) {
      broken = error.what();
    }
    return {};
  }

  void choose_names(const nlohmann::json& first, const std::vector<std::string>& given) {
    if (given.size() == 2) {
      source_ = given[0];
      target_ = given[1];
      return;
    }
    std::tie(source_, target_) = kJsonNames.front();
    if (!first.is_object()) return;
    for (const auto& [source, target] : kJsonNames) {
      if (!first.contains(source) || !first.contains(target)) continue;
      std::tie(source_, target_) = std::pair(source, target);
      return;
    }
    const bool both = languages_.size() == 2;
    if (both && first.contains(languages_[0]) && first.contains(languages_[1])) {
      source_ = languages_[0];
      target_ = languages_[1];
    } else if (first.contains("text") && !first.contains("translation")) {
      one_language_ = true;  // documents and sentences of one language
      source_ = "text";
      target_.clear();
    }
  }

  /// Sets a text of the record; false if the object has none.
  static bool take(const nlohmann::json& object, const std::string& name, std::string& text) {
    const auto member = object.find(name);
    if (member == object.end() || !member->is_string()) return false;
    text = member->get<std::string>();
    return true;
  }

  void read(std::string& line, PairRecord& record) override {
    record.source.clear();
    record.target.clear();
    const nlohmann::json object = object_of(line, record.broken);
    if (record.broken.empty()) {
      const nlohmann::json* texts = &object;
      if (object.contains("translation") && object["translation"].is_object()) texts = &object["translation"];
      std::string source = source_, target = target_;
      if (texts != &object && languages_.size() == 2) source = languages_[0], target = languages_[1];
      if (!take(*texts, source, record.source) || (!one_language_ && !take(*texts, target, record.target))) {
        record.broken = concat("expected an object with the texts ", shown(source),
                               one_language_ ? "" : concat(" and ", shown(target)),
                               "; --columns or --languages names them");
      }
    }
    if (!record.broken.empty()) {
      record.source = line;
      record.target.clear();
      return;
    }
    one_line(record.source);
    one_line(record.target);
    for (std::size_t i = one_language_ ? 1 : 2; i < columns_.names.size(); ++i) {
      const auto member = object.find(columns_.names[i]);
      record.other.push_back(member == object.end() ? "" : text_of_member(*member));
      one_line(record.other.back());
    }
  }

  /// The ends of lines within a text become spaces: a record is a line.
  static void one_line(std::string& text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  }

  static constexpr JsonLimits kRecordJson{
      .bytes = std::size_t{1} << 30, .values = 1'000'000, .string_bytes = std::size_t{1} << 30, .depth = 16};

  std::vector<std::string> languages_;
  std::string source_, target_;
  bool one_language_ = false;
  RecordColumns columns_;
};

}  // namespace

std::unique_ptr<RecordSource> open_jsonl(const RecordFiles& files, const TextShard& shard) {
  return std::make_unique<JsonRecords>(files, shard);
}

}  // namespace gloss
