// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/networks/factory.h"

namespace gloss {

/// A network with random weights.
struct Fresh {
  Parameters parameters;
  std::unique_ptr<Network> network;
  explicit Fresh(const NetworkSettings&, std::uint64_t seed = 1);
};

/// One pair for each source length; images have their own length.
Batch random_batch(const NetworkSettings&, std::span<const int> lengths, std::uint64_t seed);

/// Adds an image of random pixels, or a recording of `length` vectors, to rows.
void add_random_item(const NetworkSettings&, int length, Random&, TokenRows& to);

/// Compares gradients with central differences with step size `step`, for some elements of every parameter
/// for which `tested` returns true. With `terms`, those of the training loss without dropout, which the
/// network must not have. The network must be new.
void expect_gradients_of_differences(
    Fresh&, const Batch&, float step,
    const std::function<bool(const std::string& parameter)>& tested = [](const std::string&) { return true; },
    const LossTerms* terms = nullptr);

/// Every row's log-probabilities step by step; `shuffles`: permutes the rows after each step.
std::vector<std::vector<double>> step_by_step(const Network&, const Batch&, bool shuffles);

}  // namespace gloss
