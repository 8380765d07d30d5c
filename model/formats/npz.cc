// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npz.h"

#include <string_view>

#include "base/error.h"
#include "model/formats/npy.h"
#include "model/formats/zip_archive.h"

namespace gloss {
namespace {

constexpr std::string_view kSuffix = ".npy";

}  // namespace

StoredArrays read_npz(const std::string& path) {
  const ZipArchive archive(path);
  StoredArrays arrays(path);
  for (const auto& [entry, source] : archive.entries()) {
    const std::string name =
        entry.ends_with(kSuffix) ? entry.substr(0, entry.size() - kSuffix.size()) : entry;
    arrays.expect_name(name);
    arrays.add(name, read_npy(source, arrays.where(name)));
  }
  return arrays;
}

}  // namespace gloss
