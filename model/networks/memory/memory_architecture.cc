// SPDX-License-Identifier: Apache-2.0

#include "model/networks/architecture.h"

#include <set>

#include "base/error.h"
#include "model/networks/memory/memory_network.h"

namespace gloss {
namespace {

void check_memory(const NetworkSettings& s) {
  if (form_of(s) == Form::classifier) return;
  throw UsageError(
      "a memory network answers questions about stories; it cannot write text: use 'gloss finetune --task "
      "answer', or another architecture");
}

std::string memory_reason_unused(const NetworkSettings& s, const std::string& name) {
  static const std::set<std::string> of_others{
      "encoder_layers",    "decoder_layers",   "heads",           "dropout",
      "embedding_dropout", "scale_embeddings", "tied_embeddings", "pooling"};
  const auto& own = s.own<MemorySettings>();
  if (name == "pooling") return "a memory network has one state for each question";
  if (of_others.contains(name)) {
    return "a memory network has hops instead of layers; its sizes are --width, --hops and --memories";
  }
  if (name == "empty_memories" && !own.temporal_encoding) return "it needs --temporal-encoding";
  return "";
}

void change_memory_defaults(NetworkSettings& s) {
  NetworkSizes& sizes = s.sizes;
  sizes.encoder_layers = sizes.heads = 1;
  sizes.decoder_layers = 0;
  sizes.width = 50;
  sizes.max_positions = 2048;
  sizes.dropout = sizes.embedding_dropout = 0;
}

/// Only classifiers can be memory networks.
Fields memory_fields_for(Purpose purpose, NetworkSettings& s) {
  if (purpose != Purpose::classification) return {};
  return fields_of(s.own<MemorySettings>());
}

std::unique_ptr<Network> make_memory(const NetworkSettings& s, Parameters& parameters) {
  return std::make_unique<MemoryNetwork>(s.sizes, s.own<MemorySettings>(), s.classifier, s.vocabulary(),
                                         parameters);
}

}  // namespace

Architecture memory_architecture() {
  return {.name = "memory",
          .plural = "memory networks",
          .own_settings = default_settings<MemorySettings>,
          .make = make_memory,
          .check = check_memory,
          .reason_unused = memory_reason_unused,
          .change_defaults = change_memory_defaults,
          .fields_for = memory_fields_for,
          .needs_stories = true};
}

}  // namespace gloss
