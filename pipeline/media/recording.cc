// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/recording.h"

#include <samplerate.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr std::uintmax_t kLargestSoundFile = std::uintmax_t{1} << 30;

/// The bytes of a file as libsndfile reads them.
struct Bytes {
  std::string content;
  sf_count_t place = 0;

  static Bytes& of(void* user) { return *static_cast<Bytes*>(user); }
  static sf_count_t size(void* user) { return std::ssize(of(user).content); }
  static sf_count_t tell(void* user) { return of(user).place; }
  static sf_count_t seek(sf_count_t offset, int from, void* user) {
    Bytes& bytes = of(user);
    const sf_count_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? bytes.place : size(user);
    bytes.place = std::clamp<sf_count_t>(start + offset, 0, size(user));
    return bytes.place;
  }
  static sf_count_t read(void* to, sf_count_t count, void* user) {
    Bytes& bytes = of(user);
    const sf_count_t taken = std::clamp<sf_count_t>(count, 0, size(user) - bytes.place);
    std::memcpy(to, bytes.content.data() + bytes.place, index(taken));
    bytes.place += taken;
    return taken;
  }
  static sf_count_t write(const void*, sf_count_t, void*) { return 0; }
};

struct Closer {
  void operator()(SNDFILE* file) const { sf_close(file); }
};

/// libsndfile reads the rest of a WAV file that was cut. Its header has its size, unless that was not
/// known when it was written.
void expect_whole_wav(const std::string& bytes, const std::string& path) {
  constexpr std::size_t kHead = 8;
  constexpr std::uint32_t kUnknown = 0x7fff'ff00;
  if (!bytes.starts_with("RIFF") || bytes.size() < kHead + 4 || bytes.compare(kHead, 4, "WAVE") != 0) return;
  std::uint32_t size = 0;
  for (std::size_t i = 4; i-- > 0;) size = size << 8 | static_cast<unsigned char>(bytes[4 + i]);
  if (size >= kUnknown || size + kHead <= bytes.size()) return;
  throw InputError(
      concat(path, ": the file was cut: it has ", bytes.size(), " of ", size + kHead, " bytes; restore it"));
}

void check_shape(const SF_INFO& info, const std::string& path) {
  if (info.samplerate < kSlowestRate || info.samplerate > kFastestRate) {
    throw InputError(concat(path, ": found ", info.samplerate, " samples per second; expected ", kSlowestRate,
                            " to ", kFastestRate));
  }
  if (info.channels < 1 || info.channels > kMostChannels) {
    throw InputError(concat(path, ": found ", info.channels, " channels; expected 1 to ", kMostChannels));
  }
  if (info.frames < 1) throw InputError(path + ": the recording is empty; expected at least one sample");
  if (info.frames == SF_COUNT_MAX)
    throw InputError(path + ": the length of the recording is unknown; is the file cut?");
  if (static_cast<double>(info.frames) > kLongestRecording * info.samplerate) {
    throw InputError(concat(path, ": the recording has ", info.frames / info.samplerate,
                            " seconds; expected at most ", kLongestRecording));
  }
}

/// `ratio` samples for each of these, by band-limited interpolation; at least one.
std::vector<float> interpolated(const std::vector<float>& samples, double ratio) {
  std::vector<float> result(static_cast<std::size_t>(std::ceil(static_cast<double>(samples.size()) * ratio)) +
                            1);
  SRC_DATA data{};
  data.data_in = samples.data();
  data.input_frames = std::ssize(samples);
  data.data_out = result.data();
  data.output_frames = std::ssize(result);
  data.src_ratio = ratio;
  const int error = src_simple(&data, SRC_SINC_MEDIUM_QUALITY, 1);
  expects(error == 0, "interpolating ", ratio, " samples for each: ", error == 0 ? "" : src_strerror(error));
  result.resize(index(std::max<long>(1, data.output_frames_gen)));
  return result;
}

}  // namespace

Recording read_recording(const std::string& path) {
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > kLargestSoundFile) {
    throw InputError(concat(path, ": the file has ", size, " bytes; expected a recording of at most ",
                            kLargestSoundFile, " bytes"));
  }
  Bytes bytes{read_file(path)};
  if (bytes.content.empty()) {
    throw InputError(path + ": the file is empty; expected a recording, such as a WAV, FLAC or OGG file");
  }
  expect_whole_wav(bytes.content, path);
  SF_VIRTUAL_IO reading{Bytes::size, Bytes::seek, Bytes::read, Bytes::write, Bytes::tell};
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, Closer> file(sf_open_virtual(&reading, SFM_READ, &info, &bytes));
  if (file == nullptr) {
    throw InputError(concat(path, ": not a recording that is known (", sf_strerror(nullptr),
                            "); expected a WAV, FLAC or OGG file"));
  }
  check_shape(info, path);
  const auto channels = index(info.channels);
  Recording recording{info.samplerate, {}};
  constexpr sf_count_t kBlock = 4096;
  std::vector<float> block(index(kBlock) * channels);
  for (sf_count_t left = info.frames; left > 0;) {
    const sf_count_t got = sf_readf_float(file.get(), block.data(), std::min(kBlock, left));
    if (got <= 0) {
      throw InputError(concat(path, ": the recording ends after ", info.frames - left, " of ", info.frames,
                              " samples; restore the file"));
    }
    for (std::size_t frame = 0; frame < index(got); ++frame) {
      float sum = 0;
      for (std::size_t channel = 0; channel < channels; ++channel) sum += block[frame * channels + channel];
      if (!std::isfinite(sum)) {
        throw InputError(concat(path, ": sample ", recording.samples.size() + 1,
                                " is not a finite number; expected numbers from -1 to 1"));
      }
      recording.samples.push_back(sum / static_cast<float>(channels));
    }
    left -= got;
  }
  return recording;
}

Recording resampled(const Recording& recording, int rate) {
  if (recording.rate == rate) return recording;
  const double ratio = static_cast<double>(rate) / recording.rate;
  if (src_is_valid_ratio(ratio) == 0) {
    throw InputError(concat("the recording has ", recording.rate, " samples per second, too different from ",
                            rate, " (--audio-rate); expected at most a factor of 256 between them"));
  }
  return {rate, interpolated(recording.samples, ratio)};
}

Recording at_speed(const Recording& recording, double speed) {
  return {recording.rate, interpolated(recording.samples, 1 / speed)};
}

std::string sndfile_version() {
  const std::string name = sf_version_string();  // "libsndfile-1.2.0"
  return name.substr(name.rfind('-') + 1);
}

std::string samplerate_version() {
  const std::string name = src_get_version();  // "libsamplerate-0.2.2 (c) ..."
  const std::size_t begin = name.find('-') + 1;
  return name.substr(begin, name.find(' ') - begin);
}

}  // namespace gloss
