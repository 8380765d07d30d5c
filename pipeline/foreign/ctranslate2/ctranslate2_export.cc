// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_export.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/text.h"
#include "model/formats/ctranslate2_writer.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_network.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_written_variables.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

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
