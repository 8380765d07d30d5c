#pragma once

#include <functional>
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

/// Small networks of either architecture, the simplest of their kind, and one without an encoder.
NetworkSettings small_settings();
NetworkSettings small_recurrent_settings();
NetworkSettings small_language_model_settings();
NetworkSettings small_recurrent_language_model_settings();
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

/// Expects the gradients of some numbers of every parameter that `tested` says yes to to be what the loss
/// changes by when they change by `step`. The network must be new.
void expect_gradients_of_differences(
    Fresh&, const Batch&, float step,
    const std::function<bool(const std::string& parameter)>& tested = [](const std::string&) {
      return true;
    });

/// Every row's log-probabilities step by step; `shuffles`: with the rows in another order after each step.
std::vector<std::vector<double>> step_by_step(const Network&, const Batch&, bool shuffles);

}  // namespace gloss
