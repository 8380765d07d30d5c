#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Bytes that arrive in pieces.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Waits for up to `size` bytes; returns how many came, 0 at the end. Throws InputError.
  virtual std::size_t read(char* bytes, std::size_t size) = 0;
  /// True if `read` would return at once, or will before so much time has passed.
  virtual bool ready(std::chrono::nanoseconds wait) = 0;
};

/// A file, or standard input for "-", unpacked on the way if it starts as gzip or Zstandard files do.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// Bytes at a file's start that tell whether it is packed.
constexpr std::size_t kPackedMark = 4;
/// True if a file that starts like this is unpacked by open_bytes: a gzip or Zstandard file.
bool is_packed(std::string_view start);

/// Reads a text file line by line. Only '\n' ends a line; '\r' and every other byte is text. A last line
/// without
/// '\n' is a line like any other; a '\n' at the very end starts no further line.
class LineReader {
 public:
  /// `path` "-" is standard input. Throws InputError if the file cannot be opened.
  explicit LineReader(const std::string& path);
  ~LineReader();

  /// The next line without its '\n'; false at the end. Waits as long as the line is not whole.
  bool next(std::string& line);
  /// True if `next` would not wait: a whole line, or the end, is at hand or comes before `until`.
  bool available(std::chrono::steady_clock::time_point until = {});
  /// How many lines `next` has given: the number, counted from 1, of the last one.
  std::int64_t line_number() const { return line_number_; }
  /// The name for messages: the path, or "standard input".
  const std::string& name() const { return name_; }

 private:
  bool fill();

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t start_ = 0;     // of the bytes not given yet
  std::size_t searched_ = 0;  // up to here no newline was found
  bool ended_ = false;
  std::int64_t line_number_ = 0;
};

/// Throws UsageError if more than one of the files is "-".
void expect_standard_input_once(const std::vector<std::string>& paths);

/// All lines of a file; for files that fit into memory.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace gloss
