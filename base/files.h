#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// A file's bytes mapped read-only into memory; the bytes live as long as this object.
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
  /// Lets go of the memory of what was read; it is read again when it is needed.
  void drop_pages() const;

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Where a file is written: beside its name if it is missing or regular; else (pipes, devices) directly.
struct WriteTarget {
  std::string path;     ///< links resolved
  std::string partial;  ///< written first, then renamed; empty: `path` is written directly
  const std::string& opened() const { return partial.empty() ? path : partial; }
};

/// A file that appears under its name only when it is whole: written as NAME.partial, flushed to the disk,
/// then renamed. An object destroyed without `commit` leaves nothing behind. Pipes and devices are written
/// directly.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws Error (disk full and the like) naming the file.
  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  /// Flushes what was written to the disk; nothing is written after that.
  void finish();
  /// Makes the file visible, replacing any file of that name. Finishes it if that was not done.
  void commit();

 private:
  [[noreturn]] void fail() const;

  WriteTarget target_;
  int descriptor_ = -1;
  bool unnamed_ = true;  // what is written still has the name of a partial file
};

/// Files that appear together: none takes its name before all are whole. A failure before that leaves what
/// was there; a crash while the names are given leaves every file whole, the last one still as it was.
class AtomicFiles {
 public:
  /// A further file to write; the files take their names in the order in which they were opened.
  AtomicFile& open(const std::string& path) { return files_.emplace_back(path); }
  void commit();

 private:
  std::deque<AtomicFile> files_;
};

/// The whole content of a regular file; throws InputError if it cannot be read.
std::string read_file(const std::string& path);
/// Replaces a file's content in one step (AtomicFile).
void write_file(const std::string& path, std::string_view bytes);
/// Adds `line` and a newline to the end of a file, made if missing.
void append_line(const std::string& path, std::string_view line);

/// Makes the folder and those above it; throws Error if that fails or it cannot be written to.
void make_writable_directory(const std::string& path);
/// Flushes a directory's list of names to the disk, so that renames in it survive a power cut.
void sync_directory(const std::string& path);
/// Makes `link` a symbolic link to `target` in one step, replacing the link of before.
void replace_link(const std::string& target, const std::string& link);

/// Standard output or a file. A file that is missing or regular is written beside its name, as NAME.partial,
/// and takes its name when it is whole, so that a run that fails loses neither the old content nor the new,
/// and reading and writing one file is possible; pipes and devices are written directly. Throws ClosedPipe if
/// the reader went away, Error if writing fails.
class Output {
 public:
  /// `path` "-" is standard output.
  explicit Output(const std::string& path = "-");
  /// Without `close` before, what was flushed stays in NAME.partial.
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Buffers; `flush` passes on what is buffered.
  void write(std::string_view bytes);
  void line(std::string_view text) {
    write(text);
    write("\n");
  }
  void flush();
  /// Flushes, closes and gives the file its name; reports what the system reports late.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string name_, buffer_;
  WriteTarget target_;
  int descriptor_;
  bool standard_;  // output, which is not ours to close
};

}  // namespace gloss
