#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// Fills a fresh parameter.
using Initialiser = std::function<void(std::span<float> values, Random&)>;

/// What a parameter is used for: the matrix of a linear layer, a table that rows are looked up in, both, or
/// neither. Matrices and tables may be stored in fewer bits; matrices are packed for fast products.
enum class Role { other, matrix, table, matrix_and_table };

/// All weights of a network, by name, in one flat array; likewise their gradients. A network declares its
/// parameters while it is made; afterwards exactly one of `initialise`, `share`, `adopt` gives them their
/// values.
class Parameters {
 public:
  struct Entry {
    std::string name;
    Tensor tensor;
    Initialiser initialiser;
    Role role;
    std::int64_t offset;  ///< of its first number in the flat array; multiples of 16
  };

  Parameters() = default;
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  /// A new parameter without values as yet. Names are unique, parts joined by '.'.
  Tensor declare(std::string name, const Shape&, Initialiser, Role = Role::other);

  /// Own values, filled by the initialisers in the order of declaration.
  void initialise(Random&);
  /// The values of `owner` (same declarations), which must live longer; gradients stay apart.
  void share(const Parameters& owner);
  /// Values given by `find(entry)`: numbers of the entry's shape, in memory that stays. Copied into own f32
  /// memory if `copy`, else used in place.
  void adopt(const std::function<StoredMatrix(const Entry&)>& find, bool copy);
  /// Gives every matrix a packed form of `type`, on `threads` threads; from now on the network computes with
  /// these, without gradients; with activations in bf16 unless `type` is f32.
  void pack(DType type, int threads);
  /// Copies in bf16 for products with bf16 activations, in an array of `flat_size` numbers laid out as
  /// `values` that somebody else owns and keeps up to date. From now on the network computes in bf16.
  void use_copies(std::span<Bf16> copies);
  /// From now on backward adds to the gradients, which start at zero, of the parameters that are `wanted`;
  /// what leads to no other is not computed.
  void keep_gradients(const std::function<bool(const Entry&)>& wanted = [](const Entry&) { return true; });

  std::span<const Entry> entries() const { return entries_; }
  /// The flat arrays; gaps between parameters are zero. Empty for values used in place.
  std::span<float> values() const;
  std::span<float> gradients() const;
  /// The part of `gradients` that belongs to one of the parameters, with the gap behind it.
  std::span<float> gradient_part(const Tensor& parameter) const;
  /// What the matrices are stored as; f32 if there are none.
  DType stored_type() const;
  /// How many numbers the parameters have together, gaps not counted.
  std::int64_t count() const;
  /// And with the gaps: the size of a flat array.
  std::int64_t flat_size() const { return flat_size_; }

 private:
  struct Storage;
  std::vector<Entry> entries_;
  std::int64_t flat_size_ = 0;
  std::shared_ptr<Storage> values_, gradients_;
};

}  // namespace gloss
