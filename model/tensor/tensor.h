// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/index.h"
#include "model/kernels/dtype.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {

/// Sizes of up to four dimensions, the outermost first; row-major.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes);
  int rank() const { return rank_; }
  std::int64_t operator[](int dimension) const { return sizes_[index(dimension)]; }
  /// Product of the sizes.
  std::int64_t count() const;
  /// The first size: the number of tokens of a packed batch.
  std::int64_t rows() const { return rank_ == 0 ? 1 : sizes_[0]; }
  /// The product of all sizes after the first.
  std::int64_t columns() const { return count() / (rows() == 0 ? 1 : rows()); }
  bool operator==(const Shape&) const = default;
  /// Such as "[32, 512]".
  std::string text() const;

 private:
  std::array<std::int64_t, 4> sizes_{};
  int rank_ = 0;
};

class PackedMatrix;
class Tensor;
/// Adds to the gradients of an operation's inputs, given the complete gradient of its result.
using Pullback = std::function<void(const Tensor& gradient, std::span<const Tensor> inputs)>;

struct GradientSlot;

/// A handle to a 64-byte aligned array with shape, dtype and optional gradient. Copies share the array and
/// the gradient. A gradient has the dtype of its tensor; a parameter's gradient is f32.
class Tensor {
 public:
  /// An empty tensor: converts to false.
  Tensor() = default;
  /// A new array from the calling thread's pool with unspecified content.
  static Tensor uninitialised(const Shape&, DType = DType::f32);
  static Tensor zeros(const Shape&, DType = DType::f32);
  static Tensor of(const Shape&, std::span<const float> values);
  /// A tensor over external memory, which must outlive it.
  static Tensor over(float* values, const Shape&);

  explicit operator bool() const { return node_ != nullptr; }
  const Shape& shape() const;
  DType dtype() const;
  std::int64_t rows() const { return shape().rows(); }
  std::int64_t columns() const { return shape().columns(); }
  std::int64_t count() const { return shape().count(); }
  /// Size of the elements in bytes.
  std::int64_t bytes() const { return count() * static_cast<std::int64_t>(size_of(dtype())); }

  /// The elements in their storage type; any other type breaks a promise.
  template <class Number>
  Number* data_as() const {
    return static_cast<Number*>(checked(dtype_of<Number>));
  }
  float* data() const { return data_as<float>(); }
  std::span<float> values() const { return {data(), index(count())}; }
  void* raw() const;
  /// The address of a row.
  void* raw_row(std::int64_t row) const;

  /// Shares the gradient but not the values. Operations save inputs this way if their gradient does not need
  /// the values, so that the memory can be freed.
  Tensor without_values() const;
  /// Shares the values but not the gradient: the form in which a pullback may hold its own result.
  Tensor without_gradient() const;

  /// True if backward should compute a gradient: set by `want_gradient`, or inherited from an input by
  /// `record`.
  bool wants_gradient() const;
  /// The gradient, created as zeros if there was none yet.
  Tensor gradient() const;
  /// The memory for the gradient: created uninitialised if there was none yet.
  GradientSlot gradient_slot() const;
  /// Adds a complete gradient. If there was none yet, it is shared, not copied: the caller must not change it
  /// afterwards.
  void hand_gradient(const Tensor& gradient) const;

  /// Marks a leaf with an external gradient: every backward pass adds to it and never clears it.
  void want_gradient(const Tensor& gradient);
  /// Points at other memory of the same shape (for parameters).
  void bind(float* values);

  /// Points a parameter at a stored matrix, which must outlive it; without gradients.
  void bind(const StoredMatrix&);
  /// The elements in their storage type; columns are all sizes after the first.
  StoredMatrix stored() const;

  /// Attaches a bf16 copy of an f32 parameter, which the caller keeps up to date, for products with bf16
  /// inputs.
  void bind_copy(Bf16* values);
  /// Attaches a packed form for products without gradients.
  void bind_packed(std::shared_ptr<const PackedMatrix> packed);
  const PackedMatrix* packed() const;
  /// The tensor itself, or its copy of this type.
  Tensor as(DType type) const;
  /// The dtype of activations computed with this parameter: f32 unless set otherwise.
  DType working_type() const;
  /// Sets the dtype of activations, and rounds the rows of this table as if they were stored as `rows`.
  void set_working_type(DType working, DType rows);
  DType row_type() const;
  /// From now on, products with this parameter round each row of the other factor to 8 bits, as those with a
  /// matrix packed in int8 do.
  void round_inputs();
  bool rounds_inputs() const;

 private:
  struct Node;
  struct Values;
  Tensor(std::shared_ptr<Node> node, std::shared_ptr<Values> values)
      : node_(std::move(node)), values_(std::move(values)) {}
  void* checked(DType type) const;
  static std::unordered_map<const Node*, int> uses_of_leaves(const Node& loss);

  std::shared_ptr<Node> node_;
  std::shared_ptr<Values> values_;
  friend Tensor record(Tensor, std::vector<Tensor>, Pullback);
  friend void backward(const Tensor&, const std::function<void(const Tensor&)>&);
};

/// Destination of an input's gradient. If `accumulate`, the operation adds to it; otherwise the memory is
/// uninitialised and the operation must write every element.
struct GradientSlot {
  Tensor values;
  bool accumulate;
};

/// Registers on `result` how its gradient reaches `inputs`; saves nothing if no input wants a gradient. A
/// pullback must not hold `result` itself, only its `without_gradient`.
Tensor record(Tensor result, std::vector<Tensor> inputs, Pullback pullback);

/// During its lifetime, `record` saves nothing on this thread.
class WithoutGradients {
 public:
  WithoutGradients();
  ~WithoutGradients();
  WithoutGradients(const WithoutGradients&) = delete;
  WithoutGradients& operator=(const WithoutGradients&) = delete;

 private:
  bool before_;
};

/// True if `record` would save: an operation then keeps the values its gradient needs.
bool any_wants_gradient(std::span<const Tensor> inputs);

/// Adds the gradient of `loss` (one element) to every leaf that wants one. Processes operations newest first
/// and frees each result's gradient and memory as soon as possible. Calls `finished`, if given, for each leaf
/// as soon as its gradient is complete.
void backward(const Tensor& loss, const std::function<void(const Tensor& leaf)>& finished = {});

}  // namespace gloss
