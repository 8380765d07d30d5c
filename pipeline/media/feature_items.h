// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string_view>

#include "pipeline/media/source_reader.h"

namespace gloss {

/// A matrix of features.
struct Features {
  int positions = 0, numbers = 0;
  std::vector<float> values;  ///< [positions, numbers]
};

/// Reads matrices from .npy files, and from .npz and safetensors files with several arrays: "FILE#NAME", or
/// the only array of FILE. The latest files with several arrays stay open. Thread-safe.
class FeatureFiles {
 public:
  FeatureFiles();
  ~FeatureFiles();
  FeatureFiles(FeatureFiles&&) noexcept;
  /// Throws InputError with the name of the file if it is another one or damaged, or if the array is no
  /// matrix of finite numbers with at least one row and one column.
  Features read(const ItemList&, std::string_view item) const;

 private:
  class Opened;
  std::unique_ptr<Opened> opened_;
};

/// Reads the features of items for a network. Those with more positions than the network has, or with another
/// number of numbers, cannot be read.
std::unique_ptr<const SourceReader> feature_reader(const NetworkSettings&);

}  // namespace gloss
