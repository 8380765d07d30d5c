// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_options.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/shown.h"

namespace gloss {
namespace {

using nlohmann::json;

/// A setting that must have its usual value.
struct Fixed {
  const char* name;
  json usual;
  const char* reason = "";  ///< follows the usual value in the message
};

const std::vector<Fixed>& fixed_everywhere() {
  static const std::vector<Fixed> all{{"right-left", false},
                                      {"ulr", false, ": gloss has no universal lexical representations"},
                                      {"factors-dim-emb", 0, ": gloss has no factored vocabularies"},
                                      {"lemma-dim-emb", 0, ": gloss has no factored vocabularies"},
                                      {"lemma-dependency", "", ": gloss has no factored vocabularies"},
                                      {"factors-combine", "sum", ": gloss has no factored vocabularies"},
                                      {"special-vocab", json::array()},
                                      {"input-join-fields", false, ": gloss reads one source"}};
  return all;
}

/// The last ones belong to the type transformer-new.
const std::vector<Fixed>& fixed_in_transformers() {
  static const std::vector<Fixed> all{{"transformer-pool", false, ": gloss has no pooled encoder states"},
                                      {"transformer-attention-mask", "default"},
                                      {"transformer-alibi-trainable", false},
                                      {"transformer-disable-position-embeddings", false},
                                      {"transformer-no-bias", false},
                                      {"transformer-no-affine", false}};
  return all;
}

/// Settings of the recurrent unit in a decoder (transformer-decoder-autoreg rnn).
const std::vector<Fixed>& fixed_with_unit() {
  static const std::vector<Fixed> all{
      {"transformer-rnn-projection", false},
      {"layer-normalization", false, " with transformer-decoder-autoreg rnn"}};
  return all;
}

void check(const ForeignConfig& options, const std::vector<Fixed>& all) {
  for (const Fixed& fixed : all) {
    if (options.has(fixed.name) && options.at(fixed.name) != fixed.usual)
      options.refuse(fixed.name, fixed.usual.dump() + fixed.reason);
  }
}

/// Types of inputs that are not text are for training only, except for classes.
void check_input_types(const ForeignConfig& options) {
  const std::string name = "input-types", expected = "a list of 'sequence', 'alignment' and 'weight'";
  if (!options.has(name)) return;
  const json& types = options.at(name);
  if (!types.is_array()) options.refuse(name, expected);
  for (const json& type : types) {
    if (type != "sequence" && type != "alignment" && type != "weight") options.refuse(name, expected);
  }
}

/// Settings that importers read, and those that matter in training only or to other types of networks.
const std::set<std::string>& other_names() {
  static const std::set<std::string> names{"bert-train-type-embeddings",
                                           "bert-type-vocab-size",
                                           "dec-cell",
                                           "dec-cell-base-depth",
                                           "dec-cell-high-depth",
                                           "dec-depth",
                                           "dim-emb",
                                           "dim-rnn",
                                           "dim-vocabs",
                                           "enc-cell",
                                           "enc-cell-depth",
                                           "enc-depth",
                                           "enc-type",
                                           "input-types",
                                           "layer-normalization",
                                           "output-omit-bias",
                                           "separator-symbol",
                                           "skip",
                                           "tied-embeddings",
                                           "tied-embeddings-all",
                                           "tied-embeddings-src",
                                           "transformer-aan-activation",
                                           "transformer-aan-depth",
                                           "transformer-aan-nogate",
                                           "transformer-alibi-shift",
                                           "transformer-decoder-autoreg",
                                           "transformer-decoder-dim-ffn",
                                           "transformer-decoder-ffn-depth",
                                           "transformer-depth-scaling",
                                           "transformer-dim-aan",
                                           "transformer-dim-ffn",
                                           "transformer-ffn-activation",
                                           "transformer-ffn-depth",
                                           "transformer-guided-alignment-layer",
                                           "transformer-heads",
                                           "transformer-no-projection",
                                           "transformer-postprocess",
                                           "transformer-postprocess-emb",
                                           "transformer-postprocess-top",
                                           "transformer-preprocess",
                                           "transformer-tied-layers",
                                           "transformer-train-position-embeddings",
                                           "type",
                                           "ulr-dim-emb",
                                           "ulr-trainable-transformation",
                                           "version"};
  return names;
}

bool is_off(const json& value) {
  return value.is_null() || value == false || value == 0 || value == "" || value == json::array();
}

}  // namespace

void check_marian_options(const ForeignConfig& options) {
  check(options, fixed_everywhere());
  check_input_types(options);
}

void check_marian_transformer_options(const ForeignConfig& options) {
  check(options, fixed_in_transformers());
  if (options.text("transformer-decoder-autoreg", "") == "rnn") check(options, fixed_with_unit());
}

std::vector<std::string> notes_on_marian_options(const ForeignConfig& options) {
  std::set<std::string> known = other_names();
  for (const auto* fixed : {&fixed_everywhere(), &fixed_in_transformers(), &fixed_with_unit()}) {
    for (const Fixed& setting : *fixed) known.insert(setting.name);
  }
  std::vector<std::string> notes;
  for (const std::string& name : options.names()) {
    if (!known.contains(name) && options.has(name) && !is_off(options.at(name)))
      notes.push_back(concat(options.path(), ": ", shown(name), " is not followed"));
  }
  return notes;
}

}  // namespace gloss
