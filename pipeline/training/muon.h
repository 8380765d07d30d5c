// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/kernels/dtype.h"
#include "model/layers/weight_ranges.h"

namespace gloss {

/// A matrix of a flat array of weights that Muon updates.
struct MuonMatrix {
  std::size_t begin = 0;  ///< index of its first element
  std::int64_t rows = 0, columns = 0;
};

/// The matrices of a parameter: one; one for each square if queries, keys and values are multiplied together;
/// none for vectors, embeddings and output layers, which Adam updates.
std::vector<MuonMatrix> muon_matrices(const WeightRange&);

/// The figures of a step.
struct MuonStep {
  float gradient_scale = 1;
  float momentum = 0.95F;
  float rate = 0;
  float decay = 0;          ///< share of each weight that is subtracted
  DType type = DType::f32;  ///< of the products
};

/// Orthogonalised momentum (Jordan 2024): the step is the matrix nearest to the momentum (Nesterov's) whose
/// singular values are all 1, about. It is scaled to a root mean square of 0.2, which is about that of
/// Adam's steps, so that both have one learning rate (Liu et al. 2025).
/// The spans have rows * columns numbers. The result does not depend on the number of threads.
void muon_update(std::span<float> weights, std::span<const float> gradients, std::span<float> momentum,
                 const MuonMatrix&, const MuonStep&);

/// Three Newton-Schulz iterations: moves the singular values of a row-major matrix to between 0.7 and 1.3,
/// but for those less than a hundredth of the largest, about. Products are computed in `type`, f32 or
/// bf16; of matrices with fewer than 64 rows or columns in f32.
void orthogonalise(std::span<float> matrix, std::int64_t rows, std::int64_t columns, DType type);

}  // namespace gloss
