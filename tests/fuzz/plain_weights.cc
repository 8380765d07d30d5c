// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/plain_weights.h"

#include <cstring>
#include <map>

#include "base/text.h"
#include "tests/support/pickle_bytes.h"
#include "tests/support/safetensors_bytes.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr const char* kAbout = "__metadata__";

/// What the formats call a type.
struct TypeNames {
  std::size_t size = 1;
  const char* numpy = "|V1";
  std::uint64_t marian = 0x204;
  std::uint8_t ctranslate2 = 9;
  const char* torch = "ComplexFloatStorage";
};

const TypeNames& names_of_type(const std::string& type) {
  static const std::map<std::string, TypeNames> types{
      {"F64", {8, "<f8", 0x408, 6, "DoubleStorage"}}, {"F32", {4, "<f4", 0x404, 0, "FloatStorage"}},
      {"F16", {2, "<f2", 0x402, 4, "HalfStorage"}},   {"BF16", {2, ">f2", 0x10002, 5, "BFloat16Storage"}},
      {"I64", {8, "<i8", 0x108, 7, "LongStorage"}},   {"I32", {4, "<i4", 0x104, 3, "IntStorage"}},
      {"I16", {2, "<i2", 0x102, 2, "ShortStorage"}},  {"I8", {1, "|i1", 0x101, 1, "CharStorage"}},
      {"U8", {1, "|u1", 0x10001, 8, "ByteStorage"}},  {"BOOL", {1, "|b1", 0x11001, 9, "BoolStorage"}}};
  static const TypeNames unknown;
  const auto found = types.find(type);
  return found == types.end() ? unknown : found->second;
}

std::string npz(const PlainWeights& weights) {
  std::vector<ZipEntry> entries;
  for (const PlainArray& array : weights.arrays) {
    std::string shape = "(";
    for (const std::int64_t size : array.shape) shape += concat(size, ", ");
    entries.push_back({array.name + ".npy",
                       npy_bytes(npy_header(names_of_type(array.type).numpy, shape + ")"), array.bytes)});
  }
  return zip_bytes(entries);
}

std::string marian(const PlainWeights& weights) {
  std::vector<MarianItem> items;
  for (const PlainArray& array : weights.arrays) {
    std::vector<std::int32_t> shape;
    for (const std::int64_t size : array.shape) shape.push_back(static_cast<std::int32_t>(size));
    items.push_back({array.name, names_of_type(array.type).marian, shape, array.bytes});
  }
  return marian_bytes(items, 16);
}

std::string ctranslate2(const PlainWeights& weights) {
  std::vector<CTranslate2Item> items;
  for (const PlainArray& array : weights.arrays) {
    std::vector<std::uint32_t> shape;
    for (const std::int64_t size : array.shape) shape.push_back(static_cast<std::uint32_t>(size));
    items.push_back({array.name, shape, names_of_type(array.type).ctranslate2, array.bytes});
  }
  std::vector<std::array<std::string, 2>> aliases;
  for (const auto& [name, alias] : weights.about.items()) {
    if (alias.is_string()) aliases.push_back({name, alias.get<std::string>()});
  }
  const bool decoder = weights.about.value("decoder_only", json()) == json(true);
  return ctranslate2_bytes(items, aliases, 6, decoder ? "TransformerDecoderSpec" : "TransformerSpec");
}

std::string pickled_value(const json& value) {
  using namespace pickled;
  switch (value.type()) {
    case json::value_t::boolean:
      return value.get<bool>() ? "\x88" : no();
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      return number(value.get<std::int64_t>());
    case json::value_t::number_float: {
      std::string bytes = little_endian(value.get<double>());
      return "G" + std::string(bytes.rbegin(), bytes.rend());
    }
    case json::value_t::string:
      return text(value.get<std::string>());
    case json::value_t::array: {
      Parts parts;
      for (const json& part : value) parts.push_back(pickled_value(part));
      return list(parts);
    }
    case json::value_t::object: {
      std::vector<std::pair<std::string, std::string>> members;
      for (const auto& [name, member] : value.items()) members.emplace_back(name, pickled_value(member));
      return dict(members);
    }
    default:
      return none();
  }
}

std::string torch(const PlainWeights& weights, bool fairseq) {
  using namespace pickled;
  std::vector<std::pair<std::string, std::string>> tensors, storages;
  for (const PlainArray& array : weights.arrays) {
    const TypeNames& names = names_of_type(array.type);
    std::vector<std::int64_t> strides(array.shape.size(), 1);
    for (std::size_t i = strides.size(); i-- > 1;) {
      const auto product =
          static_cast<std::uint64_t>(strides[i]) * static_cast<std::uint64_t>(array.shape[i]);
      strides[i - 1] = static_cast<std::int64_t>(product);
    }
    const std::string key = std::to_string(storages.size());
    const auto count = static_cast<std::int64_t>(array.bytes.size() / names.size);
    storages.emplace_back(key, array.bytes);
    tensors.emplace_back(array.name, tensor(storage(key, count, names.torch), 0, array.shape, strides));
  }
  if (!fairseq) return torch_archive(dict(tensors), storages);
  std::vector<std::pair<std::string, std::string>> members;
  for (const auto& [name, member] : weights.about.items()) {
    const std::string value = pickled_value(member);
    const bool space = name == "args" && member.is_object();
    members.emplace_back(name, space ? global("argparse", "Namespace") + ")\x81" + value + "b" : value);
  }
  members.emplace_back("model", dict(tensors));
  return torch_archive(dict(members), storages);
}

}  // namespace

std::optional<PlainWeights> read_plain(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) return std::nullopt;
  const json header = json::parse(bytes.substr(sizeof length, length), nullptr, false);
  if (!header.is_object()) return std::nullopt;
  const std::string_view data = bytes.substr(sizeof length + length);
  PlainWeights weights;
  for (const auto& [name, entry] : header.items()) {
    if (name == kAbout) {
      weights.about = entry;
      continue;
    }
    try {
      PlainArray array{name, entry.at("dtype"), entry.at("shape"), ""};
      const std::vector<std::size_t> offsets = entry.at("data_offsets");
      if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size()) return std::nullopt;
      array.bytes = data.substr(offsets[0], offsets[1] - offsets[0]);
      weights.arrays.push_back(std::move(array));
    } catch (const json::exception&) {
      return std::nullopt;
    }
  }
  if (!weights.about.is_object()) weights.about = json::object();
  return weights;
}

std::string written_plain(const PlainWeights& weights) {
  json header = json::object();
  if (!weights.about.empty()) header[kAbout] = weights.about;
  std::string data;
  for (const PlainArray& array : weights.arrays) {
    header[array.name] = {{"dtype", array.type},
                          {"shape", array.shape},
                          {"data_offsets", {data.size(), data.size() + array.bytes.size()}}};
    data += array.bytes;
  }
  return safetensors_bytes(header.dump(-1, ' ', false, json::error_handler_t::replace), data);
}

std::size_t number_size(const std::string& type) { return names_of_type(type).size; }

std::optional<std::size_t> size_for(const PlainArray& array) {
  constexpr std::size_t kMost = 1 << 14;
  std::size_t size = number_size(array.type);
  for (const std::int64_t part : array.shape) {
    if (part < 0 || part > static_cast<std::int64_t>(kMost)) return std::nullopt;
    size *= static_cast<std::size_t>(part);
    if (size > kMost) return std::nullopt;
  }
  return size;
}

std::string encoded_weights(const std::string& safetensors, const std::string& kind) {
  const std::optional<PlainWeights> weights = read_plain(safetensors);
  if (!weights) return safetensors;
  if (kind == "npz") return npz(*weights);
  if (kind == "marian") return marian(*weights);
  if (kind == "ctranslate2") return ctranslate2(*weights);
  if (kind == "torch" || kind == "fairseq") return torch(*weights, kind == "fairseq");
  return safetensors;
}

}  // namespace gloss
