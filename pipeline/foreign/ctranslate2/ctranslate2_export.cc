// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_export.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "model/formats/ctranslate2_writer.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_network.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_notes.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_written_variables.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

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
