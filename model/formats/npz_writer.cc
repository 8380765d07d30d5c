// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npz_writer.h"

#include "base/error.h"
#include "base/index.h"
#include "model/formats/zip_writer.h"

namespace gloss {
namespace {

/// The start of an .npy file of version 1: magic, length of the header, a Python dictionary. The data start
/// at a multiple of 64.
std::string header(const NpzArray& array) {
  expects(array.type == NumberType::f32 || array.type == NumberType::i8, array.name, " has type ",
          name_of(array.type));
  std::string sizes;
  for (const std::int64_t size : array.shape) sizes += concat(size, array.shape.size() == 1 ? "," : ", ");
  if (array.shape.size() > 1) sizes.resize(sizes.size() - 2);
  std::string text = concat("{'descr': '", array.type == NumberType::f32 ? "<f4" : "|i1",
                            "', 'fortran_order': False, 'shape': (", sizes, "), }");
  constexpr std::size_t kBefore = 10, kBlock = 64;
  text.resize((text.size() + 1 + kBefore + kBlock - 1) / kBlock * kBlock - kBefore - 1, ' ');
  text += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(text.size() & 0xff);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

}  // namespace

void write_npz(const std::string& path, const std::vector<NpzArray>& arrays) {
  std::vector<ZipEntryToWrite> entries;
  for (const NpzArray& array : arrays) {
    std::size_t count = 1;
    for (const std::int64_t size : array.shape) count *= index(size);
    entries.push_back({array.name + ".npy", header(array), count * size_of(array.type), array.bytes});
  }
  write_zip(path, std::move(entries));
}

}  // namespace gloss
