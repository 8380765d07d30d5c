// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "base/lines.h"
#include "pipeline/reading/input_stream.h"

namespace gloss {

/// Reads the lines of a file as they are, each with the '\n' that ends it; "-" is standard input. Nothing is
/// removed or cut: the lines, joined, are the file. (Compressed and UTF-16 text is read as UTF-8 text.)
class WholeLines : public InputStream<std::string> {
 public:
  /// Throws InputError if the file cannot be opened; reading throws it for a line of more than `longest`
  /// bytes.
  WholeLines(const std::string& path, std::int64_t longest);

  bool next(std::string& line) override;
  bool available(std::chrono::steady_clock::time_point until) override { return reader_.available(until); }
  std::string place(std::int64_t number) const override;
  std::vector<std::string> warnings() const override { return warnings_; }

 private:
  LineReader reader_;
  std::vector<std::string> warnings_;
};

}  // namespace gloss
