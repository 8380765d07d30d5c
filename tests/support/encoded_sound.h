// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sndfile.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "tests/support/temporary_directory.h"

namespace gloss {

/// A file of one channel with 8,000 samples a second, in a format of libsndfile.
inline std::string encoded_sound(const std::vector<int>& samples, int format) {
  const TemporaryDirectory folder;
  SF_INFO info{};
  info.samplerate = 8000;
  info.channels = 1;
  info.format = format;
  SNDFILE* const file = sf_open((folder / "sound").c_str(), SFM_WRITE, &info);
  if (file == nullptr) return "";
  std::vector<short> shorts(samples.begin(), samples.end());
  sf_write_short(file, shorts.data(), std::ssize(shorts));
  sf_close(file);
  return read_file(folder / "sound");
}

}  // namespace gloss
