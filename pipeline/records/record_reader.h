// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/text_shard.h"
#include "pipeline/records/pair_record.h"
#include "pipeline/records/record_files.h"

namespace gloss {

/// A corpus in one of its forms. The records follow one another as in the file.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  /// Reads the next record; false at the end. What has no pair is a record that is `broken`. Throws
  /// InputError if nothing more can be read.
  virtual bool next(PairRecord&) = 0;
  virtual bool available(std::chrono::steady_clock::time_point until) = 0;
  /// What the names of the columns are.
  virtual RecordColumns columns() const { return {}; }
  /// The lines of the file before the first record: a header.
  virtual std::int64_t header_lines() const { return 0; }
  virtual CutLines cut_lines() const { return {}; }
  virtual std::vector<std::string> notes() const { return {}; }
};

/// Reads a corpus once, record by record; all, or those of a shard.
class RecordReader : public InputStream<PairRecord> {
 public:
  /// Throws InputError if a file cannot be opened or has another form; UsageError if a file without lines is
  /// to be divided.
  explicit RecordReader(const RecordFiles&, const Shard& = {});

  /// Reads the next record; false at the end. Throws InputError, with file and line, for what has no pair
  /// unless such records are skipped, and if one of two files has more lines than the other.
  bool next(PairRecord&) override;
  bool available(std::chrono::steady_clock::time_point until) override { return source_->available(until); }
  /// The file and the line; of TMX, the file and the number of the unit.
  std::string place(std::int64_t number) const override;
  std::string place(const PairRecord& record) const;
  CutLines cut_lines() const override { return source_->cut_lines(); }
  std::vector<std::string> warnings() const override { return warnings_; }
  std::vector<std::string> notes() const override { return source_->notes(); }
  std::string unit() const override { return files_.plain.empty() ? "pairs" : "lines"; }
  std::int64_t items_before() const override;
  /// The part of the text that is read; of two files, of the source.
  const TextShard& shard() const { return shard_; }
  const RecordColumns& columns() const { return columns_; }

 private:
  RecordFiles files_;
  std::vector<std::string> warnings_;
  TextShard shard_;
  std::unique_ptr<RecordSource> source_;
  RecordColumns columns_;
  std::int64_t header_lines_ = 0;
};

// The forms.
std::unique_ptr<RecordSource> open_two_files(const RecordFiles&, const Shard&, const TextShard&);
std::unique_ptr<RecordSource> open_tsv(const RecordFiles&, const TextShard&);
std::unique_ptr<RecordSource> open_jsonl(const RecordFiles&, const TextShard&);
std::unique_ptr<RecordSource> open_plain(const RecordFiles&, const TextShard&);
std::unique_ptr<RecordSource> open_zip(const RecordFiles&);
std::unique_ptr<RecordSource> open_tmx(const RecordFiles&);

}  // namespace gloss
