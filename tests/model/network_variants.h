#pragma once

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "model/networks/factory.h"

namespace gloss {

/// A kind of network that all tests of networks are run with.
struct Variant {
  std::string name;
  NetworkSettings settings;
};
std::ostream& operator<<(std::ostream&, const Variant&);

/// Small networks of either architecture, the simplest of their kind.
NetworkSettings small_settings();
NetworkSettings small_recurrent_settings();
std::vector<Variant> variants();
/// True if it has attention to its source.
bool looks(const NetworkSettings&);

/// A network with random weights.
struct Fresh {
  Parameters parameters;
  std::unique_ptr<Network> network;
  explicit Fresh(const NetworkSettings&, std::uint64_t seed = 1);
};

/// A sentence pair for each length of the source.
Batch random_batch(const NetworkSettings&, std::span<const int> lengths, std::uint64_t seed);

}  // namespace gloss
