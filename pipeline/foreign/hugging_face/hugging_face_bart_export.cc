// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

#include <set>

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/bart_kinds.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation_export.h"
#include "pipeline/foreign/hugging_face/hugging_face_piece_files.h"
#include "pipeline/foreign/hugging_face/hugging_face_settings_export.h"
#include "pipeline/foreign/shared/language_pieces.h"

namespace gloss {
namespace {

using nlohmann::json;

const std::string kOtherFormat = "export it with --format ctranslate2";

bool is_marian(const BartKind& kind) { return kind.model_type == "marian"; }

/// True if the positions of a network are learned ones with the values that the code of the kind computes.
bool computes_positions(const ModelToExport& model, const BartKind& kind) {
  const NetworkSettings& network = model.model.settings;
  return kind.positions != BartPositions::learned &&
         network.own<TransformerSettings>().positions == Positions::learned &&
         has_computed_values(*model.model.parameters, bart_parameters(network, kind.positions));
}

/// The table of positions as the directory has it.
BartPositions positions_of(const ModelToExport& model, const BartKind& kind) {
  const bool leaves_out = kind.positions == BartPositions::learned || computes_positions(model, kind);
  return leaves_out ? kind.positions : BartPositions::stored;
}

bool fits(const ModelToExport& model, const BartKind& kind) {
  const NetworkSettings& network = model.model.settings;
  const auto& own = network.own<TransformerSettings>();
  if (form_of(network) != Form::encoder_decoder || own.positions == Positions::buckets) return false;
  if (own.norm != kind.norm || own.embedding_norm != kind.embedding_norm) return false;
  return kind.positions != BartPositions::sines_from_two || computes_positions(model, kind);
}

void expect_tied(const NetworkSettings& network, const BartKind& kind, const std::string& program) {
  const TiedEmbeddings tied = network.sizes.tied_embeddings;
  if (is_marian(kind) || shares_sides(tied)) return;
  refuse_setting(network, "tied_embeddings", program,
                 "train with --tied-embeddings all or inputs, or " + kOtherFormat);
}

void expect_representable_by_bart(const ModelToExport& model, const BartKind& kind,
                                  const std::string& program) {
  const NetworkSettings& network = model.model.settings;
  std::set<std::string> known{"scale_embeddings", "feed_forward_width", "decoder_feed_forward_width",
                              "decoder_heads",    "activation",         "norm",
                              "embedding_norm",   "positions"};
  if (kind.positions != BartPositions::sines_from_two) known.insert("output_bias");
  expect_known_settings(network, known, program);
  if (network.begin_token < 0) refuse_export(program, "begin_token", "-1, a zero vector", kOtherFormat);
  expect_tied(network, kind, program);
}

/// The files of the tokenizers, by their kind and the tokens around lines.
HuggingFaceTokenizerFiles bart_tokenizer_files(const ModelToExport& model, const std::string& program) {
  using Kind = TokenizerToExport::Kind;
  const TokenizerToExport source(*model.tokenizers.source), target(*model.tokenizers.target);
  for (const TokenizerToExport* side : {&source, &target}) {
    const bool pieces = side->kind() == Kind::sentence_pieces || side->kind() == Kind::fairseq_pieces;
    if (!pieces && side->kind() != Kind::byte_pairs) refuse_tokenizer(*side, program);
  }
  if (source.kind() == Kind::byte_pairs) {
    expect_one_tokenizer(model, program);
    expect_plain_lines(model, program, {"source_prefix", "target_prefix"});
    const int begin = source.id("<s>");
    if (begin < 0 || model.format.source_prefix != std::vector<int>{begin})
      refuse_export(program, "text.source_prefix", "without <s>, which its tokenizer puts there",
                    kOtherFormat);
    if (model.format.target_prefix.size() > 1)
      refuse_export(program, "text.target_prefix", "of several tokens", kOtherFormat);
    return byte_pair_files(model, "BartTokenizer");
  }
  if (source.kind() == Kind::fairseq_pieces && !model.format.languages.ids.empty()) {
    expect_one_tokenizer(model, program);
    expect_plain_lines(model, program, {"languages"});
    return language_files(model, program);
  }
  // MarianTokenizer finds its languages in the vocabulary.
  const bool found = model.format.languages == marian_languages(*model.tokenizers.source);
  expect_plain_lines(model, program, found ? std::set<std::string>{"languages"} : std::set<std::string>{});
  return marian_files(model, program);
}

json config_of(const ModelToExport& model, const BartKind& kind, const std::string& program) {
  const NetworkSettings& network = model.model.settings;
  const NetworkSizes& sizes = network.sizes;
  const auto& own = network.own<TransformerSettings>();
  const bool pre = kind.norm == NormPlacement::pre;
  json config{{"architectures", {kind.class_name}},
              {"model_type", kind.model_type},
              {"is_encoder_decoder", true},
              {"torch_dtype", "float32"},
              {"d_model", sizes.width},
              {"num_hidden_layers", sizes.encoder_layers},
              {"max_position_embeddings", sizes.max_positions},
              {"activation_function", activation_name(own.activation, program)},
              {"scale_embedding", sizes.scale_embeddings},
              {"static_position_embeddings", kind.positions != BartPositions::learned},
              {"normalize_before", pre},
              {"normalize_embedding", kind.embedding_norm},
              {"add_final_layer_norm", pre},
              {"tie_word_embeddings", sizes.tied_embeddings == TiedEmbeddings::all ||
                                          sizes.tied_embeddings == TiedEmbeddings::target},
              {"vocab_size", network.source_vocabulary},
              {"use_cache", true}};
  if (is_marian(kind)) {
    config["add_bias_logits"] = false;
    config["share_encoder_decoder_embeddings"] = shares_sides(sizes.tied_embeddings);
    config["decoder_vocab_size"] = network.target_vocabulary;
  }
  for (const bool decoder : {false, true}) {
    const std::string side = decoder ? "decoder_" : "encoder_";
    config[side + "layers"] = decoder ? sizes.decoder_layers : sizes.encoder_layers;
    config[side + "attention_heads"] = decoder && own.decoder_heads > 0 ? own.decoder_heads : sizes.heads;
    config[side + "ffn_dim"] = decoder && own.decoder_feed_forward_width > 0 ? own.decoder_feed_forward_width
                                                                             : own.feed_forward_width;
  }
  config.update(token_settings(model));
  return config;
}

HuggingFaceDescription describe_bart(const ModelToExport& model, const BartKind& kind,
                                     const std::string& program) {
  expect_representable_by_bart(model, kind, program);
  const NetworkSettings& network = model.model.settings;
  const BartPositions positions = positions_of(model, kind);
  const int spare = positions == BartPositions::learned ? kSparePositions : 0;
  return {config_of(model, kind, program), generation_settings(model), bart_parameters(network, positions),
          further_positions(network,
                            {"model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"},
                            spare, program),
          bart_tokenizer_files(model, program)};
}

}  // namespace

std::vector<HuggingFaceFamily> hugging_face_bart_families() {
  std::vector<HuggingFaceFamily> families;
  for (const BartKind& kind : bart_kinds()) {
    families.push_back({kind.class_name + " of transformers",
                        [&kind](const ModelToExport& model) { return fits(model, kind); },
                        [&kind](const ModelToExport& model, const std::string& program) {
                          return describe_bart(model, kind, program);
                        }});
  }
  return families;
}

}  // namespace gloss
