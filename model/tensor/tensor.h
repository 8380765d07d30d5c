#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/tensor/dtype.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {

/// Sizes of up to four dimensions, the outermost first; row-major.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes);
  int rank() const { return rank_; }
  std::int64_t operator[](int dimension) const { return sizes_[static_cast<std::size_t>(dimension)]; }
  /// Product of the sizes.
  std::int64_t count() const;
  /// The first size; what a packed batch counts its tokens with.
  std::int64_t rows() const { return rank_ == 0 ? 1 : sizes_[0]; }
  /// The product of all sizes after the first.
  std::int64_t columns() const { return count() / (rows() == 0 ? 1 : rows()); }
  bool operator==(const Shape&) const = default;
  /// As "[32, 512]".
  std::string text() const;

 private:
  std::array<std::int64_t, 4> sizes_{};
  int rank_ = 0;
};

class PackedMatrix;
class Tensor;
/// Adds to the gradients of an operation's inputs, given the whole gradient of its result.
using Pullback = std::function<void(const Tensor& gradient, std::span<const Tensor> inputs)>;

struct GradientSlot;

/// A handle to a 64-byte aligned array with shape, dtype and, where wanted, a gradient. Copies share the
/// array and the gradient. A gradient has the dtype of its tensor; that of a parameter is f32.
class Tensor {
 public:
  /// No tensor: tests false.
  Tensor() = default;
  /// A new array from the calling thread's pool with unspecified content.
  static Tensor uninitialised(const Shape&, DType = DType::f32);
  static Tensor zeros(const Shape&, DType = DType::f32);
  static Tensor of(const Shape&, std::span<const float> values);
  /// A tensor over memory that somebody else owns and keeps alive.
  static Tensor over(float* values, const Shape&);

  explicit operator bool() const { return node_ != nullptr; }
  const Shape& shape() const;
  DType dtype() const;
  std::int64_t rows() const { return shape().rows(); }
  std::int64_t columns() const { return shape().columns(); }
  std::int64_t count() const { return shape().count(); }
  /// Of its numbers.
  std::int64_t bytes() const { return count() * static_cast<std::int64_t>(size_of(dtype())); }

  /// The numbers as what they are stored as; another type is a mistake of the caller's.
  template <class Number>
  Number* data_as() const {
    return static_cast<Number*>(checked(dtype_of<Number>));
  }
  float* data() const { return data_as<float>(); }
  std::span<float> values() const { return {data(), static_cast<std::size_t>(count())}; }
  void* raw() const;
  /// The address of a row.
  void* raw_row(std::int64_t row) const;

  /// Shares the gradient, but not the numbers: what an operation remembers of an input whose values its
  /// gradient does not need, so that their memory is free for others.
  Tensor without_values() const;
  /// Shares the numbers, but not the gradient: what an operation's pullback may keep of its own result.
  Tensor without_gradient() const;

  /// True if backward should compute a gradient: set by `want_gradient`, or inherited from an input by
  /// `record`.
  bool wants_gradient() const;
  /// The gradient, made of zeros if there was none yet.
  Tensor gradient() const;
  /// Where to put the gradient: memory made without being filled if there was none yet.
  GradientSlot gradient_slot() const;
  /// Adds a whole gradient; where there was none yet, without a copy: the giver must not change it
  /// afterwards.
  void hand_gradient(const Tensor& gradient) const;

  /// Marks a leaf: `gradient` is added to by every backward pass and never cleared by it.
  void want_gradient(const Tensor& gradient);
  /// Points at other memory of the same shape (a parameter that got its place).
  void bind(float* values);

  /// Makes a parameter what is stored somewhere else, which must stay: for use without gradients.
  void bind(const StoredMatrix&);
  /// The numbers as they are stored; columns are all sizes after the first.
  StoredMatrix stored() const;

  /// Gives an f32 parameter a copy in bf16, kept up to date by somebody else, for products with bf16 numbers.
  void bind_copy(Bf16* values);
  /// Gives a parameter a packed form, which products without gradients take.
  void bind_packed(std::shared_ptr<const PackedMatrix> packed);
  const PackedMatrix* packed() const;
  /// The numbers as `type`: the tensor itself or its copy.
  Tensor as(DType type) const;
  /// What operations compute with where this parameter is used: f32 unless set otherwise.
  DType working_type() const;
  /// From now on activations are `working`, and rows of this table as if they were stored as `rows`.
  void set_working_type(DType working, DType rows);
  DType row_type() const;

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

/// Where an operation puts an input's gradient. If `accumulate`, it adds; else the memory is new and it must
/// write every number.
struct GradientSlot {
  Tensor values;
  bool accumulate;
};

/// Remembers on `result` how its gradient reaches `inputs`; keeps nothing if no input wants a gradient. A
/// pullback must not hold `result` itself, only its `without_gradient`.
Tensor record(Tensor result, std::vector<Tensor> inputs, Pullback pullback);

/// While one lives, `record` remembers nothing that its thread computes.
class WithoutGradients {
 public:
  WithoutGradients();
  ~WithoutGradients();
  WithoutGradients(const WithoutGradients&) = delete;
  WithoutGradients& operator=(const WithoutGradients&) = delete;

 private:
  bool before_;
};

/// True if `record` would remember: an operation then keeps what its gradient needs.
bool any_wants_gradient(std::span<const Tensor> inputs);

/// Adds the gradient of `loss` (one number) to every leaf that wants one. Goes through the operations newest
/// first and frees each result's gradient and memory as soon as it is not needed. `finished`, if not empty,
/// is told of each leaf as soon as nothing more will be added to its gradient.
void backward(const Tensor& loss, const std::function<void(const Tensor& leaf)>& finished = {});

}  // namespace gloss
