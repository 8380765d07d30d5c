// SPDX-License-Identifier: Apache-2.0

#include "model/formats/stored_numbers.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/index.h"

namespace gloss {

NumberWindow::NumberWindow(const StoredNumbers& stored, NumberType type, std::size_t end)
    : stream_(stored.source->open()), type_(type), end_(end), bytes_(kNumberWindow * size_of(type)) {
  stream_->skip(stored.start);
}

void NumberWindow::move_to(std::size_t position) {
  const std::size_t read = first_ + numbers_.size();
  stream_->skip((position - read) * size_of(type_));
  first_ = position;
  numbers_.resize(std::min(kNumberWindow, end_ - position));
  const auto bytes = std::span(bytes_).first(numbers_.size() * size_of(type_));
  stream_->read(bytes);
  widen(type_, bytes, numbers_);
}

std::vector<StorageStep> steps_of(std::span<const StoredDimension> dimensions) {
  std::vector<StorageStep> steps;
  std::size_t result = 1;
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    const auto [size, stride] = dimensions[i];
    if (size != 1) steps.push_back({index(size), index(stride), result});
    result *= index(size);
  }
  std::ranges::stable_sort(steps, std::greater(), &StorageStep::stored);
  return steps;
}

std::optional<std::size_t> extent(std::span<const StorageStep> steps) {
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

void read_scattered(const StoredNumbers& numbers, NumberType type, std::span<float> all) {
  std::vector<StorageStep> steps = steps_of(numbers.dimensions);
  NumberWindow window(numbers, type, *extent(steps));
  const StorageStep inner = steps.back();
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

}  // namespace gloss
