// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_tokenizer_files.h"

#include "base/error.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

using nlohmann::json;

json token_object(const TokenizerToExport& tokenizer, int id) {
  return {{"content", tokenizer.piece(id)},
          {"lstrip", tokenizer.specials().at(id)},
          {"normalized", false},
          {"rstrip", false},
          {"single_word", false}};
}

}  // namespace

HuggingFaceTokenizerFiles::HuggingFaceTokenizerFiles(const ModelToExport& model,
                                                     const std::string& tokenizer_class)
    : config{{"tokenizer_class", tokenizer_class},
             {"model_max_length", model.model.settings.sizes.max_positions},
             {"clean_up_tokenization_spaces", attaches_punctuation(*model.tokenizers.target)}} {}

void HuggingFaceTokenizerFiles::name(const std::string& what, const TokenizerToExport& tokenizer, int id) {
  if (id < 0) return;
  config[what] = tokenizer.piece(id);
  const auto special = tokenizer.specials().find(id);
  const bool takes_spaces = special != tokenizer.specials().end() && special->second;
  special_tokens[what] = takes_spaces ? token_object(tokenizer, id) : json(tokenizer.piece(id));
}

void HuggingFaceTokenizerFiles::list_specials(const TokenizerToExport& tokenizer) {
  for (const auto& [id, takes_spaces] : tokenizer.specials()) {
    if (id >= tokenizer.used()) continue;
    json& token = config["added_tokens_decoder"][std::to_string(id)];
    token = token_object(tokenizer, id);
    token["special"] = true;
  }
}

HuggingFaceTokenizerFiles word_piece_files(const ModelToExport& model) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  const NetworkSettings& network = model.model.settings;
  HuggingFaceTokenizerFiles result(model, "BertTokenizer");
  result.config["do_lower_case"] = tokenizer.lower_case();
  result.name("unk_token", tokenizer, tokenizer.unknown());
  result.name("cls_token", tokenizer, network.begin_token);
  result.name("sep_token", tokenizer, network.end_token);
  result.name("pad_token", tokenizer, tokenizer.padding());
  result.name("mask_token", tokenizer, model.format.mask_token);
  result.list_specials(tokenizer);
  std::string& lines = result.files["vocab.txt"];
  for (int id = 0; id < tokenizer.used(); ++id) lines += tokenizer.piece(id) + "\n";
  return result;
}

HuggingFaceTokenizerFiles byte_pair_files(const ModelToExport& model, const std::string& tokenizer_class) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  const NetworkSettings& network = model.model.settings;
  HuggingFaceTokenizerFiles result(model, tokenizer_class);
  const int first = tokenizer.id("<s>"), begin = first >= 0 ? first : network.begin_token;
  result.name("unk_token", tokenizer, tokenizer.unknown());
  result.name("bos_token", tokenizer, begin);
  result.name("eos_token", tokenizer, network.end_token);
  result.name("pad_token", tokenizer, tokenizer.padding());
  if (first >= 0) {
    result.name("cls_token", tokenizer, begin);
    result.name("sep_token", tokenizer, network.end_token);
  }
  const int mask = tokenizer.id("<mask>");
  if (mask >= 0 && tokenizer.is_special(mask)) result.name("mask_token", tokenizer, mask);
  result.list_specials(tokenizer);
  result.files["vocab.json"] = tokenizer.ids(tokenizer.used()).dump() + "\n";
  std::string& merges = result.files["merges.txt"] = "#version: 0.2\n";
  for (const auto& [left, right] : tokenizer.merges()) merges += concat(left, " ", right, "\n");
  return result;
}

}  // namespace gloss
