// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/listener.h"

namespace gloss {

/// Byte order marks: sacreBLEU counts one at the start of a translation as part of its first word.
enum class Marks { keep, remove };

/// Reads the files of a test set. Reports a byte order mark, a conversion or invalid UTF-8 of each file once,
/// however often it is read.
class SegmentFiles {
 public:
  explicit SegmentFiles(Listener& listener) : listener_(listener) {}

  /// The lines of a file as valid UTF-8.
  std::vector<std::string> read(const std::string& path, Marks marks);

 private:
  Listener& listener_;
  std::set<std::string> reported_;
};

}  // namespace gloss
