// SPDX-License-Identifier: Apache-2.0
// Classifiers of fastText, and their predictions.
#include "pipeline/identification/fasttext_model.h"

#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  read_untrusted([&] {
    const FastTextModel model(std::as_bytes(std::span(data, size)), "fuzz");
    for (const char* line : {"", "a </s> b", "Größe und größere", "\xe4\xb8\xad\xe6\x96\x87 \xff"}) {
      model.predict(line, 3);
    }
  });
  return 0;
}
