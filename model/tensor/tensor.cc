#include "model/tensor/tensor.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <queue>
#include <unordered_set>

#include "base/error.h"
#include "model/tensor/pool.h"

namespace gloss {

Shape::Shape(std::initializer_list<std::int64_t> sizes) : rank_(static_cast<int>(sizes.size())) {
  expects(sizes.size() <= sizes_.size(), "a shape has at most 4 dimensions");
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
}

std::int64_t Shape::count() const {
  std::int64_t product = 1;
  for (int i = 0; i < rank_; ++i) product *= sizes_[static_cast<std::size_t>(i)];
  return product;
}

std::string Shape::text() const {
  std::string out = "[";
  for (int i = 0; i < rank_; ++i) out += concat(i > 0 ? ", " : "", sizes_[static_cast<std::size_t>(i)]);
  return out + "]";
}

struct Tensor::Node {
  Shape shape;
  DType dtype = DType::f32;
  PooledMemory memory;  // empty if the values belong to somebody else
  void* values = nullptr;
  std::shared_ptr<Node> gradient;
  bool wants_gradient = false;
  std::uint64_t number = 0;  // of its creation by record; leaves have 0
  std::vector<Tensor> inputs;
  Pullback pullback;
};

namespace {
std::atomic<std::uint64_t> last_number{0};
}

Tensor Tensor::uninitialised(const Shape& shape, DType dtype) {
  auto node = std::make_shared<Node>();
  node->shape = shape;
  node->dtype = dtype;
  node->memory = PooledMemory(static_cast<std::size_t>(shape.count()) * size_of(dtype));
  node->values = node->memory.data();
  return Tensor(std::move(node));
}

Tensor Tensor::zeros(const Shape& shape, DType dtype) {
  Tensor tensor = uninitialised(shape, dtype);
  std::memset(tensor.raw(), 0, static_cast<std::size_t>(shape.count()) * size_of(dtype));
  return tensor;
}

Tensor Tensor::of(const Shape& shape, std::span<const float> values) {
  expects(shape.count() == static_cast<std::int64_t>(values.size()), values.size(),
          " values for a tensor of shape ", shape.text());
  Tensor tensor = uninitialised(shape);
  std::copy(values.begin(), values.end(), tensor.data());
  return tensor;
}

Tensor Tensor::over(float* values, const Shape& shape) {
  auto node = std::make_shared<Node>();
  node->shape = shape;
  node->values = values;
  return Tensor(std::move(node));
}

const Shape& Tensor::shape() const { return node_->shape; }
DType Tensor::dtype() const { return node_->dtype; }
void* Tensor::raw() const { return node_->values; }

float* Tensor::data() const {
  expects(node_->dtype == DType::f32, "these numbers are not stored as f32");
  return static_cast<float*>(node_->values);
}

bool Tensor::wants_gradient() const { return node_ != nullptr && node_->wants_gradient; }
bool Tensor::has_gradient() const { return node_->gradient != nullptr; }

Tensor Tensor::gradient() const {
  if (!node_->gradient) node_->gradient = zeros(node_->shape).node_;
  return Tensor(node_->gradient);
}

GradientSlot Tensor::gradient_slot() const {
  const bool fresh = !node_->gradient;
  if (fresh) node_->gradient = uninitialised(node_->shape).node_;
  return {static_cast<float*>(node_->gradient->values), !fresh};
}

void Tensor::hand_gradient(const Tensor& gradient) const {
  expects(gradient.shape() == shape(), "a gradient of shape ", gradient.shape().text(),
          " for a tensor of shape ", shape().text());
  if (!node_->gradient) {
    node_->gradient = gradient.node_;
    return;
  }
  float* to = static_cast<float*>(node_->gradient->values);
  const float* from = gradient.data();
  const std::int64_t n = count();
  for (std::int64_t i = 0; i < n; ++i) to[i] += from[i];
}

void Tensor::want_gradient(Tensor gradient) {
  expects(gradient.shape() == shape(), "a gradient of shape ", gradient.shape().text(),
          " for a tensor of shape ", shape().text());
  node_->gradient = std::move(gradient.node_);
  node_->wants_gradient = true;
}

void Tensor::bind(float* values) {
  node_->memory = PooledMemory();
  node_->values = values;
}

Tensor record(Tensor result, std::vector<Tensor> inputs, Pullback pullback) {
  const bool wanted = any_wants_gradient(inputs);
  if (!wanted) return result;
  Tensor::Node& node = *result.node_;
  node.wants_gradient = true;
  node.number = ++last_number;
  node.inputs = std::move(inputs);
  node.pullback = std::move(pullback);
  return result;
}

bool any_wants_gradient(std::span<const Tensor> inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Tensor& input) { return input.wants_gradient(); });
}

void backward(const Tensor& loss) {
  expects(loss.count() == 1, "backward starts from one number, not from ", loss.shape().text());
  if (!loss.wants_gradient()) return;
  loss.gradient().data()[0] = 1.0f;

  const auto older = [](const Tensor& a, const Tensor& b) { return a.node_->number < b.node_->number; };
  std::priority_queue<Tensor, std::vector<Tensor>, decltype(older)> waiting(older);
  std::unordered_set<const Tensor::Node*> seen{loss.node_.get()};
  waiting.push(loss);
  while (!waiting.empty()) {
    const Tensor result = waiting.top();
    waiting.pop();
    Tensor::Node& node = *result.node_;
    if (!node.pullback) continue;  // a leaf
    if (node.gradient) node.pullback(result, node.inputs);
    for (const Tensor& input : node.inputs) {
      if (input.wants_gradient() && seen.insert(input.node_.get()).second) waiting.push(input);
    }
    // All that used this result is done: its gradient, and its hold on older results, can go.
    seen.erase(&node);
    node.inputs.clear();
    node.pullback = nullptr;
    node.gradient.reset();
  }
}

}  // namespace gloss
