// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/pnm_reader.h"

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr int kLargestPnmNumber = 65'535;

bool is_pnm_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

/// Reads the header and the numbers of one file.
class PnmDecoding {
 public:
  PnmDecoding(std::string_view bytes, const std::string& name)
      : rest_(bytes.substr(2)), name_(name), kind_(bytes[1]) {}

  Image image() {
    const int width = number("the width"), height = number("the height");
    check_image_size(height, width, name_);
    if (!is_bitmap()) largest_ = number("the largest number");
    if (largest_ < 1 || largest_ > kLargestPnmNumber) refuse(concat("the largest number is ", largest_));
    Image image{height, width, kind_ == '3' || kind_ == '6' ? 3 : 1, {}};
    const std::size_t count = index(height) * index(image.row_size());
    if (is_text()) {
      if (rest_.size() / 2 + 1 < count && kind_ != '1') end_early();
      image.pixels.resize(count);
      for (std::uint8_t& pixel : image.pixels) pixel = scaled(kind_ == '1' ? bit() : number("a pixel"));
      return image;
    }
    if (rest_.empty() || !is_pnm_space(rest_.front())) refuse("no white space follows the header");
    rest_.remove_prefix(1);
    if (is_bitmap()) {
      read_bits(image);
    } else {
      read_numbers(image, count);
    }
    return image;
  }

 private:
  bool is_text() const { return kind_ <= '3'; }
  bool is_bitmap() const { return kind_ == '1' || kind_ == '4'; }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(concat(name_, ": ", problem, "; expected a PNM image"));
  }
  [[noreturn]] void end_early() const {
    throw InputError(concat(name_, ": the PNM file ends before its last pixel; replace it"));
  }

  void skip_spaces() {
    while (!rest_.empty() && (is_pnm_space(rest_.front()) || rest_.front() == '#')) {
      const std::size_t end = rest_.front() == '#' ? std::min(rest_.find('\n'), rest_.size() - 1) : 0;
      rest_.remove_prefix(end + 1);
    }
  }
  /// The next number of a header or of pixels as text.
  int number(const char* what) {
    skip_spaces();
    if (rest_.empty()) end_early();
    int value = 0, digits = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1), ++digits) {
      value = 10 * value + (rest_.front() - '0');
      if (value > 100 * kLargestPnmNumber) refuse(concat(what, " is too large"));
    }
    if (digits == 0) refuse(concat(what, " is not a number"));
    return value;
  }
  /// The next pixel of a bitmap as text, whose digits may follow each other directly.
  int bit() {
    skip_spaces();
    if (rest_.empty()) end_early();
    const char digit = rest_.front();
    if (digit != '0' && digit != '1') refuse("a pixel is neither 0 nor 1");
    rest_.remove_prefix(1);
    return digit == '0' ? 1 : 0;  // 1 is black
  }
  std::uint8_t scaled(int value) const {
    if (value > largest_) refuse(concat("a pixel is ", value, ", above ", largest_));
    return static_cast<std::uint8_t>((value * 255 + largest_ / 2) / largest_);
  }
  void read_bits(Image& image) {
    const std::size_t row_bytes = (index(image.width) + 7) / 8;
    if (rest_.size() < index(image.height) * row_bytes) end_early();
    for (std::size_t y = 0; y < index(image.height); ++y) {
      for (std::size_t x = 0; x < index(image.width); ++x) {
        const auto byte = static_cast<unsigned char>(rest_[y * row_bytes + x / 8]);
        image.pixels.push_back((byte >> (7 - x % 8) & 1) != 0 ? 0 : 255);
      }
    }
  }
  void read_numbers(Image& image, std::size_t count) {
    const std::size_t size = largest_ > 255 ? 2 : 1;
    if (rest_.size() / size < count) end_early();
    image.pixels.resize(count);
    const auto byte = [&](std::size_t at) { return static_cast<int>(static_cast<unsigned char>(rest_[at])); };
    for (std::size_t i = 0; i < count; ++i) {
      image.pixels[i] = scaled(size == 1 ? byte(i) : 256 * byte(2 * i) + byte(2 * i + 1));
    }
  }

  std::string_view rest_;
  const std::string& name_;
  char kind_;  // the digit after P
  int largest_ = 1;
};

}  // namespace

Image read_pnm(std::string_view bytes, const std::string& name) { return PnmDecoding(bytes, name).image(); }

}  // namespace gloss
