#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gloss {

/// What the numbers of a tensor are stored as.
enum class DType { f32, bf16 };
/// Bytes of one number.
constexpr std::size_t size_of(DType type) { return type == DType::f32 ? 4 : 2; }

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

class Tensor;
/// Adds to the gradients of an operation's inputs, given its result, whose gradient is whole by then.
using Pullback = std::function<void(const Tensor& result, std::span<const Tensor> inputs)>;

/// Where an operation puts an input's gradient. If `accumulate`, it adds; else the memory is new and it must
/// write every number.
struct GradientSlot {
  float* values;
  bool accumulate;
};

/// A handle to a 64-byte aligned array with shape, dtype and, where wanted, a gradient. Copies share the
/// array.
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

  /// The numbers; only for f32.
  float* data() const;
  std::span<float> values() const { return {data(), static_cast<std::size_t>(count())}; }
  void* raw() const;

  /// True if backward should compute a gradient: set by `want_gradient`, or inherited from an input by
  /// `record`.
  bool wants_gradient() const;
  /// The gradient, made of zeros if there was none yet; same shape, f32.
  Tensor gradient() const;
  bool has_gradient() const;
  /// The gradient's memory, made without being filled if there was none yet.
  GradientSlot gradient_slot() const;
  /// Adds a whole gradient; where there was none yet, without a copy: the giver must not change it
  /// afterwards.
  void hand_gradient(const Tensor& gradient) const;

  /// Marks a leaf: `gradient` is added to by every backward pass and never cleared by it.
  void want_gradient(Tensor gradient);
  /// Points at other memory of the same shape (a parameter that got its place).
  void bind(float* values);

 private:
  struct Node;
  explicit Tensor(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;
  friend Tensor record(Tensor, std::vector<Tensor>, Pullback);
  friend void backward(const Tensor&);
};

/// Remembers on `result` how its gradient reaches `inputs`; keeps nothing if no input wants a gradient.
Tensor record(Tensor result, std::vector<Tensor> inputs, Pullback pullback);

/// True if `record` would remember: an operation then keeps what its gradient needs.
bool any_wants_gradient(std::span<const Tensor> inputs);

/// Adds the gradient of `loss` (one number) to every leaf that wants one. Goes through the operations newest
/// first and frees each result's gradient and memory as soon as it is not needed.
void backward(const Tensor& loss);

}  // namespace gloss
