// SPDX-License-Identifier: Apache-2.0
// Files of torch.save. Both forms are fuzzed together, and pickles alone in an archive that is intact.
#include "model/formats/torch_checkpoint.h"

#include "tests/fuzz/foreign_arrays.h"
#include "tests/support/pickle_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  const std::string bytes(as_text(data, size));
  for (const std::string& whole :
       {bytes, zip_bytes({{"data.pkl", bytes}, {"data/0", std::string(24, 'x')}})}) {
    file.fill(whole);
    // A small entry may expand as far as deflate can.
    read_untrusted(
        [&] { read_arrays(read_torch_checkpoint(file.path()).arrays, (1 << 20) + 100 * whole.size()); });
  }
  return 0;
}
