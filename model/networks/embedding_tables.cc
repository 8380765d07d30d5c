// SPDX-License-Identifier: Apache-2.0

#include "model/networks/embedding_tables.h"

#include <cmath>
#include <string>

#include "model/layers/initialisers.h"

namespace gloss {

namespace {

Tensor declare_tokens(Parameters& parameters, const std::string& name, int tokens, int width, Role role) {
  return parameters.declare(name + ".weight", {tokens, width}, normal_values(1.0 / std::sqrt(width)), role);
}

}  // namespace

EmbeddingTables declare_embeddings(Parameters& parameters, const NetworkSizes& sizes, int width,
                                   const VocabularySettings& vocabulary) {
  const auto declare = [&](const std::string& name, int size, Role role) {
    return declare_tokens(parameters, name, size, width, role);
  };
  const bool encodes = sizes.encoder_layers > 0, decodes = sizes.decoder_layers > 0;
  EmbeddingTables tables;
  if (sizes.tied_embeddings == TiedEmbeddings::all) {
    tables.output.weight = declare("embedding", vocabulary.target, Role::matrix_and_table);
    if (encodes) tables.source = tables.output.weight;
    if (decodes) tables.target = tables.output.weight;
  } else if (sizes.tied_embeddings == TiedEmbeddings::inputs) {
    tables.source = tables.target = declare("embedding", vocabulary.target, Role::table);
    tables.output.weight = declare("output", vocabulary.target, Role::matrix_and_table);
  } else {
    const bool tied = sizes.tied_embeddings == TiedEmbeddings::target;
    if (encodes) tables.source = declare("source_embedding", vocabulary.source, Role::table);
    if (decodes) {
      tables.target =
          declare("target_embedding", vocabulary.target, tied ? Role::matrix_and_table : Role::table);
    }
    // Shortlists look up its rows.
    tables.output.weight =
        tied ? tables.target : declare("output", vocabulary.target, Role::matrix_and_table);
  }
  if (sizes.output_bias) {
    tables.output.bias = parameters.declare("output.bias", {vocabulary.target}, constant_values(0));
  }
  return tables;
}

Tensor declare_table(Parameters& parameters, const NetworkSizes& sizes, int width,
                     const VocabularySettings& vocabulary) {
  const char* const name = sizes.tied_embeddings == TiedEmbeddings::all ? "embedding"
                           : sizes.encoder_layers > 0                   ? "source_embedding"
                                                                        : "target_embedding";
  return declare_tokens(parameters, name, vocabulary.target, width, Role::table);
}

}  // namespace gloss
