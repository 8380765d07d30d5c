// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// A file mapped read-only into memory; its bytes are valid as long as this object lives.
class MappedFile {
 public:
  /// Throws InputError if the file is missing, not a regular file, or cannot be read.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::string& path() const { return path_; }
  /// Releases the pages in memory; they are read from the file again on the next access.
  void drop_pages() const;

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Where a file is written: regular and missing files under a temporary name first; pipes and devices
/// directly.
struct WriteTarget {
  std::string path;     ///< final path, with symbolic links resolved
  std::string partial;  ///< temporary name, renamed to `path` at the end; empty: write to `path` directly
  const std::string& opened() const { return partial.empty() ? path : partial; }
};

/// A file that appears under its name only when it is complete: written as NAME.partial, flushed to disk,
/// then renamed. Without `commit`, the destructor deletes the partial file. Pipes and devices are written
/// directly.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws Error that names the file, for example if the disk is full.
  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  /// Flushes to disk and closes the file; nothing can be written afterwards.
  void finish();
  /// Renames the file to its final name, replacing an existing file. Calls `finish` first if necessary.
  void commit();

 private:
  [[noreturn]] void fail() const;

  WriteTarget target_;
  int descriptor_ = -1;
  bool unnamed_ = true;  // the file still has its temporary name
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

/// The whole content of a regular file; throws InputError if it cannot be read.
std::string read_file(const std::string& path);
/// Replaces the content of a file atomically (AtomicFile).
void write_file(const std::string& path, std::string_view bytes);
/// Appends `line` and a newline to a file, which is created if missing.
void append_line(const std::string& path, std::string_view line);

/// Creates the directory and its parents; throws Error if that fails or the directory is not writable.
void make_writable_directory(const std::string& path);
/// Flushes a directory's entries to disk, so that renames in it survive a power cut.
void sync_directory(const std::string& path);
/// Makes `link` a symbolic link to `target`, atomically replacing an existing link.
void replace_link(const std::string& target, const std::string& link);

/// Standard output or a file. Regular and missing files are written as NAME.partial and renamed when they are
/// complete: a run that fails loses neither the old content nor the new, and a command may write the file
/// that it reads. Pipes and devices are written directly. Throws ClosedPipe if the reader closed the pipe,
/// Error if writing fails.
class Output {
 public:
  /// `path` "-" is standard output.
  explicit Output(const std::string& path = "-");
  /// Without a call of `close`, the flushed text stays in NAME.partial.
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Appends to the buffer, which is written when it is full or by `flush`.
  void write(std::string_view bytes);
  void line(std::string_view text) {
    write(text);
    write("\n");
  }
  void flush();
  /// Flushes, closes and renames the file; throws errors that the system reports only now.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string name_, buffer_;
  WriteTarget target_;
  int descriptor_;
  bool standard_;  // standard output, which is not closed
};

/// The names of the entries of a folder; empty if the folder does not exist.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace gloss
