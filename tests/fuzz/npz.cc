// SPDX-License-Identifier: Apache-2.0
// NumPy archives. Zip archives and .npy files are fuzzed together, and .npy files alone in an archive that is
// intact.
#include "model/formats/npz.h"

#include "tests/fuzz/foreign_arrays.h"
#include "tests/support/foreign_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  const std::string bytes(as_text(data, size));
  for (const std::string& archive : {bytes, zip_bytes({{"a.npy", bytes}})}) {
    file.fill(archive);
    // A small entry may expand as far as deflate can.
    read_untrusted([&] { read_arrays(read_npz(file.path()), (1 << 20) + 100 * archive.size()); });
  }
  return 0;
}
