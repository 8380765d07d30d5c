// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/nameless_file.h"
#include "pipeline/records/record_reader.h"

namespace gloss {

/// Reads a corpus twice: regular files again, standard input and pipes from a temporary copy of their
/// records.
class TwoPasses : public InputStream<PairRecord> {
 public:
  explicit TwoPasses(const RecordFiles&);

  bool next(PairRecord&) override;
  bool available(std::chrono::steady_clock::time_point until) override;
  std::string place(std::int64_t number) const override { return reader_->place(number); }
  CutLines cut_lines() const override { return reader_->cut_lines(); }
  std::vector<std::string> warnings() const override { return reader_->warnings(); }
  std::vector<std::string> notes() const override { return reader_->notes(); }
  std::string unit() const override { return reader_->unit(); }
  const RecordColumns& columns() const { return reader_->columns(); }
  /// The line of a record in its file, or the number of its unit; `number` is counted from 0.
  std::int64_t line_of(std::int64_t number) const { return number + 1 + header_lines_; }

  /// Begins the second pass, when the first is at its end.
  void rewind();
  /// Throws InputError if a file was changed since the first pass began.
  void expect_unchanged() const;

 private:
  using State = std::pair<std::int64_t, std::timespec>;  // size and time of a file
  std::vector<std::pair<std::string, State>> states() const;
  void keep(const PairRecord&);
  bool next_kept(PairRecord&);
  std::string take();

  RecordFiles files_;
  std::vector<std::pair<std::string, State>> before_;
  std::unique_ptr<RecordReader> reader_;
  std::unique_ptr<NamelessFile> copy_;  // null: the files are read again
  std::string buffer_;
  std::size_t taken_ = 0;      // bytes of the buffer
  std::int64_t position_ = 0;  // of the end of the buffer in the copy
  std::int64_t header_lines_ = 0;
  bool second_ = false;
};

}  // namespace gloss
