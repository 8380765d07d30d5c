// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// A file that gets its name when it is complete.
class OutputFile {
 public:
  virtual ~OutputFile() = default;

  /// False, with errno, if not all can be written.
  virtual bool write(std::string_view bytes) = 0;
  /// The final path, with links resolved.
  virtual const std::string& path() const = 0;
  /// Flushes everything to disk. Throws Error.
  virtual void finish() = 0;
  /// Gives the file its final name, replacing an existing file, and closes it. Throws Error.
  virtual void give_name() = 0;
  /// Gives an incomplete file the name NAME.partial, so that it can be looked at.
  virtual void keep_incomplete() = 0;
};

/// Throws Error with the system's last error.
[[noreturn]] void fail_to_write(const std::string& path);

}  // namespace gloss
