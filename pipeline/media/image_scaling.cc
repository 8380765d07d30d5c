// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/image_scaling.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// The pixels of the input that a pixel of the result is made of, in one dimension.
struct PixelShares {
  int first = 0;
  std::vector<float> shares;  ///< they sum to 1
};

/// `count` pixels from the part [begin, begin + length) of `size` pixels, by a triangle as wide as a pixel of
/// the result and at least as one of the input.
std::vector<PixelShares> shares_of(int size, double begin, double length, int count) {
  std::vector<PixelShares> all(index(count));
  const double step = length / count, reach = std::max(step, 1.0);
  for (int i = 0; i < count; ++i) {
    const double centre = begin + (i + 0.5) * step;
    PixelShares& one = all[index(i)];
    one.first = std::clamp(static_cast<int>(std::floor(centre - reach)), 0, size - 1);
    const int last = std::clamp(static_cast<int>(std::ceil(centre + reach)), one.first, size - 1);
    std::vector<double> weights;
    double sum = 0;
    for (int pixel = one.first; pixel <= last; ++pixel) {
      weights.push_back(std::max(0.0, 1 - std::abs(pixel + 0.5 - centre) / reach));
      sum += weights.back();
    }
    for (const double weight : weights) one.shares.push_back(static_cast<float>(weight / sum));
  }
  return all;
}

Image with_channels(const Image& image, int channels) {
  if (image.channels == channels) return image;
  Image result{image.height, image.width, channels, {}};
  result.pixels.reserve(index(image.height) * index(result.row_size()));
  for (std::size_t at = 0; at < image.pixels.size(); at += index(image.channels)) {
    const std::uint8_t* const pixel = image.pixels.data() + at;
    if (channels == 3) {
      result.pixels.insert(result.pixels.end(), 3, *pixel);
    } else {  // the luma of ITU-R BT.601
      result.pixels.push_back(
          static_cast<std::uint8_t>((299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2] + 500) / 1000));
    }
  }
  return result;
}

/// The part of an image that becomes the result.
struct ImagePart {
  double top = 0, left = 0, height = 0, width = 0;
};

ImagePart part_of(const Image& image, const ImageSettings& settings) {
  ImagePart part{0, 0, static_cast<double>(image.height), static_cast<double>(image.width)};
  if (settings.fit == ImageFit::stretch) return part;
  const double scale = std::min(part.height / settings.height, part.width / settings.width);
  part.height = scale * settings.height;
  part.width = scale * settings.width;
  part.top = (image.height - part.height) / 2;
  part.left = (image.width - part.width) / 2;
  return part;
}

}  // namespace

Image fitted(const Image& image, const ImageSettings& settings) {
  expects(settings.height > 0 && settings.width > 0, "an image without a size");
  if (image.height == settings.height && image.width == settings.width)
    return with_channels(image, settings.channels);
  const ImagePart part = part_of(image, settings);
  const std::vector<PixelShares> rows = shares_of(image.height, part.top, part.height, settings.height),
                                 columns = shares_of(image.width, part.left, part.width, settings.width);
  const auto channels = index(image.channels), row_size = index(settings.width) * channels;
  const int first = rows.front().first;
  const std::size_t height = index(rows.back().first - first) + rows.back().shares.size();
  std::vector<float> narrow(height * row_size, 0.0f);  // the rows that are used, with the width of the result
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint8_t* const from = image.pixels.data() + (index(first) + y) * index(image.row_size());
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const PixelShares& column = columns[x];
      for (std::size_t i = 0; i < column.shares.size(); ++i) {
        const std::uint8_t* const pixel = from + (index(column.first) + i) * channels;
        for (std::size_t c = 0; c < channels; ++c)
          narrow[y * row_size + x * channels + c] += column.shares[i] * static_cast<float>(pixel[c]);
      }
    }
  }
  Image result{settings.height, settings.width, image.channels, {}};
  std::vector<float> sums(row_size);
  for (const PixelShares& row : rows) {
    std::ranges::fill(sums, 0.0f);
    for (std::size_t i = 0; i < row.shares.size(); ++i) {
      const float* const from = narrow.data() + (index(row.first - first) + i) * row_size;
      for (std::size_t x = 0; x < row_size; ++x) sums[x] += row.shares[i] * from[x];
    }
    for (const float sum : sums)
      result.pixels.push_back(static_cast<std::uint8_t>(std::clamp(sum + 0.5f, 0.0f, 255.0f)));
  }
  return with_channels(result, settings.channels);
}

}  // namespace gloss
