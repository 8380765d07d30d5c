// SPDX-License-Identifier: Apache-2.0
// Safetensors files: accepted files can be read to the last byte; those of other programs have more types.
#include "model/formats/safetensors.h"

#include "base/index.h"
#include "model/formats/foreign_safetensors.h"
#include "tests/fuzz/foreign_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  file.fill(as_text(data, size));
  read_untrusted([&] {
    const SafetensorsFile tensors(file.path());
    std::size_t bytes = 0, sum = 0;
    for (const auto& [name, array] : tensors.arrays()) {
      const auto count = index(array.shape.count()) * size_of(array.dtype);
      const auto* numbers = static_cast<const std::uint8_t*>(array.data);
      for (std::size_t i = 0; i < count; ++i) sum += numbers[i];
      bytes += count;
      expects(&tensors.array(name, array.dtype, array.shape) == &array, "tensor not found");
    }
    expects(bytes <= size && sum <= 255 * size, "tensors of ", bytes, " bytes in ", size);
  });
  read_untrusted([&] { read_arrays(read_foreign_safetensors(file.path()), size); });
  return 0;
}
