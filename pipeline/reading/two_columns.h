// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "pipeline/reading/text_reader.h"

namespace gloss {

/// Reads a file of lines 'FIRST TAB SECOND'; blank lines are passed over.
class TwoColumns {
 public:
  /// What both columns are called in messages, and how their text is cleaned.
  struct Settings {
    std::string first, second;
    std::function<std::string(const std::string&)> clean;
  };

  TwoColumns(const std::string& path, Settings);

  /// Reads the next line into `first` and `second`; false at the end. Throws InputError that names the line
  /// if it has another number of columns or if one is empty; at the end, if there was no line.
  bool next();
  const std::string& first() const { return first_; }
  const std::string& second() const { return second_; }
  /// The error that names the line and says `what` about it.
  template <class... Parts>
  InputError wrong(const Parts&... what) const {
    return InputError(concat(path_, ":", reader_.line_number(), ": ", what...));
  }

 private:
  std::string path_;
  Settings settings_;
  TextReader reader_;
  std::string first_, second_;
  std::int64_t lines_ = 0;  // that were read
};

}  // namespace gloss
