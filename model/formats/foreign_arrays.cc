// SPDX-License-Identifier: Apache-2.0

#include "model/formats/foreign_arrays.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

static_assert(std::endian::native == std::endian::little, "foreign numbers are used without conversion");

constexpr std::size_t kMostDimensions = 16;
constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kWindow = 1 << 16;  // numbers read at a time

float widened_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1f;
  const std::uint32_t fraction = bits & 0x3ff;
  if (exponent == 0) {  // zero and subnormal numbers: multiples of 2^-24
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -size : size;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xff : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

template <class Number, class Widen>
void widen(std::span<const std::byte> bytes, std::span<float> numbers, Widen one) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Number number;
    std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
    numbers[i] = one(number);
  }
}

void widen(NumberType type, std::span<const std::byte> bytes, std::span<float> numbers) {
  const auto rounded = [](auto number) { return static_cast<float>(number); };
  switch (type) {
    case NumberType::f64:
      return widen<double>(bytes, numbers, rounded);
    case NumberType::f32:
      return void(std::memcpy(numbers.data(), bytes.data(), numbers.size_bytes()));
    case NumberType::f16:
      return widen<std::uint16_t>(bytes, numbers, widened_half);
    case NumberType::bf16:
      return widen<std::uint16_t>(bytes, numbers, [](std::uint16_t bits) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
      });
    case NumberType::i64:
      return widen<std::int64_t>(bytes, numbers, rounded);
    case NumberType::i32:
      return widen<std::int32_t>(bytes, numbers, rounded);
    case NumberType::i16:
      return widen<std::int16_t>(bytes, numbers, rounded);
    case NumberType::i8:
      return widen<std::int8_t>(bytes, numbers, rounded);
    case NumberType::u8:
      return widen<std::uint8_t>(bytes, numbers, rounded);
    case NumberType::boolean:
      return widen<std::uint8_t>(bytes, numbers, [](std::uint8_t value) { return value != 0 ? 1.0F : 0.0F; });
  }
}

/// A window onto the numbers of a source that only moves forwards.
class NumberWindow {
 public:
  /// `end` is the number of numbers in the source.
  NumberWindow(const StoredNumbers& stored, NumberType type, std::size_t end)
      : stream_(stored.source->open()), type_(type), end_(end), bytes_(kWindow * size_of(type)) {
    stream_->skip(stored.start);
  }

  /// Reads on until `position` is the first in the window.
  void move_to(std::size_t position) {
    const std::size_t read = first_ + numbers_.size();
    stream_->skip((position - read) * size_of(type_));
    first_ = position;
    numbers_.resize(std::min(kWindow, end_ - position));
    const auto bytes = std::span(bytes_).first(numbers_.size() * size_of(type_));
    stream_->read(bytes);
    widen(type_, bytes, numbers_);
  }
  std::size_t first() const { return first_; }
  std::size_t end() const { return first_ + numbers_.size(); }
  float operator[](std::size_t position) const { return numbers_[position - first_]; }

 private:
  std::unique_ptr<ByteStream> stream_;
  NumberType type_;
  std::size_t end_;
  std::vector<std::byte> bytes_;
  std::vector<float> numbers_;
  std::size_t first_ = 0;
};

/// A dimension of an array, with the distance of its positions in the file and in the result.
struct Step {
  std::size_t size, stored, result;
};

/// The dimensions in the order of the file, slowest first: the file is read forwards and the result filled in
/// any order.
std::vector<Step> steps_of(std::span<const StoredDimension> dimensions) {
  std::vector<Step> steps;
  std::size_t result = 1;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const auto [size, stride] = dimensions[i];
    if (size != 1) steps.push_back({index(size), index(stride), result});
    result *= index(size);
  }
  std::ranges::stable_sort(steps, std::greater(), &Step::stored);
  return steps;
}

/// The first number after those of an array, counted from its first one; none if positions are not in
/// ascending order, as where rows overlap.
std::optional<std::size_t> extent(std::span<const Step> steps) {
  std::size_t last = 0;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const auto [size, stride, result] = steps[i];
    if (stride < last) return std::nullopt;
    if (stride != 0 && size - 1 > (std::numeric_limits<std::int64_t>::max() - last) / stride) {
      return std::numeric_limits<std::size_t>::max();
    }
    last += (size - 1) * stride;
  }
  return last + 1;
}

}  // namespace

std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::f64:
    case NumberType::i64:
      return 8;
    case NumberType::f32:
    case NumberType::i32:
      return 4;
    case NumberType::f16:
    case NumberType::bf16:
    case NumberType::i16:
      return 2;
    default:
      return 1;
  }
}

const char* name_of(NumberType type) {
  constexpr const char* kNames[] = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u8", "bool"};
  return kNames[static_cast<int>(type)];
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
  return concat("[", join(sizes, ", "), "]");
}

ForeignArray::ForeignArray(const std::string& where, NumberType type, std::vector<std::int64_t> shape,
                           StoredNumbers stored)
    : where_(where), type_(type), shape_(std::move(shape)), stored_(std::move(stored)) {
  if (shape_.size() > kMostDimensions) {
    throw InputError(
        concat(where_, " has ", shape_.size(), " dimensions, expected at most ", kMostDimensions));
  }
  const std::uint64_t size = stored_.source->size();
  const std::uint64_t most = stored_.start > size ? 0 : (size - stored_.start) / size_of(type_);
  const auto refuse = [&](const std::string& why) {
    throw InputError(
        concat(where_, " of type ", name_of(type_), " and shape ", shape_text(shape_), " ", why));
  };
  count_ = std::ranges::count(shape_, 0) > 0 ? 0 : 1;
  for (const std::int64_t dimension : shape_) {
    if (dimension < 0) refuse("has a negative size");
    if (count_ != 0 && index(dimension) > most / count_)
      refuse(concat("needs more than the ", most, " numbers that the file has for it"));
    count_ *= index(dimension);
  }
  if (count_ > most) refuse(concat("needs more than the ", most, " numbers that the file has for it"));
  if (count_ == 0) stored_.dimensions.clear();
  for (const auto& [dimension, stride] : stored_.dimensions) {
    if (stride < 0) refuse(concat("has the negative stride ", stride));
    expects(dimension > 0, "empty dimension of a stored array");
  }
  if (!stored_.dimensions.empty()) {
    const std::vector<Step> steps = steps_of(stored_.dimensions);
    const std::optional<std::size_t> end = extent(steps);
    if (!end) refuse("has strides that let rows overlap; expected separate rows");
    if (*end > most) refuse(concat("has strides that reach past the ", most, " numbers of its storage"));
    std::size_t product = 1;
    for (const Step& step : steps) product *= step.size;
    expects(product == count_, "stored dimensions of ", product, " numbers, array of ", count_);
    // Row-major without gaps: the usual case, read without steps.
    const bool row_major = std::ranges::all_of(steps, [](const Step& s) { return s.stored == s.result; });
    if (row_major) stored_.dimensions.clear();
  }
  const std::size_t divisors = stored_.divisors == nullptr ? 0 : stored_.divisors->size();
  expects(divisors <= 1 || (!shape_.empty() && divisors == index(shape_[0])), "divisors do not fit the rows");
}

void ForeignArray::read(std::span<float> all) const {
  expects(all.size() == count_, "room for ", all.size(), " numbers, expected ", count_);
  if (all.empty()) return;
  if (!stored_.dimensions.empty()) {
    read_scattered(all);
  } else {
    const std::unique_ptr<ByteStream> stream = stored_.source->open();
    stream->skip(stored_.start);
    std::vector<std::byte> bytes(std::min(kWindow, count_) * size_of(type_));
    for (std::size_t done = 0; done < count_;) {
      const std::size_t now = std::min(kWindow, count_ - done);
      const auto part = std::span(bytes).first(now * size_of(type_));
      stream->read(part);
      widen(type_, part, all.subspan(done, now));
      done += now;
    }
  }
  divide(all);
}

void ForeignArray::read_scattered(std::span<float> all) const {
  std::vector<Step> steps = steps_of(stored_.dimensions);
  NumberWindow window(stored_, type_, *extent(steps));
  const Step inner = steps.back();
  steps.pop_back();
  std::vector<std::size_t> place(steps.size(), 0);
  std::size_t stored = 0, result = 0;
  while (true) {
    for (std::size_t i = 0; i < inner.size;) {
      const std::size_t from = stored + i * inner.stored;
      if (from >= window.end()) window.move_to(from);
      const std::size_t inside =
          inner.stored == 0 ? inner.size : (window.end() - 1 - from) / inner.stored + 1;
      const std::size_t end = i + std::min(inner.size - i, inside);
      for (; i < end; ++i) all[result + i * inner.result] = window[stored + i * inner.stored];
    }
    std::size_t level = steps.size();
    while (level > 0 && place[level - 1] + 1 == steps[level - 1].size) {
      --level;
      stored -= place[level] * steps[level].stored;
      result -= place[level] * steps[level].result;
      place[level] = 0;
    }
    if (level == 0) return;
    ++place[level - 1];
    stored += steps[level - 1].stored;
    result += steps[level - 1].result;
  }
}

void ForeignArray::divide(std::span<float> all) const {
  if (stored_.divisors == nullptr || stored_.divisors->empty()) return;
  const std::vector<float>& divisors = *stored_.divisors;
  const std::size_t width = all.size() / divisors.size();
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    for (float& number : all.subspan(i * width, width)) number /= divisors[i];
  }
}

bool ForeignArray::same_numbers(const ForeignArray& other) const {
  if (shape_ != other.shape_) return false;
  const bool plain = stored_.dimensions.empty() && other.stored_.dimensions.empty() &&
                     stored_.divisors == nullptr && other.stored_.divisors == nullptr;
  if (!plain) {
    std::vector<float> numbers(count_), others(count_);
    read(numbers);
    other.read(others);
    return numbers == others;
  }
  if (stored_.source == other.stored_.source && stored_.start == other.stored_.start) return true;
  NumberWindow numbers(stored_, type_, count_), others(other.stored_, other.type_, count_);
  for (std::size_t first = 0; first < count_; first = numbers.end()) {
    numbers.move_to(first);
    others.move_to(first);
    for (std::size_t at = first; at < numbers.end(); ++at) {
      if (numbers[at] != others[at]) return false;
    }
  }
  return true;
}

std::string ForeignArray::bytes(std::size_t limit) const {
  const std::size_t size = count_ * size_of(type_);
  if (size > limit) throw InputError(concat(where_, " has ", size, " bytes, expected at most ", limit));
  if (!stored_.dimensions.empty()) {
    throw InputError(concat(where_, " has gaps between its numbers or another order than by rows"));
  }
  std::string bytes(size, '\0');
  const std::unique_ptr<ByteStream> stream = stored_.source->open();
  stream->skip(stored_.start);
  stream->read(std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

void ForeignArrays::expect_name(std::string_view name) const {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (name.empty()) throw InputError(concat(path_, " has a tensor without a name"));
  if (name.size() > kLongestName) {
    throw InputError(concat(path_, " has a tensor whose name has ", name.size(), " bytes, expected at most ",
                            kLongestName));
  }
  if (std::ranges::any_of(name, control)) {
    const std::string_view plain = name.substr(0, index(std::ranges::find_if(name, control) - name.begin()));
    throw InputError(concat(path_, ": the name of a tensor, '", plain, "...', has a control character"));
  }
}

std::string ForeignArrays::where(std::string_view name) const {
  return concat(path_, ": tensor '", name, "'");
}

void ForeignArrays::add(const std::string& name, ForeignArray array) {
  expect_name(name);
  if (!all_.emplace(name, std::move(array)).second) throw InputError(concat(where(name), " occurs twice"));
}

const ForeignArray* ForeignArrays::find(const std::string& name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : &found->second;
}

const ForeignArray& ForeignArrays::at(const std::string& name) const {
  if (const ForeignArray* array = find(name)) return *array;
  throw InputError(concat(where(name), " is missing"));
}

}  // namespace gloss
