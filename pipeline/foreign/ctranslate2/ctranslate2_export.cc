// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_export.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/text.h"
#include "model/formats/ctranslate2_writer.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_written_variables.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

/// The name of the program in messages.
constexpr const char* kCTranslate2 = "CTranslate2";

const std::set<std::string> kKnownSettings{"scale_embeddings",
                                           "feed_forward_width",
                                           "decoder_feed_forward_width",
                                           "decoder_heads",
                                           "head_width",
                                           "key_value_heads",
                                           "attention_scale",
                                           "norm",
                                           "norm_type",
                                           "norm_epsilon",
                                           "activation",
                                           "gated_feed_forward",
                                           "linear_bias",
                                           "output_bias",
                                           "embedding_norm",
                                           "positions",
                                           "relative_reach",
                                           "relative_buckets"};

[[noreturn]] void refuse(const std::string& setting, const std::string& value, const std::string& advice) {
  refuse_export(kCTranslate2, setting, value, advice);
}

void expect_form(const NetworkSettings& network) {
  const Form form = form_of(network);
  if (network.architecture != "transformer")
    refuse("architecture", network.architecture, "only transformers can be exported");
  if (form == Form::encoder_decoder || form == Form::decoder) return;
  const bool encodes = form == Form::encoder;
  refuse(encodes ? "decoder_layers" : "classes", concat(encodes ? 0 : network.classifier.classes),
         "only translation models and language models can be exported");
}

void expect_positions(const NetworkSettings& network) {
  const Positions positions = network.own<TransformerSettings>().positions;
  const std::string advice = "export a model with sinusoidal, learned, rotary, buckets or no positions";
  if (learns_distances(positions))
    refuse("positions", adds_sinusoids(positions) ? "sinusoidal-relative" : "relative", advice);
  const int heads = network.sizes.heads;
  const bool has_alibi = form_of(network) == Form::decoder && (heads & (heads - 1)) == 0;
  if (positions == Positions::alibi && !has_alibi) {
    refuse("positions", "alibi in an encoder, or with a number of heads that is no power of 2", advice);
  }
}

/// Attention to a memory has keys and values of all heads, or of a single one, and then heads that are
/// together as wide as the network.
void expect_heads(const NetworkSettings& network) {
  const auto& own = network.own<TransformerSettings>();
  if (form_of(network) == Form::decoder || own.key_value_heads == 0) return;
  if (own.key_value_heads > 1) {
    refuse("key_value_heads", concat(own.key_value_heads, " in a translation model"),
           "export one with 1 or 0, for all heads");
  }
  if (own.head_width > 0 && own.head_width * network.sizes.heads != network.sizes.width) {
    refuse("head_width", concat(own.head_width, " and key_value_heads 1"),
           "export a translation model without one of them");
  }
  if (own.positions == Positions::buckets) {
    refuse("positions", "buckets and key_value_heads 1", "export a translation model without one of them");
  }
}

/// Throws UsageError, naming the setting, for a network that CTranslate2 does not have.
void expect_ctranslate2_network(const NetworkSettings& network) {
  expect_form(network);
  expect_known_settings(network, kKnownSettings, kCTranslate2);
  const auto& own = network.own<TransformerSettings>();
  if (own.activation == Activation::sigmoid)
    refuse("activation", "sigmoid", "export a model with relu, gelu, gelu-exact or swish");
  if (own.norm == NormPlacement::steps) refuse("norm", "steps", "export a model with pre or post");
  expect_positions(network);
  expect_heads(network);
}

std::string spellings(const std::vector<int>& ids, const std::vector<std::string>& pieces) {
  std::vector<std::string> words;
  for (const int id : ids) words.push_back(pieces[index(id)]);
  return join(words, " ");
}

/// `such as 'TOKEN'`, or the token of the language `chosen` if there is one.
std::string example(const LanguageTokens& languages, const std::string& chosen,
                    const std::vector<std::string>& pieces) {
  const int token = chosen.empty() ? languages.ids.begin()->second : languages.ids.at(chosen);
  return concat(chosen.empty() ? "such as " : "by default ", shown(pieces[index(token)]));
}

std::string language_note(const LanguageTokens& languages, const std::vector<std::string>& pieces) {
  const bool before = languages.source_place == LanguageTokens::Place::before;
  const bool of_target = languages.target_place == LanguageTokens::TargetPlace::target;
  std::string note =
      concat(kCTranslate2, " does not know the ", languages.ids.size(), " languages; put the token of the ",
             of_target ? "source's" : "target's", " language, ",
             example(languages, of_target ? languages.source : languages.target, pieces), ", ",
             before ? "before" : "after the end of", " each source");
  if (!of_target) return note;
  note += ", and give that of the target's";
  if (!languages.target.empty()) note += concat(", ", example(languages, languages.target, pieces), ",");
  return note + " as the target prefix";
}

/// Notes what a directory of CTranslate2 does not say about the text of a model, and its users have to do.
void note_ctranslate2_limits(const ModelToExport& model, Listener& listener) {
  note_normalization(model, kCTranslate2, listener);
  const TextFormat& format = model.format;
  const std::vector<std::string> source = exported_pieces(*model.tokenizers.source),
                                 target = exported_pieces(*model.tokenizers.target);
  // A single token is the begin token of sources.
  if (format.source_prefix.size() > 1) {
    listener.note(concat(kCTranslate2, " does not begin sources with ",
                         shown(spellings(format.source_prefix, source)),
                         "; put these tokens before each source"));
  }
  if (!format.target_prefix.empty()) {
    listener.note(concat(kCTranslate2, " does not begin translations with ",
                         shown(spellings(format.target_prefix, target)),
                         "; give these tokens as the target prefix"));
  }
  if (!format.languages.ids.empty()) listener.note(language_note(format.languages, source));
  if (!format.search.empty()) {
    std::vector<std::string> settings;
    for (const auto& [name, value] : format.search) settings.push_back(concat(name, " ", value));
    listener.note(
        concat(kCTranslate2, " does not store how to search; this model has ", join(settings, ", ")));
  }
  const std::vector<int> never = model.tokenizers.target->never_generated();
  if (!never.empty()) {
    listener.note(concat(kCTranslate2, " can translate to ", shown(target[index(never.front())]),
                         ", which gloss never does; suppress this token there"));
  }
}

bool decodes_only(const NetworkSettings& network) { return network.sizes.encoder_layers == 0; }

void write_weights(const ModelToExport& model, const std::string& path) {
  const bool decoder = decodes_only(model.model.settings);
  // The revisions of version 3 and 4 of the program.
  const CTranslate2Contents contents{decoder ? "TransformerDecoderSpec" : "TransformerSpec",
                                     decoder ? 8U : 7U, ctranslate2_aliases(model.model.settings)};
  const CTranslate2WrittenVariables variables(model);
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
  const std::string& end = pieces[index(network.end_token)];
  // A zero vector as the start needs no token, but the program looks for one.
  const std::string begin = network.begin_token < 0 ? end : pieces[index(network.begin_token)];
  nlohmann::json config{{"unk_token", pieces[index(model.tokenizers.target->unknown_id())]},
                        {"bos_token", begin},
                        {"eos_token", end},
                        {"layer_norm_epsilon", network.own<TransformerSettings>().norm_epsilon},
                        {"multi_query_attention", network.own<TransformerSettings>().key_value_heads > 0}};
  if (!decodes_only(network)) {
    config["decoder_start_token"] = begin;
    const std::vector<int>& prefix = model.format.source_prefix;
    config["add_source_bos"] = prefix.size() == 1;
    if (prefix.size() == 1)
      config["bos_token"] = exported_pieces(*model.tokenizers.source)[index(prefix.front())];
    config["add_source_eos"] = model.format.source_end;
  }
  write_file(directory + "/config.json", config.dump(2) + "\n");
}

void write(const ModelToExport& model, const std::string& directory, Listener& listener) {
  expect_ctranslate2_network(model.model.settings);
  if (model.format.languages.target_place == LanguageTokens::TargetPlace::begin)
    refuse_export(kCTranslate2, "text.languages.target_place", "begin",
                  "export it with --format huggingface");
  note_ctranslate2_limits(model, listener);
  write_weights(model, directory + "/model.bin");
  write_vocabularies(model, directory);
  write_config(model, directory);
}

}  // namespace

ExportFormat ctranslate2_export() {
  return {"ctranslate2",
          kCTranslate2,
          {"model.bin", "config.json", "shared_vocabulary.json", "source_vocabulary.json",
           "target_vocabulary.json", "vocabulary.json", "source.spm", "target.spm", "source.model",
           "target.model", "tokenizer.spm", "tokenizer.model"},
          write};
}

}  // namespace gloss
