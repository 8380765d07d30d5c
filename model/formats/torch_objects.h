// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "model/formats/pickle.h"
#include "model/formats/stored_arrays.h"
#include "model/formats/torch_checkpoint.h"

namespace gloss {

/// The numbers of tensors, by the keys with which pickles name them.
using TorchStorages = std::map<std::string, std::shared_ptr<const StoredBytes>>;

/// The most bytes of a pickle of tensors.
inline constexpr std::uint64_t kLargestPickle = 64 << 20;
/// The classes and functions that pickles of tensors use.
std::span<const std::string_view> torch_globals();

/// What a pickle says about a storage outside it.
struct StorageReference {
  std::string key;
  NumberType type;
  std::int64_t count;  ///< of numbers
  std::int64_t first;  ///< number at which it begins in the storage of this key; 0 but in old files
};
/// Reads the object ('storage', type, key, location, count[, None or (key, first, count) of a view]). Throws
/// InputError, naming `where`, for anything else.
StorageReference storage_of(const PickleObject& persistent, const std::string& where);

/// The item of an object, which must have this kind: else an InputError that names `where`.
const PickleObject& item_of(const PickleObject&, std::size_t number, PickleObject::Kind,
                            const std::string& where);

/// Turns the objects of the pickle in a file of torch.save into arrays and values. Throws InputError that
/// names the file and the tensor.
TorchCheckpoint torch_objects(const std::string& path, const PickleObject& root, const TorchStorages&);

}  // namespace gloss
