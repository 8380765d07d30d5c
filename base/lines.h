// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// A stream of bytes.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Waits for data and reads up to `size` bytes; returns the number read, 0 at the end. Throws InputError.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;
  /// Waits at most `wait`; returns true if `read` would now return without waiting.
  virtual bool ready(std::chrono::nanoseconds wait) = 0;
  /// About how many bytes of the file, compressed if it is, the bytes read so far come from.
  virtual std::int64_t position() const = 0;
  /// The encoding from which the bytes were converted to UTF-8, such as "UTF-16LE"; empty: not converted.
  virtual std::string_view encoding() const { return ""; }
};

/// A part of a file.
struct FileRange {
  std::int64_t begin = 0;
  std::int64_t end = -1;  ///< negative: the end of the file

  bool whole() const { return begin == 0 && end < 0; }
};

/// Opens a file, or standard input for "-". Recognised by their first bytes: gzip, Zstandard, xz and bzip2
/// are decompressed; UTF-16 and UTF-32 with a byte order mark are converted to UTF-8. Throws InputError for
/// text that looks like UTF-16 or UTF-32 without a mark.
std::unique_ptr<ByteStream> open_bytes(const std::string& path);
/// Opens a file of any content: decompresses it as open_bytes does, but converts and checks nothing. Throws
/// InputError.
std::unique_ptr<ByteStream> open_unpacked(const std::string& path);
/// Opens a part of a regular file, as it is. Throws InputError.
std::unique_ptr<ByteStream> open_range(const std::string& path, const FileRange&);
/// True if open_bytes decompresses or converts this regular file. Throws InputError.
bool is_encoded_file(const std::string& path);

/// Length in bytes of the longest mark by which a file is recognised.
constexpr std::size_t kFileMark = 10;
/// True if `start` begins with a mark of a file that open_bytes decompresses or converts.
bool is_encoded(std::string_view start);

/// True if `start` begins with the mark of a compressed file.
bool is_packed(std::string_view start);

/// The size in bytes of the longest line that is read, without its '\n', unless an option sets another one.
inline constexpr std::int64_t kLongestLine = 4 << 20;

/// Longer lines end with an InputError, or are cut: their rest is skipped while it is read.
struct LineLimit {
  std::int64_t bytes = kLongestLine;
  bool cuts = false;
};

/// The lines of an input that were cut.
struct CutLines {
  std::int64_t count = 0;
  std::int64_t first = 0;  ///< number of the first one, counted from 1
  std::int64_t limit = 0;  ///< in bytes

  /// Adds those of a following part of the input, after `before` lines.
  void add(const CutLines& later, std::int64_t before = 0);
};

/// Reads a text file line by line, in memory bounded by its limit. Only '\n' ends a line; '\r' and all other
/// bytes are text. The last line may lack its '\n'; a '\n' at the end of the file does not start another
/// line.
class LineReader {
 public:
  /// `path` "-" is standard input. Throws InputError if the file cannot be opened.
  explicit LineReader(const std::string& path, LineLimit limit = {});
  /// Reads the lines of a part of a regular file, as it is.
  LineReader(const std::string& path, LineLimit limit, const FileRange& range);
  /// Reads the lines of a stream that is not a file by itself; `name` is for messages.
  LineReader(std::unique_ptr<ByteStream>, std::string name, LineLimit limit);
  LineReader(LineReader&&) noexcept = default;
  ~LineReader();

  /// Reads the next line without its '\n'; false at the end. Waits until the line is complete. A line is cut
  /// before the UTF-8 character that exceeds the limit.
  bool next(std::string& line);
  /// True if `next` would not wait: a complete line or the end of the file is available by the time `until`.
  bool available(std::chrono::steady_clock::time_point until = {});
  /// Number of the line that `next` returned last, counted from 1; 0 before the first.
  std::int64_t line_number() const { return line_number_; }
  /// About how many bytes of the file, compressed if it is, the lines read so far come from.
  std::int64_t position() const;
  /// True if the line that `next` returned last ended with '\n'; only the last line of a file may lack it.
  bool line_ended() const { return line_ended_; }
  /// The name for messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  /// The lines that were cut so far.
  const CutLines& cut_lines() const { return cut_; }
  /// See ByteStream.
  std::string_view encoding() const { return source_->encoding(); }

 private:
  bool fill();
  void take(std::size_t end, std::string& line);

  std::string name_;
  LineLimit limit_;
  CutLines cut_;
  std::unique_ptr<ByteStream> source_;
  std::string buffer_;
  std::int64_t received_ = 0;  // bytes from the source
  std::size_t start_ = 0;      // offset of the first byte not returned yet
  std::size_t searched_ = 0;   // there is no newline before this offset
  bool ended_ = false, line_ended_ = true;
  std::int64_t line_number_ = 0;
};

/// The name of a file in messages: its path, or "standard input" for "-".
std::string input_name(const std::string& path);
/// True if opening the file may wait for somebody to write: pipes, terminals and "-".
bool opening_waits(const std::string& path);
/// Throws InputError if the file cannot be opened; takes nothing from pipes and standard input.
void expect_readable(const std::string& path);
/// Throws UsageError if more than one of the files is "-".
void expect_standard_input_once(const std::vector<std::string>& paths);

/// All lines of a file that fits into memory. Throws InputError for a line of more than kLongestLine bytes.
std::vector<std::string> read_lines(const std::string& path);
/// All lines that `reader` has not returned yet.
std::vector<std::string> read_lines(LineReader& reader);

/// The versions of the libraries for compressed files, such as "zlib 1.2.13, Zstandard 1.5.4".
std::string packing_versions();

}  // namespace gloss
