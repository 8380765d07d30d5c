#pragma once

#include <memory>

#include "base/fields.h"
#include "model/layers/parameters.h"
#include "model/networks/network.h"
#include "model/networks/transformer_settings.h"

namespace gloss {

enum class Architecture { transformer };

/// All that decides what a network is: the content of "network" in config.json.
struct NetworkSettings {
  Architecture architecture = Architecture::transformer;
  TransformerSettings transformer;
  int source_vocabulary = 0;  ///< pieces
  int target_vocabulary = 0;
  int begin_token = 1;  ///< in the target vocabulary
  int end_token = 2;
};
/// The settings that users choose (not the sizes that follow from the vocabulary).
Fields fields_of(NetworkSettings&);
/// Every field, as stored in config.json.
Fields all_fields_of(NetworkSettings&);
/// Throws UsageError if settings do not fit together, such as heads that do not divide the width.
void check(const NetworkSettings&);

/// Makes the network and declares its parameters, which have no values as yet.
std::unique_ptr<Network> make_network(const NetworkSettings&, Parameters&);

}  // namespace gloss
