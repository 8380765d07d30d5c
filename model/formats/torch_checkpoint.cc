// SPDX-License-Identifier: Apache-2.0

#include "model/formats/torch_checkpoint.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/index.h"
#include "model/formats/pickle.h"
#include "model/formats/stored_bytes.h"
#include "model/formats/torch_objects.h"
#include "model/formats/zip_archive.h"

namespace gloss {
namespace {

using Kind = PickleObject::Kind;

// 0x1950a86a20f9469cfc6c, with which the file begins.
constexpr std::string_view kTorchMagic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
constexpr std::int64_t kProtocol = 1001;

/// Reads a file of torch.save of versions before 1.6: five pickles - magic number, protocol, machine,
/// objects, keys of the storages - and then the storages. Throws the same as read_torch_checkpoint.
class OldTorchFile {
 public:
  OldTorchFile(const std::string& path, const std::shared_ptr<const MappedFile>& file)
      : path_(path), file_(file), reader_(file->bytes(), path) {}

  TorchCheckpoint read() {
    expect_start();
    const std::uint64_t before = reader_.offset();
    const Pickle objects(reader_, torch_globals());
    if (reader_.offset() - before > kLargestPickle)
      refuse(concat("has a pickle of more than ", kLargestPickle, " bytes"));
    return torch_objects(path_, objects.root(), read_storages(references_of(objects)));
  }

 private:
  using References = std::map<std::string, StorageReference>;

  /// Reads the first three pickles.
  void expect_start() {
    const PickleObject magic = Pickle(reader_, {}).root();
    if (magic.kind != Kind::text || magic.text != kTorchMagic)
      refuse("is no file of torch.save: its magic number is missing");
    const PickleObject protocol = Pickle(reader_, {}).root();
    if (protocol.kind != Kind::integer || protocol.integer != kProtocol)
      refuse(concat("has protocol ", protocol.integer, ", expected ", kProtocol));
    const Pickle machine(reader_, {});
    const std::vector<const PickleObject*>& about = machine.root().items;
    for (std::size_t i = 0; i + 1 < about.size(); i += 2) {
      if (about[i]->text == "little_endian" && about[i + 1]->integer == 0)
        refuse("was written on a big-endian machine; expected little-endian numbers");
    }
  }

  /// The storages that the tensors need.
  References references_of(const Pickle& objects) const {
    References references;
    for (const PickleObject& object : objects.objects()) {
      if (object.kind != Kind::persistent) continue;
      StorageReference storage = storage_of(object, path_);
      references.emplace(storage.key, storage);
    }
    return references;
  }

  /// Reads the last pickle and what follows it.
  TorchStorages read_storages(const References& references) {
    const Pickle keys(reader_, {});
    if (keys.root().kind != Kind::list)
      refuse(concat("has ", name_of(keys.root().kind), " for the list of storages"));
    TorchStorages storages;
    for (std::size_t i = 0; i < keys.root().items.size(); ++i) {
      const std::string& key = item_of(keys.root(), i, Kind::text, path_).text;
      const auto found = references.find(key);
      if (found == references.end()) refuse(concat("has a storage '", key.c_str(), "' that no tensor uses"));
      if (!storages.emplace(key, read_storage(found->second)).second)
        refuse(concat("has the storage '", key.c_str(), "' twice"));
    }
    return storages;
  }

  std::shared_ptr<const StoredBytes> read_storage(const StorageReference& expected) {
    const auto count = reader_.number<std::int64_t>("the size of a storage");
    const char* const key = expected.key.c_str();
    if (count != expected.count)
      refuse(concat("has ", count, " numbers in the storage '", key, "', expected ", expected.count));
    const std::size_t size = size_of(expected.type);
    if (index(count) > reader_.left() / size) {
      refuse(concat("is truncated: expected ", count, " numbers of ", size, " bytes in the storage '", key,
                    "', found ", reader_.left(), " bytes"));
    }
    return std::make_shared<MappedBytes>(file_, reader_.take(index(count) * size, "a storage"));
  }

  [[noreturn]] void refuse(const std::string& why) const { throw InputError(concat(path_, " ", why)); }

  const std::string& path_;
  const std::shared_ptr<const MappedFile>& file_;
  ByteReader reader_;
};

/// The whole content of an entry, which must be small.
std::string content(const StoredBytes& entry, std::uint64_t limit, const std::string& where) {
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
  return file->text().starts_with("PK") ? read_archive(path) : OldTorchFile(path, file).read();
}

}  // namespace gloss
