// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "model/kernels/convolution.h"
#include "model/tensor/ops.h"

namespace gloss {

// Operations of convolutions over the rows of sentences. The sentences are the query rows of spans, in order
// and without overlap; rows outside all spans give zeros. A sentence is surrounded by zeros, so that its
// result does not depend on its neighbours in the batch.

/// The taps of a kernel of `count` rows, `dilation` rows apart: a row sees itself and earlier rows if
/// `causal`, otherwise itself and as many rows on both sides, for which `count` must be odd.
ConvolutionTaps convolution_taps(std::int64_t count, bool causal, std::int64_t dilation = 1);
/// The number of rows from the first that causal taps read to the row itself.
int reach_of(const ConvolutionTaps&);

/// Depthwise convolution: [T, width], the sum over taps of weights[tap] * the row it reads, channel by
/// channel. x [T, width], weights [taps, width], f32.
Tensor depthwise_convolution(const Tensor& x, const Tensor& weights, std::vector<AttentionSpan> spans,
                             const ConvolutionTaps&);
/// Depthwise convolution over sentences that are a grid with `columns` columns, row by row, the last row of
/// which may be shorter: weights [taps * taps, width], those of the first row of taps first.
Tensor grid_convolution(const Tensor& x, const Tensor& weights, std::vector<AttentionSpan> spans,
                        const ConvolutionTaps&, std::int64_t columns);
/// Depthwise convolution with other weights for every row, which width / heads adjacent channels share:
/// dynamic convolution (Wu et al. 2019). weights [T, heads * taps], the taps of a head next to each other.
Tensor dynamic_convolution(const Tensor& x, const Tensor& weights, std::vector<AttentionSpan> spans,
                           const ConvolutionTaps&);

/// The rows that a convolution reads, side by side: [T, taps * width] from x [T, width]. A linear layer of
/// them is a full convolution.
Tensor neighbouring_rows(const Tensor& x, std::vector<AttentionSpan> spans, const ConvolutionTaps&);

// The same while decoding, without gradient: row r of x continues a sentence whose latest rows, its own last,
// are row r of `seen`. Only causal taps. Rows beyond the lists give zeros.
Tensor depthwise_convolution(const Tensor& x, const Tensor& weights, const KeyRows& seen,
                             const ConvolutionTaps&);
Tensor dynamic_convolution(const Tensor& x, const Tensor& weights, const KeyRows& seen,
                           const ConvolutionTaps&);
Tensor neighbouring_rows(const Tensor& x, const KeyRows& seen, const ConvolutionTaps&);

/// Rows of x [R, width] side by side: row t of the result [T, count * width] has the rows numbers[t * count],
/// ..., numbers[t * count + count - 1]; -1: zeros. A linear layer of them is a convolution over a grid, or
/// the embedding of patches.
Tensor joined_rows(const Tensor& x, std::vector<int> numbers, std::int64_t count);

/// Softmax of every `size` adjacent columns of x, then dropout.
Tensor grouped_softmax(const Tensor& x, std::int64_t size, const DropoutMask&);
/// The weights of a lightweight convolution (Wu et al. 2019), which width / heads adjacent channels share,
/// for each channel: [taps, width] from weights [heads, taps], f32.
Tensor channel_weights(const Tensor& weights, std::int64_t width);

}  // namespace gloss
