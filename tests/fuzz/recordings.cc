// SPDX-License-Identifier: Apache-2.0
// Recordings of all formats, and .npy files.
#include <vector>

#include "model/formats/npy.h"
#include "pipeline/media/log_mel.h"
#include "pipeline/media/recording.h"
#include "tests/fuzz/input_file.h"

// libsndfile 1.2 does not free what libvorbis allocates for an OGG file whose header is damaged, some KiB.
extern "C" const char* __lsan_default_suppressions() { return "leak:vorbis_info_init\n"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  file.fill(as_text(data, size));
  read_untrusted([&] {
    const Recording recording = read_recording(file.path());
    AudioSettings settings;
    settings.rate = recording.rate;
    settings.bands = 8;
    constexpr std::size_t kLongest = 20'000;  // samples: longer ones take too much time for nothing new
    if (recording.samples.size() >= kLongest) return;
    const LogMel log_mel(settings);
    log_mel(recording);
  });
  read_untrusted([&] {
    const StoredArray array = read_npy(file.path());
    std::vector<float> numbers(array.count());
    array.read(numbers);
  });
  return 0;
}
