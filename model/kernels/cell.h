// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// Kinds of recurrent cells.
enum class Cell { lstm, gru, tanh };

}  // namespace gloss
