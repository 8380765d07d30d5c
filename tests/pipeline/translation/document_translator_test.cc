// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/document_translator.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "pipeline/documents/html_document.h"
#include "pipeline/documents/paragraph_files.h"
#include "pipeline/documents/xliff_document.h"
#include "tests/support/copying_decoder.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// Translates documents into copies.
struct CopiedDocument : testing::Test {
  std::vector<TranslatedPart> translate(const std::vector<DocumentPart>& parts,
                                        const WriteText& written = html_written) const {
    const Translator translator(decoder, spelling_vocabulary(), spelling_vocabulary(), Normalization::none,
                                settings, 1);
    ParagraphTranslator paragraphs(translator,
                                   LineSplitter(SentenceSplitter("en"), spelling_vocabulary(), 100), true);
    return DocumentTranslator(paragraphs, written, protection)
        .translate(
            parts, [this](int count) { finished += count; }, 0);
  }

  std::string copy(const std::vector<DocumentPart>& parts, const WriteText& written) const {
    std::string all;
    for (const TranslatedPart& part : translate(parts, written)) all += part.bytes;
    return all;
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

using Pieces = std::vector<std::string>;

/// Pieces in any order; elements whose start tag ends with "'>" are closed at the end.
std::string any_content(Random& random, const Pieces& words, const Pieces& others) {
  std::string content, end;
  for (auto left = random.below(12); left > 0; --left) {
    const Pieces& from = random.below(2) == 0 ? words : others;
    const std::string& piece = from[random.below(from.size())];
    content += piece;
    if (piece.starts_with("<") && piece.ends_with("'>"))
      end = "</" + piece.substr(1, piece.find(' ') - 1) + ">" + end;
  }
  return content + end;
}

const Pieces kWords{"dog", "A house.", "12", " ", "  ", "\n", "\r\n", "\t", "\n\n    "};

TEST_F(CopiedDocument, OfAnyPageKeepsItsBytes) {
  settings.links = true;
  Random random(11);
  for (int round = 0; round < 100; ++round) {
    const std::string page =
        "<!DOCTYPE html>\r\n" +
        any_content(random, kWords,
                    {"<b id='1'>", "<p id='2'>", "<br>", "<pre>\n  a\n b</pre>", "&nbsp;", "&#10;", "&amp;",
                     "<textarea>\na </textarea>", "<!-- c\n c -->", "<img alt=' a\n dog '>"});
    EXPECT_EQ(copy(html_parts(page, "page"), html_written), page);
  }
}

TEST_F(CopiedDocument, OfAnyXliffKeepsItsBytes) {
  settings.links = true;
  Random random(12);
  for (int round = 0; round < 100; ++round) {
    const std::string source =
        "dog" + any_content(random, kWords,
                            {"<g id='1'>", "<x id='2'/>", "<!-- c\n c -->", "<![CDATA[a\n <b>  c ]]>",
                             "&#160;", "&#10;", "&amp;", "&#32;", "<mrk mtype='protected'>A  B</mrk>",
                             "<mrk mtype='term' xml:space='default'>"});
    const std::string space = round % 2 == 0 ? "" : " xml:space='preserve'";
    const std::string before1 = "<xliff version='1.0'" + space + ">\r\n<trans-unit id='1'>",
                      before2 = "<xliff version='2.1'><unit" + space + ">\n<segment state=\"translated\">";
    for (const std::string& before : {before1, before2}) {
      const std::string after = before == before1 ? "</trans-unit></xliff>\n" : "</segment></unit></xliff>\n";
      const std::string content = before + "<source>" + source + "</source>";
      EXPECT_EQ(copy(xliff_parts(content + after, "file"), xml_written),
                content + "<target>" + source + "</target>" + after);
    }
  }
}

TEST_F(CopiedDocument, OfAnyParagraphsKeepsItsBytes) {
  Random random(13);
  const TemporaryDirectory folder;
  for (int round = 0; round < 100; ++round) {
    const std::string text = any_content(random, {" dog", "A house.", "12", "<p>"},
                                         {"\n", "\r\n", "\n\n", "\n \t\n", "\n    ", "\xEF\xBB\xBF"});
    ParagraphFiles paragraphs({folder.write("text", text)}, 1000);
    std::vector<DocumentPart> parts;
    for (DocumentPart part; paragraphs.next(part);) parts.push_back(part);
    EXPECT_EQ(copy(parts, [](std::string_view same) { return std::string(same); }), text);
  }
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
