// SPDX-License-Identifier: Apache-2.0

#include "model/layers/parameters.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "base/threads.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/packed_matrix.h"
#include "model/tensor/pooled_memory.h"

namespace gloss {
namespace {

constexpr std::int64_t kAlign = 16;  // elements: each parameter starts at a 64-byte boundary

bool is_matrix(Role role) { return role == Role::matrix || role == Role::matrix_and_table; }

}  // namespace

struct Parameters::Storage {
  PooledMemory memory;
  std::span<float> numbers;
  explicit Storage(std::int64_t count)
      : memory(index(count) * sizeof(float)), numbers(static_cast<float*>(memory.data()), index(count)) {
    std::fill(numbers.begin(), numbers.end(), 0.0f);
  }
};

Tensor Parameters::declare(std::string name, const Shape& shape, Initialiser initialiser, Role role) {
  for (const Entry& entry : entries_) expects(entry.name != name, "parameter ", name, " is declared twice");
  Tensor tensor = Tensor::over(nullptr, shape);
  entries_.push_back({std::move(name), tensor, std::move(initialiser), role, flat_size_});
  flat_size_ += round_up(shape.count(), kAlign);
  return tensor;
}

void Parameters::initialise(Random& random) {
  values_ = std::make_shared<Storage>(flat_size_);
  for (Entry& entry : entries_) {
    entry.tensor.bind(values_->numbers.data() + entry.offset);
    entry.initialiser(entry.tensor.values(), random);
  }
}

void Parameters::share(const Parameters& owner) {
  expects(owner.entries_.size() == entries_.size(), "parameters shared between different networks");
  values_ = owner.values_;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    expects(owner.entries_[i].name == entries_[i].name &&
                owner.entries_[i].tensor.shape() == entries_[i].tensor.shape(),
            "parameters shared between different networks: ", entries_[i].name);
    entries_[i].tensor.bind(owner.entries_[i].tensor.data());
  }
}

void Parameters::adopt(const std::function<StoredMatrix(const Entry&)>& find, bool copy) {
  if (copy) values_ = std::make_shared<Storage>(flat_size_);
  for (Entry& entry : entries_) {
    const StoredMatrix stored = find(entry);
    if (!copy) {
      entry.tensor.bind(stored);
      continue;
    }
    float* const values = values_->numbers.data() + entry.offset;
    for (std::int64_t row = 0; row < stored.rows; ++row)
      widen_row(stored, row, values + row * stored.columns);
    entry.tensor.bind(values);
  }
}

void Parameters::pack(DType type, int threads, const std::function<void(const Entry&)>& packed) {
  std::vector<Entry*> matrices;
  for (Entry& entry : entries_) {
    const bool may_be_small = entry.role != Role::other;
    entry.tensor.set_working_type(type == DType::f32 ? DType::f32 : DType::bf16,
                                  may_be_small ? type : DType::f32);
    if (is_matrix(entry.role)) matrices.push_back(&entry);
  }
  for_each_item(threads, static_cast<std::int64_t>(matrices.size()), [&](std::int64_t i) {
    const SingleThreaded alone;
    Tensor& tensor = matrices[index(i)]->tensor;
    tensor.bind_packed(std::make_shared<const PackedMatrix>(tensor.stored(), type));
    if (packed) packed(*matrices[index(i)]);
  });
}

void Parameters::expect_flat_size(std::size_t elements) const {
  expects(static_cast<std::int64_t>(elements) == flat_size_, "copies of weights have ", elements,
          " elements, expected ", flat_size_);
}

void Parameters::use_rounded(std::span<float> rounded) {
  expect_flat_size(rounded.size());
  for (Entry& entry : entries_) {
    entry.tensor.bind(rounded.data() + entry.offset);
    if (is_matrix(entry.role)) entry.tensor.round_inputs();
  }
}

void Parameters::use_copies(std::span<Bf16> copies) {
  expect_flat_size(copies.size());
  for (Entry& entry : entries_) entry.tensor.bind_copy(copies.data() + entry.offset);
}

void Parameters::keep_gradients(const std::function<bool(const Entry&)>& wanted) {
  gradients_ = std::make_shared<Storage>(flat_size_);
  for (Entry& entry : entries_) {
    if (!wanted(entry)) continue;
    entry.tensor.want_gradient(Tensor::over(gradients_->numbers.data() + entry.offset, entry.tensor.shape()));
  }
}

std::span<float> Parameters::values() const { return values_ ? values_->numbers : std::span<float>(); }
std::span<float> Parameters::gradients() const {
  return gradients_ ? gradients_->numbers : std::span<float>();
}

std::span<float> Parameters::gradient_part(const Tensor& parameter) const {
  return {parameter.gradient().data(), index(round_up(parameter.count(), kAlign))};
}

DType Parameters::stored_type() const {
  for (const Entry& entry : entries_) {
    if (entry.role != Role::other) return entry.tensor.dtype();
  }
  return DType::f32;
}

std::int64_t Parameters::count() const {
  std::int64_t total = 0;
  for (const Entry& entry : entries_) total += entry.tensor.count();
  return total;
}

}  // namespace gloss
