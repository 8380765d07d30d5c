// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_settings.h"

namespace gloss {
namespace {

TiedEmbeddings read_tied(const ForeignConfig& options) {
  const bool output = options.flag("tied-embeddings", false),
             inputs = options.flag("tied-embeddings-src", false);
  if (options.flag("tied-embeddings-all", false) || (output && inputs)) return TiedEmbeddings::all;
  if (inputs) return TiedEmbeddings::inputs;
  return output ? TiedEmbeddings::target : TiedEmbeddings::none;
}

}  // namespace

double marian_product_epsilon(ProductNorm norm) { return norm == ProductNorm::separate ? 1e-5 : 1e-9; }

void set_marian_embeddings(const ForeignConfig& options, NetworkSettings& settings) {
  const bool translates = settings.sizes.encoder_layers > 0;
  const std::vector<int> vocabularies = options.integers("dim-vocabs", 3);
  if (vocabularies.size() != (translates ? 2 : 1))
    options.refuse("dim-vocabs", translates ? "the sizes of two vocabularies" : "the size of one vocabulary");
  settings.source_vocabulary = vocabularies.front();
  settings.target_vocabulary = vocabularies.back();
  settings.begin_token = -1;
  settings.sizes.tied_embeddings = read_tied(options);
  settings.sizes.output_bias = !options.flag("output-omit-bias", false);
}

ArrayNames marian_array_names() {
  // Factors of 8-bit inputs, which Marian measures in advance.
  return {.ignored_ends = {"QuantMultA"}};
}

}  // namespace gloss
