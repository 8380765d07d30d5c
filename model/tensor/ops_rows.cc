#include <algorithm>

#include "base/error.h"
#include "model/tensor/ops.h"
#include "model/tensor/threads.h"

namespace gloss {
namespace {

constexpr std::int64_t kRowGrain = 64;       // rows that one thread takes at least
constexpr std::int64_t kCountGrain = 16384;  // numbers; a multiple of every vector length

void same_shape(const char* operation, const Tensor& a, const Tensor& b) {
  expects(a.shape() == b.shape(), operation, ": shapes ", a.shape().text(), " and ", b.shape().text());
}

}  // namespace

DropoutMask dropout_mask(double rate, Random* random) {
  if (random == nullptr || rate <= 0) return {};
  expects(rate < 1, "a dropout rate must be less than 1, not ", rate);
  return {random->bits(), static_cast<std::uint32_t>(rate * 4294967296.0),
          static_cast<float>(1.0 / (1.0 - rate))};
}

Tensor relu(const Tensor& x, const DropoutMask& mask) {
  Tensor y = Tensor::uninitialised(x.shape());
  parallel_ranges(x.count(), kCountGrain, [&](std::int64_t first, std::int64_t last) {
    kernels().relu(x.data() + first, y.data() + first, mask, first, last - first);
  });
  return record(y, {x}, [mask](const Tensor& result, std::span<const Tensor> of) {
    // A result above 0 was neither cut nor dropped.
    const GradientSlot dx = of[0].gradient_slot();
    const float* dy = result.gradient().data();
    parallel_ranges(result.count(), kCountGrain, [&](std::int64_t first, std::int64_t last) {
      kernels().relu_gradient(dy + first, result.data() + first, dx.values + first, dx.accumulate, mask.scale,
                              last - first);
    });
  });
}

Tensor gelu(const Tensor& x, const DropoutMask& mask) {
  Tensor y = Tensor::uninitialised(x.shape());
  parallel_ranges(x.count(), kCountGrain, [&](std::int64_t first, std::int64_t last) {
    kernels().gelu(x.data() + first, y.data() + first, mask, first, last - first);
  });
  return record(y, {x}, [mask](const Tensor& result, std::span<const Tensor> of) {
    const GradientSlot dx = of[0].gradient_slot();
    const float* dy = result.gradient().data();
    parallel_ranges(result.count(), kCountGrain, [&](std::int64_t first, std::int64_t last) {
      kernels().gelu_gradient(dy + first, of[0].data() + first, dx.values + first, dx.accumulate, mask, first,
                              last - first);
    });
  });
}

Tensor add_dropout(const Tensor& base, const Tensor& branch, const DropoutMask& mask) {
  same_shape("add_dropout", base, branch);
  const std::int64_t rows = base.rows(), width = base.columns();
  Tensor y = Tensor::uninitialised(base.shape());
  parallel_ranges(rows, kRowGrain, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t at = first * width;
    kernels().add_dropout(base.data() + at, branch.data() + at, y.data() + at, mask, first, last - first,
                          width);
  });
  return record(y, {base, branch}, [mask, rows, width](const Tensor& result, std::span<const Tensor> of) {
    const Tensor dy = result.gradient();
    if (of[1].wants_gradient()) {
      const GradientSlot slot = of[1].gradient_slot();
      parallel_ranges(rows, kRowGrain, [&](std::int64_t first, std::int64_t last) {
        const std::int64_t at = first * width;
        kernels().dropout_gradient(dy.data() + at, slot.values + at, slot.accumulate, mask, first,
                                   last - first, width);
      });
    }
    if (of[0].wants_gradient()) of[0].hand_gradient(dy);
  });
}

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias) {
  const std::int64_t rows = x.rows(), width = x.columns();
  expects(gain.count() == width && bias.count() == width, "layer_norm: x ", x.shape().text(), ", gain ",
          gain.shape().text());
  Tensor y = Tensor::uninitialised(x.shape());
  const bool keep = any_wants_gradient(std::vector<Tensor>{x, gain, bias});
  const Tensor normalised = keep ? Tensor::uninitialised(x.shape()) : Tensor();
  const Tensor inverse_deviations = keep ? Tensor::uninitialised({rows}) : Tensor();
  parallel_ranges(rows, kRowGrain, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t at = first * width;
    kernels().layer_norm(x.data() + at, gain.data(), bias.data(), y.data() + at,
                         keep ? normalised.data() + at : nullptr,
                         keep ? inverse_deviations.data() + first : nullptr, last - first, width);
  });
  return record(y, {x, gain, bias}, [=](const Tensor& result, std::span<const Tensor> of) {
    const Tensor dy = result.gradient();
    const Tensor unused = of[0].wants_gradient() ? Tensor() : Tensor::uninitialised(result.shape());
    const GradientSlot dx =
        of[0].wants_gradient() ? of[0].gradient_slot() : GradientSlot{unused.data(), false};
    // Sums over rows are made by blocks of a fixed size, so that they do not depend on threads.
    constexpr std::int64_t kBlock = 256;
    const std::int64_t blocks = (rows + kBlock - 1) / kBlock;
    const Tensor sums = Tensor::zeros({blocks, 2, width});
    parallel_ranges(blocks, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b) {
        const std::int64_t row = b * kBlock, at = row * width;
        float* gain_sums = sums.data() + b * 2 * width;
        kernels().layer_norm_gradient(dy.data() + at, normalised.data() + at, inverse_deviations.data() + row,
                                      of[1].data(), dx.values + at, dx.accumulate, gain_sums,
                                      gain_sums + width, std::min(kBlock, rows - row), width);
      }
    });
    for (std::int64_t b = 0; b < blocks; ++b) {
      const float* gain_sums = sums.data() + b * 2 * width;
      if (of[1].wants_gradient()) kernels().add(of[1].gradient().data(), gain_sums, width);
      if (of[2].wants_gradient()) kernels().add(of[2].gradient().data(), gain_sums + width, width);
    }
  });
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
  Tensor y = Tensor::uninitialised({rows, width});
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int32_t token = tokens[static_cast<std::size_t>(r)];
    float* row = y.data() + r * width;
    if (token < 0) {
      std::fill_n(row, width, 0.0f);
      continue;
    }
    const float* place = positions ? positions.data() + places[static_cast<std::size_t>(r)] * width : nullptr;
    kernels().embed_row(table.data() + token * width, place, scale, row, mask, r, width);
  }
  std::vector<Tensor> inputs{table};
  if (positions) inputs.push_back(positions);
  std::vector<std::int32_t> ids(tokens.begin(), tokens.end()), at(places.begin(), places.end());
  return record(
      y, std::move(inputs),
      [=, ids = std::move(ids), at = std::move(at)](const Tensor& result, std::span<const Tensor> of) {
        // In the order of the rows: several rows may add to one row of the table.
        const Tensor dropped = Tensor::uninitialised(result.shape());
        kernels().dropout_gradient(result.gradient().data(), dropped.data(), false, mask, 0, rows, width);
        for (std::int64_t r = 0; r < rows; ++r) {
          const std::int32_t token = ids[static_cast<std::size_t>(r)];
          if (token < 0) continue;
          const float* from = dropped.data() + r * width;
          if (of[0].wants_gradient()) {
            kernels().add_scaled(of[0].gradient().data() + token * width, from, scale, width);
          }
          if (of.size() > 1 && of[1].wants_gradient()) {
            kernels().add(of[1].gradient().data() + at[static_cast<std::size_t>(r)] * width, from, width);
          }
        }
      });
}

}  // namespace gloss
