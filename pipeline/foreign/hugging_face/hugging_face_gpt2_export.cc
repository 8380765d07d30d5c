// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation_export.h"
#include "pipeline/foreign/hugging_face/hugging_face_piece_files.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings_export.h"

namespace gloss {
namespace {

using nlohmann::json;

HuggingFaceTokenizerFiles gpt2_tokenizer_files(const ModelToExport& model, const std::string& program) {
  const TokenizerToExport tokenizer(*model.tokenizers.target);
  switch (tokenizer.kind()) {
    case TokenizerToExport::Kind::byte_pairs: {
      HuggingFaceTokenizerFiles files = byte_pair_files(model, "GPT2Tokenizer");
      files.config["add_bos_token"] = !model.format.bare_start;
      return files;
    }
    case TokenizerToExport::Kind::sentence_pieces:
      return text_piece_files(model);
    default:
      refuse_tokenizer(tokenizer, program);
  }
}

void expect_representable_by_gpt2(const ModelToExport& model, const std::string& program) {
  const NetworkSettings& network = model.model.settings;
  const auto& own = network.own<TransformerSettings>();
  const auto refuse = [&](const std::string& setting, const std::string& advice) {
    refuse_setting(network, setting, program, advice);
  };
  if (own.norm != NormPlacement::pre) refuse("norm", "train with --norm pre");
  if (network.sizes.scale_embeddings) refuse("scale_embeddings", "train with --no-scale-embeddings");
  expect_known_settings(
      network, {"scale_embeddings", "feed_forward_width", "norm", "norm_epsilon", "activation", "positions"},
      program);
  expect_one_tokenizer(model, program);
}

HuggingFaceDescription describe_gpt2(const ModelToExport& model, const std::string& program) {
  expect_representable_by_gpt2(model, program);
  const NetworkSettings& network = model.model.settings;
  const NetworkSizes& sizes = network.sizes;
  const auto& own = network.own<TransformerSettings>();
  json config{{"architectures", {"GPT2LMHeadModel"}},
              {"model_type", "gpt2"},
              {"torch_dtype", "float32"},
              {"n_layer", sizes.decoder_layers},
              {"n_embd", sizes.width},
              {"n_head", sizes.heads},
              {"n_inner", own.feed_forward_width},
              {"n_positions", sizes.max_positions},
              {"n_ctx", sizes.max_positions},
              {"activation_function", activation_name(own.activation, program)},
              {"layer_norm_epsilon", own.norm_epsilon},
              {"scale_attn_weights", true},
              {"tie_word_embeddings", sizes.tied_embeddings != TiedEmbeddings::none},
              {"vocab_size", network.target_vocabulary},
              {"use_cache", true}};
  config.update(token_settings(model));
  return {config, generation_settings(model), gpt2_parameters(network),
          further_positions(network, {"transformer.wpe.weight"}, 0, program),
          gpt2_tokenizer_files(model, program)};
}

}  // namespace

HuggingFaceFamily hugging_face_gpt2_family() {
  return {"GPT-2 of transformers",
          [](const ModelToExport& model) { return form_of(model.model.settings) == Form::decoder; },
          describe_gpt2};
}

}  // namespace gloss
