// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npz.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/index.h"
#include "model/formats/zip_archive.h"

namespace gloss {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::string_view kSuffix = ".npy";
constexpr std::uint32_t kLongestHeader = 64 << 10;

struct Header {
  std::optional<NumberType> type;
  std::optional<bool> column_major;
  std::optional<std::vector<std::int64_t>> shape;
};

/// Reads the header's text, a Python dictionary such as
/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& where) : rest_(text), where_(where) {}

  Header parse() {
    expect('{');
    while (!accept('}')) {
      member(quoted());
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (!rest_.empty()) refuse("the end of the header");
    if (!header_.type || !header_.column_major || !header_.shape) {
      refuse("all of 'descr', 'fortran_order' and 'shape'");
    }
    return header_;
  }

 private:
  void member(std::string_view name) {
    expect(':');
    if (name == "descr" && !header_.type) {
      header_.type = type();
    } else if (name == "fortran_order" && !header_.column_major) {
      header_.column_major = boolean();
    } else if (name == "shape" && !header_.shape) {
      header_.shape = shape();
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
  Header header_;
};

ForeignArray read_array(const std::shared_ptr<const ForeignBytes>& source, const std::string& where) {
  // Magic, version, length of the header: two bytes in version 1, four in later ones.
  const auto truncated = [&](std::uint64_t needed) {
    if (source->size() >= needed) return;
    throw InputError(concat(where, " has ", source->size(), " bytes, expected a .npy header of ", needed));
  };
  std::array<char, 12> start{};
  truncated(10);
  const std::unique_ptr<ByteStream> stream = source->open();
  const auto bytes = std::as_writable_bytes(std::span(start));
  stream->read(bytes.first(10));
  const char version = start[6];
  if (!std::string_view(start.data(), start.size()).starts_with(kMagic) || version < 1 || version > 3) {
    throw InputError(concat(where, " is not a .npy file of version 1, 2 or 3"));
  }
  std::uint64_t before = 10;
  std::uint32_t length = 0;
  if (version == 1) {
    std::memcpy(&length, &start[8], 2);
  } else {
    before = 12;
    truncated(before);
    stream->read(bytes.last(2));
    std::memcpy(&length, &start[8], 4);
  }
  if (length > kLongestHeader) {
    throw InputError(
        concat(where, " claims a header of ", length, " bytes, expected at most ", kLongestHeader));
  }
  truncated(before + length);
  std::string text(length, '\0');
  stream->read(std::as_writable_bytes(std::span(text)));
  const Header header = HeaderParser(text, where).parse();

  StoredNumbers stored{.source = source, .start = before + length};
  const std::vector<std::int64_t>& shape = *header.shape;
  if (*header.column_major) {
    // Checked first without strides, whose products could overflow; those of an empty array still could.
    const bool empty = ForeignArray(where, *header.type, shape, stored).count() == 0;
    std::int64_t stride = 1;
    for (const std::int64_t size : empty ? std::vector<std::int64_t>() : shape) {
      stored.dimensions.push_back({size, stride});
      stride *= size;
    }
  }
  ForeignArray array(where, *header.type, shape, std::move(stored));
  const std::uint64_t used = before + length + array.count() * size_of(array.type());
  if (used != source->size()) {
    throw InputError(concat(where, " has ", source->size(), " bytes, but its header and shape ",
                            shape_text(shape), " need ", used));
  }
  return array;
}

}  // namespace

ForeignArrays read_npz(const std::string& path) {
  const ZipArchive archive(path);
  ForeignArrays arrays(path);
  for (const auto& [entry, source] : archive.entries()) {
    const std::string name =
        entry.ends_with(kSuffix) ? entry.substr(0, entry.size() - kSuffix.size()) : entry;
    arrays.expect_name(name);
    arrays.add(name, read_array(source, arrays.where(name)));
  }
  return arrays;
}

}  // namespace gloss
