// SPDX-License-Identifier: Apache-2.0

#include "model/networks/factory.h"

#include "model/networks/architecture.h"

namespace gloss {

std::unique_ptr<Network> make_network(const NetworkSettings& settings, Parameters& parameters) {
  check(settings);
  return architecture_of(settings).make(settings, parameters);
}

}  // namespace gloss
