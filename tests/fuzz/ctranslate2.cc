// SPDX-License-Identifier: Apache-2.0
// Binary files of CTranslate2.
#include "model/formats/ctranslate2.h"

#include "tests/fuzz/foreign_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  file.fill(as_text(data, size));
  read_untrusted([&] { read_arrays(read_ctranslate2(file.path()).arrays, size); });
  return 0;
}
