// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/parameters.h"
#include "model/networks/packed_rows.h"

namespace gloss {

/// Adds positions and class tokens to vectors of items. Parameters encoder.class.
class VectorPositions {
 public:
  /// Tables of positions [positions, width], that of the class token first if there is one.
  struct Tables {
    Tensor learned, fixed;  ///< may be empty
  };
  VectorPositions(Parameters&, Tables, int width, bool class_token);
  Tensor operator()(Tensor vectors, const PackedRows&) const;
  /// 1 after a class token.
  int first_vector() const { return class_ ? 1 : 0; }

 private:
  Tables tables_;
  Tensor class_;  // [1, width]; may be empty
};

/// The numbers of an f32 tensor without a gradient in the type of activations.
Tensor in_type(const Tensor& numbers, DType type);

}  // namespace gloss
