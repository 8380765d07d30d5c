// SPDX-License-Identifier: Apache-2.0

#include "model/formats/torch_storage.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace gloss {
namespace {

using Kind = PickleObject::Kind;

constexpr std::size_t kLongestKey = 1024;  // of a storage

constexpr std::array<std::string_view, 31> kGlobals{"torch.DoubleStorage",
                                                    "torch.FloatStorage",
                                                    "torch.HalfStorage",
                                                    "torch.BFloat16Storage",
                                                    "torch.LongStorage",
                                                    "torch.IntStorage",
                                                    "torch.ShortStorage",
                                                    "torch.CharStorage",
                                                    "torch.ByteStorage",
                                                    "torch.BoolStorage",
                                                    "torch.float64",
                                                    "torch.float32",
                                                    "torch.float16",
                                                    "torch.bfloat16",
                                                    "torch.int64",
                                                    "torch.int32",
                                                    "torch.int16",
                                                    "torch.int8",
                                                    "torch.uint8",
                                                    "torch.bool",
                                                    "torch.double",
                                                    "torch.float",
                                                    "torch.half",
                                                    "torch.long",
                                                    "torch.Size",
                                                    "torch.device",
                                                    "collections.OrderedDict",
                                                    "argparse.Namespace",
                                                    "torch._utils._rebuild_tensor_v2",
                                                    "torch._utils._rebuild_tensor",
                                                    "torch._utils._rebuild_parameter"};
constexpr std::array kStorageTypes{NumberType::f64, NumberType::f32,    NumberType::f16, NumberType::bf16,
                                   NumberType::i64, NumberType::i32,    NumberType::i16, NumberType::i8,
                                   NumberType::u8,  NumberType::boolean};  // of the first names above

}  // namespace

std::span<const std::string_view> torch_globals() { return kGlobals; }

const PickleObject& item_of(const PickleObject& object, std::size_t i, Kind kind, const std::string& where) {
  if (i >= object.items.size() || object.items[i]->kind != kind) {
    throw InputError(concat(where, ": item ", i, " of '", object.text, "' is ",
                            i < object.items.size() ? name_of(object.items[i]->kind) : "missing",
                            ", expected ", name_of(kind)));
  }
  return *object.items[i];
}

StorageReference storage_of(const PickleObject& persistent, const std::string& where) {
  const PickleObject& about = item_of(persistent, 0, Kind::tuple, where);
  if (item_of(about, 0, Kind::text, where).text != "storage") {
    throw InputError(concat(where, ": an external object is no storage of a tensor"));
  }
  const std::string& type = item_of(about, 1, Kind::global, where).text;
  const auto found = static_cast<std::size_t>(std::ranges::find(kGlobals, type) - kGlobals.begin());
  if (found >= kStorageTypes.size()) {
    throw InputError(
        concat(where, ": a storage of the type '", type, "', expected one such as torch.FloatStorage"));
  }
  StorageReference storage{.key = item_of(about, 2, Kind::text, where).text,
                           .type = kStorageTypes[found],
                           .count = item_of(about, 4, Kind::integer, where).integer,
                           .first = 0};
  if (about.items.size() > 5 && about.items[5]->kind != Kind::none) {
    storage.first = item_of(item_of(about, 5, Kind::tuple, where), 1, Kind::integer, where).integer;
  }
  if (storage.key.size() > kLongestKey) {
    throw InputError(concat(where, ": the key of a storage has ", storage.key.size(),
                            " bytes, expected at most ", kLongestKey));
  }
  if (storage.count < 0 || storage.first < 0 || storage.first > storage.count) {
    throw InputError(concat(where, ": storage '", storage.key.c_str(), "' has ", storage.count,
                            " numbers and begins at number ", storage.first));
  }
  return storage;
}

}  // namespace gloss
