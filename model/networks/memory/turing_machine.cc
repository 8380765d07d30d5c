// SPDX-License-Identifier: Apache-2.0

#include "model/networks/memory/turing_machine.h"

#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/sequence_order.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/memory/turing_decoder_state.h"
#include "model/networks/step_rows.h"

namespace gloss {
namespace {

constexpr CellKind kControllerCell{Cell::lstm};

std::vector<int> padded_numbers(std::vector<int> numbers) {
  numbers.resize(padded_rows(numbers.size()), -1);
  return numbers;
}

std::vector<int> first_numbers(std::size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

MachineStates take_states(const MachineStates& from, const std::vector<int>& rows) {
  return {take_rows(from.controller, rows), take_rows(from.machine, rows)};
}

}  // namespace

TuringController::TuringController(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                                   const MachineSizes& machine)
    : machine_(machine),
      cell_(parameters, name + ".cell", kControllerCell, sizes.width, sizes.width),
      feed_weight_(parameters.declare(name + ".feed.weight",
                                      {gates_of(Cell::lstm) * sizes.width, machine.reads()},
                                      xavier_uniform(machine.reads(), sizes.width), Role::matrix)),
      heads_(parameters, name + ".heads", sizes.width, machine.controls(),
             xavier_uniform(sizes.width, machine.controls())) {}

void TuringController::step(const Tensor& projected, int count, MachineStates& states) const {
  const Tensor reads = machine_reads(machine_, states.machine, projected.dtype());
  const Tensor gates = add_dropout(projected, linear(reads, feed_weight_, {}), {});
  states.controller = cell_.run(gates, states.controller, one_step(count));
  states.machine = machine_step(machine_, heads_(cell_.hidden(states.controller)), states.machine);
}

Tensor TuringController::output(const MachineStates& states) const {
  const Tensor hidden = cell_.hidden(states.controller);
  return join_columns(std::vector<Tensor>{hidden, machine_reads(machine_, states.machine, hidden.dtype())});
}

TuringMachine::TuringMachine(const NetworkSizes& sizes, const TuringSettings& settings,
                             const VocabularySettings& vocabulary, Parameters& parameters)
    : TranslationNetwork(vocabulary),
      sizes_(sizes),
      machine_{settings.memory_rows, settings.memory_width, sizes.heads, settings.shift_reach} {
  const EmbeddingTables tables = declare_embeddings(parameters, sizes, sizes.width, vocabulary);
  source_table_ = tables.source;
  target_table_ = tables.target;
  output_ = tables.output;
  reader_.emplace(parameters, "encoder", sizes, machine_);
  writer_.emplace(parameters, "decoder", sizes, machine_);
  const std::int64_t outputs = sizes.width + machine_.reads();
  readout_.emplace(parameters, "readout", outputs, sizes.width, xavier_uniform(outputs, sizes.width));
}

MachineStates TuringMachine::first_states(int sentences) const {
  const auto rows = static_cast<std::int64_t>(padded_rows(index(sentences)));
  return {Tensor::zeros({rows, state_parts(Cell::lstm) * sizes_.width}, target_table_.working_type()),
          first_machine_states(machine_, rows)};
}

TuringMachine::Run TuringMachine::run(const TuringController& controller, const Tensor& tokens,
                                      const PackedRows& rows, const MachineStates& first) const {
  const SequenceOrder order(rows.starts);
  const auto steps = order.forwards();
  const Tensor projected = controller.project(tokens);
  MachineStates states = take_states(first, padded_numbers(order.sequences()));
  std::vector<Tensor> outputs, controllers, machines;
  std::vector<std::vector<int>> places, ended;  // rows of the outputs, sentences of the last states
  auto place = steps->rows.begin();
  for (std::size_t step = 0; step < steps->counts.size(); ++step) {
    const int count = steps->counts[step];
    places.emplace_back(place, place + count);
    place += count;
    const std::vector<int> at = padded_numbers(places.back());
    if (static_cast<std::int64_t>(at.size()) < states.machine.rows()) {
      states = take_states(states, first_numbers(at.size()));
    }
    controller.step(take_rows(projected, at), count, states);
    outputs.push_back(controller.output(states));
    const int next = step + 1 < steps->counts.size() ? steps->counts[step + 1] : 0;
    if (next == count) continue;
    ended.emplace_back(index(count), -1);
    std::copy(order.sequences().begin() + next, order.sequences().begin() + count,
              ended.back().begin() + next);
    controllers.push_back(states.controller);
    machines.push_back(states.machine);
  }
  const auto all = static_cast<std::int64_t>(padded_rows(order.sequences().size()));
  return {put_rows(outputs, std::move(places), static_cast<std::int64_t>(rows.tokens.size())),
          {put_rows(controllers, ended, all), put_rows(machines, ended, all)}};
}

TuringMachine::Run TuringMachine::read(const PackedRows& source) const {
  const Tensor tokens = embed_tokens(source_table_, source.tokens, sizes_, {}, {});
  return run(*reader_, tokens, source, first_states(source.sentences()));
}

Tensor TuringMachine::decode(const Batch& batch) const {
  const PackedRows source(batch.source, kTrainingRows), target(batch.target, kTrainingRows);
  expects(source.sentences() == target.sentences(), "a batch with ", source.sentences(), " source rows and ",
          target.sentences(), " target rows");
  const Tensor tokens = embed_tokens(target_table_, target.shifted(vocabulary_.begin), sizes_, {}, {});
  return (*readout_)(run(*writer_, tokens, target, read(source).last).outputs);
}

Loss TuringMachine::loss(const Batch& batch, const Regularization* regularization) const {
  const PackedRows target(batch.target, kTrainingRows);
  return loss_of(decode(batch), target.tokens, token_weights(batch, target.tokens.size()), batch,
                 regularization);
}

Tensor TuringMachine::target_states(const Batch& batch) const { return decode(batch); }

Tensor TuringMachine::states(const TokenRows& rows) const {
  return take_columns(read(PackedRows(rows, kDecodingRows)).outputs, 0, sizes_.width);
}

std::unique_ptr<DecoderState> TuringMachine::start(const TokenRows& source) const {
  return std::make_unique<TuringDecoderState>(source.rows(), read(PackedRows(source, kDecodingRows)).last);
}

Tensor TuringMachine::advance(std::span<const TokenId> latest, DecoderState& any,
                              SourceAttention* attention) const {
  auto& state = dynamic_cast<TuringDecoderState&>(any);
  expects(static_cast<int>(latest.size()) == state.rows, "step: ", latest.size(), " tokens for ", state.rows,
          " rows");
  if (attention != nullptr) {
    throw UsageError(
        "a Neural Turing Machine attends to its memory, not to the source: it cannot align or show "
        "attention");
  }
  const std::vector<int> tokens = padded_numbers({latest.begin(), latest.end()});
  const Tensor embedded = embed_tokens(target_table_, tokens, sizes_, {}, {});
  writer_->step(writer_->project(embedded), state.rows, state.states);
  return (*readout_)(writer_->output(state.states));
}

}  // namespace gloss
