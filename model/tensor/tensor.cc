// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/tensor.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/pooled_memory.h"
#include "model/tensor/profile.h"

namespace gloss {

namespace {
const ProfiledOperation kAdding("add gradients");
}

Shape::Shape(std::initializer_list<std::int64_t> sizes) : rank_(static_cast<int>(sizes.size())) {
  expects(sizes.size() <= sizes_.size(), "a shape has at most 4 dimensions");
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
}

std::int64_t Shape::count() const {
  std::int64_t product = 1;
  for (int i = 0; i < rank_; ++i) product *= sizes_[index(i)];
  return product;
}

std::string Shape::text() const {
  std::string out = "[";
  for (int i = 0; i < rank_; ++i) out += concat(i > 0 ? ", " : "", sizes_[index(i)]);
  return out + "]";
}

struct Tensor::Values {
  PooledMemory memory;  // empty if another owner holds the values
  void* numbers = nullptr;
  // For parameters:
  const float* scales = nullptr;       // scales of the rows of an int8 matrix
  bool mapped = false;                 // numbers are pages of a file
  const Bf16* group_scales = nullptr;  // scales of the groups of an int4 matrix
  Bf16* copy = nullptr;
  std::shared_ptr<const PackedMatrix> packed;
  DType working = DType::f32, rows = DType::f32;
  bool rounds_inputs = false;
};

struct Tensor::Node {
  Shape shape;
  DType dtype = DType::f32;
  std::shared_ptr<Values> gradient;
  bool wants_gradient = false;
  std::uint64_t number = 0;  // order of creation by record; 0 for leaves
  std::vector<Tensor> inputs;
  Pullback pullback;
};

namespace {
std::atomic<std::uint64_t> last_number{0};
thread_local bool remembers = true;
}  // namespace

Tensor Tensor::uninitialised(const Shape& shape, DType dtype) {
  auto node = std::make_shared<Node>();
  node->shape = shape;
  node->dtype = dtype;
  auto values = std::make_shared<Values>();
  values->memory = PooledMemory(index(shape.count()) * size_of(dtype));
  values->numbers = values->memory.data();
  return {std::move(node), std::move(values)};
}

Tensor Tensor::zeros(const Shape& shape, DType dtype) {
  Tensor tensor = uninitialised(shape, dtype);
  std::memset(tensor.raw(), 0, index(shape.count()) * size_of(dtype));
  return tensor;
}

Tensor Tensor::of(const Shape& shape, std::span<const float> values) {
  expects(shape.count() == static_cast<std::int64_t>(values.size()), values.size(),
          " values for a tensor of shape ", shape.text());
  Tensor tensor = uninitialised(shape);
  std::copy(values.begin(), values.end(), tensor.data());
  return tensor;
}

Tensor Tensor::over(float* numbers, const Shape& shape) {
  auto node = std::make_shared<Node>();
  node->shape = shape;
  auto values = std::make_shared<Values>();
  values->numbers = numbers;
  return {std::move(node), std::move(values)};
}

const Shape& Tensor::shape() const { return node_->shape; }
DType Tensor::dtype() const { return node_->dtype; }

void* Tensor::raw() const {
  expects(values_ != nullptr, "this tensor has no values (without_values)");
  return values_->numbers;
}

void* Tensor::raw_row(std::int64_t row) const {
  return static_cast<char*>(raw()) + index(row * columns()) * size_of(dtype());
}

void* Tensor::checked(DType type) const {
  expects(dtype() == type, "the tensor is stored as ", name_of(dtype()), ", not as ", name_of(type));
  return raw();
}

Tensor Tensor::without_values() const { return {node_, nullptr}; }

Tensor Tensor::without_gradient() const {
  auto node = std::make_shared<Node>();
  node->shape = shape();
  node->dtype = dtype();
  return {std::move(node), values_};
}

bool Tensor::wants_gradient() const { return node_ != nullptr && node_->wants_gradient; }

Tensor Tensor::gradient() const {
  if (!node_->gradient) node_->gradient = zeros(shape(), dtype()).values_;
  auto node = std::make_shared<Node>();
  node->shape = shape();
  node->dtype = dtype();
  return {std::move(node), node_->gradient};
}

GradientSlot Tensor::gradient_slot() const {
  const bool fresh = !node_->gradient;
  if (fresh) node_->gradient = uninitialised(shape(), dtype()).values_;
  return {gradient(), !fresh};
}

void Tensor::hand_gradient(const Tensor& given) const {
  expects(given.shape() == shape() && given.dtype() == dtype(), "a gradient of shape ", given.shape().text(),
          " for a tensor of shape ", shape().text());
  if (!node_->gradient) {
    node_->gradient = given.values_;
    return;
  }
  const ProfiledTime time(kAdding, count(), 3 * bytes());
  for_dtype(dtype(), [&]<class Number>() {
    kernels().of<Number>().add(gradient().data_as<Number>(), given.data_as<Number>(), count());
  });
}

void Tensor::want_gradient(const Tensor& gradient) {
  expects(gradient.shape() == shape() && gradient.dtype() == dtype(), "a gradient of shape ",
          gradient.shape().text(), " for a tensor of shape ", shape().text());
  node_->gradient = gradient.values_;
  node_->wants_gradient = true;
}

void Tensor::bind(float* numbers) {
  node_->dtype = DType::f32;
  values_->memory = PooledMemory();
  values_->numbers = numbers;
  values_->mapped = false;
}

void Tensor::bind(const StoredMatrix& stored) {
  node_->dtype = stored.type;
  values_->memory = PooledMemory();
  values_->numbers = const_cast<void*>(stored.numbers);  // read-only: it never has a gradient
  values_->scales = stored.scales;
  values_->mapped = stored.mapped;
  values_->group_scales = stored.group_scales;
}

StoredMatrix Tensor::stored() const {
  return {dtype(), raw(), values_->scales, rows(), columns(), values_->mapped, values_->group_scales};
}

void Tensor::bind_copy(Bf16* copy) {
  values_->copy = copy;
  values_->working = DType::bf16;
}

void Tensor::bind_packed(std::shared_ptr<const PackedMatrix> packed) { values_->packed = std::move(packed); }
const PackedMatrix* Tensor::packed() const { return values_->packed.get(); }

DType Tensor::working_type() const { return values_->working; }
void Tensor::set_working_type(DType working, DType rows) {
  values_->working = working;
  values_->rows = rows;
}
DType Tensor::row_type() const { return values_->rows; }
void Tensor::round_inputs() { values_->rounds_inputs = true; }
bool Tensor::rounds_inputs() const { return values_->rounds_inputs; }

Tensor Tensor::as(DType type) const {
  if (type == dtype()) return *this;
  expects(type == DType::bf16 && values_->copy != nullptr, "the parameter has no bf16 copy");
  auto node = std::make_shared<Node>();
  node->shape = shape();
  node->dtype = DType::bf16;
  auto values = std::make_shared<Values>();
  values->numbers = values_->copy;
  return {std::move(node), std::move(values)};
}

Tensor record(Tensor result, std::vector<Tensor> inputs, Pullback pullback) {
  if (!any_wants_gradient(inputs)) return result;
  Tensor::Node& node = *result.node_;
  node.wants_gradient = true;
  node.number = ++last_number;
  node.inputs = std::move(inputs);
  node.pullback = std::move(pullback);
  return result;
}

WithoutGradients::WithoutGradients() : before_(std::exchange(remembers, false)) {}
WithoutGradients::~WithoutGradients() { remembers = before_; }

bool any_wants_gradient(std::span<const Tensor> inputs) {
  return remembers && std::any_of(inputs.begin(), inputs.end(),
                                  [](const Tensor& input) { return input.wants_gradient(); });
}

/// How often backward will add to the gradient of each leaf.
std::unordered_map<const Tensor::Node*, int> Tensor::uses_of_leaves(const Node& loss) {
  std::unordered_map<const Node*, int> uses;
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> waiting{&loss};
  while (!waiting.empty()) {
    const Node* node = waiting.back();
    waiting.pop_back();
    for (const Tensor& input : node->inputs) {
      if (!input.wants_gradient()) continue;
      const Node* of = input.node_.get();
      if (!of->pullback) {
        ++uses[of];
      } else if (seen.insert(of).second) {
        waiting.push_back(of);
      }
    }
  }
  return uses;
}

void backward(const Tensor& loss, const std::function<void(const Tensor&)>& finished) {
  expects(loss.count() == 1, "backward needs a single number, found shape ", loss.shape().text());
  if (!loss.wants_gradient()) return;
  loss.gradient().data()[0] = 1.0f;  // shares memory with the loss's own gradient

  const auto older = [](const Tensor& a, const Tensor& b) { return a.node_->number < b.node_->number; };
  std::priority_queue<Tensor, std::vector<Tensor>, decltype(older)> waiting(older);
  std::unordered_set<const Tensor::Node*> seen{loss.node_.get()};
  waiting.push(loss);
  std::unordered_map<const Tensor::Node*, int> uses;
  if (finished) uses = Tensor::uses_of_leaves(*loss.node_);
  while (!waiting.empty()) {
    const Tensor result = waiting.top();
    waiting.pop();
    Tensor::Node& node = *result.node_;
    if (!node.pullback) continue;  // a leaf
    if (node.gradient) node.pullback(result.gradient(), node.inputs);
    for (const Tensor& input : node.inputs) {
      if (!input.wants_gradient()) continue;
      if (seen.insert(input.node_.get()).second) waiting.push(input);
      if (finished && !input.node_->pullback && --uses[input.node_.get()] == 0) finished(input);
    }
    // All uses of this result are done: release its gradient and its references to older results.
    seen.erase(&node);
    node.inputs.clear();
    node.pullback = nullptr;
    node.gradient.reset();
  }
}

}  // namespace gloss
