// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/mapped_file.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// An array to write and its name. The last size of an int4 array is its number of bytes (U8), each with two
/// elements.
struct NamedArray {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  const void* data = nullptr;
};

/// Writes arrays in the safetensors format: the length of the JSON header (8 bytes, little-endian), the
/// header with dtype, shape and offsets of each array, then the raw little-endian data: widest dtype first,
/// otherwise in the given order. Data starts at a multiple of 64.
void write_safetensors(AtomicFile&, std::span<const NamedArray> arrays);
/// The same for arrays whose data are made one after another: `data_of` gives those of an array, which stay
/// valid until its next call.
using DataOf = std::function<const void*(const NamedArray&)>;
/// `about` is the member __metadata__ of the header, if it is not empty.
void write_safetensors(AtomicFile&, std::span<const NamedArray> arrays, const DataOf& data_of,
                       const std::map<std::string, std::string>& about = {});

/// A safetensors file in memory. The constructor validates everything readers rely on: lengths, header
/// syntax, dtypes, sizes and offsets against shapes, and that arrays fill the file without overlap.
class SafetensorsFile {
 public:
  /// Throws InputError naming the file and the tensor or field.
  explicit SafetensorsFile(const std::string& path);

  const std::map<std::string, NamedArray>& arrays() const { return arrays_; }
  /// The array `name` of this dtype and shape; throws InputError if it is missing or differs.
  const NamedArray& array(const std::string& name, DType, const Shape&) const;
  const std::string& path() const { return file_.path(); }
  /// The whole file, with its header.
  std::span<const std::byte> bytes() const { return file_.bytes(); }
  /// Releases the memory of an array, which must not be read afterwards.
  void release(std::span<const std::byte> array) const { file_.release(array); }

 private:
  MappedFile file_;
  std::map<std::string, NamedArray> arrays_;
};

}  // namespace gloss
