// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/document_translator.h"

#include <gtest/gtest.h>

#include "tests/support/copying_decoder.h"

namespace gloss {
namespace {

/// Translates documents into copies.
struct CopiedDocument : testing::Test {
  std::vector<TranslatedPart> translate(const std::vector<DocumentPart>& parts) const {
    const Translator translator(decoder, spelling_vocabulary(), spelling_vocabulary(), Normalization::none,
                                settings, 1);
    ParagraphTranslator paragraphs(translator, spelling_vocabulary(), SentenceSplitter("en"), true,
                                         100);
    return DocumentTranslator(paragraphs)
        .translate(
            parts, [](int) {}, 0);
  }

  SourceCopier decoder;
  TranslationSettings settings;
};

TEST_F(CopiedDocument, KeepsItsBytes) {
  const auto parts = translate({{"\n  ", "One dog.\n Two", "One dog. Two"}, {"\n\n", "", ""}});
  EXPECT_EQ(parts[0].bytes, "\n  One dog.\n Two");
  EXPECT_TRUE(parts[0].has_text);
  EXPECT_EQ(parts[1].bytes, "\n\n");
  EXPECT_FALSE(parts[1].has_text);
  EXPECT_FALSE(parts[1].empty);
}

TEST_F(CopiedDocument, HasTranslationsBetweenWhatIsCopied) {
  settings.search.max_length = 3;
  const TranslatedPart part = translate({{"<<", "One\ndog and more. It", "One dog and more. It"}}).front();
  EXPECT_TRUE(part.bytes.starts_with("<<"));
  EXPECT_EQ(part.bytes.substr(2), part.translations.front().text);
  EXPECT_EQ(part.bytes.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace gloss
