// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/learn_source.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "pipeline/media/feature_items.h"
#include "pipeline/media/image_items.h"
#include "pipeline/media/image_scaling.h"
#include "pipeline/media/recording_items.h"

namespace gloss {
namespace {

constexpr std::int64_t kSampledItems = 1000;

/// Sums over the numbers of each channel or band.
struct ChannelSums {
  double count = 0;
  std::vector<double> sums, squares;

  /// The numbers of all channels are next to each other.
  template <class Numbers>
  void add(const Numbers& numbers, std::size_t channels) {
    sums.resize(channels);
    squares.resize(channels);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto value = static_cast<double>(numbers[i]);
      sums[i % channels] += value;
      squares[i % channels] += value * value;
    }
    count += static_cast<double>(numbers.size() / channels);
  }
  /// `text`: writes a number.
  template <class Text>
  void give(std::vector<std::string>& means, std::vector<std::string>& deviations, const Text& text) const {
    means.clear();
    deviations.clear();
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const double mean = sums[c] / count;
      means.push_back(text(mean));
      deviations.push_back(text(std::sqrt(std::max(0.0, squares[c] / count - mean * mean))));
    }
  }
};

/// A number of any size with six digits.
std::string significant(double number) { return concat(number); }

/// Fills in what is 0.
void take_size(int height, int width, int channels, ImageSettings& settings) {
  if (settings.height == 0) settings.height = height;
  if (settings.width == 0) settings.width = width;
  if (settings.channels == 0) settings.channels = channels;
}

/// Calls `use` for a sample of the items of all lists. The message of the first one that is skipped, or
/// nothing.
std::string use_sample(std::span<const WeightedText> lists, bool skip_broken,
                       const std::function<void(const ItemList&, std::string_view item)>& use) {
  std::int64_t lines = 0;
  for (const WeightedText& list : lists) lines += list.pairs->lines();
  const std::int64_t step = std::max<std::int64_t>(1, lines / kSampledItems);
  std::int64_t number = 0;  // of a line of all lists
  std::string skipped_first;
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
        if (pair.too_long || is_blank(pair.source)) continue;
        try {
          use(*pair.items, pair.source);
        } catch (const InputError& error) {
          const std::string message = concat(pair.items->name, ":", first + i + 1, ": ", error.what());
          if (!skip_broken) throw InputError(message);
          if (skipped_first.empty()) skipped_first = message;
        }
      }
    }
  }
  return skipped_first;
}

}  // namespace

void learn_from_items(std::span<const WeightedText> lists, bool skip_broken, SourceSettings& settings) {
  ChannelSums sums;
  std::string skipped;
  if (settings.type == SourceType::image) {
    ImageSettings& images = settings.image;
    skipped = use_sample(lists, skip_broken, [&](const ItemList& list, std::string_view item) {
      const Image image = read_image_item(list, item);
      take_size(image.height, image.width, image.channels, images);
      check(settings);
      sums.add(fitted(image, images).pixels, index(images.channels));
    });
    if (sums.count > 0) {
      return sums.give(images.mean, images.deviation, [](double of) { return fixed_text(of, 3); });
    }
  } else if (settings.type == SourceType::features) {
    FeatureSettings& features = settings.features;
    const FeatureFiles files;
    skipped = use_sample(lists, skip_broken, [&](const ItemList& list, std::string_view item) {
      if (sums.count > 0 && !features.normalise) return;  // the first one says all
      const Features read = files.read(list, item);
      if (features.numbers == 0) features.numbers = read.numbers;
      if (read.numbers != features.numbers) {
        throw InputError(concat(item, ": found ", read.numbers, " numbers for each position; expected ",
                                features.numbers, ", as in the first item or by --feature-numbers"));
      }
      sums.add(read.values, index(read.numbers));
    });
    if (sums.count > 0 && features.normalise) sums.give(features.mean, features.deviation, significant);
    if (sums.count > 0) return;
  } else {
    AudioSettings& audio = settings.audio;
    std::optional<LogMel> log_mel;
    skipped = use_sample(lists, skip_broken, [&](const ItemList& list, std::string_view item) {
      if (sums.count > 0 && audio.norm != AudioNorm::global) return;  // the first one says all
      const Recording recording = read_recording_item(list, item, audio.rate);
      audio.rate = recording.rate;
      check(settings);
      if (!log_mel) log_mel.emplace(audio);
      sums.add((*log_mel)(recording).values, index(audio.bands));
    });
    if (sums.count > 0 && audio.norm == AudioNorm::global)
      sums.give(audio.mean, audio.deviation, significant);
    if (sums.count > 0) return;
  }
  if (!skipped.empty())
    throw InputError(concat("no ", item_noun(settings), " can be read; the first error is ", skipped));
  throw InputError(concat(lists.front().pairs->text(), ": no ", item_noun(settings),
                          " can be read; expected lines ", shown(lists.front().pairs->form()),
                          settings.type == SourceType::image ? " or an idx archive" : ""));
}

void take_learned(const SourceSettings& learned, SourceSettings& settings) {
  take_size(learned.image.height, learned.image.width, learned.image.channels, settings.image);
  settings.image.mean = learned.image.mean;
  settings.image.deviation = learned.image.deviation;
  if (settings.audio.rate == 0) settings.audio.rate = learned.audio.rate;
  if (settings.features.numbers == 0) settings.features.numbers = learned.features.numbers;
  settings.features.mean = learned.features.mean;
  settings.features.deviation = learned.features.deviation;
  settings.audio.mean = learned.audio.mean;
  settings.audio.deviation = learned.audio.deviation;
}

}  // namespace gloss
