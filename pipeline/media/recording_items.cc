// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/recording_items.h"

#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"

namespace gloss {
namespace {

class RecordingReader : public SourceReader {
 public:
  RecordingReader(const NetworkSettings& network, const AudioNoise& noise)
      : settings_(network.source.audio),
        noise_(noise),
        log_mel_(settings_),
        windows_of_vector_(windows_of_vector(network.source)),
        first_(has_class_token(network) ? 1 : 0),
        most_(network.sizes.max_positions) {}

  SourceItem read(const ItemList& list, std::string_view item, Random* random) const override {
    Spectrogram spectrogram = spectrogram_of(read_recording_item(list, item, settings_.rate), random);
    normalise(spectrogram, settings_);
    if (random != nullptr) add_noise(spectrogram, noise_, *random);
    const int vectors = vectors_of(spectrogram);
    if (first_ + vectors > most_) {
      throw InputError(concat(list.path_of(item), ": the recording has ", first_ + vectors,
                              " vectors; expected at most ", most_, " (--max-positions of the training)"));
    }
    SourceItem read{std::vector<TokenId>(index(first_ + vectors)), {}};
    std::iota(read.row.begin(), read.row.end(), 0);
    read.numbers.floats = std::move(spectrogram.values);
    read.numbers.floats.resize(index(vectors) * index(windows_of_vector_) * index(settings_.bands));
    return read;
  }
  std::string description() const override {
    return concat("a vector for each ",
                  windows_of_vector_ == 1 ? "window" : concat(windows_of_vector_, " windows"), " of ",
                  settings_.bands, " bands at ", settings_.rate, " samples per second");
  }

 private:
  int vectors_of(const Spectrogram& spectrogram) const {
    return ceil_div(spectrogram.windows, windows_of_vector_);
  }
  /// In training at a random speed, unless that gives more vectors than the network has positions.
  Spectrogram spectrogram_of(const Recording& recording, Random* random) const {
    if (random != nullptr && noise_.speed > 0) {
      Spectrogram changed = log_mel_(at_random_speed(recording, noise_, *random));
      if (first_ + vectors_of(changed) <= most_) return changed;
    }
    return log_mel_(recording);
  }

  AudioSettings settings_;
  AudioNoise noise_;
  LogMel log_mel_;
  int windows_of_vector_, first_, most_;
};

}  // namespace

Recording read_recording_item(const ItemList& list, std::string_view item, int rate) {
  if (list.archive != nullptr)
    throw InputError(list.name + ": an idx archive has images; expected a list of recordings");
  const std::string path = list.path_of(item);
  const Recording recording = read_recording(path);
  try {
    return rate == 0 ? recording : resampled(recording, rate);
  } catch (const InputError& error) {
    throw InputError(concat(path, ": ", error.what()));
  }
}

std::unique_ptr<const SourceReader> recording_reader(const NetworkSettings& network,
                                                     const AudioNoise& noise) {
  return std::make_unique<RecordingReader>(network, noise);
}

}  // namespace gloss
