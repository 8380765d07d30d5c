// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// The rows of learned tables that are not used: before the position of the first token.
inline constexpr int kSparePositions = 2;

/// The position embeddings of BART and its relatives.
enum class BartPositions {
  learned,        ///< the first rows of the table are spare
  stored,         ///< the whole table
  marian,         ///< sines in the first half of the columns, cosines in the second; not stored
  sines_from_two  ///< fairseq's, of M2M-100: the first token has the position 2; not stored
};

/// The parameters of a transformer in the names that BART, mBART, M2M-100 and Marian share in transformers.
ParameterMap bart_parameters(const NetworkSettings&, BartPositions);

}  // namespace gloss
