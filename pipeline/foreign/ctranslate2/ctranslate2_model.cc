// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_model.h"

#include "base/error.h"
#include "base/paths.h"
#include "base/shown.h"
#include "model/formats/ctranslate2.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_positions.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_variables.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_vocabulary.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {
namespace {

CTranslate2Tokens read_tokens(CTranslate2Variables& variables) {
  CTranslate2Tokens tokens;
  const auto flag = [&](const std::string& name, const std::string& old) {
    const bool stored = variables.number(old).value_or(0) != 0;
    return variables.config().flag(name, stored);
  };
  tokens.unknown = variables.text("unk_token", tokens.unknown);
  tokens.begin = variables.text("bos_token", tokens.begin);
  tokens.end = variables.text("eos_token", tokens.end);
  tokens.source_begin = flag("add_source_bos", "with_source_bos");
  tokens.source_end = flag("add_source_eos", "with_source_eos");
  tokens.starts_from_zero = variables.number("decoder/start_from_zero_embedding").value_or(0) != 0;
  const bool user_starts = variables.number("user_decoder_start_tokens").value_or(0) != 0;
  const bool old_begin = variables.number("with_target_bos").value_or(1) != 0;
  tokens.start = variables.config().text("decoder_start_token", old_begin ? tokens.begin : tokens.end);
  if (user_starts || variables.config().is_null("decoder_start_token")) {
    variables.refuse("decoder_start_token", "null", "the token before every target");
  }
  return tokens;
}

int id_of(const Subwords& subwords, const std::string& token, const std::string& directory) {
  for (int id = 0; id < subwords.size(); ++id) {
    if (subwords.piece(id) == token) return id;
  }
  throw InputError(concat(directory, ": the source vocabulary has no token ", shown(token)));
}

/// The converter of transformers leaves the end token of sources to the tokenizer there. Its models are known
/// by their languages, and where text is split as there also by the start of Marian and the distances of T5.
bool ends_sources(const NetworkSettings& network, const Tokenizers& tokenizers,
                  const CTranslate2Tokens& tokens, const LanguageTokens& languages) {
  if (tokens.source_end || !languages.ids.empty()) return true;
  const bool known =
      tokens.starts_from_zero || network.own<TransformerSettings>().positions == Positions::buckets;
  return known && is_sentence_piece(*tokenizers.source);
}

TextFormat read_format(const CTranslate2Variables& variables, const NetworkSettings& network,
                       const Tokenizers& tokenizers, const CTranslate2Tokens& tokens) {
  TextFormat format;
  if (variables.decodes_only()) return format;
  format.languages = read_ctranslate2_languages(tokenizers);
  format.source_end = ends_sources(network, tokenizers, tokens, format.languages);
  if (tokens.source_begin)
    format.source_prefix = {id_of(*tokenizers.source, tokens.begin, variables.directory())};
  return format;
}

/// The last hidden states may be multiplied by a number, as in T5 with tied embeddings: in gloss, their norm
/// does it.
void scale_outputs(CTranslate2Variables& variables, const NetworkSettings& network, ParameterMap& map) {
  const std::string name = "decoder/scale_outputs";
  const double scale = variables.number(name).value_or(1);
  if (scale == 1) return;
  const auto& own = network.own<TransformerSettings>();
  if (own.norm != NormPlacement::pre || scale <= 0)
    variables.refuse(name, concat(scale), own.norm == NormPlacement::pre ? "a positive number" : "1");
  const auto factor = static_cast<float>(scale);
  map.take("decoder.norm.weight", {.arrays = {"decoder/layer_norm/gamma"}, .factor = factor});
  if (own.norm_type == NormType::layer)
    map.take("decoder.norm.bias", {.arrays = {"decoder/layer_norm/beta"}, .factor = factor});
}

}  // namespace

bool is_ctranslate2(const std::string& path) {
  const std::string weights = path + "/model.bin";
  return is_file(weights) && (has_ctranslate2_vocabulary(path) || begins_as_ctranslate2(weights));
}

ForeignModel read_ctranslate2_model(const std::string& path) {
  CTranslate2Variables variables(path);
  NetworkSettings network = read_ctranslate2_settings(variables);
  const CTranslate2Tokens tokens = read_tokens(variables);
  Tokenizers tokenizers = read_ctranslate2_tokenizers(path, network, tokens);
  const TextFormat format = read_format(variables, network, tokenizers, tokens);
  network.begin_token = begin_token_of(network, tokenizers.target->begin_id(), tokenizers.target->end_id());
  network.end_token = tokenizers.target->end_id();
  if (variables.decodes_only() && tokens.begin != tokens.end) {
    throw InputError(concat(variables.file().arrays.path(), ": texts start with ", shown(tokens.begin),
                            " and end with ", shown(tokens.end), "; expected one token for both"));
  }
  ParameterMap map = ctranslate2_parameters(network);
  scale_outputs(variables, network, map);
  for (const std::string& name : variables.known()) map.ignore(name);
  add_ctranslate2_positions(variables, network, map);
  ForeignModel model{
      variables.decodes_only() ? "a CTranslate2 language model" : "a CTranslate2 translation model", network,
      std::move(tokenizers),
      WeightReaders(variables.arrays(), std::move(map),
                    {.older_ends = {{"embeddings_0/weight", "embeddings/weight"}},
                     // How the program converts weights.
                     .ignored_ends = {"/keep_in_float32"}}),
      format};
  if (format.source_end && !tokens.source_end && !variables.decodes_only()) {
    model.notes.push_back(concat(variables.config().path(),
                                 ": 'add_source_eos' is false, but sources end with ", shown(tokens.end),
                                 ", as models of this kind need"));
  }
  expect_all_used(model, variables.file().arrays.path());
  return model;
}

}  // namespace gloss
