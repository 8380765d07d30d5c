// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>

#include "model/networks/memory/turing_machine.h"
#include "model/networks/network.h"

namespace gloss {

/// The hypotheses of a Neural Turing Machine, each with a memory of its own.
class TuringDecoderState : public DecoderState {
 public:
  TuringDecoderState(int count, MachineStates first) : rows(count), states(std::move(first)) {}
  void select(std::span<const int> rows) override;
  void append(DecoderState&) override;

  int rows;
  MachineStates states;  ///< padded
};

}  // namespace gloss
