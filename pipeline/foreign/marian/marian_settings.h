// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "pipeline/foreign/shared/foreign_config.h"
#include "pipeline/foreign/shared/weight_readers.h"

namespace gloss {

/// The epsilon of all norms of transformers in Marian.
inline constexpr double kMarianEpsilon = 1e-6;
/// That of the norms of recurrent networks.
double marian_product_epsilon(ProductNorm);

/// Sets what Marian's options say about the vocabularies and embeddings of any type of network: a network
/// with an encoder has two vocabularies. Targets begin with a zero vector.
void set_marian_embeddings(const ForeignConfig& options, NetworkSettings&);

/// What is special about the names of arrays in Marian's files.
ArrayNames marian_array_names();

}  // namespace gloss
