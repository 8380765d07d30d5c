// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/ops_token_windows.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/sentences.h"

namespace gloss {
namespace {

const ProfiledOperation kTokenWindows("windows of tokens");
const ProfiledOperation kTokenWindowsGradient("windows of tokens: gradient");

/// Rows first .. first + count - 1 are at places `place` .. of a window.
struct TokenWindow {
  std::int64_t first, count, place;
};

/// The windows of all sentences of a packed batch.
struct TokenWindows {
  Sentences sentences;
  std::int64_t size;
  std::vector<TokenWindow> windows;

  TokenWindows(std::vector<AttentionSpan> spans, std::int64_t rows, const WindowSizes& by)
      : sentences(std::move(spans), rows), size(by.size) {
    expects(by.size > 0 && by.shift >= 0 && by.shift < by.size, "windows of ", by.size, " rows, shifted by ",
            by.shift);
    for (const AttentionSpan& span : sentences.spans) {
      const std::int64_t end = std::int64_t{span.query_start} + span.query_count;
      for (std::int64_t first = span.query_start, place = by.shift; first < end; place = 0) {
        const std::int64_t count = std::min(end - first, size - place);
        windows.push_back({first, count, place});
        first += count;
      }
    }
  }
};

/// Writes the windows, transposed, or adds to them.
template <class Number>
void fill_windows(const TokenWindows& of, const Tensor& rows, const Tensor& to, bool accumulate) {
  const std::int64_t width = rows.columns(), size = of.size;
  parallel_ranges(std::ssize(of.windows), 1, [&](std::int64_t from, std::int64_t end) {
    std::vector<Number> line(index(size));
    for (std::int64_t w = from; w < end; ++w) {
      const TokenWindow& window = of.windows[index(w)];
      const Number* const x = rows.data_as<Number>() + window.first * width;
      for (std::int64_t c = 0; c < width; ++c) {
        std::ranges::fill(line, Number{});
        for (std::int64_t i = 0; i < window.count; ++i) line[index(window.place + i)] = x[i * width + c];
        Number* const at = to.data_as<Number>() + (w * width + c) * size;
        if (accumulate) {
          kernels().of<Number>().add(at, line.data(), size);
        } else {
          std::ranges::copy(line, at);
        }
      }
    }
  });
}

/// Writes the rows of windows, or adds to them.
template <class Number>
void fill_rows(const TokenWindows& of, const Tensor& windows, const Tensor& to, bool accumulate) {
  const std::int64_t width = to.columns(), size = of.size;
  if (!accumulate) of.sentences.clear_outside(to);
  parallel_ranges(std::ssize(of.windows), 1, [&](std::int64_t from, std::int64_t end) {
    std::vector<Number> line(index(width));
    for (std::int64_t w = from; w < end; ++w) {
      const TokenWindow& window = of.windows[index(w)];
      const Number* const numbers = windows.data_as<Number>() + w * width * size + window.place;
      for (std::int64_t i = 0; i < window.count; ++i) {
        for (std::int64_t c = 0; c < width; ++c) line[index(c)] = numbers[c * size + i];
        Number* const at = to.data_as<Number>() + (window.first + i) * width;
        if (accumulate) {
          kernels().of<Number>().add(at, line.data(), width);
        } else {
          std::ranges::copy(line, at);
        }
      }
    }
  });
}

}  // namespace

Tensor windows_of_rows(const Tensor& x, std::vector<AttentionSpan> spans, const WindowSizes& sizes) {
  const auto windows = std::make_shared<const TokenWindows>(std::move(spans), x.rows(), sizes);
  const Tensor y = Tensor::uninitialised({std::ssize(windows->windows) * x.columns(), sizes.size}, x.dtype());
  {
    const ProfiledTime time(kTokenWindows, 0, x.bytes() + y.bytes());
    for_dtype(x.dtype(), [&]<class Number>() { fill_windows<Number>(*windows, x, y, false); });
  }
  return record(y, {x.without_values()}, [windows](const Tensor& dy, std::span<const Tensor> of) {
    const ProfiledTime time(kTokenWindowsGradient, 0, 2 * dy.bytes());
    const GradientSlot dx = of[0].gradient_slot();
    for_dtype(dy.dtype(), [&]<class Number>() { fill_rows<Number>(*windows, dy, dx.values, dx.accumulate); });
  });
}

Tensor rows_of_windows(const Tensor& x, std::vector<AttentionSpan> spans, const WindowSizes& sizes,
                       std::int64_t rows) {
  const auto windows = std::make_shared<const TokenWindows>(std::move(spans), rows, sizes);
  const std::int64_t count = std::ssize(windows->windows),
                     width = x.rows() / std::max<std::int64_t>(count, 1);
  expects(x.columns() == sizes.size && count > 0 && width * count == x.rows(),
          "rows of windows: ", x.shape().text(), " for ", count, " windows of ", sizes.size);
  const Tensor y = Tensor::uninitialised({rows, width}, x.dtype());
  {
    const ProfiledTime time(kTokenWindows, 0, x.bytes() + y.bytes());
    for_dtype(x.dtype(), [&]<class Number>() { fill_rows<Number>(*windows, x, y, false); });
  }
  return record(y, {x.without_values()}, [windows](const Tensor& dy, std::span<const Tensor> of) {
    const ProfiledTime time(kTokenWindowsGradient, 0, 2 * dy.bytes());
    const GradientSlot dx = of[0].gradient_slot();
    for_dtype(dy.dtype(),
              [&]<class Number>() { fill_windows<Number>(*windows, dy, dx.values, dx.accumulate); });
  });
}

}  // namespace gloss
