// SPDX-License-Identifier: Apache-2.0

#include "model/formats/stored_arrays.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kMostDimensions = 16;

constexpr std::size_t kLongestName = 1024;

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
  return concat("[", join(sizes, ", "), "]");
}

StoredArray::StoredArray(const std::string& where, NumberType type, std::vector<std::int64_t> shape,
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
    const std::vector<StorageStep> steps = steps_of(stored_.dimensions);
    const std::optional<std::size_t> end = extent(steps);
    if (!end) refuse("has strides that let rows overlap; expected separate rows");
    if (*end > most) refuse(concat("has strides that reach past the ", most, " numbers of its storage"));
    std::size_t product = 1;
    for (const StorageStep& step : steps) product *= step.size;
    expects(product == count_, "stored dimensions of ", product, " numbers, array of ", count_);
    // Row-major without gaps: the usual case, read without steps.
    const bool row_major =
        std::ranges::all_of(steps, [](const StorageStep& s) { return s.stored == s.result; });
    if (row_major) stored_.dimensions.clear();
  }
  const std::size_t divisors = stored_.divisors == nullptr ? 0 : stored_.divisors->size();
  expects(divisors <= 1 || (!shape_.empty() && divisors == index(shape_[0])), "divisors do not fit the rows");
}

void StoredArray::read(std::span<float> all) const {
  expects(all.size() == count_, "room for ", all.size(), " numbers, expected ", count_);
  if (all.empty()) return;
  if (!stored_.dimensions.empty()) {
    read_scattered(stored_, type_, all);
  } else {
    const std::unique_ptr<StoredStream> stream = stored_.source->open();
    stream->skip(stored_.start);
    std::vector<std::byte> bytes(std::min(kNumberWindow, count_) * size_of(type_));
    for (std::size_t done = 0; done < count_;) {
      const std::size_t now = std::min(kNumberWindow, count_ - done);
      const auto part = std::span(bytes).first(now * size_of(type_));
      stream->read(part);
      widen(type_, part, all.subspan(done, now));
      done += now;
    }
  }
  divide(all);
}

void StoredArray::divide(std::span<float> all) const {
  if (stored_.divisors == nullptr || stored_.divisors->empty()) return;
  const std::vector<float>& divisors = *stored_.divisors;
  const std::size_t width = all.size() / divisors.size();
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    for (float& number : all.subspan(i * width, width)) number /= divisors[i];
  }
}

bool StoredArray::same_numbers(const StoredArray& other) const {
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

std::string StoredArray::bytes(std::size_t limit) const {
  const std::size_t size = count_ * size_of(type_);
  if (size > limit) throw InputError(concat(where_, " has ", size, " bytes, expected at most ", limit));
  if (!stored_.dimensions.empty()) {
    throw InputError(concat(where_, " has gaps between its numbers or another order than by rows"));
  }
  std::string bytes(size, '\0');
  const std::unique_ptr<StoredStream> stream = stored_.source->open();
  stream->skip(stored_.start);
  stream->read(std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

void StoredArrays::expect_name(std::string_view name) const {
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

std::string StoredArrays::where(std::string_view name) const {
  return concat(path_, ": tensor '", name, "'");
}

void StoredArrays::add(const std::string& name, StoredArray array) {
  expect_name(name);
  if (!all_.emplace(name, std::move(array)).second) throw InputError(concat(where(name), " occurs twice"));
}

const StoredArray* StoredArrays::find(const std::string& name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : &found->second;
}

const StoredArray& StoredArrays::at(const std::string& name) const {
  if (const StoredArray* array = find(name)) return *array;
  throw InputError(concat(where(name), " is missing"));
}

}  // namespace gloss
