#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/layers/linear.h"
#include "model/tensor/ops.h"

namespace gloss {

/// What queries attend to: either a packed tensor with the spans of its sentences (training, encoder), or
/// lists of rows, one list per query (decoding).
struct KeysValues {
  Tensor packed;                                      ///< [Tk, at least 2 width]: the last columns
  const std::vector<AttentionSpan>* spans = nullptr;  ///< of `packed`
  const KeyRows* rows = nullptr;                      ///< if nothing is packed
};

/// Where the past of each row being decoded lies: for every row the slots of its positions, the same in all
/// layers. Rows are reordered by reordering these lists; keys and values never move. Rows share the slots of
/// a past that they have in common, and a slot that no row needs any more is used again.
class Past {
 public:
  int rows() const { return rows_; }
  /// How many positions row `row` has.
  int length(int row) const { return static_cast<int>(slots(row).size()); }
  const std::vector<int>& slots(int row) const { return slots_[static_cast<std::size_t>(row)]; }

  /// That many new rows, without a past, behind those there are.
  void add_rows(int count);
  /// Every row gets one more position, in a slot of its own.
  void advance();
  void select(std::span<const int> rows);

 private:
  int rows_ = 0;
  std::vector<std::vector<int>> slots_, selected_;  // of the rows; there may be more, which keep their memory
  std::vector<int> uses_;                           // of each slot: how many rows have it
  std::vector<int> free_;
};

/// The keys and values that one attention layer has seen, in slots.
class History {
 public:
  /// Keeps this step's keys and values (the last columns of `now`) in each row's latest slot, and gives all
  /// that each row has seen, this step included: `past` was advanced for it. `before`: what each row sees
  /// before its past; null: nothing.
  KeysValues extend(const Tensor& now, const Past& past, const KeyRows* before, std::int64_t width);

 private:
  static constexpr int kBlockSlots = 256;
  std::vector<Tensor> blocks_;  // [kBlockSlots, 2 width] each
  KeyRows seen_;
};

/// What self-attention knows of positions by itself; both may be none.
struct AttentionPositions {
  Tensor distances;  ///< see AttentionShape
  Tensor angles;     ///< see `rotate`
};

/// What one call of a self-attention sees.
struct SelfAttentionView {
  const std::vector<int>* places = nullptr;           ///< of the rows in their sentences
  const std::vector<AttentionSpan>* spans = nullptr;  ///< of the packed batch; null while decoding
  Tensor* projected = nullptr;                        ///< with spans: becomes what later rows see of it
  History* history = nullptr;                         ///< while decoding, with its past
  const Past* past = nullptr;
  const KeyRows* before = nullptr;  ///< while decoding: what each row sees before its past; null: nothing
};

/// Multi-head self-attention with its projections. Parameters NAME.query_key_value and NAME.output, of which
/// the latter starts `output_scale` times as large as usual.
class SelfAttention {
 public:
  SelfAttention(Parameters&, const std::string& name, std::int64_t width, int heads, AttentionPositions,
                double output_scale = 1);
  /// [T, width] to [T, width].
  Tensor operator()(const Tensor& x, const SelfAttentionView&, bool causal, const DropoutMask&) const;

 private:
  std::int64_t width_;
  int heads_;
  AttentionPositions positions_;
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
  std::vector<std::vector<float>> weights(const Tensor& x, const KeyRows& memory) const;

 private:
  std::int64_t width_;
  int heads_;
  Linear query_, key_value_, output_;
};

}  // namespace gloss
