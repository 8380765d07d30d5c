// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/feature_items.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "model/formats/foreign_safetensors.h"
#include "model/formats/npy.h"
#include "model/formats/npz.h"

namespace gloss {
namespace {

constexpr std::size_t kMostOpenFiles = 64;
constexpr std::size_t kMostNumbers = std::size_t{1} << 26;
/// A number that is the same everywhere has no deviation.
constexpr double kSmallestDeviation = 1e-30;
/// Larger numbers are no features: they would hide all others, or overflow.
constexpr float kLargest = 1e12f, kMostDeviations = 1e6f;

/// The shortest text of a number, such as 1e+30.
std::string short_text(float number) {
  char text[32];
  return {text, std::to_chars(text, std::end(text), number).ptr};
}

/// Throws InputError, with the place, if a number is not finite or larger than `most`; `what`: the number.
void expect_within(const Features& features, float most, const std::string& where, const std::string& what) {
  const auto strange = std::ranges::find_if(features.values, [&](float x) { return !(std::abs(x) <= most); });
  if (strange == features.values.end()) return;
  const auto place = strange - features.values.begin();
  throw InputError(concat(where, ": the number at position ", place / features.numbers + 1, ", ",
                          place % features.numbers + 1, " is ", short_text(*strange), what,
                          "; expected finite numbers of at most ", short_text(most)));
}

Features features_of(const StoredArray& array) {
  const std::vector<std::int64_t>& shape = array.shape();
  if (shape.size() != 2 || array.count() == 0 || array.count() > kMostNumbers) {
    throw InputError(concat(array.where(), ": found an array of shape ", shape_text(shape),
                            "; expected a matrix [positions, numbers] of 1 to ", kMostNumbers, " numbers"));
  }
  Features features{static_cast<int>(shape[0]), static_cast<int>(shape[1]), {}};
  features.values.resize(array.count());
  array.read(features.values);
  expect_within(features, kLargest, array.where(), "");
  return features;
}

}  // namespace

/// The files with several arrays that were read last.
class FeatureFiles::Opened {
 public:
  struct File {
    explicit File(const std::string& path)
        : arrays(path.ends_with(".npz") ? read_npz(path) : read_foreign_safetensors(path)) {}

    StoredArrays arrays;
    std::mutex reading;  // arrays of a zip archive are read one at a time
  };

  std::shared_ptr<File> file(const std::string& path) {
    if (std::shared_ptr<File> known = found(path)) return known;
    auto opened = std::make_shared<File>(path);  // other files can be found meanwhile
    const std::lock_guard lock(guard_);
    files_.emplace_front(path, opened);
    if (files_.size() > kMostOpenFiles) files_.pop_back();
    return opened;
  }

 private:
  /// The open file, now the latest one; null if there is none.
  std::shared_ptr<File> found(const std::string& path) {
    const std::lock_guard lock(guard_);
    const auto known = std::ranges::find(files_, path, [](const auto& file) { return file.first; });
    if (known == files_.end()) return nullptr;
    files_.splice(files_.begin(), files_, known);
    return known->second;
  }

  std::mutex guard_;
  std::list<std::pair<std::string, std::shared_ptr<File>>> files_;  // the latest one first
};

FeatureFiles::FeatureFiles() : opened_(std::make_unique<Opened>()) {}
FeatureFiles::~FeatureFiles() = default;
FeatureFiles::FeatureFiles(FeatureFiles&&) noexcept = default;

Features FeatureFiles::read(const ItemList& list, std::string_view item) const {
  if (list.archive != nullptr)
    throw InputError(list.name +
                     ": an idx archive has images; expected a list of .npy, .npz or safetensors files");
  const std::size_t mark = item.rfind('#');
  const std::string path = list.path_of(item.substr(0, mark));
  if (path.ends_with(".npy")) {
    if (mark == std::string_view::npos) return features_of(read_npy(path));
    throw InputError(concat(path, " has one array without a name; leave ", shown(item.substr(mark)), " out"));
  }
  if (!path.ends_with(".npz") && !path.ends_with(".safetensors")) {
    throw InputError(path + ": expected a file FILE.npy, FILE.npz#ARRAY or FILE.safetensors#ARRAY");
  }
  const std::shared_ptr<Opened::File> file = opened_->file(path);
  const std::lock_guard lock(file->reading);
  const StoredArrays& arrays = file->arrays;
  if (mark != std::string_view::npos) return features_of(arrays.at(std::string(item.substr(mark + 1))));
  if (arrays.all().size() == 1) return features_of(arrays.all().begin()->second);
  throw InputError(concat(path, " has ", arrays.all().size(), " arrays; name one of them: FILE#ARRAY"));
}

namespace {

class FeatureReader : public SourceReader {
 public:
  explicit FeatureReader(const NetworkSettings& network)
      : settings_(network.source.features),
        first_(has_class_token(network) ? 1 : 0),
        most_(network.sizes.max_positions) {
    for (int i = 0; settings_.normalise && i < settings_.numbers; ++i) {
      double mean = 0, deviation = 1;
      parse_number(settings_.mean[index(i)], mean);
      parse_number(settings_.deviation[index(i)], deviation);
      mean_.push_back(static_cast<float>(mean));
      scale_.push_back(static_cast<float>(deviation > kSmallestDeviation ? 1 / deviation : 1));
    }
  }

  SourceItem read(const ItemList& list, std::string_view item, Random*) const override {
    Features features = files_.read(list, item);
    if (features.numbers != settings_.numbers) {
      throw InputError(concat(item, ": found ", features.numbers, " numbers for each position; expected ",
                              settings_.numbers, ", as in the first training item"));
    }
    const int vectors = first_ + features.positions;
    if (vectors > most_) {
      throw InputError(concat(item, ": found ", features.positions, " positions; expected at most ",
                              most_ - first_, " (--max-positions of the training)"));
    }
    for (std::size_t i = 0; i < features.values.size() && settings_.normalise; ++i) {
      const std::size_t number = i % index(settings_.numbers);
      features.values[i] = (features.values[i] - mean_[number]) * scale_[number];
    }
    expect_within(features, kMostDeviations, std::string(item), " times the deviation of the training items");
    SourceItem read{std::vector<TokenId>(index(vectors)), {.floats = std::move(features.values)}};
    std::iota(read.row.begin(), read.row.end(), 0);
    return read;
  }
  std::string description() const override {
    return concat("a vector for each position of ", settings_.numbers, " numbers");
  }

 private:
  FeatureSettings settings_;
  FeatureFiles files_;
  int first_, most_;
  std::vector<float> mean_, scale_;
};

}  // namespace

std::unique_ptr<const SourceReader> feature_reader(const NetworkSettings& network) {
  return std::make_unique<FeatureReader>(network);
}

}  // namespace gloss
