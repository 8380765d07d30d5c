// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation_export.h"
#include "pipeline/foreign/hugging_face/hugging_face_piece_files.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings_export.h"
#include "pipeline/foreign/hugging_face/t5_parameters.h"
#include "pipeline/foreign/shared/stored_positions.h"

namespace gloss {
namespace {

using nlohmann::json;

/// The function of feed-forward layers. With a gate, "gated-gelu" is the approximation by tanh.
std::string feed_forward_name(const TransformerSettings& own, const std::string& program) {
  const std::string name =
      own.activation == Activation::swish ? "silu" : activation_name(own.activation, program);
  if (!own.gated_feed_forward) return name;
  if (own.activation == Activation::gelu_exact) {
    refuse_export(program, "activation", "gelu-exact in gated layers",
                  "train with gelu, its approximation by tanh");
  }
  if (own.activation == Activation::gelu) return "gated-gelu";
  return "gated-" + name;
}

void expect_representable_by_t5(const ModelToExport& model, const std::string& program) {
  const NetworkSettings& network = model.model.settings;
  const auto& own = network.own<TransformerSettings>();
  const auto refuse = [&](const std::string& setting, const std::string& advice) {
    refuse_setting(network, setting, program, advice);
  };
  if (own.norm != NormPlacement::pre) refuse("norm", "train with --norm pre");
  if (own.norm_type != NormType::rms) refuse("norm_type", "train with --norm-type rms");
  if (own.linear_bias) refuse("linear_bias", "train with --no-linear-bias");
  if (own.attention_scale != AttentionScale::none)
    refuse("attention_scale", "train with --attention-scale none");
  if (network.sizes.scale_embeddings) refuse("scale_embeddings", "train with --no-scale-embeddings");
  if (!shares_sides(network.sizes.tied_embeddings))
    refuse("tied_embeddings", "train with --tied-embeddings all or inputs");
  if (network.begin_token < 0)
    refuse_export(program, "begin_token", "-1, a zero vector", "export it with --format ctranslate2");
  expect_known_settings(network,
                        {"scale_embeddings", "feed_forward_width", "head_width", "attention_scale", "norm",
                         "norm_type", "norm_epsilon", "activation", "gated_feed_forward", "linear_bias",
                         "positions", "relative_reach", "relative_buckets"},
                        program);
  expect_plain_lines(model, program);
  expect_one_tokenizer(model, program);
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  if (tokenizer.kind() != TokenizerToExport::Kind::sentence_pieces &&
      tokenizer.kind() != TokenizerToExport::Kind::fairseq_pieces)
    refuse_tokenizer(tokenizer, program);
}

HuggingFaceDescription describe_t5(const ModelToExport& model, const std::string& program) {
  expect_representable_by_t5(model, program);
  const NetworkSettings& network = model.model.settings;
  const NetworkSizes& sizes = network.sizes;
  const auto& own = network.own<TransformerSettings>();
  json config{
      {"architectures", {"T5ForConditionalGeneration"}},
      {"model_type", "t5"},
      {"is_encoder_decoder", true},
      {"torch_dtype", "float32"},
      {"d_model", sizes.width},
      {"d_ff", own.feed_forward_width},
      {"d_kv", own.head_width > 0 ? own.head_width : sizes.width / sizes.heads},
      {"num_heads", sizes.heads},
      {"num_layers", sizes.encoder_layers},
      {"num_decoder_layers", sizes.decoder_layers},
      {"n_positions", sizes.max_positions == kUnlimitedPositions ? kForeignT5Positions : sizes.max_positions},
      {"feed_forward_proj", feed_forward_name(own, program)},
      {"layer_norm_epsilon", own.norm_epsilon},
      {"relative_attention_num_buckets", own.relative_buckets},
      {"relative_attention_max_distance", own.reach()},
      {"tie_word_embeddings", sizes.tied_embeddings == TiedEmbeddings::all},
      {"vocab_size", network.source_vocabulary},
      {"use_cache", true}};
  config.update(token_settings(model));
  json generation = generation_settings(model);
  for (json* settings : {&config, &generation}) (*settings)["pad_token_id"] = network.begin_token;
  return {config, generation, t5_parameters(network), {}, t5_files(model)};
}

}  // namespace

HuggingFaceFamily hugging_face_t5_family() {
  return {"T5 of transformers",
          [](const ModelToExport& model) {
            const NetworkSettings& network = model.model.settings;
            return form_of(network) == Form::encoder_decoder &&
                   network.own<TransformerSettings>().positions == Positions::buckets;
          },
          describe_t5};
}

}  // namespace gloss
