// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face.h"

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/bert_parameters.h"
#include "pipeline/foreign/hugging_face/bert_tokenizers.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_tokenizer.h"

namespace gloss {
namespace {

using nlohmann::json;

/// What the model does, by its arrays.
enum class Head { none, masked, classes };

Head head_of(const HuggingFaceFiles& files, const BertNames& names) {
  const auto has = [&](const std::string& name) { return files.weights->find(name + ".weight") != nullptr; };
  if (has(names.class_output)) return Head::classes;
  return has(names.readout) ? Head::masked : Head::none;
}

/// The labels of a classifier whose settings have only their number.
json numbered_labels(const ForeignConfig& config) {
  const int count = config.integer("num_labels", config.integer("_num_labels", 2, 0, 1 << 20), 0, 1 << 20);
  json labels = json::object();
  for (int i = 0; i < count; ++i) labels[std::to_string(i)] = concat("LABEL_", i);
  return labels;
}

/// The labels of a classifier by the numbers of their classes.
std::vector<std::string> read_labels(const ForeignConfig& config) {
  constexpr std::size_t kMostLabels = 1 << 20;
  const auto refuse = [&] { config.refuse("id2label", "an object with the label of each class, from 0"); };
  if (config.text("problem_type", "single_label_classification") != "single_label_classification")
    config.refuse("problem_type",
                  "\"single_label_classification\": 'gloss classify' chooses one of several labels; use "
                  "transformers for several labels per text and for regression");
  const json named = config.has("id2label") ? config.at("id2label") : numbered_labels(config);
  if (!named.is_object() || named.size() > kMostLabels) refuse();
  if (named.size() < 2)
    config.refuse("id2label",
                  "two labels or more: 'gloss classify' chooses one of them; use transformers for a model "
                  "that gives one number per text");
  std::vector<std::string> labels(named.size());
  for (const auto& [text, label] : named.items()) {
    std::size_t number = 0;
    if (!parse_number(text, number) || number >= labels.size() || !label.is_string() ||
        !labels[number].empty())
      refuse();
    labels[number] = label.get<std::string>();
  }
  for (const std::string& label : labels) {
    if (label.empty() || label.find_first_of("\t\n") != std::string::npos) refuse();
  }
  return labels;
}

NetworkSettings read_bert_network(const HuggingFaceFiles& files, const BertNames& names, Head head) {
  const ForeignConfig& config = files.config;
  if (config.text("position_embedding_type", "absolute") != "absolute")
    config.refuse("position_embedding_type", "\"absolute\"");
  if (config.flag("is_decoder", false)) config.refuse("is_decoder", "false");
  NetworkSettings settings;
  NetworkSizes& sizes = settings.sizes;
  sizes.encoder_layers = config.required_integer("num_hidden_layers", 1, 1000);
  sizes.decoder_layers = 0;
  sizes.width = config.required_integer("hidden_size", 2);
  sizes.heads = config.required_integer("num_attention_heads", 1);
  sizes.max_positions =
      config.required_integer("max_position_embeddings", names.spare_positions + 2) - names.spare_positions;
  const bool tied = config.flag("tie_word_embeddings", true);
  sizes.tied_embeddings = tied || head != Head::masked ? TiedEmbeddings::all : TiedEmbeddings::none;
  sizes.scale_embeddings = false;
  settings.source_vocabulary = settings.target_vocabulary = config.required_integer("vocab_size", 1);
  auto& own = settings.own<TransformerSettings>();
  own.feed_forward_width = config.required_integer("intermediate_size", 2);
  own.norm = NormPlacement::post;
  own.norm_epsilon = config.number("layer_norm_eps", 1e-12, 1e-12, 1);
  own.activation = activation_of(config, "hidden_act", "gelu");
  // RoBERTa's readout does not follow hidden_act.
  own.readout_activation = names.spare_positions > 0 ? Activation::gelu_exact : own.activation;
  own.positions = Positions::learned;
  own.embedding_norm = true;
  own.token_types = config.integer("type_vocab_size", 2, 0, 1024);
  // All tokens of RoBERTa have type 0.
  if (names.spare_positions > 0) own.token_types = std::min(own.token_types, 1);
  sizes.output_bias = head == Head::masked;
  return settings;
}

ArrayNames array_names(const BertNames& names, Head head) {
  ArrayNames all{.optional_prefix = names.prefix, .older_ends = older_norm_names()};
  all.ignored_ends = {"embeddings.position_ids", "embeddings.token_type_ids", "cls.seq_relationship.weight",
                      "cls.seq_relationship.bias"};
  if (head != Head::classes || names.class_inner != names.prefix + "pooler.dense") {
    for (const std::string part : {"weight", "bias"}) all.ignored_ends.push_back("pooler.dense." + part);
  }
  return all;
}

/// The parameters of the network, whose token types may be fewer than those of the file.
ParameterMap parameters_of(const HuggingFaceFiles& files, const NetworkSettings& network,
                           const BertNames& names, Head head) {
  ParameterMap map = bert_parameters(network, names, head != Head::none);
  const int types = files.config.integer("type_vocab_size", 2);
  if (network.own<TransformerSettings>().token_types < types) {
    const std::string table = names.prefix + "embeddings.token_type_embeddings.weight";
    map.take("encoder.token_types", {.arrays = {table}, .unused_rows = types - 1});
  }
  return map;
}

ForeignModel read_encoder(const HuggingFaceFiles& files, const BertNames& names, const std::string& family) {
  const EncoderTokenizer tokenizer = read_encoder_tokenizer(files);
  const Head head = head_of(files, names);
  NetworkSettings network = read_bert_network(files, names, head);
  network.begin_token = tokenizer.subwords->begin_id();
  network.end_token = tokenizer.subwords->end_id();
  TextFormat format;
  format.mask_token = tokenizer.mask;
  if (names.spare_positions > 0) format.pair_ends = 2;  // of RoBERTa and its relatives
  std::vector<std::string> notes = tokenizer.notes;
  std::string what = " without a head, for embeddings";
  if (head == Head::masked) what = " for masked tokens";
  if (head == Head::classes) {
    format.labels = read_labels(files.config);
    network.classifier = {.classes = static_cast<int>(format.labels.size()), .inner_layer = true};
    what = concat(" for ", format.labels.size(), " classes");
  }
  if (head == Head::none) {
    notes.emplace_back(
        "the model predicts no tokens: 'gloss embed' works with it, and 'gloss finetune'; the "
        "candidates of 'gloss fill' mean nothing");
  }
  if (tokenizer.mask < 0 && head != Head::classes) {
    throw InputError(
        concat(tokenizer.path, ": there is no mask ", shown(tokenizer.mask_name), " among the pieces"));
  }
  return {"a " + family + " model" + what,
          network,
          {tokenizer.subwords, tokenizer.subwords},
          WeightReaders(files.weights, parameters_of(files, network, names, head), array_names(names, head)),
          format,
          notes};
}

}  // namespace

ForeignModel read_hugging_face_bert(const HuggingFaceFiles& files) {
  return read_encoder(files, bert_names(), "BERT");
}

ForeignModel read_hugging_face_roberta(const HuggingFaceFiles& files) {
  BertNames names = roberta_names();
  // Positions are counted from the id of the padding token.
  names.spare_positions = files.config.integer("pad_token_id", 1) + 1;
  return read_encoder(files, names, "RoBERTa");
}

}  // namespace gloss
