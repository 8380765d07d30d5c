// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/mapped_file.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"
#include "model/tensor/row_sums.h"

namespace gloss {
namespace {

const ProfiledOperation kAdd("residual sum");
const ProfiledOperation kAddGradient("residual sum: gradient");
const ProfiledOperation kNorm("residual sum and norm");
const ProfiledOperation kNormGradient("residual sum and norm: gradient");
const ProfiledOperation kEmbed("embedding");
const ProfiledOperation kEmbedGradient("embedding: gradient");

constexpr std::int64_t kRowsGrain = 64;  // minimum rows per thread

void same_shape(const char* operation, const Tensor& a, const Tensor& b) {
  expects(a.shape() == b.shape() && a.dtype() == b.dtype(), operation, ": shapes ", a.shape().text(), " and ",
          b.shape().text());
}

/// Values saved for the gradient of a normalisation.
struct NormRecord {
  Tensor normalised, inverse_deviations;
  DropoutMask mask;  // applies to the branch
  bool has_bias;
};

/// Normalises x, or x + dropout(branch) if there is a branch; fills `kept` if it has tensors.
Tensor normalise(const Tensor& x, const Tensor& branch, const NormWeights& weights, const NormRecord& kept) {
  const std::int64_t rows = x.rows(), width = x.columns();
  expects(weights.gain.count() == width && (!weights.bias || weights.bias.count() == width), "norm: x ",
          x.shape().text(), ", gain ", weights.gain.shape().text());
  Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  const ProfiledTime time(kNorm, 8 * y.count(), (2 + bool(branch) + bool(kept.normalised)) * x.bytes());
  for_dtype(x.dtype(), [&]<class Number>() {
    parallel_ranges(rows, kRowsGrain, [&](std::int64_t first, std::int64_t last) {
      const std::int64_t at = first * width;
      const bool keep = bool(kept.normalised);
      const Tensor scratch = branch ? Tensor::uninitialised({width}) : Tensor();
      kernels().of<Number>().norm(
          {.x = x.data_as<Number>() + at,
           .branch = branch ? branch.data_as<Number>() + at : nullptr,
           .dropout = kept.mask,
           .gain = weights.gain.data(),
           .bias = weights.bias ? weights.bias.data() : nullptr,
           .epsilon = weights.epsilon,
           .y = y.data_as<Number>() + at,
           .normalised = keep ? kept.normalised.data_as<Number>() + at : nullptr,
           .inverse_deviations = keep ? kept.inverse_deviations.data() + first : nullptr,
           .scratch = branch ? scratch.data() : nullptr},
          {.first = first, .rows = last - first, .width = width});
    });
  });
  return y;
}

/// Inputs are x, gain, and the bias and the branch if there are any.
std::vector<Tensor> norm_inputs(const Tensor& x, const Tensor& branch, const NormWeights& weights) {
  std::vector<Tensor> inputs{x, weights.gain};
  if (weights.bias) inputs.push_back(weights.bias);
  if (branch) inputs.push_back(branch);
  return inputs;
}

void normalise_gradient(const Tensor& dy, std::span<const Tensor> of, const NormRecord& kept) {
  const std::int64_t rows = dy.rows(), width = dy.columns();
  const std::size_t branch = kept.has_bias ? 3 : 2;
  const bool has_branch = of.size() > branch && of[branch].wants_gradient();
  // The branch's gradient is written to new memory; an existing gradient is added afterwards.
  const Tensor dbranch = has_branch ? Tensor::uninitialised(dy.shape(), dy.dtype()) : Tensor();
  {
    const GradientSlot dx = of[0].wants_gradient()
                                ? of[0].gradient_slot()
                                : GradientSlot{Tensor::uninitialised(dy.shape(), dy.dtype()), false};
    const ProfiledTime time(kNormGradient, 12 * dy.count(), (3 + dx.accumulate + has_branch) * dy.bytes());
    Tensor sums;  // gradient of the gain, then of the bias
    for_dtype(dy.dtype(), [&]<class Number>() {
      const std::int64_t sums_width = (kept.has_bias ? 2 : 1) * width;
      sums = sums_over_rows(rows, sums_width, [&](std::int64_t row, std::int64_t count, float* block_sums) {
        const std::int64_t at = row * width;
        kernels().of<Number>().norm_gradient({.gradient = dy.data_as<Number>() + at,
                                              .normalised = kept.normalised.data_as<Number>() + at,
                                              .inverse_deviations = kept.inverse_deviations.data() + row,
                                              .gain = of[1].data(),
                                              .x = dx.values.data_as<Number>() + at,
                                              .accumulate = dx.accumulate,
                                              .branch = has_branch ? dbranch.data_as<Number>() + at : nullptr,
                                              .dropout = kept.mask,
                                              .gain_sums = block_sums,
                                              .bias_sums = kept.has_bias ? block_sums + width : nullptr},
                                             {.first = row, .rows = count, .width = width});
      });
    });
    if (of[1].wants_gradient()) kernels().f32.add(of[1].gradient().data(), sums.data(), width);
    if (kept.has_bias && of[2].wants_gradient())
      kernels().f32.add(of[2].gradient().data(), sums.data() + width, width);
  }
  if (has_branch) of[branch].hand_gradient(dbranch);
}

/// Keeps a large table of which only rows are read out of memory: the system maps the neighbours of a row
/// with it.
void set_aside_large(const Tensor& table) {
  constexpr std::size_t kLarge = 64 << 20;  // below it, mapping the same rows again costs more than memory
  const StoredMatrix stored = table.stored();
  const std::size_t bytes = stored.bytes();
  const bool only_rows = table.packed() != nullptr;  // products use the packed matrix
  if (stored.mapped && only_rows && bytes > kLarge) {
    set_aside({static_cast<const std::byte*>(stored.numbers), bytes});
  }
}

}  // namespace

DropoutMask dropout_mask(double rate, Random* random) {
  if (random == nullptr || rate <= 0) return {};
  expects(rate < 1, "a dropout rate must be less than 1, not ", rate);
  return {random->bits(), static_cast<std::uint32_t>(rate * 4294967296.0),
          static_cast<float>(1.0 / (1.0 - rate))};
}

Tensor add_dropout(const Tensor& base, const Tensor& branch, const DropoutMask& mask) {
  same_shape("add_dropout", base, branch);
  const std::int64_t rows = base.rows(), width = base.columns();
  Tensor y = Tensor::uninitialised(base.shape(), base.dtype());
  {
    const ProfiledTime time(kAdd, y.count(), 3 * y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() {
      parallel_ranges(rows, kRowsGrain, [&](std::int64_t first, std::int64_t last) {
        const std::int64_t at = first * width;
        kernels().of<Number>().add_dropout({.base = base.data_as<Number>() + at,
                                            .branch = branch.data_as<Number>() + at,
                                            .sum = y.data_as<Number>() + at,
                                            .dropout = mask},
                                           {.first = first, .rows = last - first, .width = width});
      });
    });
  }
  return record(y, {base.without_values(), branch.without_values()},
                [mask, rows, width](const Tensor& dy, std::span<const Tensor> of) {
                  if (of[1].wants_gradient()) {
                    const GradientSlot slot = of[1].gradient_slot();
                    const ProfiledTime time(kAddGradient, dy.count(), (2 + slot.accumulate) * dy.bytes());
                    for_dtype(dy.dtype(), [&]<class Number>() {
                      parallel_ranges(rows, kRowsGrain, [&](std::int64_t first, std::int64_t last) {
                        const std::int64_t at = first * width;
                        kernels().of<Number>().dropout_gradient(
                            {.gradient = dy.data_as<Number>() + at,
                             .branch = slot.values.data_as<Number>() + at,
                             .accumulate = slot.accumulate,
                             .dropout = mask},
                            {.first = first, .rows = last - first, .width = width});
                      });
                    });
                  }
                  if (of[0].wants_gradient()) of[0].hand_gradient(dy);
                });
}

Tensor norm(const Tensor& x, const NormWeights& weights) { return add_dropout_norm(x, {}, {}, weights); }

Tensor add_dropout_norm(const Tensor& base, const Tensor& branch, const DropoutMask& mask,
                        const NormWeights& weights) {
  if (branch) same_shape("add_dropout_norm", base, branch);
  NormRecord kept{{}, {}, mask, bool(weights.bias)};
  if (any_wants_gradient(norm_inputs(base, branch, weights))) {
    kept.normalised = Tensor::uninitialised(base.shape(), base.dtype());
    kept.inverse_deviations = Tensor::uninitialised({base.rows()});
  }
  const Tensor y = normalise(base, branch, weights, kept);
  return record(y, norm_inputs(base.without_values(), branch ? branch.without_values() : branch, weights),
                [kept](const Tensor& dy, std::span<const Tensor> of) { normalise_gradient(dy, of, kept); });
}

Tensor embed(const Tensor& table, const Tensor& positions, std::span<const std::int32_t> tokens,
             std::span<const std::int32_t> places, float scale, const DropoutMask& mask) {
  const auto rows = static_cast<std::int64_t>(tokens.size());
  const std::int64_t width = table.columns();
  expects(places.size() == tokens.size(), "embed: ", tokens.size(), " tokens, ", places.size(), " places");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    expects(tokens[i] >= -1 && tokens[i] < table.rows(), "embed: token ", tokens[i], " of a table with ",
            table.rows());
    expects(!positions || (places[i] >= 0 && places[i] < positions.rows()), "embed: place ", places[i],
            " of ", positions ? positions.rows() : 0);
  }
  Tensor y = Tensor::uninitialised({rows, width}, table.working_type());
  {
    const ProfiledTime time(kEmbed, 2 * y.count(), 2 * y.bytes());
    const StoredMatrix stored = table.stored();
    const Tensor widened = Tensor::uninitialised({width});
    for_dtype(y.dtype(), [&]<class Number>() {
      for (std::int64_t r = 0; r < rows; ++r) {
        const std::int32_t token = tokens[index(r)];
        Number* row = y.data_as<Number>() + r * width;
        const float* place = positions ? positions.data() + places[index(r)] * width : nullptr;
        const float* table_row = widened.data();
        if (token < 0) {
          if (place == nullptr) {
            std::fill_n(row, width, Number{});
            continue;
          }
          std::fill_n(widened.data(), width, 0.0f);
        } else if (stored.type == DType::f32 && table.row_type() == DType::f32) {
          table_row = table.data() + token * width;
        } else {
          widen_row_as(table.row_type(), stored, token, widened.data());
        }
        kernels().of<Number>().embed_row({.table_row = table_row,
                                          .position_row = place,
                                          .scale = scale,
                                          .y = row,
                                          .dropout = mask,
                                          .row = r,
                                          .width = width});
      }
    });
    set_aside_large(table);
  }
  std::vector<Tensor> inputs{table};
  if (positions) inputs.push_back(positions);
  std::vector<std::int32_t> ids(tokens.begin(), tokens.end()), at(places.begin(), places.end());
  return record(
      y, std::move(inputs),
      [=, ids = std::move(ids), at = std::move(at)](const Tensor& dy, std::span<const Tensor> of) {
        // Sequential: several rows may add to the same row of the table.
        const ProfiledTime time(kEmbedGradient, 3 * dy.count(), 3 * dy.bytes());
        float* table_gradient = of[0].wants_gradient() ? of[0].gradient().data() : nullptr;
        float* place_gradient = of.size() > 1 && of[1].wants_gradient() ? of[1].gradient().data() : nullptr;
        for_dtype(dy.dtype(), [&]<class Number>() {
          for (std::int64_t r = 0; r < rows; ++r) {
            const std::int32_t token = ids[index(r)];
            if (token < 0 && place_gradient == nullptr) continue;
            const std::int64_t place = at[index(r)];
            kernels().of<Number>().embed_row_gradient(
                {.gradient = dy.data_as<Number>() + r * width,
                 .scale = scale,
                 .table_row =
                     table_gradient != nullptr && token >= 0 ? table_gradient + token * width : nullptr,
                 .position_row = place_gradient != nullptr ? place_gradient + place * width : nullptr,
                 .dropout = mask,
                 .row = r,
                 .width = width});
          }
        });
      });
}

}  // namespace gloss
