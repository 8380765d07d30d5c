// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/foreign_bytes.h"

namespace gloss::pickled {

/// Parts of a pickle: operations that leave one object on the stack.
using Parts = std::vector<std::string>;

inline std::string whole(const std::string& object) { return "\x80\2" + object + "."; }
inline std::string text(const std::string& value) {
  return "X" + little_endian(static_cast<std::uint32_t>(value.size())) + value;
}
inline std::string number(std::int64_t value) {
  const auto narrow = static_cast<std::int32_t>(value);
  return narrow == value ? "J" + little_endian(narrow) : "\x8a\x08" + little_endian(value);
}
inline std::string tuple(const Parts& items) {
  std::string all = "(";
  for (const std::string& item : items) all += item;
  return all + "t";
}
inline std::string numbers(const std::vector<std::int64_t>& values) {
  Parts items;
  for (const std::int64_t value : values) items.push_back(number(value));
  return tuple(items);
}
inline std::string list(const Parts& items) {
  std::string all = "](";
  for (const std::string& item : items) all += item;
  return all + "e";
}
inline std::string dict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string all = "}(";
  for (const auto& [key, value] : items) all += text(key) + value;
  return all + "u";
}
inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string call(const std::string& module, const std::string& name, const Parts& arguments) {
  return global(module, name) + tuple(arguments) + "R";
}
inline std::string none() { return "N"; }
inline std::string no() { return "\x89"; }

/// A storage of `count` numbers outside the pickle.
inline std::string storage(const std::string& key, std::int64_t count,
                           const std::string& type = "FloatStorage") {
  return tuple({text("storage"), global("torch", type), text(key), text("cpu"), number(count)}) + "Q";
}
/// A tensor as PyTorch writes it.
inline std::string tensor(const std::string& its_storage, std::int64_t offset,
                          const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
  return call("torch._utils", "_rebuild_tensor_v2",
              {its_storage, number(offset), numbers(shape), numbers(strides), no(),
               call("collections", "OrderedDict", {})});
}

/// A storage and its key.
using Storages = std::vector<std::pair<std::string, std::string>>;

/// A file of torch.save.
inline std::string torch_archive(const std::string& object, const Storages& storages,
                                 const std::string& order = "little") {
  std::vector<ZipEntry> entries{{"model/data.pkl", whole(object)}, {"model/byteorder", order}};
  for (const auto& [key, bytes] : storages) entries.push_back({"model/data/" + key, bytes});
  entries.push_back({"model/version", "3\n"});
  return zip_bytes(entries);
}

/// The same as versions before 1.6 wrote it; storages have numbers of `size` bytes.
inline std::string torch_old_form(const std::string& object, const Storages& storages, std::size_t size = 4) {
  const std::string magic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
  Parts keys;
  std::string data;
  for (const auto& [key, bytes] : storages) {
    keys.push_back(text(key));
    data += little_endian(static_cast<std::uint64_t>(bytes.size() / size)) + bytes;
  }
  return whole(magic) + whole(number(1001)) +
         whole(dict({{"protocol_version", number(1001)}, {"little_endian", "\x88"}})) + whole(object) +
         whole(list(keys)) + data;
}

}  // namespace gloss::pickled
