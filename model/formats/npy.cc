// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npy.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace gloss {
namespace {

/// What the header of a .npy file says.
struct NpyHeader {
  NumberType type;
  bool column_major = false;
  std::vector<std::int64_t> shape;
  std::uint64_t size = 0;  ///< bytes of the header, which the numbers follow
};

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::uint32_t kLongestNpyHeader = 64 << 10;

/// Reads the header's text, a Python dictionary such as
/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& where) : rest_(text), where_(where) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      member(quoted());
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (!rest_.empty()) refuse("the end of the header");
    if (!type_ || !column_major_ || !shape_) {
      refuse("all of 'descr', 'fortran_order' and 'shape'");
    }
    return {*type_, *column_major_, *shape_};
  }

 private:
  void member(std::string_view name) {
    expect(':');
    if (name == "descr" && !type_) {
      type_ = type();
    } else if (name == "fortran_order" && !column_major_) {
      column_major_ = boolean();
    } else if (name == "shape" && !shape_) {
      shape_ = shape();
    } else {
      refuse("each of 'descr', 'fortran_order' and 'shape' once");
    }
  }

  NumberType type() {
    struct Known {
      std::string_view name;
      NumberType type;
    };
    static constexpr std::array kKnown{
        Known{"f8", NumberType::f64}, Known{"f4", NumberType::f32}, Known{"f2", NumberType::f16},
        Known{"i8", NumberType::i64}, Known{"i4", NumberType::i32}, Known{"i2", NumberType::i16},
        Known{"i1", NumberType::i8},  Known{"u1", NumberType::u8},  Known{"b1", NumberType::boolean}};
    skip_space();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"'))
      refuse("a simple type, not a record");
    const std::string_view text = quoted();
    const auto found =
        std::ranges::find(kKnown, text.substr(std::min<std::size_t>(text.size(), 1)), &Known::name);
    const bool one_byte = found != kKnown.end() && size_of(found->type) == 1;
    if (found == kKnown.end() || !(text.front() == '<' || (one_byte && text.front() == '|'))) {
      throw InputError(
          concat(where_, " has the type '", text.substr(0, 40),
                 "'; expected little-endian numbers: <f2, <f4, <f8, |i1, <i2, <i4, <i8, |u1 or |b1"));
    }
    return found->type;
  }

  bool boolean() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    refuse("True or False");
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      const std::size_t digits = std::min(rest_.find_first_not_of("-0123456789"), rest_.size());
      std::int64_t size;
      if (!parse_number(rest_.substr(0, digits), size) || size < 0) {
        throw InputError(concat(where_, " has '", rest_.substr(0, std::min<std::size_t>(digits, 40)),
                                "' in its shape; expected a size"));
      }
      rest_.remove_prefix(digits);
      sizes.push_back(size);
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return sizes;
  }

  std::string_view quoted() {
    skip_space();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) refuse("a quoted word");
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) refuse("the end of a quoted word");
    const std::string_view word = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return word;
  }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }
  /// True if this character came next; skips it and white space.
  bool accept(char wanted) {
    skip_space();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    skip_space();
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) refuse(concat("'", wanted, "'"));
  }
  [[noreturn]] void refuse(const std::string& expected) const {
    throw InputError(
        concat(where_, ": expected ", expected, " in the .npy header, found '", rest_.substr(0, 40), "'"));
  }

  std::string_view rest_;
  const std::string& where_;
  std::optional<NumberType> type_;
  std::optional<bool> column_major_;
  std::optional<std::vector<std::int64_t>> shape_;
};

/// Reads the text of a header and sets `size` to the bytes up to its end.
std::string header_text(const StoredBytes& file, const std::string& where, std::uint64_t& size) {
  // Magic, version, length of the header: two bytes in version 1, four in later ones.
  const auto expect_bytes = [&](std::uint64_t needed) {
    if (file.size() >= needed) return;
    throw InputError(concat(where, " has ", file.size(), " bytes, expected a .npy header of ", needed));
  };
  std::array<char, 12> start{};
  constexpr std::size_t kShort = 10;
  expect_bytes(kShort);
  const std::unique_ptr<StoredStream> stream = file.open();
  const auto bytes = std::as_writable_bytes(std::span(start));
  stream->read(bytes.first(kShort));
  const char version = start[6];
  if (!std::string_view(start.data(), start.size()).starts_with(kNpyMagic) || version < 1 || version > 3)
    throw InputError(concat(where, " is not a .npy file of version 1, 2 or 3"));
  const bool is_short = version == 1;
  size = is_short ? kShort : start.size();
  expect_bytes(size);
  if (!is_short) stream->read(bytes.last(start.size() - kShort));
  std::uint32_t length = 0;
  std::memcpy(&length, &start[8], is_short ? 2 : 4);
  if (length > kLongestNpyHeader) {
    throw InputError(
        concat(where, " claims a header of ", length, " bytes, expected at most ", kLongestNpyHeader));
  }
  size += length;
  expect_bytes(size);
  std::string text(length, '\0');
  stream->read(std::as_writable_bytes(std::span(text)));
  return text;
}

/// Reads the header of a .npy file of version 1, 2 or 3. Throws InputError, naming `where`, if there is none,
/// or for other types than little-endian numbers.
NpyHeader read_npy_header(const StoredBytes& file, const std::string& where) {
  std::uint64_t size = 0;
  const std::string text = header_text(file, where, size);
  NpyHeader header = HeaderParser(text, where).parse();
  header.size = size;
  return header;
}

}  // namespace

StoredArray read_npy(const std::shared_ptr<const StoredBytes>& source, const std::string& where) {
  const NpyHeader header = read_npy_header(*source, where);
  StoredNumbers stored{.source = source, .start = header.size};
  const std::vector<std::int64_t>& shape = header.shape;
  if (header.column_major) {
    // Checked first without strides, whose products could overflow; those of an empty array still could.
    const bool empty = StoredArray(where, header.type, shape, stored).count() == 0;
    std::int64_t stride = 1;
    for (const std::int64_t size : empty ? std::vector<std::int64_t>() : shape) {
      stored.dimensions.push_back({size, stride});
      stride *= size;
    }
  }
  StoredArray array(where, header.type, shape, std::move(stored));
  const std::uint64_t used = header.size + array.count() * size_of(array.type());
  if (used != source->size()) {
    throw InputError(concat(where, " has ", source->size(), " bytes, but its header and shape ",
                            shape_text(shape), " need ", used));
  }
  return array;
}

StoredArray read_npy(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  return read_npy(std::make_shared<const MappedBytes>(file, file->bytes()), path);
}

}  // namespace gloss
