// SPDX-License-Identifier: Apache-2.0

#include "model/formats/torch_objects.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/index.h"

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

constexpr std::size_t kDeepestObject = 32;
constexpr std::size_t kMostVisits = 1'000'000;
constexpr std::size_t kMostCharacters = 64 << 20;  // of all texts and names; a few bytes repeat a long one

/// Turns the objects of a pickle into arrays and values.
class CheckpointBuilder {
 public:
  CheckpointBuilder(const std::string& path, const TorchStorages& storages)
      : storages_(storages), checkpoint_{StoredArrays(path), {}} {}

  TorchCheckpoint build(const PickleObject& root) {
    if (root.kind != Kind::dict) {
      throw InputError(concat(path(), " has ", name_of(root.kind), ", expected a dictionary of tensors"));
    }
    checkpoint_.values = value(root, "", 0);
    return std::move(checkpoint_);
  }

 private:
  const std::string& path() const { return checkpoint_.arrays.path(); }

  /// Adds the tensors of an object to the arrays and returns the rest. `name` is that of the object.
  nlohmann::json value(const PickleObject& object, const std::string& name, std::size_t depth) {
    if (++visits_ > kMostVisits || depth > kDeepestObject) {
      throw InputError(concat(path(), ": the objects at '", name.substr(0, 200).c_str(),
                              "' contain too many others or one another in a circle"));
    }
    count_characters(name);
    switch (object.kind) {
      case Kind::boolean:
        return object.integer != 0;
      case Kind::integer:
        return object.integer;
      case Kind::real:
        return object.real;
      case Kind::text:
        count_characters(object.text);
        return object.text;
      case Kind::list:
      case Kind::tuple: {
        nlohmann::json list = nlohmann::json::array();
        for (const PickleObject* part : object.items) {
          list.push_back(value(*part, joined(name, std::to_string(list.size())), depth + 1));
        }
        return list;
      }
      case Kind::dict: {
        nlohmann::json dict = nlohmann::json::object();
        for (std::size_t i = 0; i + 1 < object.items.size(); i += 2) {
          const PickleObject& key = *object.items[i];
          if (key.kind != Kind::text && key.kind != Kind::integer) continue;
          const std::string text = key.kind == Kind::text ? key.text : std::to_string(key.integer);
          count_characters(text);
          dict[text] = value(*object.items[i + 1], joined(name, text), depth + 1);
        }
        return dict;
      }
      case Kind::call:
        return called(object, name, depth);
      default:
        return nullptr;
    }
  }

  /// Objects may have the same text, but values have copies of it.
  void count_characters(const std::string& text) {
    characters_ += text.size();
    if (characters_ > kMostCharacters) {
      throw InputError(concat(path(), ": the texts and names of its objects have more than ", kMostCharacters,
                              " bytes, repeated ones included; expected a checkpoint of PyTorch"));
    }
  }

  nlohmann::json called(const PickleObject& object, const std::string& name, std::size_t depth) {
    const std::string where = checkpoint_.arrays.where(name.substr(0, name.find('\0')));
    if (object.text.ends_with("_rebuild_tensor_v2") || object.text.ends_with("_rebuild_tensor")) {
      checkpoint_.arrays.add(name, tensor(object, where));
    } else if (object.text.ends_with("_rebuild_parameter")) {
      return value(item_of(object, 0, Kind::call, where), name, depth + 1);
    } else if (object.text == "collections.OrderedDict") {  // of pairs, as Python 2 writes it
      PickleObject dict{.kind = Kind::dict};
      for (const PickleObject* pair : item_of(object, 0, Kind::list, where).items) {
        if (pair->items.size() != 2)
          throw InputError(concat(where, ": an OrderedDict of parts that are no pairs"));
        dict.items.insert(dict.items.end(), pair->items.begin(), pair->items.end());
      }
      return value(dict, name, depth + 1);
    } else if (object.text == "torch.Size") {
      return value(item_of(object, 0, Kind::tuple, where), name, depth + 1);
    }
    return nullptr;
  }

  /// Arguments: storage, offset, sizes, strides, and others that do not matter here.
  StoredArray tensor(const PickleObject& call, const std::string& where) const {
    const StorageReference storage = storage_of(item_of(call, 0, Kind::persistent, where), where);
    const auto source = storages_.find(storage.key);
    if (source == storages_.end()) {
      throw InputError(concat(where, " needs the storage '", storage.key.c_str(), "', which is missing"));
    }
    const std::uint64_t size = source->second->size();
    if (index(storage.count) > size || index(storage.count) * size_of(storage.type) != size) {
      throw InputError(concat(where, ": its storage has ", size, " bytes, expected ", storage.count,
                              " numbers of type ", name_of(storage.type)));
    }
    const std::int64_t offset = item_of(call, 1, Kind::integer, where).integer;
    if (offset < 0 || offset > storage.count - storage.first) {
      throw InputError(concat(where, " begins at number ", offset, " of a storage of ", storage.count));
    }
    const std::vector<std::int64_t> shape = numbers(item_of(call, 2, Kind::tuple, where), where);
    const std::vector<std::int64_t> strides = numbers(item_of(call, 3, Kind::tuple, where), where);
    if (shape.size() != strides.size()) {
      throw InputError(concat(where, " has ", shape.size(), " dimensions, but ", strides.size(), " strides"));
    }
    StoredNumbers stored{.source = source->second,
                         .start = index(storage.first + offset) * size_of(storage.type)};
    for (std::size_t i = 0; i < shape.size(); ++i) stored.dimensions.push_back({shape[i], strides[i]});
    return {where, storage.type, shape, std::move(stored)};
  }

  static std::vector<std::int64_t> numbers(const PickleObject& tuple, const std::string& where) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < tuple.items.size(); ++i)
      all.push_back(item_of(tuple, i, Kind::integer, where).integer);
    return all;
  }
  static std::string joined(const std::string& name, const std::string& part) {
    return name.empty() ? part : concat(name, "/", part);
  }

  const TorchStorages& storages_;
  TorchCheckpoint checkpoint_;
  std::size_t visits_ = 0;
  std::size_t characters_ = 0;
};

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

TorchCheckpoint torch_objects(const std::string& path, const PickleObject& root,
                              const TorchStorages& storages) {
  return CheckpointBuilder(path, storages).build(root);
}

}  // namespace gloss
