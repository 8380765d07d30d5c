// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// Reduces the states of a row's tokens to one: that of the first or last token, or the element-wise mean or
/// maximum.
enum class Pooling { first, last, mean, max };

}  // namespace gloss
