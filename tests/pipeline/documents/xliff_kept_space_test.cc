// SPDX-License-Identifier: Apache-2.0
// White space of XLIFF texts with xml:space="preserve".
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "base/random.h"
#include "base/text.h"
#include "pipeline/documents/marked_text.h"
#include "pipeline/documents/xliff_document.h"
#include "pipeline/documents/xml_parser.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {
namespace {

using Texts = std::vector<std::string>;

const std::string kKept = " xml:space='preserve'";

std::string xliff1(const std::string& units) { return "<xliff version='1.2'>" + units + "</xliff>"; }
std::string xliff2(const std::string& units) {
  return "<xliff version='2.0' srcLang='en' trgLang='de'>" + units + "</xliff>";
}
std::string unit_of(const std::string& source) {
  return "<trans-unit id='1'" + kKept + "><source>" + source + "</source></trans-unit>";
}

/// The texts of a document, with '|' where marks are.
Texts kept_texts(const std::string& document) {
  Texts all;
  for (const DocumentPart& part : xliff_parts(document, "file")) {
    if (!part.has_text()) continue;
    std::string text = part.text;
    for (auto mark = part.marks.rbegin(); mark != part.marks.rend(); ++mark) text.insert(mark->at, "|");
    all.push_back(text);
  }
  return all;
}

/// A translation of two words, each linked with a source word.
std::string two_words(const DocumentPart& part) {
  const std::string target = "Eins <Zwei>";
  TokenLinks links;
  for (const ByteRange& word : unicode_words(part.text)) links.sources.push_back(word.end);
  for (const ByteRange& word : unicode_words(target)) links.targets.push_back(word.end);
  links.weights.resize(links.sources.size() * links.targets.size());
  for (std::size_t i = 0; i < links.targets.size() && !links.sources.empty(); ++i) {
    links.weights[i * links.sources.size() + i * 7 % links.sources.size()] = 1;
  }
  const std::string text =
      text_with_marks({part.text, part.marks, part.kept}, target, std::span(&links, 1), xml_written);
  return outside_section(text, part.section);
}

/// The document with translations of two words, or with its texts as they are.
std::string with_targets(const std::string& document, bool translate) {
  std::string all;
  for (const DocumentPart& part : xliff_parts(document, "file")) {
    all += part.before;
    if (part.has_text()) all += translate ? two_words(part) : part.source;
  }
  return all;
}

/// The text of the only element of this name; "x" stands for each element without text and each comment.
std::string text_in(const std::string& document, const std::string& element) {
  const std::vector<XmlPiece> pieces = xml_pieces(document, "file");
  const auto start = std::ranges::find_if(
      pieces, [&](const XmlPiece& piece) { return piece.kind == XmlKind::start && piece.name == element; });
  const std::size_t first = static_cast<std::size_t>(start - pieces.begin());
  std::string text;
  for (std::size_t i = first; i < end_of_element(pieces, first); ++i) {
    text += pieces[i].text;
    const bool is_empty = pieces[i].kind == XmlKind::end && pieces[i].bytes.size() == 0;
    if (is_empty || pieces[i].kind == XmlKind::other) text += 'x';
  }
  return text;
}

/// White space that is kept, with "w" in place of the words between.
std::string kept_space_of(const std::string& text) {
  return std::regex_replace(text, std::regex("[^ \t\n\r]+( [^ \t\n\r]+)*"), "w");
}

TEST(KeptSpaceOfXliff, DividesTexts) {
  const std::string source = "\n  One\n\n\tTwo three.  Four\tfive \r\n12\n- Six\n- Seven &lt; eight\n ";
  EXPECT_EQ(kept_texts(xliff1(unit_of(source))),
            (Texts{"One", "Two three.", "Four", "five", "- Six", "- Seven < eight"}));
  const std::string result = with_targets(xliff1(unit_of(source)), true);
  EXPECT_NE(result.find(">\n  Eins &lt;Zwei&gt;\n\n\tEins &lt;Zwei&gt;  Eins &lt;Zwei&gt;\tEins &lt;Zwei&gt; "
                        "\r\n12\nEins &lt;Zwei&gt;\nEins &lt;Zwei&gt;\n </target>"),
            std::string::npos)
      << result;
}

TEST(KeptSpaceOfXliff, IsInherited) {
  const std::string one = "<trans-unit id='1'><source>A dog\nwalks</source></trans-unit>";
  const Texts divided{"A dog", "walks"}, whole{"A dog walks"};
  for (const std::string element : {"file", "group", "body"}) {
    EXPECT_EQ(kept_texts(xliff1("<" + element + kKept + "><group>" + one + "</group></" + element + ">")),
              divided)
        << element;
  }
  EXPECT_EQ(kept_texts(xliff1("<group" + kKept + "/>" + one)), whole);
  EXPECT_EQ(kept_texts(xliff1("<file" + kKept + "><group xml:space='default'>" + one + "</group></file>")),
            whole);
  EXPECT_EQ(kept_texts(xliff1("<file" + kKept + "><group xml:space='other'>" + one + "</group></file>")),
            divided);
  EXPECT_EQ(kept_texts(xliff1("<group xmlns:a='b' a:space='preserve' space='preserve'>" + one + "</group>")),
            whole);
  EXPECT_EQ(kept_texts(xliff1("<trans-unit id='1'><source>A dog\n<g id='1'" + kKept +
                              ">walks\nhome</g>\nnow</source></trans-unit>")),
            (Texts{"A dog", "walks", "home", "now"}));
  const std::string two = "<segment><source>A dog\nwalks</source></segment>";
  for (const std::string element : {"file", "group", "unit"}) {
    EXPECT_EQ(kept_texts(xliff2("<" + element + kKept + ">" + two + "</" + element + ">")), divided);
  }
  EXPECT_EQ(kept_texts(xliff2("<unit>" + two + "</unit>")), whole);
}

TEST(KeptSpaceOfXliff, OfASourceIsThatOfItsTarget) {
  const std::string source = "<source" + kKept + ">A dog\nwalks</source>", space = " xml:space=\"preserve\"";
  for (const std::string target : {"", "<target/>", "<target xml:space='default'></target>"}) {
    const std::string one =
        with_targets(xliff1("<trans-unit id='1'>" + source + target + "</trans-unit>"), false);
    const std::string two =
        with_targets(xliff2("<unit id='1'><segment>" + source + target + "</segment></unit>"), false);
    for (const std::string& document : {one, two}) {
      const std::vector<XmlPiece> pieces = xml_pieces(document, "file");
      const auto found = std::ranges::find(pieces, "target", &XmlPiece::name);
      ASSERT_NE(found, pieces.end());
      EXPECT_EQ(found->attribute("xml:space"), "preserve") << document;
      EXPECT_EQ(text_in(document, "target"), "A dog\nwalks") << document;
    }
  }
}

TEST(KeptSpaceOfXliff, MayBeWrittenAsReferences) {
  EXPECT_EQ(kept_texts(xliff1(unit_of("One&#10;Two&#x9;three&#32;four&#xA;&#10;five"))),
            (Texts{"One", "Two", "three four", "five"}));
  const std::string result = with_targets(xliff1(unit_of("One &amp;&#xFC;&#10;Two")), true);
  EXPECT_NE(result.find(">Eins &lt;Zwei&gt;&#10;Eins &lt;Zwei&gt;</target>"), std::string::npos) << result;
}

TEST(KeptSpaceOfXliff, InSectionsIsOutsideOfTranslations) {
  const std::string source = "One <![CDATA[<two>]]> three\n<![CDATA[ Four\n<five> &#10; six]]> seven\neight";
  EXPECT_EQ(kept_texts(xliff1(unit_of(source))),
            (Texts{"One <two> three", "Four", "<five> &#10; six seven", "eight"}));
  EXPECT_EQ(with_targets(xliff1(unit_of("<![CDATA[Four\n<five>]]>\n<![CDATA[Six]]>")), true),
            xliff1("<trans-unit id='1'" + kKept +
                   "><source><![CDATA[Four\n<five>]]>\n<![CDATA[Six]]></source>"
                   "<target state=\"needs-review-translation\" state-qualifier=\"leveraged-mt\">"
                   "Eins &lt;Zwei&gt;<![CDATA[\n]]>Eins &lt;Zwei&gt;\nEins &lt;Zwei&gt;</target>"
                   "</trans-unit>"));
}

TEST(KeptSpaceOfXliff, DividesPairsAroundIt) {
  EXPECT_EQ(kept_texts(xliff1(unit_of("One <g id='1'>big</g> dog\nTwo <g id='2'>small\n<g id='3'>old</g> "
                                      "dogs</g> walk <x id='4'/>home <g id='5'> now</g>"))),
            (Texts{"One |big| dog", "Two", "small", "|old| dogs", "walk |home", "now"}));
}

TEST(KeptSpaceOfXliff, DividesTheSegmentsOfASource) {
  const std::string content =
      "\n <mrk mtype='seg' mid='1'>One\n two</mrk>  <mrk mtype='seg' mid='2'>Three</mrk>\n";
  const std::string document = xliff1(unit_of(content));
  EXPECT_EQ(kept_texts(document), (Texts{"One", "two", "Three"}));
  EXPECT_NE(with_targets(document, false).find(">" + content + "</target>"), std::string::npos);
}

std::string any_source(Random& random) {
  static const Texts pieces{" ",         " ",          " ",           "\n",           "\r\n",
                            "\r",        "  ",         "\t",          "&#10;",        "&#x20;",
                            "&#9;",      "word",       "Two",         "&amp;",        "&#xFC;",
                            "&#x1F600;", "12",         "<x id='1'/>", "<bx id='4'/>", "<ex id='4'/>",
                            "&#160;",    "<g id='2'>", "<g id='3'>",  "</g>",         "<!-- <![CDATA[ c -->",
                            "<![CDATA[", "]]>",        "<?p ]]> i?>", "a&#160;b"};
  std::string source;
  int open = 0;
  bool in_section = false;
  for (auto left = random.below(16); left > 0; --left) {
    const std::string& piece = pieces[random.below(pieces.size())];
    const bool is_markup = piece.find('<') != std::string::npos;
    if (piece == "]]>" ? !in_section : is_markup && in_section && piece != "<![CDATA[") continue;
    if (piece == "</g>" && open == 0) continue;
    if (piece == "]]>") in_section = false;
    if (piece == "<![CDATA[") in_section = true;
    if (!in_section) open += piece == "</g>" ? -1 : piece.starts_with("<g") ? 1 : 0;
    source += piece;
  }
  if (in_section) source += "]]>";
  for (; open > 0; --open) source += "</g>";
  return source + "end";
}

TEST(KeptSpaceOfXliff, StaysInAnyDocument) {
  Random random(7);
  int translations = 0, lines = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string source = any_source(random);
    for (const std::string& document :
         {xliff1(unit_of(source)),
          xliff2("<unit id='1'" + kKept + "><segment><source>" + source + "</source></segment></unit>")}) {
      EXPECT_NE(with_targets(document, false).find(">" + source + "</target>"), std::string::npos) << source;
      const std::string result = with_targets(document, true);
      const std::string target = text_in(result, "target"), kept = kept_space_of(text_in(document, "source"));
      ASSERT_EQ(kept_space_of(target), kept) << result;
      if (target.find("Eins") != std::string::npos) ++translations;
      lines += static_cast<int>(std::ranges::count(kept, '\n'));
    }
  }
  EXPECT_GT(translations, 4000);
  EXPECT_GT(lines, 4000);
}

TEST(KeptSpaceOfXliff, OfManyLines) {
  std::string source;
  for (int i = 0; i < 100'000; ++i) source += "<g id='1'>a</g> <![CDATA[b]]>\n  ";
  for (int i = 0; i < 200; ++i) source += " <g id='1'>";
  for (int i = 0; i < 200; ++i) source += " </g>";
  const std::string document = xliff1(unit_of(source));
  EXPECT_EQ(kept_texts(document).size(), 100'000u);
  EXPECT_NE(with_targets(document, false).find(">" + source + "</target>"), std::string::npos);
}

}  // namespace
}  // namespace gloss
