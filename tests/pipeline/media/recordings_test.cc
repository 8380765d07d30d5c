// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/media/audio_noise.h"
#include "pipeline/media/log_mel.h"
#include "pipeline/media/recording.h"
#include "tests/support/encoded_sound.h"
#include "tests/support/sound_files.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// A tone of full strength.
std::vector<float> tone(double frequency, int rate, double seconds) {
  std::vector<float> samples(static_cast<std::size_t>(rate * seconds));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] =
        static_cast<float>(0.9 * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / rate));
  }
  return samples;
}

AudioSettings settings_at(int rate, int bands = 20) {
  AudioSettings settings;
  settings.rate = rate;
  settings.norm = AudioNorm::recording;
  settings.bands = bands;
  return settings;
}

std::string refusal_of(const std::string& path) {
  try {
    read_recording(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Recordings, ReadsSamplesAndMixesChannels) {
  const TemporaryDirectory folder;
  folder.write("mono.wav", wav_bytes(8000, 1, {0, 16384, -32768, 100}));
  const Recording mono = read_recording(folder / "mono.wav");
  EXPECT_EQ(mono.rate, 8000);
  ASSERT_EQ(mono.samples.size(), 4u);
  EXPECT_FLOAT_EQ(mono.samples[1], 0.5f);
  EXPECT_FLOAT_EQ(mono.samples[2], -1.0f);
  folder.write("stereo.wav", wav_bytes(16000, 2, {16384, 0, -16384, 16384}));
  const Recording stereo = read_recording(folder / "stereo.wav");
  EXPECT_EQ(stereo.samples, (std::vector<float>{0.25f, 0.0f}));
}

TEST(Recordings, ReadsFlacExactlyAndOggAbout) {
  const TemporaryDirectory folder;
  std::vector<int> samples;
  for (int i = 0; i < 4000; ++i)
    samples.push_back(static_cast<int>(8000 * std::sin(2 * std::numbers::pi * i * 440 / 8000)));
  folder.write("sound.flac", encoded_sound(samples, SF_FORMAT_FLAC | SF_FORMAT_PCM_16));
  folder.write("sound.ogg", encoded_sound(samples, SF_FORMAT_OGG | SF_FORMAT_VORBIS));
  const Recording flac = read_recording(folder / "sound.flac"), ogg = read_recording(folder / "sound.ogg");
  ASSERT_EQ(flac.samples.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    ASSERT_FLOAT_EQ(flac.samples[i], static_cast<float>(samples[i]) / 32768);
  EXPECT_EQ(ogg.rate, 8000);
  ASSERT_NEAR(static_cast<double>(ogg.samples.size()), 4000, 200);
  for (std::size_t i = 1000; i < 3000; ++i) ASSERT_NEAR(ogg.samples[i], flac.samples[i], 0.05);
  // A file that ends within its last block.
  const std::string whole = encoded_sound(samples, SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
  folder.write("cut.flac", whole.substr(0, whole.size() / 2));
  EXPECT_NE(refusal_of(folder / "cut.flac").find("cut.flac"), std::string::npos);
  // Without its last page, nothing says how long it is.
  folder.write("cut.ogg", folder.read("sound.ogg").substr(0, folder.read("sound.ogg").size() * 19 / 20));
  const std::string refusal = refusal_of(folder / "cut.ogg");
  EXPECT_NE(refusal.find("cut.ogg"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("unknown"), std::string::npos) << refusal;
}

TEST(Recordings, RefusesWhatIsNoRecording) {
  const TemporaryDirectory folder;
  const auto refused = [&](const std::string& name, const std::string& bytes, const std::string& part) {
    folder.write(name, bytes);
    const std::string message = refusal_of(folder / name);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refused("empty.wav", "", "empty");
  refused("text.wav", "not a recording at all", "WAV, FLAC or OGG");
  refused("none.wav", wav_bytes(8000, 1, {}), "at least one sample");
  refused("slow.wav", wav_bytes(10, 1, {1, 2, 3}), "10 samples per second");
  refused("channels.wav", wav_bytes(8000, 40, std::vector<int>(80)), "40 channels");
  refused("nan.wav", float_wav_bytes(8000, {0.5f, std::nanf(""), 0.1f}), "sample 2");
  const std::string whole = wav_bytes(8000, 1, std::vector<int>(1000, 7));
  refused("cut.wav", whole.substr(0, whole.size() / 2), "2044 bytes");
  folder.write("stream.wav", whole.substr(0, 4) + std::string(4, '\xff') + whole.substr(8));
  EXPECT_EQ(refusal_of(folder / "stream.wav"), "accepted") << "the size was not known when it was written";
  EXPECT_NE(refusal_of(folder / "missing.wav").find("missing.wav"), std::string::npos);
}

TEST(Recordings, AToneIsInItsBand) {
  const AudioSettings settings = settings_at(8000);
  const LogMel log_mel(settings);
  int last = -1;
  for (const double frequency : {200.0, 600.0, 1500.0, 3500.0}) {
    const Spectrogram spectrogram = log_mel({8000, tone(frequency, 8000, 0.2)});
    // 1,600 samples have windows of 200 samples every 80.
    EXPECT_EQ(spectrogram.windows, 1 + (1600 - 200) / 80);
    ASSERT_EQ(spectrogram.values.size(), index(spectrogram.windows * 20));
    const auto row = spectrogram.values.begin() + 20 * 5;
    const int loudest = static_cast<int>(std::max_element(row, row + 20) - row);
    EXPECT_GT(loudest, last) << frequency;
    const double mel = 2595 * std::log10(1 + frequency / 700), highest = 2595 * std::log10(1 + 4000.0 / 700);
    EXPECT_NEAR(loudest, mel / highest * 21 - 1, 1.0) << frequency;
    last = loudest;
  }
}

/// The logarithms of the energies in two bands of a window at 1,000 samples per second, transformed by the
/// sum that defines it at the frequencies of `size` samples.
std::vector<double> two_bands(const std::vector<float>& samples, int size) {
  const double highest = 2595 * std::log10(1 + 500.0 / 700), step = highest / 3;
  std::vector<double> bands(2);
  for (int k = 0; k <= size / 2; ++k) {
    double real = 0, imaginary = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto at = static_cast<double>(i), window = static_cast<double>(samples.size());
      const double weighted =
          (0.5 - 0.5 * std::cos(2 * std::numbers::pi * at / window)) * static_cast<double>(samples[i]);
      real += weighted * std::cos(2 * std::numbers::pi * k * at / size);
      imaginary -= weighted * std::sin(2 * std::numbers::pi * k * at / size);
    }
    const double mel = 2595 * std::log10(1 + k * 1000.0 / size / 700);
    for (int band = 0; band < 2; ++band) {
      bands[index(band)] +=
          std::max(0.0, 1 - std::abs(mel - (band + 1) * step) / step) * (real * real + imaginary * imaginary);
    }
  }
  for (double& band : bands) band = std::log(band);
  return bands;
}

TEST(Recordings, EnergiesFollowTheDefinition) {
  for (const auto& [window, size] : {std::pair{4, 4}, {5, 8}, {8, 8}, {9, 16}, {200, 256}, {512, 512}}) {
    AudioSettings settings = settings_at(1000, 2);
    settings.window = settings.shift = window;
    std::vector<float> samples;
    for (int i = 0; i < window; ++i) samples.push_back(static_cast<float>((i * 37 + 11) % 64 - 32) / 32);
    const Spectrogram found = LogMel(settings)({1000, samples});
    ASSERT_EQ(found.windows, 1);
    const std::vector<double> expected = two_bands(samples, size);
    for (std::size_t band = 0; band < 2; ++band) {
      EXPECT_NEAR(found.values[band], expected[band], 1e-5) << window << ", " << band;
    }
  }
}

TEST(Recordings, ShortOnesHaveOneWindow) {
  const Spectrogram one = LogMel(settings_at(8000))({8000, {0.5f}});
  EXPECT_EQ(one.windows, 1);
  for (const float value : one.values) EXPECT_TRUE(std::isfinite(value));
}

TEST(Recordings, NormalisationGivesMeanZeroAndVarianceOne) {
  const AudioSettings settings = settings_at(8000);
  std::vector<float> samples = tone(500, 8000, 0.3);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] *= static_cast<float>(i % 900) / 900;
  Spectrogram spectrogram = LogMel(settings)({8000, samples});
  normalise(spectrogram, settings);
  for (int band = 0; band < 20; ++band) {
    double sum = 0, squares = 0;
    for (int window = 0; window < spectrogram.windows; ++window) {
      const auto value = static_cast<double>(spectrogram.values[index(window * 20 + band)]);
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / spectrogram.windows, 0, 1e-4);
    EXPECT_NEAR(squares / spectrogram.windows, 1, 1e-3);
  }
}

TEST(Recordings, ResamplingKeepsATone) {
  const Recording high{16000, tone(440, 16000, 0.5)};
  const Recording low = resampled(high, 8000);
  EXPECT_EQ(low.rate, 8000);
  EXPECT_NEAR(static_cast<double>(low.samples.size()), 4000, 2);
  const std::vector<float> expected = tone(440, 8000, 0.5);
  double difference = 0;
  for (std::size_t i = 500; i < 3500; ++i)
    difference = std::max(difference, std::abs(static_cast<double>(low.samples[i] - expected[i])));
  EXPECT_LT(difference, 0.02);
}

TEST(Recordings, RatesThatDifferTooMuchAreRefused) {
  EXPECT_THROW(resampled({384'000, {0.5f, 0.1f}}, 1000), InputError);
  EXPECT_THROW(resampled({8000, {0.5f, 0.1f}}, 10), InputError);
}

TEST(Recordings, AFasterToneIsShorterAndHigher) {
  const Recording fast = at_speed({8000, tone(440, 8000, 0.5)}, 1.25);
  EXPECT_EQ(fast.rate, 8000);
  EXPECT_NEAR(static_cast<double>(fast.samples.size()), 3200, 2);
  const std::vector<float> expected = tone(550, 8000, 0.4);
  for (std::size_t i = 500; i < 2700; ++i) ASSERT_NEAR(fast.samples[i], expected[i], 0.02) << i;
  EXPECT_EQ(at_speed({8000, {0.5f}}, 1.5).samples.size(), 1u);
}

TEST(Recordings, RandomSpeedsStayWithinTheirLimit) {
  const Recording recording{8000, tone(440, 8000, 0.1)};  // 800 samples
  Random random(3);
  std::size_t shortest = 800, longest = 800;
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t size = at_random_speed(recording, {.speed = 0.2}, random).samples.size();
    shortest = std::min(shortest, size);
    longest = std::max(longest, size);
  }
  EXPECT_GE(shortest, 666u);  // 800 / 1.2
  EXPECT_LT(shortest, 700u);
  EXPECT_LE(longest, 1001u);  // 800 / 0.8
  EXPECT_GT(longest, 940u);
}

TEST(Recordings, MasksCoverAtMostHalf) {
  Random random(2);
  int masked = 0;
  for (int trial = 0; trial < 50; ++trial) {
    Spectrogram spectrogram{30, 8, std::vector<float>(240, 1.0f)};
    add_noise(spectrogram, {.time_masks = 1, .time_width = 100, .band_masks = 0}, random);
    const auto zeros = std::ranges::count(spectrogram.values, 0.0f);
    EXPECT_EQ(zeros % 8, 0);
    EXPECT_LE(zeros, 120);
    masked += zeros > 0 ? 1 : 0;
    Spectrogram bands{30, 8, std::vector<float>(240, 1.0f)};
    add_noise(bands, {.time_masks = 0, .band_masks = 1, .band_width = 3}, random);
    EXPECT_LE(std::ranges::count(bands.values, 0.0f), 90);
    EXPECT_EQ(std::ranges::count(bands.values, 0.0f) % 30, 0);
  }
  EXPECT_GT(masked, 30);
}

}  // namespace
}  // namespace gloss
