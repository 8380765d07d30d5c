// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/documents/document_part.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/whole_lines.h"

namespace gloss {

/// Reads the paragraphs of text files, one file after the other; "-" is standard input. A paragraph is the
/// lines between two lines without text, or between those and the ends of the file. Its text is these lines,
/// each without the white space around it, joined by spaces, or by none between Chinese or Japanese
/// characters. White space before and after a paragraph is copied. All files, joined, are the parts, joined;
/// a paragraph never continues in the next file.
class ParagraphFiles : public InputStream<DocumentPart> {
 public:
  /// Throws InputError if a file cannot be opened; reading throws it for a line of more than `longest` bytes.
  /// A paragraph of more bytes ends after a line.
  ParagraphFiles(std::vector<std::string> paths, std::int64_t longest);

  bool next(DocumentPart& part) override;
  bool available(std::chrono::steady_clock::time_point until) override;
  std::string place(std::int64_t number) const override;
  std::string unit() const override { return "paragraphs"; }
  std::vector<std::string> warnings() const override { return warnings_; }

 private:
  void open_next();
  /// Reads a line, or finds the end of a file.
  void advance();
  void add(std::string line);
  /// The lines of `open_` are a part.
  void end_part();

  std::vector<std::string> paths_, warnings_;
  std::int64_t longest_;
  std::size_t opened_ = 0;              // number of files
  std::unique_ptr<WholeLines> reader_;  // null: no file is open
  std::int64_t line_ = 0;               // of the open file, read last
  std::int64_t lines_before_ = 0;       // of all files before the open one
  DocumentPart open_, ready_;
  bool has_ready_ = false;
  mutable std::mutex guard_;
  std::vector<std::int64_t> part_lines_;    // guarded; the line of each part in its file
  std::vector<std::int64_t> parts_before_;  // guarded; the number of parts before each opened file
};

}  // namespace gloss
