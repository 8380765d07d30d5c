// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npz.h"

#include <string_view>

#include "base/error.h"
#include "model/formats/npy_header.h"
#include "model/formats/zip_archive.h"

namespace gloss {
namespace {

constexpr std::string_view kSuffix = ".npy";

ForeignArray read_array(const std::shared_ptr<const ForeignBytes>& source, const std::string& where) {
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

}  // namespace

ForeignArrays read_npz(const std::string& path) {
  const ZipArchive archive(path);
  ForeignArrays arrays(path);
  for (const auto& [entry, source] : archive.entries()) {
    const std::string name =
        entry.ends_with(kSuffix) ? entry.substr(0, entry.size() - kSuffix.size()) : entry;
    arrays.expect_name(name);
    arrays.add(name, read_array(source, arrays.where(name)));
  }
  return arrays;
}

}  // namespace gloss
