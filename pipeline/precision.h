#pragma once

#include <span>
#include <vector>

#include "base/fields.h"
#include "base/worker_threads.h"
#include "model/tensor/dtype.h"

namespace gloss {

/// What is computed with. In training, bf16: activations, their gradients and copies of the weights; the
/// weights themselves, their gradients, the optimizer and all sums stay f32 (Micikevicius et al. 2018;
/// Kalamkar et al. 2019); automatic: bf16 where the processor has instructions for it. In translation, bf16
/// and int8: weights of products and tables, with activations in bf16; automatic: what the model's weights
/// are stored as.
enum class Precision { automatic, f32, bf16, int8 };
/// The names for training: auto, f32, bf16.
Choice training_precision_choice(Precision&);
/// The names for translation: auto, f32, bf16, int8.
Choice translation_precision_choice(Precision&);

/// The precision of training that is meant on this machine, never `automatic`. Throws UsageError if bf16 is
/// asked for and cannot be computed here.
Precision resolved(Precision);
/// What a model whose weights are stored as `stored` translates with. Throws UsageError if that cannot be
/// computed here.
DType translation_type(Precision, DType stored);

/// Copies of all weights in bf16, which several networks may use.
class WeightCopies {
 public:
  explicit WeightCopies(std::span<const float> weights) : weights_(weights), copies_(weights.size()) {}
  /// Makes the copies equal to the weights again, to rounding.
  void refresh(WorkerThreads&);
  std::span<Bf16> values() { return copies_; }

 private:
  std::span<const float> weights_;
  std::vector<Bf16> copies_;
};

}  // namespace gloss
