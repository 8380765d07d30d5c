// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/text_reader.h"
#include "pipeline/reranking/n_best_list.h"

namespace gloss {

/// The entries of an n-best list for one source line.
struct Candidates {
  std::int64_t first_line = 0;  ///< of the list, counted from 1
  std::vector<NBestEntry> entries{};
};
/// The number of bytes that they add to a window.
std::size_t byte_count(const Candidates&);
/// Adds them to the checksum of a stream.
void add_to(Checksum&, const Candidates&);

/// Reads an n-best list, source line by source line.
class CandidateReader : public InputStream<Candidates> {
 public:
  /// `list`: a file, or '-'. Throws InputError if it cannot be opened.
  explicit CandidateReader(const std::string& list);

  /// Throws InputError if a line does not have the format of an n-best list, or if the numbers of source
  /// lines are not 0, 1, 2 and so on: a translation would be missing.
  bool next(Candidates&) override;
  bool available(std::chrono::steady_clock::time_point until) override { return reader_.available(until); }
  std::vector<std::string> notes() const override { return reader_.notes(); }
  /// The source line, with the name of the list.
  std::string place(std::int64_t number) const override;
  /// The name of a line of the list, such as "list:12".
  std::string line_place(std::int64_t line) const { return concat(reader_.name(), ":", line); }

 private:
  /// Reads a line into `pending_`.
  void read_line();

  TextReader reader_;
  std::int64_t groups_ = 0;  // read so far
  bool begun_ = false, ended_ = false;
  NBestEntry pending_;  // the first entry of the next group
};

}  // namespace gloss
