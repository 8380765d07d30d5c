// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/networks/packed_rows.h"
#include "model/networks/step_network.h"

namespace gloss {

/// A network that continues text. A source row is the context of its target row: tokens that are read and not
/// predicted, such as a prompt. The begin token replaces an empty context. A row's first step continues its
/// source and ignores its latest token. There is no attention to a source.
class LanguageModel : public StepNetwork {
 public:
  Loss loss(const Batch&, const Regularization*) const final;
  std::vector<float> log_probabilities(const Batch&) const final;
  Tensor states(const TokenRows& rows) const final {
    return hidden(PackedRows(rows, kDecodingRows), nullptr);
  }

 protected:
  using StepNetwork::StepNetwork;
  /// The last hidden states of rows; `random`, if not null, samples dropout masks.
  virtual Tensor hidden(const PackedRows&, Random* random) const = 0;

  /// Prompts without their last token, which is the input of the first step.
  struct Prompts {
    TokenRows read;
    std::vector<TokenId> last;
  };
  Prompts prompts_of(const TokenRows& source) const;
  /// Throws UsageError if attention is requested.
  static void refuse(const SourceAttention*);

 private:
  struct Taught;
  Taught teach(const Batch&) const;
};

}  // namespace gloss
