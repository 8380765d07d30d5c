// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// Initialises a new parameter.
using Initialiser = std::function<void(std::span<float> values, Random&)>;

/// Usage of a parameter: the matrix of a linear layer, a lookup table, both, or neither. Matrices and tables
/// may be stored in fewer bits; matrices are packed for fast products.
enum class Role { other, matrix, table, matrix_and_table };

/// All weights of a network, by name, in one flat array, and their gradients in another. A network declares
/// its parameters in its constructor; afterwards exactly one of `initialise`, `share`, `adopt` provides their
/// values.
class Parameters {
 public:
  struct Entry {
    std::string name;
    Tensor tensor;
    Initialiser initialiser;
    Role role;
    std::int64_t offset;  ///< of its first element in the flat array; a multiple of 16
  };

  Parameters() = default;
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  /// Declares a parameter, without values yet. Names are unique, with parts joined by '.'.
  Tensor declare(std::string name, const Shape&, Initialiser, Role = Role::other);

  /// Allocates values and initialises them in order of declaration.
  void initialise(Random&);
  /// Shares the values of `owner` (same declarations), which must live longer; gradients stay separate.
  void share(const Parameters& owner);
  /// Takes the values from `find(entry)`: a matrix of the entry's shape in memory that stays valid. Copies
  /// them to own f32 memory if `copy`, else uses them in place.
  void adopt(const std::function<StoredMatrix(const Entry&)>& find, bool copy);
  /// Packs every matrix as `type`, on `threads` threads. From now on the network computes with the packed
  /// matrices, without gradients; activations are bf16 unless `type` is f32. Calls `packed`, on any thread,
  /// after each matrix: nothing reads its stored numbers any more, unless it is a table too.
  void pack(DType type, int threads, const std::function<void(const Entry&)>& packed = {});
  /// Attaches bf16 copies for products with bf16 activations: an array of `flat_size` elements, laid out as
  /// `values`, which the caller owns and keeps up to date. From now on the network computes in bf16.
  void use_copies(std::span<Bf16> copies);
  /// From now on the network computes with these values, an array of `flat_size` elements, laid out as
  /// `values`, which the caller owns and keeps up to date. Matrices have been rounded, and products with them
  /// round their other factor (Tensor::round_inputs).
  void use_rounded(std::span<float> rounded);
  /// From now on backward adds to the gradients, initially zero, of the `wanted` parameters; gradients that
  /// lead to none of these are not computed.
  void keep_gradients(const std::function<bool(const Entry&)>& wanted = [](const Entry&) { return true; });

  std::span<const Entry> entries() const { return entries_; }
  /// The flat arrays; gaps between parameters are zero. Empty if values are used in place.
  std::span<float> values() const;
  std::span<float> gradients() const;
  /// One parameter's part of `gradients`, with the gap after it.
  std::span<float> gradient_part(const Tensor& parameter) const;
  /// Storage type of the matrices; f32 if there are none.
  DType stored_type() const;
  /// Number of weights, without gaps.
  std::int64_t count() const;
  /// Size of a flat array: weights and gaps.
  std::int64_t flat_size() const { return flat_size_; }

 private:
  void expect_flat_size(std::size_t elements) const;

  struct Storage;
  std::vector<Entry> entries_;
  std::int64_t flat_size_ = 0;
  std::shared_ptr<Storage> values_, gradients_;
};

}  // namespace gloss
