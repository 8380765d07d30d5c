// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/bart_tokenizers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/shown.h"
#include "pipeline/examples/languages.h"
#include "pipeline/foreign/hugging_face/hugging_face_tokenizer.h"
#include "pipeline/foreign/shared/language_pieces.h"

namespace gloss {
namespace {

// mBART-25 has the network of mBART-50, but other tokens around lines.

/// True for its tokenizer, which transformers takes for this type of model unless a file names another one.
/// Some models of mBART-50 leave that to their users: their targets begin with the end token.
bool is_mbart25(const HuggingFaceFiles& files, const NetworkSettings& network) {
  if (files.config.text("model_type", "") != "mbart") return false;
  const std::string name = "tokenizer_class", path = files.file("tokenizer_config.json");
  const bool has_settings = path_exists(path);
  const ForeignConfig settings = has_settings ? ForeignConfig(path, read_json(path)) : files.config;
  const std::string found = (settings.has(name) ? settings : files.config).text(name, "");
  if (found.empty()) return network.begin_token != network.end_token;
  return found == "MBartTokenizer" || found == "MBartTokenizerFast";
}

/// The languages that its tokenizer knows by heart.
const std::vector<std::string>& mbart25_languages() {
  static const std::vector<std::string> codes{"ar_AR", "cs_CZ", "de_DE", "en_XX", "es_XX", "et_EE", "fi_FI",
                                              "fr_XX", "gu_IN", "hi_IN", "it_IT", "ja_XX", "kk_KZ", "ko_KR",
                                              "lt_LT", "lv_LV", "my_MM", "ne_NP", "nl_XX", "ro_RO", "ru_RU",
                                              "si_LK", "tr_TR", "vi_VN", "zh_CN"};
  return codes;
}

/// Puts the language of the source after its text; targets begin with their language alone. Throws InputError
/// if the decoder does not start with a language.
void place_as_mbart25(LanguageTokens& languages, const HuggingFaceFiles& files,
                      const NetworkSettings& network, const HuggingFaceGeneration& generation) {
  if (generation.forced_begin >= 0)
    files.generation.refuse("forced_bos_token_id", "none, as decoder_start_token_id is that of the language");
  languages.source_place = LanguageTokens::Place::after;
  languages.target_place = LanguageTokens::TargetPlace::begin;
  const auto target = std::ranges::find_if(
      languages.ids, [&](const auto& language) { return language.second == network.begin_token; });
  if (target == languages.ids.end())
    files.config.refuse("decoder_start_token_id",
                        "the id of a language, as targets of mBART-25 begin with it");
  languages.target = target->first;
}

const std::string kSentencePieces = "sentencepiece.bpe.model";

/// One side of a Marian model. The banned pieces are never chosen.
std::shared_ptr<const Subwords> read_marian_side(const HuggingFaceFiles& files,
                                                 const NetworkSettings& network,
                                                 const HuggingFaceGeneration& generation,
                                                 const std::string& vocabulary_file,
                                                 const std::string& model_file) {
  VocabularyOfDirectory pieces(files, read_special_tokens(files));
  pieces.take_json(vocabulary_file);
  ForeignVocabulary vocabulary = pieces.vocabulary(network.begin_token, network.end_token, "<unk>");
  for (std::size_t id = 0; id < vocabulary.pieces.size(); ++id) {
    if (!marian_language(vocabulary.pieces[id]).empty())
      vocabulary.specials.push_back({static_cast<int>(id)});
  }
  vocabulary.never_generated = generation.banned;
  vocabulary.never_probable = generation.renormalizes;
  return sentence_piece_tokenizer(files, vocabulary, model_file);
}

/// The special tokens of fairseq's vocabularies.
SpecialTokens fairseq_tokens(const HuggingFaceFiles& files) {
  SpecialTokens tokens = read_special_tokens(files);
  tokens.set_default("unk_token", "<unk>");
  tokens.set_default("bos_token", "<s>");
  tokens.set_default("eos_token", "</s>");
  tokens.set_default("pad_token", "<pad>");
  tokens.set_default("mask_token", "<mask>", true);
  return tokens;
}

/// True for the codes of languages: de, __de__, de_DE, deu_Latn.
bool is_language(const std::string& token) {
  const std::string code = language_code_of(token);
  const bool plain = std::ranges::all_of(code, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return plain && code.size() >= 2 && code.size() <= 16;
}

/// The language among those of the model that a setting names; empty if it is empty.
std::string known_language(const LanguageTokens& languages, const std::string& code,
                           const std::string& where) {
  if (code.empty() || languages.ids.contains(code)) return code;
  throw InputError(concat(where, " names the language ", shown(code), ", which is not among the ",
                          languages.ids.size(), " of the vocabulary"));
}

LanguageTokens languages_of(const VocabularyOfDirectory& pieces, const HuggingFaceFiles& files,
                            const HuggingFaceGeneration& generation) {
  const SpecialTokens& specials = pieces.specials();
  LanguageTokens languages;
  if (specials.language_after) languages.source_place = LanguageTokens::Place::after;
  for (const std::string& token : specials.additional) {
    if (is_language(token)) languages.ids[language_code_of(token)] = pieces.id(token);
  }
  const std::string config = files.file("tokenizer_config.json");
  if (languages.ids.empty()) {
    throw InputError(concat(files.directory,
                            ": special_tokens_map.json and tokenizer_config.json name no languages; ",
                            "expected them as additional_special_tokens"));
  }
  languages.source =
      known_language(languages, language_code_of(specials.source_language), config + ": 'src_lang'");
  if (languages.source.empty()) languages.source = usual_source_language(languages);
  languages.target =
      known_language(languages, language_code_of(specials.target_language), config + ": 'tgt_lang'");
  if (generation.forced_begin < 0) return languages;
  for (const auto& [code, id] : languages.ids) {
    if (id == generation.forced_begin) languages.target = code;
  }
  if (languages.target.empty() || languages.ids.at(languages.target) != generation.forced_begin) {
    files.generation.refuse("forced_bos_token_id", "the id of a language");
  }
  return languages;
}

/// Throws InputError for the languages of M2M-100, such as `__de__`: its ids are not those of its
/// SentencePiece model.
void expect_own_vocabulary(const HuggingFaceFiles& files, const SpecialTokens& specials) {
  for (const std::string& token : specials.additional) {
    if (!token.starts_with("__")) continue;
    throw InputError(concat(files.directory, " has no vocab.json; expected it next to ", kSentencePieces,
                            ", as the language ", token, " is one of M2M-100; download this file, too"));
  }
}

}  // namespace

TokenizersOfDirectory read_marian_tokenizers(const HuggingFaceFiles& files, const NetworkSettings& network,
                                             const HuggingFaceGeneration& generation) {
  HuggingFaceGeneration complete = generation;
  std::vector<int>& banned = complete.banned;
  if (files.config.integer("pad_token_id", network.begin_token) == network.begin_token)
    banned.push_back(network.begin_token);
  std::ranges::sort(banned);
  banned.erase(std::unique(banned.begin(), banned.end()), banned.end());
  const TiedEmbeddings tied = network.sizes.tied_embeddings;
  const bool separate = tied != TiedEmbeddings::all && tied != TiedEmbeddings::inputs;
  const std::string target = separate ? "target_vocab.json" : "vocab.json";
  const auto source = read_marian_side(files, network, complete, "vocab.json", "source.spm");
  TextFormat format;
  format.languages = marian_languages(*source);
  if (generation.forced_begin >= 0) format.target_prefix = {generation.forced_begin};
  return {{source, read_marian_side(files, network, complete, target, "target.spm")}, format};
}

TokenizersOfDirectory read_bart_tokenizer(const HuggingFaceFiles& files, const NetworkSettings& network,
                                          const HuggingFaceGeneration& generation) {
  SpecialTokens specials = fairseq_tokens(files);
  VocabularyOfDirectory pieces(files, specials);
  pieces.take_json("vocab.json");
  pieces.complete(network.target_vocabulary);
  ForeignVocabulary vocabulary =
      pieces.vocabulary(network.begin_token, network.end_token, specials.name("unk_token", ""));
  vocabulary.never_generated = generation.banned;
  vocabulary.never_probable = generation.renormalizes;
  const auto subwords = byte_pair_tokenizer(files, vocabulary);
  TextFormat format;
  const int begin = pieces.id(specials.name("bos_token", ""));
  format.source_prefix = {begin};
  format.target_prefix = {generation.forced_begin >= 0 ? generation.forced_begin : begin};
  return {{subwords, subwords}, format};
}

TokenizersOfDirectory read_language_tokenizer(const HuggingFaceFiles& files, const NetworkSettings& network,
                                              const HuggingFaceGeneration& generation) {
  SpecialTokens specials = fairseq_tokens(files);
  const bool mbart25 = is_mbart25(files, network);
  if (mbart25 && specials.additional.empty()) specials.additional = mbart25_languages();
  const bool own_ids = path_exists(files.file("vocab.json"));
  if (!own_ids && !files.tokenizer) expect_own_vocabulary(files, specials);
  VocabularyOfDirectory pieces(files, specials);
  if (own_ids) {
    pieces.take_json("vocab.json");
    pieces.append(specials.additional);
  } else {
    pieces.take_fairseq_pieces(kSentencePieces);
    if (specials.added.empty()) {
      pieces.append(specials.additional);
      pieces.append({specials.name("mask_token", "")});
    }
  }
  pieces.complete(network.target_vocabulary);
  ForeignVocabulary vocabulary =
      pieces.vocabulary(network.begin_token, network.end_token, specials.name("unk_token", ""));
  vocabulary.never_generated = generation.banned;
  vocabulary.never_probable = generation.renormalizes;
  const auto subwords = sentence_piece_tokenizer(files, vocabulary, kSentencePieces);
  TextFormat format;
  format.languages = languages_of(pieces, files, generation);
  if (mbart25) place_as_mbart25(format.languages, files, network, generation);
  return {{subwords, subwords}, format};
}

}  // namespace gloss
