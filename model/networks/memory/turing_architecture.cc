// SPDX-License-Identifier: Apache-2.0

#include "model/networks/architecture.h"

#include "base/error.h"
#include "model/networks/memory/turing_machine.h"

namespace gloss {
namespace {

void check_turing(const NetworkSettings& s) {
  if (form_of(s) != Form::encoder_decoder) {
    throw UsageError(
        "a Neural Turing Machine reads a source and writes a target, for 'gloss train'; for a language model "
        "or "
        "a classifier, choose another architecture");
  }
  if (s.sizes.encoder_layers != 1 || s.sizes.decoder_layers != 1) {
    throw UsageError(concat("a Neural Turing Machine has one controller on each side; found ",
                            s.sizes.encoder_layers, " encoder layers and ", s.sizes.decoder_layers,
                            " decoder layers, expected 1 and 1"));
  }
  const auto& own = s.own<TuringSettings>();
  constexpr std::int64_t kMostNumbers = 1 << 20;  // each hypothesis has a memory
  if (std::int64_t{own.memory_rows} * own.memory_width > kMostNumbers) {
    throw UsageError(concat("a memory of ", own.memory_rows, " rows with ", own.memory_width,
                            " numbers is too large; "
                            "expected at most ",
                            kMostNumbers, " numbers (memory_rows times memory_width)"));
  }
  if (2 * own.shift_reach >= own.memory_rows) {
    throw UsageError(concat("a head that moves by up to ", own.shift_reach,
                            " rows needs a memory of at least ", 2 * own.shift_reach + 1,
                            " rows; memory_rows is ", own.memory_rows));
  }
}

std::string turing_reason_unused(const NetworkSettings&, const std::string& name) {
  if (name != "dropout" && name != "embedding_dropout") return "";
  return "a Neural Turing Machine has no dropout";
}

void change_turing_defaults(NetworkSettings& s) {
  NetworkSizes& sizes = s.sizes;
  sizes.encoder_layers = sizes.decoder_layers = sizes.heads = 1;
  sizes.width = 100;
  sizes.dropout = sizes.embedding_dropout = 0;
}

/// Only encoder-decoders can be Neural Turing Machines.
Fields turing_fields_for(Purpose purpose, NetworkSettings& s) {
  if (purpose != Purpose::translation) return {};
  return fields_of(s.own<TuringSettings>());
}

std::unique_ptr<Network> make_turing(const NetworkSettings& s, Parameters& parameters) {
  return std::make_unique<TuringMachine>(s.sizes, s.own<TuringSettings>(), s.vocabulary(), parameters);
}

}  // namespace

Architecture turing_architecture() {
  return {.name = "turing",
          .plural = "Neural Turing Machines",
          .own_settings = default_settings<TuringSettings>,
          .make = make_turing,
          .check = check_turing,
          .reason_unused = turing_reason_unused,
          .change_defaults = change_turing_defaults,
          .fields_for = turing_fields_for};
}

}  // namespace gloss
