// SPDX-License-Identifier: Apache-2.0

#include "pipeline/records/record_reader.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "pipeline/reading/text_start.h"

namespace gloss {
namespace {

/// Throws UsageError if a file without lines is to be divided.
const Shard& expect_lines(const RecordFiles& files, const Shard& shard) {
  if (!shard.whole() && (!files.tmx.empty() || !files.zip.empty())) {
    throw UsageError(concat("--shard and mpirun divide lines; found ", files.text(),
                            "; convert it to TSV first, with gloss clean --output FILE"));
  }
  return shard;
}

TextShard part_of(const RecordFiles& files, const Shard& shard) {
  return {{files.paths().front()},
          expect_lines(files, shard),
          files.source.empty() ? TextUnit::bytes_if_plain : TextUnit::lines};
}

std::vector<std::string> doubts(const RecordFiles& files) {
  return files.zip.empty() ? doubts_about_text(files.paths()) : std::vector<std::string>();
}

std::unique_ptr<RecordSource> open(const RecordFiles& files, const Shard& shard, const TextShard& part) {
  if (!files.source.empty()) return open_two_files(files, shard, part);
  if (!files.tsv.empty()) return open_tsv(files, part);
  if (!files.jsonl.empty()) return open_jsonl(files, part);
  if (!files.tmx.empty()) return open_tmx(files);
  if (!files.zip.empty()) return open_zip(files);
  return open_plain(files, part);
}

}  // namespace

RecordReader::RecordReader(const RecordFiles& files, const Shard& shard)
    : files_(files),
      warnings_(doubts(files)),  // before the readers, which take the start of standard input
      shard_(part_of(files, shard)),
      source_(open(files, shard, shard_)),
      columns_(source_->columns()),
      header_lines_(source_->header_lines()) {}

bool RecordReader::next(PairRecord& record) {
  record.broken.clear();
  record.other.clear();
  record.cut = false;
  if (!source_->next(record)) return false;
  if (!record.broken.empty() && !files_.skip_broken) {
    throw InputError(
        concat(place(record), ": ", record.broken, " (--skip-broken passes over such ", unit(), ")"));
  }
  return true;
}

std::int64_t RecordReader::items_before() const {
  const std::int64_t lines = shard_.lines_before();
  return lines - std::min(lines, header_lines_);
}

std::string RecordReader::place(std::int64_t number) const {
  const std::string name = input_name(files_.text());
  if (!files_.tmx.empty()) return concat(name, ": unit ", number);
  return concat(name, ":", items_before() + header_lines_ + number);
}

std::string RecordReader::place(const PairRecord& record) const {
  return concat(input_name(files_.text()), ":", record.line);
}

}  // namespace gloss
