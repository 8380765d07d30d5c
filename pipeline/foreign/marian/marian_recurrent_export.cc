// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_recurrent_export.h"

#include "base/error.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "pipeline/foreign/marian/marian_network_export.h"
#include "pipeline/foreign/marian/marian_settings.h"
#include "pipeline/foreign/shared/export_format.h"

namespace gloss {
namespace {

using nlohmann::json;

[[noreturn]] void refuse_recurrent(const std::string& setting, const std::string& value,
                                   const std::string& expected) {
  refuse_export(kMarian, setting, value,
                concat("expected ", expected, "; see the settings of imported models of Marian"));
}

void expect_cells(const NetworkSettings& network) {
  const auto& own = network.own<RecurrentSettings>();
  if (own.cell != Cell::gru && own.cell != Cell::lstm)
    refuse_recurrent("cell", "of another kind", "gru or lstm");
  if (own.product_norm != ProductNorm::none &&
      own.product_norm_epsilon != marian_product_epsilon(own.product_norm))
    refuse_recurrent("product_norm_epsilon", number_text(own.product_norm_epsilon),
                     number_text(marian_product_epsilon(own.product_norm)));
  if (!is_nematus(network)) return;
  if (network.sizes.encoder_layers != 1 || network.sizes.decoder_layers != 1)
    refuse_recurrent("product_norm", "separate and several layers", "one layer");
  if (own.residual) refuse_recurrent("residual", "true and product_norm separate", "false");
}

}  // namespace

void expect_marian_recurrent(const NetworkSettings& network) {
  const auto& own = network.own<RecurrentSettings>();
  if (form_of(network) != Form::encoder_decoder)
    refuse_recurrent("encoder_layers", "0 and architecture recurrent", "a translation model");
  if (own.query != QueryPlacement::between) refuse_recurrent("query", "of another kind", "between");
  if (own.first_state != FirstState::mean) refuse_recurrent("first_state", "of another kind", "mean");
  if (network.sizes.heads != 1) refuse_recurrent("heads", concat(network.sizes.heads), "1");
  if (network.sizes.scale_embeddings) refuse_recurrent("scale_embeddings", "true", "false");
  expect_known_settings(network,
                        {"scale_embeddings", "output_bias", "cell", "embedding_width", "encoder_stack",
                         "encoder_transitions", "decoder_transitions", "upper_transitions", "product_norm",
                         "product_norm_epsilon", "attention_width", "query", "first_state", "residual"},
                        kMarian);
  const bool stacks_need_layers =
      own.encoder_stack == EncoderStack::joined && network.sizes.encoder_layers > 1;
  if (stacks_need_layers)
    refuse_recurrent("encoder_stack", "joined and several layers", "first, separate or alternating");
  const int states = network.sizes.width * (own.encoder_stack == EncoderStack::first ? 1 : 2);
  if (own.attention_width != states)
    refuse_recurrent("attention_width", concat(own.attention_width), concat(states));
  expect_cells(network);
}

json marian_recurrent_options(const NetworkSettings& network) {
  const NetworkSizes& sizes = network.sizes;
  const auto& own = network.own<RecurrentSettings>();
  const bool nematus = is_nematus(network);
  const std::string cell = own.cell == Cell::lstm ? "lstm" : nematus ? "gru-nematus" : "gru";
  const bool normalises = own.product_norm != ProductNorm::none;
  return {{"type", nematus ? "nematus" : "s2s"},
          {"dim-emb", own.embedding_width},
          {"dim-rnn", sizes.width},
          {"enc-type", own.encoder_stack == EncoderStack::alternating ? "alternating"
                       : own.encoder_stack == EncoderStack::first     ? "bi-unidirectional"
                                                                      : "bidirectional"},
          {"enc-cell", cell},
          {"dec-cell", cell},
          {"enc-depth", sizes.encoder_layers},
          {"dec-depth", sizes.decoder_layers},
          {"enc-cell-depth", own.encoder_transitions + 1},
          {"dec-cell-base-depth", own.decoder_transitions + 2},
          {"dec-cell-high-depth", nematus ? 1 : own.upper_transitions + 1},
          {"skip", own.residual},
          {"layer-normalization", normalises}};
}

bool is_nematus(const NetworkSettings& network) {
  return network.own<RecurrentSettings>().product_norm == ProductNorm::separate;
}

}  // namespace gloss
