// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

namespace gloss {

/// The memory and the heads of a Neural Turing Machine (Graves et al. 2014).
struct MachineSizes {
  std::int64_t rows, width;  ///< of the memory
  std::int64_t heads;        ///< that write, and as many that read
  std::int64_t reach;        ///< a head moves by at most this many rows in a step

  /// What a head reads to find its rows: key [width], strength, gate, shifts [2 reach + 1], sharpness.
  std::int64_t address_controls() const { return width + 2 * reach + 4; }
  /// Those of a head that writes: also what it erases [width] and adds [width].
  std::int64_t write_controls() const { return address_controls() + 2 * width; }
  /// Those of all heads: first the heads that write, then those that read.
  std::int64_t controls() const { return heads * (write_controls() + address_controls()); }

  /// A state has the memory [rows, width], the weights [rows] of each head that writes and of each head that
  /// reads, and what was read [width] by each of the latter.
  std::int64_t weights_start() const { return rows * width; }
  std::int64_t reads_start() const { return weights_start() + 2 * heads * rows; }
  std::int64_t reads() const { return heads * width; }
  std::int64_t state() const { return reads_start() + reads(); }
};

/// The steps from a head's controls to its weights, by which it reads or writes: a softmax over the
/// similarities of the memory's rows with the key, times the strength; mixed with the weights before by the
/// gate; moved by the shifts; raised to the power of the sharpness. Kept for the gradient.
struct HeadWeights {
  float key_norm = 0, strength = 0, gate = 0, sharpness = 0;
  std::vector<float> key, shifts;
  /// Of each row of the memory.
  std::vector<float> norms, similarities, content, gated, shifted, weights;

  /// `controls` are those of MachineSizes::address_controls, before their activations.
  void compute(const MachineSizes&, const float* controls, const float* memory, const float* before);
};

/// Where the gradients of the inputs of HeadWeights are added.
struct HeadSlopes {
  float* controls;
  float* memory;
  float* before;
};
/// Adds the gradients, given that of the weights.
void add_head_gradient(const MachineSizes&, const HeadWeights&, const float* controls, const float* memory,
                       const float* before, const std::vector<float>& weights_gradient, const HeadSlopes&);

}  // namespace gloss
