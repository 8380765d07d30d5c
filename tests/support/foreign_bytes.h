// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace gloss {

/// The bytes of numbers, little-endian.
template <class Number>
std::string little_endian(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}
template <class Number>
std::string little_endian(Number number) {
  return little_endian(std::vector<Number>{number});
}

/// An entry of a zip archive. Fields that are set make it lie.
struct ZipEntry {
  std::string name, bytes;
  bool deflated = false;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t extra_size = 0;  ///< added to the true size
};

/// A zip archive; deflated entries contain a block without compression.
inline std::string zip_bytes(const std::vector<ZipEntry>& entries) {
  const auto checksum = [](const std::string& bytes) {
    std::uint32_t sum = 0xffffffff;
    for (const char byte : bytes) {
      sum ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum;
  };
  std::string files, directory;
  for (const ZipEntry& entry : entries) {
    std::string data = entry.bytes;
    const auto size = static_cast<std::uint32_t>(data.size());
    if (entry.deflated) {
      const auto length = static_cast<std::uint16_t>(size);
      data = '\1' + little_endian(length) + little_endian(static_cast<std::uint16_t>(~length)) + data;
    }
    const auto method = static_cast<std::uint16_t>(entry.deflated ? 8 : entry.method);
    const std::string about =
        little_endian<std::uint16_t>({20, entry.flags, method, 0, 0}) +
        little_endian<std::uint32_t>(
            {checksum(entry.bytes), static_cast<std::uint32_t>(data.size()), size + entry.extra_size}) +
        little_endian<std::uint16_t>({static_cast<std::uint16_t>(entry.name.size()), 0});
    const auto offset = static_cast<std::uint32_t>(files.size());
    files += "PK\3\4" + about + entry.name + data;
    directory += "PK\1\2" + little_endian<std::uint16_t>(20) + about +
                 little_endian<std::uint16_t>({0, 0, 0, 0, 0}) + little_endian(offset) + entry.name;
  }
  const auto count = static_cast<std::uint16_t>(entries.size());
  return files + directory + "PK\5\6" + little_endian<std::uint16_t>({0, 0, count, count}) +
         little_endian<std::uint32_t>(
             {static_cast<std::uint32_t>(directory.size()), static_cast<std::uint32_t>(files.size())}) +
         little_endian<std::uint16_t>(0);
}

/// An .npy file of version 1, 2 or 3 with this Python dictionary as its header.
inline std::string npy_bytes(const std::string& header, const std::string& data, char version = 1) {
  const std::string length = version == 1 ? little_endian(static_cast<std::uint16_t>(header.size()))
                                          : little_endian(static_cast<std::uint32_t>(header.size()));
  return std::string("\x93NUMPY") + version + '\0' + length + header + data;
}

/// The header that NumPy writes for a type and a shape such as "(3, 4)".
inline std::string npy_header(const std::string& type, const std::string& shape,
                              const std::string& fortran_order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }    \n";
}

/// An item of a .bin file of Marian. `more_bytes` makes it lie about its size.
struct MarianItem {
  std::string name;
  std::uint64_t type;
  std::vector<std::int32_t> shape;
  std::string data;
  std::uint64_t more_bytes = 0;
};

/// A .bin file of Marian, with padding to multiples of `block` bytes.
inline std::string marian_bytes(const std::vector<MarianItem>& items, std::size_t block = 256,
                                std::uint64_t version = 1) {
  const auto padding = [&](std::size_t size) { return std::string((block - size % block) % block, '\0'); };
  std::string bytes = little_endian<std::uint64_t>({version, items.size()}), names, shapes, data;
  for (const MarianItem& item : items) {
    const std::string padded = item.data + padding(item.data.size());
    bytes += little_endian<std::uint64_t>(
        {item.name.size() + 1, item.type, item.shape.size(), padded.size() + item.more_bytes});
    names += item.name + '\0';
    shapes += little_endian(item.shape);
    data += padded;
  }
  bytes += names + shapes;
  const std::string gap = padding(bytes.size() + 8);
  return bytes + little_endian<std::uint64_t>(gap.size()) + gap + data;
}

/// A variable of a model.bin of CTranslate2; `type` is the size of a number before version 4. `more_items`
/// makes it lie about its size.
struct CTranslate2Item {
  std::string name;
  std::vector<std::uint32_t> shape;
  std::uint8_t type;
  std::string data;
  std::uint32_t more_items = 0;
};

/// A text of CTranslate2: its length with the final NUL, its bytes, NUL.
inline std::string ctranslate2_text(const std::string& text) {
  return little_endian(static_cast<std::uint16_t>(text.size() + 1)) + text + '\0';
}

/// A model.bin of CTranslate2 with aliases of variables.
inline std::string ctranslate2_bytes(const std::vector<CTranslate2Item>& items,
                                     const std::vector<std::array<std::string, 2>>& aliases = {},
                                     std::uint32_t version = 6,
                                     const std::string& specification = "TransformerSpec") {
  const auto count = [](std::size_t number) { return little_endian(static_cast<std::uint32_t>(number)); };
  std::string bytes = count(version) + ctranslate2_text(specification) + count(7) + count(items.size());
  for (const CTranslate2Item& item : items) {
    bytes += ctranslate2_text(item.name) + static_cast<char>(item.shape.size()) + little_endian(item.shape) +
             static_cast<char>(item.type) +
             count(item.data.size() / (version < 4 ? item.type : 1U) + item.more_items) + item.data;
  }
  if (version < 3) return bytes;
  bytes += count(aliases.size());
  for (const auto& [alias, name] : aliases) bytes += ctranslate2_text(alias) + ctranslate2_text(name);
  return bytes;
}

}  // namespace gloss
