// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/foreign_config.h"

namespace gloss {

/// Sets what Marian's options say about the vocabularies and embeddings of any type of network: a network
/// with an encoder has two vocabularies. Targets begin with a zero vector.
void set_marian_embeddings(const ForeignConfig& options, NetworkSettings&);

}  // namespace gloss
