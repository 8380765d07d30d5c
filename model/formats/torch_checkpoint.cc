// SPDX-License-Identifier: Apache-2.0

#include "model/formats/torch_checkpoint.h"

#include <algorithm>

#include "base/error.h"
#include "model/formats/pickle.h"
#include "model/formats/torch_objects.h"
#include "model/formats/torch_old_form.h"
#include "model/formats/zip_archive.h"

namespace gloss {
namespace {

/// The whole content of an entry, which must be small.
std::string content(const ForeignBytes& entry, std::uint64_t limit, const std::string& where) {
  if (entry.size() > limit) {
    throw InputError(concat(where, " has ", entry.size(), " bytes, expected at most ", limit));
  }
  std::string bytes(entry.size(), '\0');
  entry.open()->read(std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

TorchCheckpoint read_archive(const std::string& path) {
  constexpr std::string_view kPickle = "data.pkl", kData = "data/";
  const ZipArchive archive(path);
  // All entries are in one folder of any name.
  const auto pickle = std::ranges::find_if(archive.entries(), [&](const auto& entry) {
    return entry.first == kPickle || entry.first.ends_with(concat("/", kPickle));
  });
  if (pickle == archive.entries().end()) {
    throw InputError(concat(path, " is a zip archive without data.pkl; expected a file of torch.save"));
  }
  const std::string folder = pickle->first.substr(0, pickle->first.size() - kPickle.size());
  TorchStorages storages;
  for (const auto& [name, entry] : archive.entries()) {
    if (name == concat(folder, "byteorder") && content(*entry, 16, name) != "little") {
      throw InputError(concat(path, " was written on a big-endian machine; expected little-endian numbers"));
    }
    if (name.starts_with(folder + std::string(kData)))
      storages[name.substr(folder.size() + kData.size())] = entry;
  }
  const std::string where = concat(path, ": zip entry '", pickle->first, "'");
  const std::string bytes = content(*pickle->second, kLargestPickle, where);
  ByteReader reader(std::as_bytes(std::span(bytes)), where);
  const Pickle objects(reader, torch_globals());
  return torch_objects(path, objects.root(), storages);
}

}  // namespace

TorchCheckpoint read_torch_checkpoint(const std::string& path) {
  const auto file = std::make_shared<const MappedFile>(path);
  if (file->text().empty()) throw InputError(path + " has 0 bytes; expected a checkpoint of PyTorch");
  return file->text().starts_with("PK") ? read_archive(path) : read_old_torch_checkpoint(path, file);
}

}  // namespace gloss
