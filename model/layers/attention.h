#pragma once

#include <string>
#include <vector>

#include "model/layers/linear.h"
#include "model/tensor/ops.h"

namespace gloss {

/// What queries attend to: either a packed tensor with the spans of its sentences (training, encoder), or
/// lists of rows, one list per query (decoding).
struct KeysValues {
  Tensor packed;  ///< [Tk, at least 2 width]: keys and values are the last columns
  std::vector<AttentionSpan> spans;
  KeyRows rows;
};

/// Where the past of each row being decoded lies: for every row, the (step, row in that step) of each
/// position. Rows are reordered by reordering these lists; the keys and values themselves never move.
class Past {
 public:
  struct Place {
    int step, row;
  };

  explicit Past(int rows) : places_(static_cast<std::size_t>(rows)) {}
  int rows() const { return static_cast<int>(places_.size()); }
  /// How many positions row `row` has.
  int length(int row) const { return static_cast<int>(places_[static_cast<std::size_t>(row)].size()); }
  /// Every row gets one more position: its row in the new step.
  void advance();
  void select(std::span<const int> rows);
  const std::vector<Place>& places(int row) const { return places_[static_cast<std::size_t>(row)]; }

 private:
  std::vector<std::vector<Place>> places_;
  int steps_ = 0;
};

/// The keys and values that one attention layer has seen, one tensor per step.
class History {
 public:
  /// Adds this step's projections (last columns: keys, values) and gives all that each row has seen, this
  /// step included: `past` was advanced for it.
  KeysValues extend(const Tensor& now, const Past& past, std::int64_t width);

 private:
  std::vector<Tensor> steps_;
};

/// What one call of a self-attention sees.
struct SelfAttentionView {
  const std::vector<AttentionSpan>* spans = nullptr;  ///< of the packed batch; null while decoding
  History* history = nullptr;                         ///< while decoding, with its past
  const Past* past = nullptr;
};

/// Multi-head self-attention with its projections. Parameters NAME.query_key_value and NAME.output.
class SelfAttention {
 public:
  SelfAttention(Parameters&, const std::string& name, std::int64_t width, int heads);
  /// [T, width] to [T, width].
  Tensor operator()(const Tensor& x, const SelfAttentionView&, bool causal, const DropoutMask&) const;

 private:
  std::int64_t width_;
  int heads_;
  Linear query_key_value_, output_;
};

/// Multi-head attention to an encoder's result. Parameters NAME.query, NAME.key_value and NAME.output.
class CrossAttention {
 public:
  CrossAttention(Parameters&, const std::string& name, std::int64_t width, int heads);
  /// Keys and values of the memory [Tk, width]: [Tk, 2 width], made once per sentence.
  Tensor project(const Tensor& memory) const;
  /// [T, width] to [T, width].
  Tensor attend(const Tensor& x, const KeysValues& memory, const DropoutMask&) const;
  /// Where the rows of x look while decoding: see `attention_weights`.
  std::vector<float> weights(const Tensor& x, const KeyRows& memory) const;

 private:
  std::int64_t width_;
  int heads_;
  Linear query_, key_value_, output_;
};

}  // namespace gloss
