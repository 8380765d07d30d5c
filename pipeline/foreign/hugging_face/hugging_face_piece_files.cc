// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_piece_files.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation_export.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

using nlohmann::json;

const char* const kFairseqFile = "sentencepiece.bpe.model";

/// The SentencePiece model of a tokenizer that is numbered as in fairseq, up to a piece.
std::string fairseq_model(const TokenizerToExport& tokenizer, int end) {
  constexpr int kFirst = 4;  // <s>, <pad>, </s> and <unk> come before the pieces of the model
  return tokenizer.sentence_pieces(
      {{"<unk>", 0, PieceType::unknown}, {"<s>", 0, PieceType::control}, {"</s>", 0, PieceType::control}},
      kFirst, end);
}

void name_fairseq_tokens(HuggingFaceTokenizerFiles& to, const TokenizerToExport& tokenizer, int end) {
  to.name("unk_token", tokenizer, tokenizer.unknown());
  to.name("pad_token", tokenizer, tokenizer.padding());
  for (const std::string begin : {"bos_token", "cls_token"}) to.name(begin, tokenizer, tokenizer.id("<s>"));
  for (const std::string last : {"eos_token", "sep_token"}) to.name(last, tokenizer, end);
  const int mask = tokenizer.id("<mask>");
  if (mask >= 0 && tokenizer.is_special(mask)) to.name("mask_token", tokenizer, mask);
}

/// The tokens of the languages, in the order of their ids.
std::vector<int> ordered_ids(const LanguageTokens& languages) {
  std::vector<int> ids;
  for (const auto& [code, id] : languages.ids) ids.push_back(id);
  std::ranges::sort(ids);
  return ids;
}

bool is_framed(const std::string& token) { return token.starts_with("__") && token.ends_with("__"); }

/// True for the form of mBART's codes, such as de_DE, as opposed to deu_Latn.
bool is_mbart_code(const std::string& token) { return token.size() == 5 && token[2] == '_'; }

/// A model whose ids are those of the network, for classes that neither shift nor add ids.
HuggingFaceTokenizerFiles plain_files(const ModelToExport& model, const std::string& tokenizer_class,
                                      const std::string& file) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  HuggingFaceTokenizerFiles result(model, tokenizer_class);
  result.name("unk_token", tokenizer, tokenizer.unknown());
  result.name("bos_token", tokenizer, model.model.settings.begin_token);
  result.name("eos_token", tokenizer, model.model.settings.end_token);
  result.name("pad_token", tokenizer, padding_of(model));
  result.list_specials(tokenizer);
  result.files[file] = tokenizer.sentence_pieces({}, 0, tokenizer.used());
  return result;
}

}  // namespace

HuggingFaceTokenizerFiles marian_files(const ModelToExport& model, const std::string& program) {
  const NetworkSettings& network = model.model.settings;
  const TokenizerToExport source(*model.tokenizers.source), target(*model.tokenizers.target);
  const bool one = shares_sides(network.sizes.tied_embeddings);
  if (one && source.pieces() != target.pieces()) {
    refuse_export(program, "tied_embeddings",
                  concat(name_of(network.sizes.tied_embeddings), " and two vocabularies"),
                  "export it with --format ctranslate2");
  }
  HuggingFaceTokenizerFiles result(model, "MarianTokenizer");
  result.config["separate_vocabs"] = !one;
  result.name("unk_token", target, target.unknown());
  result.name("eos_token", target, network.end_token);
  result.name("pad_token", target, padding_of(model));
  const auto ids = [](const TokenizerToExport& side) {
    return side.ids(static_cast<int>(side.pieces().size())).dump() + "\n";
  };
  result.files["vocab.json"] = ids(source);
  if (!one) result.files["target_vocab.json"] = ids(target);
  result.files["source.spm"] = model.tokenizers.source->bytes();
  result.files["target.spm"] = model.tokenizers.target->bytes();
  return result;
}

HuggingFaceTokenizerFiles t5_files(const ModelToExport& model) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  int end = tokenizer.used(), extra = 0;
  while (end > 0 && tokenizer.is_special(end - 1) &&
         tokenizer.piece(end - 1) == concat("<extra_id_", extra, ">")) {
    --end;
    ++extra;
  }
  HuggingFaceTokenizerFiles result(model, "T5Tokenizer");
  result.config["extra_ids"] = extra;
  if (tokenizer.continues_specials()) result.config["legacy"] = false;
  result.name("unk_token", tokenizer, tokenizer.unknown());
  result.name("eos_token", tokenizer, model.model.settings.end_token);
  result.name("pad_token", tokenizer, model.model.settings.begin_token);
  result.files["spiece.model"] = tokenizer.sentence_pieces({}, 0, end);
  return result;
}

HuggingFaceTokenizerFiles fairseq_piece_files(const ModelToExport& model,
                                              const std::string& tokenizer_class) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  HuggingFaceTokenizerFiles result(model, tokenizer_class);
  name_fairseq_tokens(result, tokenizer, model.model.settings.end_token);
  result.list_specials(tokenizer);
  result.files[kFairseqFile] = fairseq_model(tokenizer, tokenizer.without_last_specials());
  return result;
}

HuggingFaceTokenizerFiles language_files(const ModelToExport& model, const std::string& program) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  const LanguageTokens& languages = model.format.languages;
  const std::vector<int> ids = ordered_ids(languages);
  const std::string& first = tokenizer.piece(ids.front());
  const bool m2m = is_framed(first), after = languages.source_place == LanguageTokens::Place::after,
             begins = languages.target_place == LanguageTokens::TargetPlace::begin;
  const std::string tokenizer_class = m2m ? "M2M100Tokenizer"
                                      : is_mbart_code(first)
                                          ? (begins ? "MBartTokenizer" : "MBart50Tokenizer")
                                          : "NllbTokenizer";
  HuggingFaceTokenizerFiles result(model, tokenizer_class);
  const bool nllb = tokenizer_class == "NllbTokenizer", mbart25 = tokenizer_class == "MBartTokenizer";
  if (after && !nllb && !mbart25)
    refuse_export(program, "text.languages.source_place", "after", "only NLLB's tokenizer can do that");
  if (begins && (!mbart25 || !after))
    refuse_export(program, "text.languages.target_place", "begin", "only mBART-25's tokenizer can do that");
  if (after && nllb) result.config["legacy_behaviour"] = true;
  name_fairseq_tokens(result, tokenizer, model.model.settings.end_token);
  for (const int id : ids) result.special_tokens["additional_special_tokens"].push_back(tokenizer.piece(id));
  const auto code = [](const std::string& language) { return language.empty() ? json() : json(language); };
  result.config["src_lang"] = code(languages.source);
  result.config["tgt_lang"] = code(languages.target);
  if (!m2m) {
    result.config["additional_special_tokens"] = result.special_tokens["additional_special_tokens"];
    result.list_specials(tokenizer);
    result.files[kFairseqFile] = fairseq_model(tokenizer, tokenizer.without_last_specials());
    return result;
  }
  if (ids.back() - ids.front() >= static_cast<int>(ids.size()) || ids.back() + 1 != tokenizer.used())
    refuse_export(program, "text.languages", "whose tokens are not the last ones",
                  "export it with --format ctranslate2");
  result.files["vocab.json"] = tokenizer.ids(ids.front()).dump() + "\n";
  result.files[kFairseqFile] = model.tokenizers.source->bytes();
  return result;
}

HuggingFaceTokenizerFiles framed_piece_files(const ModelToExport& model) {
  const TokenizerToExport tokenizer(*model.tokenizers.source);
  HuggingFaceTokenizerFiles result = plain_files(model, "BigBirdTokenizer", "spiece.model");
  result.name("cls_token", tokenizer, model.model.settings.begin_token);
  result.name("sep_token", tokenizer, model.model.settings.end_token);
  // A mask that is no piece of the tokenizer has the id after them.
  const int mask = model.format.mask_token;
  if (mask >= 0 && mask < static_cast<int>(tokenizer.pieces().size())) {
    result.name("mask_token", tokenizer, mask);
  } else if (mask >= 0) {
    result.config["mask_token"] = result.special_tokens["mask_token"] = "[MASK]";
    result.config["added_tokens_decoder"][std::to_string(mask)] = {{"content", "[MASK]"},  {"lstrip", false},
                                                                   {"normalized", false},  {"rstrip", false},
                                                                   {"single_word", false}, {"special", true}};
  }
  return result;
}

HuggingFaceTokenizerFiles text_piece_files(const ModelToExport& model) {
  HuggingFaceTokenizerFiles result = plain_files(model, "LlamaTokenizer", "tokenizer.model");
  result.config["add_bos_token"] = !model.format.bare_start;
  result.config["add_eos_token"] = false;
  return result;
}

}  // namespace gloss
