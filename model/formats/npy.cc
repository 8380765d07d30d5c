// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npy.h"

#include "base/error.h"
#include "model/formats/npy_header.h"

namespace gloss {

ForeignArray read_npy(const std::shared_ptr<const ForeignBytes>& source, const std::string& where) {
  const NpyHeader header = read_npy_header(*source, where);
  StoredNumbers stored{.source = source, .start = header.size};
  const std::vector<std::int64_t>& shape = header.shape;
  if (header.column_major) {
    // Checked first without strides, whose products could overflow; those of an empty array still could.
    const bool empty = ForeignArray(where, header.type, shape, stored).count() == 0;
    std::int64_t stride = 1;
    for (const std::int64_t size : empty ? std::vector<std::int64_t>() : shape) {
      stored.dimensions.push_back({size, stride});
      stride *= size;
    }
  }
  ForeignArray array(where, header.type, shape, std::move(stored));
  const std::uint64_t used = header.size + array.count() * size_of(array.type());
  if (used != source->size()) {
    throw InputError(concat(where, " has ", source->size(), " bytes, but its header and shape ",
                            shape_text(shape), " need ", used));
  }
  return array;
}

ForeignArray read_npy(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  return read_npy(std::make_shared<const MappedBytes>(file, file->bytes()), path);
}

}  // namespace gloss
