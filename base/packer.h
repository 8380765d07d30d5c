// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gloss {

/// Compresses a stream of bytes.
class Packer {
 public:
  virtual ~Packer() = default;
  /// Takes further bytes and returns the compressed bytes that are ready, perhaps none.
  virtual std::string pack(std::string_view bytes) = 0;
  /// Returns the rest of the compressed stream. Nothing can be packed afterwards.
  virtual std::string finish() = 0;
};

/// The compressor for a file name that ends with .gz, .zst, .xz or .bz2; null for all others.
std::unique_ptr<Packer> packer_for(const std::string& path);

}  // namespace gloss
