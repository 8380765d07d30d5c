// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/exclusive_file.h"

namespace gloss {

/// A file that appears under its name only when it is complete (ExclusiveFile). Without `commit`, nothing
/// changes. Pipes and devices are written directly.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path) : file_(path) {}

  /// Throws Error that names the file, for example if the disk is full.
  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  /// The Checksum of everything written so far.
  std::string sum() const { return sum_.text(); }
  /// Flushes to disk; nothing can be written afterwards.
  void finish() { file_.finish(); }
  /// Gives the file its final name, replacing an existing file. Calls `finish` first.
  void commit();

 private:
  ExclusiveFile file_;
  Checksum sum_;
};

/// Files that appear together: none is renamed before all are complete. An earlier failure leaves the old
/// files; a crash during the renames leaves each file complete, either old or new, and the last one old.
class AtomicFiles {
 public:
  /// Opens another file. Files are renamed in the order in which they were opened.
  AtomicFile& open(const std::string& path) { return files_.emplace_back(path); }
  void commit();

 private:
  std::deque<AtomicFile> files_;
};

/// The whole content of a regular file; throws InputError if it cannot be read or changes meanwhile.
std::string read_file(const std::string& path);
/// Replaces the content of a file atomically (AtomicFile).
void write_file(const std::string& path, std::string_view bytes);
/// Appends text to a file, which is created if missing. Throws Error.
void append_text(const std::string& path, std::string_view text);

/// Creates the directory and its parents; throws Error if that fails or the directory is not writable.
void make_writable_directory(const std::string& path);
/// Flushes a directory's entries to disk, so that renames in it survive a power cut.
void sync_directory(const std::string& path);
/// Makes `link` a symbolic link to `target`, atomically replacing an existing link.
void replace_link(const std::string& target, const std::string& link);

/// True if both names mean the same regular file, perhaps through links. "-" is standard output for `written`
/// and standard input for `read`; files without content that are only redirected do not count.
bool same_regular_file(const std::string& written, const std::string& read);

/// The names of the entries of a folder; empty if the folder does not exist.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace gloss
