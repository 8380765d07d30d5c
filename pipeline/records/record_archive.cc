// SPDX-License-Identifier: Apache-2.0
// Records of a zip archive with a file for each language, as OPUS has them for Moses.
#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "base/text.h"
#include "model/formats/zip_archive.h"
#include "pipeline/reading/text_habits.h"
#include "pipeline/records/record_reader.h"

namespace gloss {
namespace {

/// An entry of an archive as bytes of a file.
class ArchivedBytes : public ByteStream {
 public:
  explicit ArchivedBytes(std::shared_ptr<const StoredBytes> bytes)
      : bytes_(std::move(bytes)), stream_(bytes_->open()), left_(bytes_->size()) {}

  std::size_t read(char* bytes, std::size_t size) override {
    const std::size_t count = std::min<std::uint64_t>(size, left_);
    if (count > 0) stream_->read(std::as_writable_bytes(std::span(bytes, count)));
    left_ -= count;
    return count;
  }
  bool ready(std::chrono::nanoseconds) override { return true; }
  std::int64_t position() const override { return static_cast<std::int64_t>(bytes_->size() - left_); }

 private:
  std::shared_ptr<const StoredBytes> bytes_;
  std::unique_ptr<StoredStream> stream_;
  std::uint64_t left_;
};

/// True for files that OPUS puts beside the text.
bool is_beside_text(std::string_view name) {
  name = name.substr(name.rfind('/') + 1);
  return name.starts_with("README") || name.starts_with("LICENSE") || name.starts_with('.') ||
         name.ends_with(".ids") || name.ends_with(".xml") || name.ends_with(".scores") ||
         name.ends_with(".info");
}

class ZipRecords : public RecordSource {
 public:
  explicit ZipRecords(const RecordFiles& files) : path_(files.zip) {
    const ZipArchive archive(files.zip);
    std::vector<std::string> names;
    for (const auto& [name, bytes] : archive.entries()) {
      if (!is_beside_text(name)) names.push_back(name);
    }
    if (files.languages.size() == 2)
      names = {named(names, files.languages[0]), named(names, files.languages[1])};
    if (names.size() != 2) {
      throw InputError(concat(path_, ": found ", counted(std::ssize(names), "file"),
                              names.empty() ? "" : " (", join(names, ", "), names.empty() ? "" : ")",
                              ", expected two; --languages chooses them by the ends of their names"));
    }
    for (const std::string& name : names) {
      readers_.emplace_back(std::make_unique<ArchivedBytes>(archive.entries().at(name)),
                            concat(path_, ": ", name), LineLimit{files.max_line_bytes, true});
    }
  }

  bool next(PairRecord& record) override {
    const bool source = readers_[0].next(record.source), target = readers_[1].next(record.target);
    if (source != target) refuse();
    if (!source) return false;
    record.line = readers_[0].line_number();
    clean_line(record.source, record.line == 1);
    clean_line(record.target, record.line == 1);
    const std::int64_t cut = readers_[0].cut_lines().count + readers_[1].cut_lines().count;
    record.cut = cut > cut_;
    cut_ = cut;
    return true;
  }
  bool available(std::chrono::steady_clock::time_point) override { return true; }
  CutLines cut_lines() const override {
    CutLines cut = readers_[0].cut_lines();
    cut.add(readers_[1].cut_lines());
    return cut;
  }

 private:
  std::string named(const std::vector<std::string>& names, const std::string& language) const {
    const auto found =
        std::ranges::find_if(names, [&](const std::string& name) { return name.ends_with("." + language); });
    if (found != names.end()) return *found;
    throw InputError(concat(path_, ": found no file whose name ends with .", language, ", but ",
                            names.empty() ? "none" : join(names, ", ")));
  }
  [[noreturn]] void refuse() {
    for (LineReader& reader : readers_) {
      for (std::string line; reader.next(line);) {
      }
    }
    throw InputError(concat(readers_[0].name(), " has ", counted(readers_[0].line_number(), "line"), " but ",
                            readers_[1].name(), " has ", counted(readers_[1].line_number(), "line"),
                            "; expected a translation of each line"));
  }

  std::string path_;
  std::vector<LineReader> readers_;
  std::int64_t cut_ = 0;
};

}  // namespace

std::unique_ptr<RecordSource> open_zip(const RecordFiles& files) {
  return std::make_unique<ZipRecords>(files);
}

}  // namespace gloss
