// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/layers/norm.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// Layer normalisation of the products inside recurrent networks (Ba et al. 2016): none; each product as a
/// whole; or the gates and the candidate of a GRU each by itself (Sennrich et al. 2017: Nematus).
enum class ProductNorm { none, joint, separate };

/// The kind of the cells of a layer.
struct CellKind {
  Cell cell;
  ProductNorm norm = ProductNorm::none;
  double epsilon = 1e-5;  ///< of the norm
  int transitions = 0;    ///< further cells without input in every step (Pascanu et al. 2014)
};

/// Normalisation of a product with one block for each gate. Parameters NAME.norm, or NAME.norm.gates and
/// NAME.norm.candidate; none if nothing is normalised.
class GateNorm {
 public:
  GateNorm(Parameters&, const std::string& name, const CellKind&, std::int64_t width);
  Tensor operator()(const Tensor& product) const;

 private:
  std::optional<Norm> first_, candidate_;
};

/// A recurrent cell. Parameters NAME.input.weight, NAME.input.bias, NAME.recurrent.weight, for a GRU
/// NAME.recurrent.bias, and those of GateNorm for NAME.input and NAME.recurrent; without input, there is no
/// NAME.input but its bias.
class RecurrentCell {
 public:
  /// `in`: width of the input; 0: none.
  RecurrentCell(Parameters&, const std::string& name, const CellKind&, std::int64_t in, std::int64_t width);
  /// The inputs' contribution to the gates: [T, in] to [T, gates * width].
  Tensor project(const Tensor& x) const { return input_norm_(linear(x, input_weight_, input_bias_)); }
  /// The state after each row, one step after the state `before`. `projected` is empty without input.
  Tensor step(const Tensor& projected, const Tensor& before) const;
  /// The state after each row over all steps: see `recurrence`. Only without normalisation.
  Tensor run(const Tensor& projected, const Tensor& initial,
             std::shared_ptr<const RecurrentSteps> steps) const {
    return recurrence(cell_, projected, recurrent_weight_, recurrent_bias_, initial, std::move(steps));
  }
  std::int64_t width() const { return recurrent_weight_.columns(); }
  std::int64_t state_width() const { return state_parts(cell_) * width(); }

 private:
  Cell cell_;
  Tensor input_weight_, input_bias_, recurrent_weight_, recurrent_bias_;
  GateNorm input_norm_, recurrent_norm_;
};

}  // namespace gloss
