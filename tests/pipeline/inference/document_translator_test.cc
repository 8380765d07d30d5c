// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/document_translator.h"

#include <gtest/gtest.h>

#include "pipeline/documents/html_document.h"
#include "tests/support/copying_decoder.h"

namespace gloss {
namespace {

/// Translates documents into copies.
struct CopiedDocument : testing::Test {
  std::vector<TranslatedPart> translate(const std::vector<DocumentPart>& parts) const {
    const Translator translator(decoder, spelling_vocabulary(), spelling_vocabulary(), Normalization::none,
                                settings, 1);
    ParagraphTranslator paragraphs(translator,
                                   LineSplitter(SentenceSplitter("en"), spelling_vocabulary(), 100), true);
    return DocumentTranslator(paragraphs, html_written, protection)
        .translate(
            parts, [this](int count) { finished += count; }, 0);
  }

  mutable int finished = 0;  // of the parts
  SourceCopier decoder;
  Protection protection{{}};
  TranslationSettings settings;
};

TEST_F(CopiedDocument, KeepsItsBytes) {
  const auto parts = translate({{"\n  ", "One dog.\n Two", "One dog. Two"}, {"\n\n", "", ""}});
  EXPECT_EQ(parts[0].bytes, "\n  One dog.\n Two");
  EXPECT_TRUE(parts[0].has_text);
  EXPECT_EQ(parts[1].bytes, "\n\n");
  EXPECT_FALSE(parts[1].has_text);
  EXPECT_FALSE(parts[1].empty);
  EXPECT_EQ(finished, 1) << "what follows the last text is none";
}

TEST_F(CopiedDocument, OfAPageKeepsItsBytes) {
  settings.links = true;
  const std::string page =
      "<p>The  <b>small</b>\n dog &amp; a&nbsp;house.<br>It &copy; <i>walks</i>.<p>A <u>dog.</u> "
      "<pre>x</pre>";
  const std::vector<DocumentPart> parts = html_parts(page, "page");
  std::string all;
  for (const TranslatedPart& part : translate(parts)) {
    EXPECT_EQ(part.translations.front().links.empty(), !part.has_text);
    all += part.bytes;
  }
  EXPECT_EQ(all, page);
}

TEST_F(CopiedDocument, MovesMarksByAttention) {
  settings.links = true;
  // The second space is not copied, so that this text does not stay as it is.
  DocumentPart part{"", "", "The dog. A big  house", {}, {}, 1};
  part.marks = {{MarkKind::open, 11, 1, "<b>", false}, {MarkKind::close, 14, 0, "</b>", false}};
  EXPECT_EQ(translate({part}).front().bytes, "The dog. A <b>big</b> house");
}

// A search without an end must not leave a text unprotected.
TEST_F(CopiedDocument, KeepsTheBytesOfTextsThatCannotBeProtected) {
  settings.links = true;
  settings.search.max_length = 3;
  protection = Protection({"(a+)+b"});
  const std::string hard(60, 'a');
  const auto parts = translate({{"<", "One dog &amp;", "One dog &"}, {">", hard, hard}});
  EXPECT_EQ(parts[0].problem, "");
  EXPECT_EQ(parts[1].bytes, ">" + hard);
  EXPECT_NE(parts[1].problem.find("(a+)+b"), std::string::npos) << parts[1].problem;
  const std::string page = "<p>One <i title=\"" + hard + "\">big dog</i> and more.";
  const TranslatedPart part = translate(html_parts(page, "page")).front();
  EXPECT_NE(part.bytes.find("<i title=\"" + hard + "\">"), std::string::npos) << part.bytes;
  EXPECT_NE(part.problem.find("(a+)+b"), std::string::npos) << part.problem;
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
