// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/ctranslate2_export.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/index.h"
#include "model/formats/ctranslate2_writer.h"
#include "model/networks/transformer_settings.h"
#include "pipeline/interchange/ctranslate2_parameters.h"
#include "pipeline/interchange/exported_tokenizers.h"
#include "pipeline/interchange/exported_weights.h"
#include "pipeline/interchange/stored_positions.h"

namespace gloss {
namespace {

const std::string kProgram = "CTranslate2";

bool decodes_only(const NetworkSettings& network) { return network.sizes.encoder_layers == 0; }

std::vector<std::string> sides_of(const NetworkSettings& network) {
  if (decodes_only(network)) return {"decoder"};
  return {"encoder", "decoder"};
}

void expect_representable(const NetworkSettings& network) {
  const Form form = form_of(network);
  if (network.architecture != "transformer") {
    refuse_export(kProgram, "architecture", network.architecture, "only transformers can be exported");
  }
  if (form != Form::encoder_decoder && form != Form::decoder) {
    refuse_export(kProgram, form == Form::encoder ? "decoder_layers" : "classes",
                  concat(form == Form::encoder ? 0 : network.classifier.classes),
                  "only translation models and language models can be exported");
  }
  expect_known_settings(network,
                        {"encoder_layers",
                         "decoder_layers",
                         "width",
                         "heads",
                         "max_positions",
                         "tied_embeddings",
                         "scale_embeddings",
                         "feed_forward_width",
                         "decoder_feed_forward_width",
                         "decoder_heads",
                         "norm",
                         "norm_type",
                         "norm_epsilon",
                         "activation",
                         "gated_feed_forward",
                         "linear_bias",
                         "output_bias",
                         "embedding_norm",
                         "positions",
                         "source_vocabulary",
                         "target_vocabulary",
                         "begin_token",
                         "end_token"},
                        kProgram);
  const auto& own = network.own<TransformerSettings>();
  if (own.activation == Activation::sigmoid) {
    refuse_export(kProgram, "activation", "sigmoid", "export a model with relu, gelu, gelu-exact or swish");
  }
  if (own.norm == NormPlacement::steps)
    refuse_export(kProgram, "norm", "steps", "export a model with pre or post");
  const std::string advice = "export a model with sinusoidal, learned, rotary or no positions";
  if (own.positions == Positions::relative) refuse_export(kProgram, "positions", "relative", advice);
  const int heads = network.sizes.heads;
  if (own.positions == Positions::alibi && (!decodes_only(network) || (heads & (heads - 1)) != 0)) {
    refuse_export(kProgram, "positions",
                  "alibi in an encoder, or with a number of heads that is no power of 2", advice);
  }
}

/// The variables of a model, which refer to it.
class Variables {
 public:
  explicit Variables(const ModelToExport& model) : model_(model), network_(model.model.settings) {}

  std::vector<CTranslate2Variable> all() {
    ParameterMap map = ctranslate2_parameters(network_);
    if (network_.own<TransformerSettings>().positions == Positions::learned) {
      for (const std::string& side : sides_of(network_))
        map.take(side + ".positions", {ctranslate2_positions(side)});
    }
    for (const ExportedArray& array : exported_arrays(*model_.model.parameters, map)) add_weights(array);
    for (const std::string& side : sides_of(network_)) {
      add_settings(side);
      add_positions(side);
    }
    return std::move(variables_);
  }

 private:
  void add_weights(const ExportedArray& array) {
    if (array.rows.type == DType::int8) return add_int8(array);
    const auto bytes = [this, array]() -> std::span<const std::byte> {
      if (array.rows.type == DType::f32) {  // used where it is
        return {static_cast<const std::byte*>(array.rows.numbers), array.count() * sizeof(float)};
      }
      wide_.resize(array.count());
      array.read(wide_);
      return std::as_bytes(std::span(wide_));
    };
    variables_.push_back({array.name, NumberType::f32, array.shape, bytes});
  }

  /// A weight of CTranslate2 is the number divided by the scale of its row.
  void add_int8(const ExportedArray& array) {
    expects(array.name.ends_with("weight"), array.name, " cannot have scales");
    const auto bytes = [array]() -> std::span<const std::byte> {
      return {static_cast<const std::byte*>(array.rows.numbers), array.count()};
    };
    const auto scales = [this, array] {
      wide_.resize(index(array.rows.rows));
      for (std::size_t row = 0; row < wide_.size(); ++row) {
        const float divisor = 1 / array.rows.scales[row];
        // The numbers of such a row are all zero.
        wide_[row] = std::isfinite(divisor) && divisor > 0 ? divisor : 1;
      }
      return std::as_bytes(std::span(wide_));
    };
    variables_.push_back({array.name, NumberType::i8, array.shape, bytes});
    variables_.push_back({array.name + "_scale", NumberType::f32, {array.rows.rows}, scales});
  }

  template <class Number>
  void add_number(const std::string& name, Number number) {
    const auto bytes = [this, number]() -> std::span<const std::byte> {
      const auto part = std::as_bytes(std::span(&number, 1));
      small_.assign(part.begin(), part.end());
      return small_;
    };
    const NumberType type = sizeof(Number) == 1   ? NumberType::i8
                            : sizeof(Number) == 2 ? NumberType::i16
                                                  : NumberType::i32;
    variables_.push_back({name, type, {}, bytes});
  }
  void add_flag(const std::string& name, bool flag) { add_number(name, static_cast<std::int8_t>(flag)); }

  void add_settings(const std::string& side) {
    const auto& own = network_.own<TransformerSettings>();
    const auto name = [&](const std::string& setting) { return concat(side, "/", setting); };
    const int heads = side == "decoder" && own.decoder_heads > 0 ? own.decoder_heads : network_.sizes.heads;
    add_number(name("num_heads"), static_cast<std::int16_t>(heads));
    add_flag(name("pre_norm"), own.norm == NormPlacement::pre);
    add_number(name("activation"), activation(own.activation));
    add_flag(name("scale_embeddings"), network_.sizes.scale_embeddings);
    if (own.positions == Positions::rotary) add_rotary(side);
    if (side == "encoder") {
      add_number(name("embeddings_merge"), std::int8_t{0});
      return;
    }
    add_number(name("alignment_layer"), std::int16_t{-1});
    add_number(name("alignment_heads"), std::int16_t{1});
    add_flag(name("alibi"), own.positions == Positions::alibi);
    add_flag(name("alibi_use_positive_positions"), own.positions == Positions::alibi);
    add_flag(name("scale_alibi"), false);
    add_flag(name("start_from_zero_embedding"), network_.begin_token < 0);
  }

  void add_rotary(const std::string& side) {
    const int layers = side == "encoder" ? network_.sizes.encoder_layers : network_.sizes.decoder_layers;
    for (int layer = 0; layer < layers; ++layer) {
      const std::string attention = concat(side, "/layer_", layer, "/self_attention/");
      add_number(attention + "rotary_dim", std::int32_t{0});
      add_flag(attention + "rotary_interleave", false);
    }
  }

  /// Those that gloss computes have another number for the first position than those of CTranslate2.
  void add_positions(const std::string& side) {
    const Positions positions = network_.own<TransformerSettings>().positions;
    if (positions != Positions::sinusoidal && positions != Positions::none) return;
    const int rows = network_.sizes.max_positions, width = network_.sizes.width;
    const auto bytes = [this, positions, rows, width] {
      wide_ = table_of_positions(positions, rows, width);
      return std::as_bytes(std::span(wide_));
    };
    variables_.push_back({ctranslate2_positions(side), NumberType::f32, {rows, width}, bytes});
  }

  static std::int8_t activation(Activation activation) {
    switch (activation) {
      case Activation::relu:
        return 0;
      case Activation::gelu:
        return 1;
      case Activation::swish:
        return 2;
      case Activation::gelu_exact:
        return 3;
      default:
        throw BrokenPromise("an activation that was not refused");
    }
  }

  const ModelToExport& model_;
  const NetworkSettings& network_;
  std::vector<CTranslate2Variable> variables_;
  std::vector<float> wide_;
  std::vector<std::byte> small_;
};

void write_weights(const ModelToExport& model, const std::string& path) {
  const bool decoder = decodes_only(model.model.settings);
  // The revisions of version 3 and 4 of the program.
  const CTranslate2Contents contents{decoder ? "TransformerDecoderSpec" : "TransformerSpec",
                                     decoder ? 8U : 7U, ctranslate2_aliases(model.model.settings)};
  Variables variables(model);
  AtomicFile file(path);
  write_ctranslate2(file, contents, variables.all());
  file.commit();
}

void write_vocabularies(const ModelToExport& model, const std::string& directory) {
  const auto write = [&](const std::string& name, const std::vector<std::string>& pieces) {
    write_file(concat(directory, "/", name, ".json"), nlohmann::json(pieces).dump(1) + "\n");
  };
  const Tokenizers& tokenizers = model.tokenizers;
  const std::vector<std::string> source = exported_pieces(*tokenizers.source),
                                 target = exported_pieces(*tokenizers.target);
  if (decodes_only(model.model.settings)) {
    write("vocabulary", target);
    write_tokenizer(*tokenizers.target, directory, "tokenizer");
    return;
  }
  if (source == target) {
    write("shared_vocabulary", target);
  } else {
    write("source_vocabulary", source);
    write("target_vocabulary", target);
  }
  write_tokenizer(*tokenizers.source, directory, "source");
  write_tokenizer(*tokenizers.target, directory, "target");
}

void write_config(const ModelToExport& model, const std::string& directory) {
  const NetworkSettings& network = model.model.settings;
  const std::vector<std::string> pieces = exported_pieces(*model.tokenizers.target);
  const std::string end = pieces[index(network.end_token)];
  // A zero vector as the start needs no token, but the program looks for one.
  const std::string begin = network.begin_token < 0 ? end : pieces[index(network.begin_token)];
  nlohmann::json config{{"unk_token", pieces[index(model.tokenizers.target->unknown_id())]},
                        {"bos_token", begin},
                        {"eos_token", end},
                        {"layer_norm_epsilon", network.own<TransformerSettings>().norm_epsilon},
                        {"multi_query_attention", false}};
  if (!decodes_only(network)) {
    config["decoder_start_token"] = begin;
    const nlohmann::json prefix = model.text.value("source_prefix", nlohmann::json::array());
    config["add_source_bos"] = prefix.size() == 1;
    if (prefix.size() == 1)
      config["bos_token"] = exported_pieces(*model.tokenizers.source)[prefix.front().get<std::size_t>()];
    config["add_source_eos"] = model.text.value("source_end", true);
  }
  write_file(directory + "/config.json", config.dump(2) + "\n");
}

void write(const ModelToExport& model, const std::string& directory, Listener& listener) {
  expect_representable(model.model.settings);
  note_text_settings(model, kProgram, listener);
  write_weights(model, directory + "/model.bin");
  write_vocabularies(model, directory);
  write_config(model, directory);
}

}  // namespace

ExportFormat ctranslate2_export() {
  return {"ctranslate2",
          kProgram,
          {"model.bin", "config.json", "shared_vocabulary.json", "source_vocabulary.json",
           "target_vocabulary.json", "vocabulary.json", "source.spm", "target.spm", "source.model",
           "target.model", "tokenizer.spm", "tokenizer.model"},
          write};
}

}  // namespace gloss
