// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/language_tag.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace gloss {
namespace {

TEST(LanguageTag, OfTheCodesOfModels) {
  const std::vector<std::pair<std::string, std::string>> tags{{"de", "de"},
                                                              {"deu_Latn", "de"},
                                                              {"__de__", "de"},
                                                              {"de_DE", "de-DE"},
                                                              {"en_XX", "en"},
                                                              {"zho_Hans", "zh"},
                                                              {"zho_Hant", "zh-Hant"},
                                                              {"srp_Cyrl", "sr"},
                                                              {"pt_BR", "pt-BR"},
                                                              {"rus", "ru"},
                                                              {"yue_Hant", "yue"},
                                                              {"", ""},
                                                              {"__", ""},
                                                              {"not a language", ""},
                                                              {"xx", ""}};
  for (const auto& [code, tag] : tags) EXPECT_EQ(language_tag(code), tag) << code;
}

}  // namespace
}  // namespace gloss
