// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/log_mel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <kissfft/kissfft.hh>
#include <numbers>
#include <utility>

#include "base/index.h"
#include "base/text.h"

namespace gloss {
namespace {

/// The mel scale of HTK (Young et al. 2006).
double mel_of(double frequency) { return 2595 * std::log10(1 + frequency / 700); }

/// Keeps quiet parts apart from silence without letting it dominate: about -100 dB.
constexpr double kLeastEnergy = 1e-10;

/// A deviation that counts as 0: a band without any change stays 0.
constexpr double kLeastDeviation = 1e-5;

}  // namespace

/// The tables of the transform for one window length; its memory belongs to each call.
class LogMel::Transform {
 public:
  explicit Transform(const AudioSettings& s)
      : window_(index(window_samples(s))),
        size_(std::max<std::size_t>(2, std::bit_ceil(window_.size()))),
        fourier_(size_ / 2, false) {
    for (std::size_t i = 0; i < window_.size(); ++i) {
      const double turn = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(window_.size());
      window_[i] = 0.5 - 0.5 * std::cos(turn);
    }
    add_bands(s);
  }

  struct Work {
    std::vector<double> samples;
    std::vector<std::complex<double>> frequencies;
  };
  Work work() const { return {std::vector<double>(size_), std::vector<std::complex<double>>(size_ / 2 + 1)}; }

  /// The bands of the window that begins at a sample.
  void compute(const std::vector<float>& samples, std::size_t begin, Work& work, float* to) const {
    std::ranges::fill(work.samples, 0.0);
    const std::size_t count = std::min(window_.size(), samples.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      work.samples[i] = static_cast<double>(samples[begin + i]) * window_[i];
    }
    std::complex<double>* const frequencies = work.frequencies.data();
    fourier_.transform_real(work.samples.data(), frequencies);
    frequencies[size_ / 2] = frequencies[0].imag();  // KISS FFT packs the two real results into one number
    frequencies[0] = frequencies[0].real();
    for (const Band& band : bands_) {
      double energy = 0;
      for (std::size_t i = 0; i < band.weights.size(); ++i) {
        energy += band.weights[i] * std::norm(frequencies[band.first + i]);
      }
      *to++ = static_cast<float>(std::log(std::max(energy, kLeastEnergy)));
    }
  }

 private:
  /// The weights of some frequencies in a band.
  struct Band {
    std::size_t first;
    std::vector<double> weights;
  };

  void add_bands(const AudioSettings& s) {
    const double highest = mel_of(s.rate / 2.0), step = highest / (s.bands + 1);
    for (int number = 0; number < s.bands; ++number) {
      const double middle = (number + 1) * step;
      Band band{0, {}};
      for (std::size_t i = 0; i <= size_ / 2; ++i) {
        const double mel = mel_of(static_cast<double>(i) * s.rate / static_cast<double>(size_));
        const double weight = 1 - std::abs(mel - middle) / step;
        if (weight <= 0) continue;
        if (band.weights.empty()) band.first = i;
        band.weights.push_back(weight);
      }
      if (band.weights.empty()) {  // narrower than the distance of two frequencies: takes the nearest one
        const double frequency = 700 * (std::pow(10, middle / 2595) - 1);
        band.first =
            std::min(size_ / 2,
                     static_cast<std::size_t>(std::lround(frequency * static_cast<double>(size_) / s.rate)));
        band.weights = {1};
      }
      bands_.push_back(std::move(band));
    }
  }

  std::vector<double> window_;
  std::size_t size_;         // of the transform: the next power of two
  kissfft<double> fourier_;  // of pairs of samples; thread-safe for powers of two
  std::vector<Band> bands_;
};

LogMel::LogMel(const AudioSettings& settings)
    : settings_(settings), transform_(std::make_unique<const Transform>(settings)) {}
LogMel::~LogMel() = default;
LogMel::LogMel(LogMel&&) noexcept = default;

Spectrogram LogMel::operator()(const Recording& recording) const {
  const std::vector<float>& samples = recording.samples;
  const auto window = index(window_samples(settings_)), shift = index(shift_samples(settings_));
  const std::size_t windows = samples.size() <= window ? 1 : 1 + (samples.size() - window) / shift;
  Spectrogram result{static_cast<int>(windows), settings_.bands, {}};
  result.values.resize(windows * index(settings_.bands));
  Transform::Work work = transform_->work();
  for (std::size_t i = 0; i < windows; ++i)
    transform_->compute(samples, i * shift, work, result.values.data() + i * index(settings_.bands));
  return result;
}

void normalise(Spectrogram& spectrogram, const AudioSettings& settings) {
  if (settings.norm == AudioNorm::none) return;
  const auto bands = index(spectrogram.bands);
  for (std::size_t band = 0; band < bands; ++band) {
    double mean = 0, deviation = 0;
    if (settings.norm == AudioNorm::global) {
      parse_number(settings.mean[band], mean);
      parse_number(settings.deviation[band], deviation);
    } else {
      double sum = 0, squares = 0;
      for (std::size_t i = band; i < spectrogram.values.size(); i += bands)
        sum += static_cast<double>(spectrogram.values[i]);
      mean = sum / spectrogram.windows;
      for (std::size_t i = band; i < spectrogram.values.size(); i += bands) {
        const double difference = static_cast<double>(spectrogram.values[i]) - mean;
        squares += difference * difference;
      }
      deviation = std::sqrt(squares / spectrogram.windows);
    }
    const double scale = deviation > kLeastDeviation ? 1 / deviation : 1;
    for (std::size_t i = band; i < spectrogram.values.size(); i += bands) {
      float& value = spectrogram.values[i];
      value = static_cast<float>((static_cast<double>(value) - mean) * scale);
    }
  }
}

std::string kissfft_version() { return GLOSS_KISSFFT_VERSION; }

}  // namespace gloss
