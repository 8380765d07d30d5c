// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/mbart25.h"

#include <algorithm>

#include "base/json.h"
#include "base/paths.h"

namespace gloss {

bool is_mbart25(const HuggingFaceFiles& files, const NetworkSettings& network) {
  if (files.config.text("model_type", "") != "mbart") return false;
  const std::string name = "tokenizer_class", path = files.file("tokenizer_config.json");
  const bool has_settings = path_exists(path);
  const ForeignConfig settings = has_settings ? ForeignConfig(path, read_json(path)) : files.config;
  const std::string found = (settings.has(name) ? settings : files.config).text(name, "");
  if (found.empty()) return network.begin_token != network.end_token;
  return found == "MBartTokenizer" || found == "MBartTokenizerFast";
}

const std::vector<std::string>& mbart25_languages() {
  static const std::vector<std::string> codes{"ar_AR", "cs_CZ", "de_DE", "en_XX", "es_XX", "et_EE", "fi_FI",
                                              "fr_XX", "gu_IN", "hi_IN", "it_IT", "ja_XX", "kk_KZ", "ko_KR",
                                              "lt_LT", "lv_LV", "my_MM", "ne_NP", "nl_XX", "ro_RO", "ru_RU",
                                              "si_LK", "tr_TR", "vi_VN", "zh_CN"};
  return codes;
}

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

}  // namespace gloss
