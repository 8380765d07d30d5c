// SPDX-License-Identifier: Apache-2.0
// Records that are lines: of two files, of rows with columns, of JSON objects, of one language.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/reading/text_range_reader.h"
#include "pipeline/records/record_reader.h"

namespace gloss {
namespace {

/// The lines of a shard of one file, with their numbers; those that are too long are marked.
class RecordLines {
 public:
  RecordLines(const TextShard& shard, std::int64_t longest) {
    if (shard.parts().empty()) return;
    reader_ = std::make_unique<TextRangeReader>(shard.parts().front(), longest);
    // A whole text is not read before, which a pipe could not be.
    before_ = shard.shard().whole() ? 0 : shard.lines_before();
  }

  bool next(std::string& line) {
    if (reader_ == nullptr || !reader_->next(line)) return false;
    ++lines_;
    const std::int64_t count = reader_->cut_lines().count;
    cut_ = count > cut_lines_;
    cut_lines_ = count;
    return true;
  }
  bool available(std::chrono::steady_clock::time_point until) {
    return reader_ == nullptr || reader_->available(until);
  }
  /// Of the line read last: its number, and whether it was cut.
  std::int64_t number() const { return before_ + lines_; }
  bool cut() const { return cut_; }

  /// Reads to the end and returns the number of lines.
  std::int64_t count_all() {
    for (std::string line; next(line);) {
    }
    return lines_;
  }
  CutLines cut_lines() const { return reader_ == nullptr ? CutLines() : reader_->cut_lines(); }
  std::vector<std::string> notes() const {
    return reader_ == nullptr ? std::vector<std::string>() : reader_->notes();
  }

 private:
  std::unique_ptr<TextRangeReader> reader_;  // null: nothing belongs to the shard
  std::int64_t before_ = 0, lines_ = 0, cut_lines_ = 0;
  bool cut_ = false;
};

/// A source of records that are lines of one file.
class LineRecords : public RecordSource {
 public:
  LineRecords(const TextShard& shard, std::int64_t longest) : lines_(shard, longest) {}

  bool next(PairRecord& record) override {
    if (pending_) {
      line_ = *std::exchange(pending_, std::nullopt);
    } else if (!lines_.next(line_)) {
      return false;
    }
    record.line = lines_.number();
    record.cut = lines_.cut();
    read(line_, record);
    if (record.cut) record.broken.clear();  // that is why it may have no pair
    return true;
  }
  bool available(std::chrono::steady_clock::time_point until) override {
    return pending_ || lines_.available(until);
  }
  CutLines cut_lines() const override { return lines_.cut_lines(); }
  std::vector<std::string> notes() const override { return lines_.notes(); }

 protected:
  /// Turns a line, whose memory it may take, into a record.
  virtual void read(std::string& line, PairRecord&) = 0;
  /// The first line of the file; with `keep` it is also the first that `next` reads, if it belongs to the
  /// shard.
  std::optional<std::string> first_line(const TextShard& shard, const std::string& path, bool keep) {
    std::string line;
    if (!shard.shard().whole()) {
      TextReader reader(path, {.cuts = true});
      if (!reader.next(line)) return std::nullopt;
      const bool ours = shard.lines_before() == 0;
      if (std::string passed; ours && !keep) lines_.next(passed);
      return line;
    }
    if (!lines_.next(line)) return std::nullopt;
    if (keep) pending_ = line;
    return line;
  }

 private:
  RecordLines lines_;
  std::string line_;
  std::optional<std::string> pending_;  // a line that was read already
};

class PlainRecords : public LineRecords {
 public:
  using LineRecords::LineRecords;
  RecordColumns columns() const override { return {.one_language = true}; }

 private:
  void read(std::string& line, PairRecord& record) override {
    record.target.clear();
    std::swap(record.source, line);
  }
};

/// Rows of columns between tabs.
class TsvRecords : public LineRecords {
 public:
  TsvRecords(const RecordFiles& files, const TextShard& shard) : LineRecords(shard, files.max_line_bytes) {
    const bool numbers = std::ranges::all_of(files.columns, [](const std::string& column) {
      return !column.empty() && std::ranges::all_of(column, [](char c) { return c >= '0' && c <= '9'; });
    });
    if (files.header || !numbers) {
      const std::optional<std::string> header = first_line(shard, files.tsv, /*keep=*/false);
      if (header) columns_.names = split(*header, '\t');
      header_lines_ = 1;
    }
    if (files.columns.empty()) return;
    columns_.source = place_of(files, files.columns[0], numbers);
    columns_.target = place_of(files, files.columns[1], numbers);
  }
  RecordColumns columns() const override { return columns_; }
  std::int64_t header_lines() const override { return header_lines_; }

 private:
  std::size_t place_of(const RecordFiles& files, const std::string& column, bool numbers) const {
    constexpr int kMost = 10'000;
    if (numbers) {
      int number = 0;
      if (parse_number(std::string_view(column), number) && number >= 1 && number <= kMost)
        return index(number - 1);
      throw UsageError(concat("--columns: found ", column, ", expected numbers from 1"));
    }
    const auto found = std::ranges::find(columns_.names, column);
    if (found != columns_.names.end()) return index(found - columns_.names.begin());
    if (columns_.names.empty()) return column == files.columns[0] ? 0 : 1;  // an empty file
    throw InputError(concat(input_name(files.tsv), ":1: found the columns ", join(columns_.names, ", "),
                            ", but not ", shown(column)));
  }

  void read(std::string& line, PairRecord& record) override {
    record.source.clear();
    record.target.clear();
    std::size_t column = 0, begin = 0;
    for (bool last = false; !last; ++column) {
      const std::size_t end = line.find('\t', begin);
      last = end == std::string::npos;
      const std::string_view text =
          std::string_view(line).substr(begin, last ? std::string::npos : end - begin);
      if (column == columns_.source) {
        record.source = text;
      } else if (column == columns_.target) {
        record.target = text;
      } else {
        record.other.emplace_back(text);
      }
      begin = end + 1;
    }
    const std::size_t needed = std::max(columns_.source, columns_.target) + 1;
    if (columns_.names.empty() ? column >= needed : column == columns_.names.size()) return;
    record.broken = concat("found ", counted(static_cast<std::int64_t>(column), "column"), ", expected ",
                           columns_.names.empty() ? concat("at least ", needed)
                                                  : concat(columns_.names.size(), " as in the first line"));
    record.source = line;
    record.target.clear();
    record.other.clear();
  }

  RecordColumns columns_;
  std::int64_t header_lines_ = 0;
};

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

/// Two files whose lines are translations of one another.
class TwoFileRecords : public RecordSource {
 public:
  TwoFileRecords(const RecordFiles& files, const TextShard& source, const TextShard& target)
      : files_(files), source_(source, files.max_line_bytes), target_(target, files.max_line_bytes) {}

  bool next(PairRecord& record) override {
    const bool source = source_.next(record.source), target = target_.next(record.target);
    if (source != target) refuse();
    record.line = source_.number();
    record.cut = source_.cut() || target_.cut();
    return source;
  }
  bool available(std::chrono::steady_clock::time_point until) override {
    return source_.available(until) && target_.available(until);
  }
  CutLines cut_lines() const override {
    CutLines cut = source_.cut_lines();
    const CutLines other = target_.cut_lines();
    if (cut.count == 0) return other;
    if (other.count > 0) cut.first = std::min(cut.first, other.first);
    cut.count += other.count;
    return cut;
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> all = source_.notes();
    for (const std::string& note : target_.notes()) all.push_back(note);
    return all;
  }

 private:
  /// Throws InputError: the files have different numbers of lines.
  [[noreturn]] void refuse() {
    const std::int64_t lines = source_.count_all(), others = target_.count_all();
    throw InputError(concat(files_.source, " has ", counted(lines, "line"), " but ", files_.target, " has ",
                            counted(others, "line"), "; expected a translation of each line"));
  }

  RecordFiles files_;
  RecordLines source_, target_;
};

}  // namespace

std::unique_ptr<RecordSource> open_two_files(const RecordFiles& files, const Shard& shard,
                                             const TextShard& source) {
  const TextShard target({files.target}, shard, TextUnit::lines);
  if (target.total() != source.total()) {
    throw InputError(concat(files.source, " has ", counted(source.total(), "line"), " but ", files.target,
                            " has ", counted(target.total(), "line"),
                            "; expected a translation of each line"));
  }
  return std::make_unique<TwoFileRecords>(files, source, target);
}

std::unique_ptr<RecordSource> open_tsv(const RecordFiles& files, const TextShard& shard) {
  return std::make_unique<TsvRecords>(files, shard);
}
std::unique_ptr<RecordSource> open_jsonl(const RecordFiles& files, const TextShard& shard) {
  return std::make_unique<JsonRecords>(files, shard);
}
std::unique_ptr<RecordSource> open_plain(const RecordFiles& files, const TextShard& shard) {
  return std::make_unique<PlainRecords>(shard, files.max_line_bytes);
}

}  // namespace gloss
