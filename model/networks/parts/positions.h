// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/tensor/tensor.h"

namespace gloss {

/// Position encoding: none; embeddings added to those of tokens; a learned bias for each distance and head
/// (Shaw et al. 2018, Raffel et al. 2020), or for each offset in the grid of an image (Liu et al. 2021);
/// rotated queries and keys (Su et al. 2021); scores that decrease with the distance (Press et al. 2022); a
/// learned bias for each bucket of distances, which are the wider the larger the distances (T5, Raffel et al.
/// 2020); sinusoidal embeddings and the bias of relative positions.
enum class Positions { none, sinusoidal, learned, relative, rotary, alibi, buckets, sinusoidal_relative };

/// True if sinusoidal embeddings are added to the input.
bool adds_sinusoids(Positions);
/// True if attention has a learned bias for each distance, or for each offset in a grid.
bool learns_distances(Positions);
/// True if positions are part of attention, not of its input alone.
bool within_attention(Positions);
/// True if attention has scores that depend on the distance of query and key.
bool by_distance(Positions);

/// Limits tables of positions, which are allocated before weights are checked.
constexpr std::int64_t kMostPositionNumbers = 1 << 24;

/// The embeddings of `count` sinusoidal positions, the first of which is number `first`: sines in the first
/// half of the columns, cosines in the second, with wavelengths from 2 pi to 10000 * 2 pi.
Tensor sinusoidal_positions(int count, int width, int first = 0);

}  // namespace gloss
