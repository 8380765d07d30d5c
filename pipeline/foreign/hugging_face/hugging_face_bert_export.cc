// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

#include <algorithm>

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/bert_parameters.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation_export.h"
#include "pipeline/foreign/hugging_face/hugging_face_piece_files.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings_export.h"

namespace gloss {
namespace {

using nlohmann::json;
using TokenizerKind = TokenizerToExport::Kind;

/// BERT or a relative.
struct Encoder {
  std::string name, model_type, classes;  ///< the beginning of the names of its classes
  const BertNames& names;
  std::vector<TokenizerKind> tokenizers;
};

const std::vector<Encoder>& encoders() {
  static const std::vector<Encoder> all{
      {"RoBERTa", "roberta", "Roberta", roberta_names(), {TokenizerKind::byte_pairs}},
      {"XLM-R", "xlm-roberta", "XLMRoberta", roberta_names(), {TokenizerKind::fairseq_pieces}},
      {"BERT", "bert", "Bert", bert_names(), {TokenizerKind::word_pieces, TokenizerKind::sentence_pieces}}};
  return all;
}

bool is_roberta(const Encoder& encoder) { return encoder.names.spare_positions > 0; }

HuggingFaceTokenizerFiles bert_tokenizer_files(const ModelToExport& model, const std::string& program) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  switch (tokenizer.kind()) {
    case TokenizerKind::word_pieces:
      return word_piece_files(model);
    case TokenizerKind::byte_pairs:
      return byte_pair_files(model, "RobertaTokenizer");
    case TokenizerKind::fairseq_pieces:
      return fairseq_piece_files(model, "XLMRobertaTokenizer");
    case TokenizerKind::sentence_pieces:
      return framed_piece_files(model);
    default:
      refuse_tokenizer(tokenizer, program);
  }
}

void expect_representable_by_bert(const ModelToExport& model, const Encoder& encoder,
                                  const std::string& program) {
  const NetworkSettings& network = model.model.settings;
  const auto& own = network.own<TransformerSettings>();
  const auto refuse = [&](const std::string& setting, const std::string& advice) {
    refuse_setting(network, setting, program, advice);
  };
  // A language model may have become a classifier.
  if (network.sizes.encoder_layers == 0)
    refuse("encoder_layers", "only classifiers with an encoder can be exported");
  if (own.norm != NormPlacement::post) refuse("norm", "train with --norm post");
  if (!own.embedding_norm) refuse("embedding_norm", "train with --embedding-norm");
  if (network.sizes.scale_embeddings) refuse("scale_embeddings", "train with --no-scale-embeddings");
  std::set<std::string> known{"scale_embeddings", "output_bias", "feed_forward_width", "norm",
                              "norm_epsilon",     "activation",  "readout_activation", "token_types",
                              "embedding_norm",   "positions"};
  if (form_of(network) == Form::classifier) {
    if (!network.classifier.inner_layer) refuse("inner_layer", "train with --inner-layer");
    known.insert("inner_layer");
    const int ends = is_roberta(encoder) ? 2 : 1, found = model.format.pair_ends;
    if (found != ends) {
      refuse_export(program, "text.pair_ends", std::to_string(found),
                    concat("its tokenizer puts ", ends, " end tokens between two texts"));
    }
  } else if (is_roberta(encoder) && own.readout_activation != Activation::gelu_exact) {
    refuse("readout_activation", "train with --readout-activation gelu-exact");
  } else if (!is_roberta(encoder) && own.readout_activation != own.activation) {
    refuse("readout_activation", "train with the same --activation and --readout-activation");
  }
  expect_known_settings(network, known, program);
  expect_one_tokenizer(model, program);
}

/// The readout of a model that was imported without one changes nothing.
bool has_readout(const ModelToExport& model, const BertNames& names) {
  const NetworkSettings& network = model.model.settings;
  return form_of(network) == Form::encoder &&
         (network.sizes.output_bias ||
          !has_computed_values(*model.model.parameters, bert_parameters(network, names, false)));
}

json config_of(const ModelToExport& model, const Encoder& encoder, const std::string& program) {
  const NetworkSettings& network = model.model.settings;
  const NetworkSizes& sizes = network.sizes;
  const auto& own = network.own<TransformerSettings>();
  json config{{"model_type", encoder.model_type},
              {"torch_dtype", "float32"},
              {"hidden_size", sizes.width},
              {"intermediate_size", own.feed_forward_width},
              {"num_hidden_layers", sizes.encoder_layers},
              {"num_attention_heads", sizes.heads},
              {"max_position_embeddings", sizes.max_positions + encoder.names.spare_positions},
              {"type_vocab_size", std::max(1, own.token_types)},
              {"hidden_act", activation_name(own.activation, program)},
              {"layer_norm_eps", own.norm_epsilon},
              {"position_embedding_type", "absolute"},
              {"vocab_size", network.source_vocabulary},
              {"pad_token_id", padding_of(model)},
              {"bos_token_id", network.begin_token},
              {"eos_token_id", network.end_token}};
  if (sizes.tied_embeddings == TiedEmbeddings::none && form_of(network) == Form::encoder)
    config["tie_word_embeddings"] = false;
  for (int number = 0; const std::string& label : model.format.labels) {
    config["id2label"][std::to_string(number)] = label;
    config["label2id"][label] = number++;
  }
  return config;
}

HuggingFaceDescription describe_bert(const ModelToExport& model, const Encoder& encoder,
                                     const std::string& program) {
  expect_representable_by_bert(model, encoder, program);
  const NetworkSettings& network = model.model.settings;
  BertNames names = encoder.names;
  const bool classifies = form_of(network) == Form::classifier, masked = has_readout(model, names);
  json config = config_of(model, encoder, program);
  config["architectures"] = {encoder.classes + (classifies ? "ForSequenceClassification"
                                                : masked   ? "ForMaskedLM"
                                                           : "Model")};
  if (!classifies && !masked) names.prefix.clear();
  const std::string embeddings = names.prefix + "embeddings.";
  std::vector<FurtherArray> further =
      further_positions(network, {embeddings + "position_embeddings.weight"}, names.spare_positions, program);
  const auto zeros = [](std::span<float> values) { std::ranges::fill(values, 0.0F); };
  if (network.own<TransformerSettings>().token_types == 0)
    further.push_back({embeddings + "token_type_embeddings.weight", Shape{1, network.sizes.width}, zeros});
  if (masked && !network.sizes.output_bias)
    further.push_back({names.output_bias, Shape{network.target_vocabulary}, zeros});
  return {config, nullptr, bert_parameters(network, names, masked), further,
          bert_tokenizer_files(model, program)};
}

}  // namespace

std::vector<HuggingFaceFamily> hugging_face_bert_families() {
  std::vector<HuggingFaceFamily> families;
  for (const Encoder& encoder : encoders()) {
    const bool last = &encoder == &encoders().back();
    families.push_back({encoder.name + " of transformers",
                        [&encoder, last](const ModelToExport& model) {
                          const Form form = form_of(model.model.settings);
                          if (form != Form::encoder && form != Form::classifier) return false;
                          const TokenizerKind kind = TokenizerToExport(*model.tokenizers.source).kind();
                          return last || std::ranges::count(encoder.tokenizers, kind) > 0;
                        },
                        [&encoder](const ModelToExport& model, const std::string& program) {
                          return describe_bert(model, encoder, program);
                        }});
  }
  return families;
}

}  // namespace gloss
