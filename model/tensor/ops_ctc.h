// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tensor/tensor.h"

namespace gloss {

// Connectionist temporal classification (CTC, Graves et al. 2006): each vector of a sequence predicts a label
// or the blank. A path of such predictions stands for the labels that remain when repetitions are joined and
// blanks are left out, so that equal neighbouring labels need a blank between them.

/// The labels of a packed batch.
struct CtcLabels {
  std::vector<int> starts;             ///< rows + 1 positions in the scores
  std::vector<std::int32_t> labels{};  ///< of all rows, without blanks
  std::vector<int> label_starts{0};    ///< rows + 1 positions in `labels`
  std::vector<float> weights{};        ///< of each row's loss; empty: all 1
  std::int32_t blank = 0;
};

/// The length of the shortest path for these labels: their number, plus one blank for each repetition.
int shortest_ctc_path(std::span<const std::int32_t> labels);

/// The log-probabilities of `count` vectors from `first` on, [count, vocabulary], given scores up to a
/// constant per vector.
std::vector<double> log_softmax(const Tensor& scores, int first, int count);

/// [1]: the sum over rows of -log p(labels), p being the sum of the probabilities of all their paths. scores
/// [T, vocabulary], up to a constant per vector. Rows with fewer vectors than the shortest path of their
/// labels are left out: no path exists.
Tensor ctc_loss(const Tensor& scores, CtcLabels);

}  // namespace gloss
