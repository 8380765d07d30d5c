#include "model/networks/embedding_tables.h"

#include <cmath>
#include <string>

#include "model/layers/initialisers.h"

namespace gloss {

EmbeddingTables declare_embeddings(Parameters& parameters, const NetworkSizes& sizes, int width,
                                   const VocabularySettings& vocabulary) {
  const auto declare = [&](const std::string& name, int size, Role role) {
    return parameters.declare(name + ".weight", {size, width}, normal_values(1.0 / std::sqrt(width)), role);
  };
  const bool encodes = sizes.encoder_layers > 0, decodes = sizes.decoder_layers > 0;
  EmbeddingTables tables;
  if (sizes.tied_embeddings == TiedEmbeddings::all) {
    tables.output = declare("embedding", vocabulary.target, Role::matrix_and_table);
    if (encodes) tables.source = tables.output;
    if (decodes) tables.target = tables.output;
    return tables;
  }
  const bool tied = sizes.tied_embeddings == TiedEmbeddings::target;
  if (encodes) tables.source = declare("source_embedding", vocabulary.source, Role::table);
  if (decodes) {
    tables.target =
        declare("target_embedding", vocabulary.target, tied ? Role::matrix_and_table : Role::table);
  }
  tables.output = tied ? tables.target : declare("output", vocabulary.target, Role::matrix);
  return tables;
}

}  // namespace gloss
