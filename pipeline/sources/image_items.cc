// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sources/image_items.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/sources/image_file.h"
#include "pipeline/sources/image_scaling.h"

namespace gloss {
namespace {

constexpr std::int64_t kSampledImages = 1000;

/// Sums over the numbers of each channel.
struct ChannelSums {
  double count = 0;
  std::vector<double> sums, squares;

  void add(const Image& image) {
    const auto channels = index(image.channels);
    sums.resize(channels);
    squares.resize(channels);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      const double value = image.pixels[i];
      sums[i % channels] += value;
      squares[i % channels] += value * value;
    }
    count += static_cast<double>(image.pixels.size() / channels);
  }
  void give(ImageSettings& to) const {
    to.mean.clear();
    to.deviation.clear();
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const double mean = sums[c] / count;
      to.mean.push_back(fixed_text(mean, 3));
      to.deviation.push_back(fixed_text(std::sqrt(std::max(0.0, squares[c] / count - mean * mean)), 3));
    }
  }
};

/// Fills in what is 0.
void take_size(int height, int width, int channels, ImageSettings& settings) {
  if (settings.height == 0) settings.height = height;
  if (settings.width == 0) settings.width = width;
  if (settings.channels == 0) settings.channels = channels;
}

}  // namespace

Image read_item(const ItemList& list, std::string_view item) {
  if (list.archive == nullptr) return read_image(list.path_of(item));
  const IdxArchive& archive = *list.archive;
  const std::vector<int>& sizes = archive.sizes();
  const bool coloured = sizes.size() == 3 && (sizes[2] == 1 || sizes[2] == 3);
  if (sizes.size() != 2 && !coloured) {
    throw InputError(concat(archive.name(), ": the items have ", sizes.size(),
                            " dimensions; expected images: height and width, or height, width and 1 or 3"));
  }
  check_image_size(sizes[0], sizes[1], archive.name());
  std::int64_t number = 0;
  expects(parse_number(item, number), "'", item, "' is not the number of an item");
  return {sizes[0], sizes[1], coloured ? sizes[2] : 1, archive.item(number)};
}

void take_learned(const ImageSettings& learned, ImageSettings& settings) {
  take_size(learned.height, learned.width, learned.channels, settings);
  settings.mean = learned.mean;
  settings.deviation = learned.deviation;
}

void learn_from_images(std::span<const WeightedText> lists, bool skip_broken, ImageSettings& settings) {
  std::int64_t lines = 0;
  for (const WeightedText& list : lists) lines += list.pairs->lines();
  const std::int64_t step = std::max<std::int64_t>(1, lines / kSampledImages);
  ChannelSums sums;
  std::int64_t number = 0;  // of a line of all lists
  for (const WeightedText& list : lists) {
    const IndexedPairs& pairs = *list.pairs;
    for (std::int64_t block = 0; block < pairs.blocks(); ++block) {
      const std::int64_t first = block * IndexedLines::kBlockLines;
      const std::int64_t size = std::min<std::int64_t>(IndexedLines::kBlockLines, pairs.lines() - first);
      const std::int64_t skipped = (step - number % step) % step;  // lines before the first of the sample
      number += size;
      if (skipped >= size) continue;
      const PairBlock read = pairs.read(block);
      for (std::int64_t i = skipped; i < size; i += step) {
        const PairView& pair = read.pairs[index(i)];
        if (pair.too_long) continue;
        try {
          const Image image = read_item(*pair.items, pair.source);
          take_size(image.height, image.width, image.channels, settings);
          check(settings);
          sums.add(fitted(image, settings));
        } catch (const InputError& error) {
          if (!skip_broken) throw InputError(concat(pairs.text(), ":", first + i + 1, ": ", error.what()));
        }
      }
    }
  }
  if (sums.count == 0)
    throw InputError(concat(lists.front().pairs->text(), ": no image can be read; expected lines '",
                            lists.front().pairs->form(), "' or an idx archive"));
  sums.give(settings);
}

}  // namespace gloss
