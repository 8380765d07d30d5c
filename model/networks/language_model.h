#pragma once

#include <vector>

#include "model/networks/packed_rows.h"
#include "model/networks/step_network.h"

namespace gloss {

/// A network that continues text. A source row is what stands before its target row: tokens that are read and
/// not predicted, such as a prompt. An empty one means that nothing stands there, which the begin token
/// tells. A row's first step follows its source, whatever its latest token. There is no attention to a
/// source.
class LanguageModel : public StepNetwork {
 public:
  Loss loss(const Batch&, const Regularization*) const final;
  std::vector<float> log_probabilities(const Batch&) const final;
  Tensor states(const TokenRows& rows) const final {
    return hidden(PackedRows(rows, kDecodingRows), nullptr);
  }

 protected:
  using StepNetwork::StepNetwork;
  /// The last hidden states of rows that are read; `random`, if not null, draws dropout.
  virtual Tensor hidden(const PackedRows&, Random* random) const = 0;

  /// Rows of which the last token is left to their first step.
  struct Prompts {
    TokenRows read;
    std::vector<TokenId> last;
  };
  Prompts prompts_of(const TokenRows& source) const;
  /// Throws UsageError if somebody asks where it looks.
  static void refuse(const SourceAttention*);

 private:
  struct Taught;
  Taught teach(const Batch&) const;
};

}  // namespace gloss
