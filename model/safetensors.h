#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// An array to be written under a name.
struct NamedArray {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  const void* data = nullptr;
};

/// Writes arrays in the safetensors format: 8 bytes length (little-endian) of a JSON header, the header with
/// dtype, shape and offsets of each, then the raw little-endian numbers: those of the widest dtype first,
/// else in the order given. Data starts at a multiple of 64.
void write_safetensors(AtomicFile&, std::span<const NamedArray> arrays);

/// A safetensors file mapped into memory. The constructor checks everything that a reader relies on: lengths,
/// header syntax, dtypes, that sizes and offsets agree with shapes and that arrays fill the file without
/// overlap.
class SafetensorsFile {
 public:
  /// Throws InputError naming the file and the tensor or field.
  explicit SafetensorsFile(const std::string& path);

  const std::map<std::string, NamedArray>& arrays() const { return arrays_; }
  /// The array `name`, of this dtype and shape; throws InputError naming what differs.
  const NamedArray& array(const std::string& name, DType, const Shape&) const;
  const std::string& path() const { return file_.path(); }
  /// Lets go of the memory of what was read; it is read again when it is needed.
  void drop_pages() const { file_.drop_pages(); }

 private:
  MappedFile file_;
  std::map<std::string, NamedArray> arrays_;
};

}  // namespace gloss
