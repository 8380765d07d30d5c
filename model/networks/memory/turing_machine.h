// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/layers/linear.h"
#include "model/layers/recurrent_layer.h"
#include "model/networks/memory/turing_settings.h"
#include "model/networks/packed_rows.h"
#include "model/networks/parts/network_sizes.h"
#include "model/networks/step_network.h"
#include "model/tensor/ops_turing.h"

namespace gloss {

/// The states of some rows between two steps.
struct MachineStates {
  Tensor controller;  ///< of the LSTM
  Tensor machine;     ///< MachineSizes::state
};

/// The controller of a Neural Turing Machine: an LSTM that reads a token and what the heads read in the step
/// before, and that directs the heads. Parameters NAME.cell, NAME.feed.weight, NAME.heads.
class TuringController {
 public:
  TuringController(Parameters&, const std::string& name, const NetworkSizes&, const MachineSizes&);
  /// The contribution of embedded tokens to the gates, for all steps at once.
  Tensor project(const Tensor& tokens) const { return cell_.project(tokens); }
  /// Replaces the states of the first `count` rows by those after a step.
  void step(const Tensor& projected, int count, MachineStates&) const;
  /// The output of the controller and what the heads have read: [T, width + reads].
  Tensor output(const MachineStates&) const;

 private:
  MachineSizes machine_;
  RecurrentLayer cell_;
  Tensor feed_weight_;
  Linear heads_;
};

/// A Neural Turing Machine (Graves et al. 2014) as an encoder-decoder: one controller reads the source,
/// another writes the target; both use the same memory and the same heads, and the second begins where the
/// first ends.
class TuringMachine : public TranslationNetwork {
 public:
  TuringMachine(const NetworkSizes&, const TuringSettings&, const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  Tensor target_states(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;
  bool attends() const override { return false; }

 private:
  /// The outputs of a controller for all rows, in order, and the states of the sentences after their last
  /// row.
  struct Run {
    Tensor outputs;
    MachineStates last;
  };
  Run run(const TuringController&, const Tensor& tokens, const PackedRows&, const MachineStates& first) const;
  Run read(const PackedRows& source) const;
  MachineStates first_states(int sentences) const;
  /// The input of the output layer for all positions of the target, given the tokens before them.
  Tensor decode(const Batch&) const;
  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;

  NetworkSizes sizes_;
  MachineSizes machine_;
  Tensor source_table_, target_table_;
  std::optional<TuringController> reader_, writer_;
  std::optional<Linear> readout_;
};

}  // namespace gloss
