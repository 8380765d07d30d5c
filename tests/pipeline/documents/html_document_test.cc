// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_document.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "pipeline/documents/marked_text.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {
namespace {

using Texts = std::vector<std::string>;

std::string joined(const std::string& page) {
  std::string all;
  for (const DocumentPart& part : html_parts(page, "page")) all += part.before + part.source;
  return all;
}

/// The texts of a page, with '|' where marks are.
Texts texts(const std::string& page) {
  Texts all;
  for (const DocumentPart& part : html_parts(page, "page")) {
    if (part.source.empty()) continue;
    std::string text = part.text;
    for (auto mark = part.marks.rbegin(); mark != part.marks.rend(); ++mark) text.insert(mark->at, "|");
    all.push_back(text);
  }
  return all;
}

TEST(HtmlParts, EndWithBlocks) {
  EXPECT_EQ(texts("<h1>One</h1>\n<p>Two <b>three</b>\n four.<ul><li>Five<li>six</ul>seven<hr>eight"),
            (Texts{"One", "Two |three| four.", "Five", "six", "seven", "eight"}));
  EXPECT_EQ(texts("<table><tr><td>a<td><b>c</b></table>"), (Texts{"a", "c"}));
}

TEST(HtmlParts, HaveMarksBetweenWordsOnly) {
  EXPECT_EQ(texts("<p> <b> One</b> two<br></p>"), (Texts{"|One| two"}));
  EXPECT_EQ(texts("<p><b><i>One two</i></b> <!-- c --></p>"), (Texts{"One two"}));
  EXPECT_EQ(texts("<p><a name=x></a>One<img src=x>two</p>"), (Texts{"One|two"}));
  EXPECT_EQ(texts("<p>One<!-- c --> two</p>"), (Texts{"One| two"}));
  EXPECT_EQ(texts("<p>One<br>two&nbsp;three</p>"), (Texts{"One| two| three"}));
  EXPECT_EQ(texts("<p>One</foo> two</b> three"), (Texts{"One| two| three"}));
}

TEST(HtmlParts, LeaveOutWhatIsNotTranslated) {
  EXPECT_EQ(texts("<!DOCTYPE html><html><head><meta name=a content='b c'><title>One</title>"
                  "<script>if (a < b) 'two'</script><style>p { x }</style></head><body title='no'>"
                  "<pre>no</pre><textarea>no <b>no</b></textarea><p translate=no>no <b>no</b></p>"
                  "<p class='x notranslate'>no</p><!-- no --><svg><text>no</text></svg>two"
                  "<table translate=no><tr><td>no</table>"),
            (Texts{"One", "two"}));
  EXPECT_EQ(texts("<p>Use <code>ls <b>-l</b></code> now <span translate=no>Acme</span> please</p>"),
            (Texts{"Use ls -l now Acme please"}));
  EXPECT_EQ(
      texts("<p>Use <script>b</script> <code></code> <code>" + std::string(100, 'x') + "</code> now</p>"),
      (Texts{"Use |||now"}));
  EXPECT_EQ(texts("<p><code>ls</code>, <kbd>cd</kbd></p>"), Texts{});
  const DocumentPart part = html_parts("<p>Use <code>ls  <b>-l</b></code>.", "page").front();
  ASSERT_EQ(part.kept.size(), 1u);
  EXPECT_EQ(part.kept[0].place.of(part.text), "ls -l");
  EXPECT_EQ(part.kept[0].bytes, "<code>ls  <b>-l</b></code>");
  EXPECT_EQ(texts("<p>12.50 &euro;</p><p>&nbsp;</p><p>*</p>"), Texts{});
}

TEST(HtmlParts, DecodeReferences) {
  EXPECT_EQ(texts("<p>a &lt; b &amp;&copy; &#x263A; &auml &bogus; d</p>"), (Texts{"a < b &© ☺ ä &bogus; d"}));
  EXPECT_EQ(html_written("a < b & c > d\xC2\xA0"
                         "e"),
            "a &lt; b &amp; c &gt; d&#160;e");
}

TEST(HtmlParts, HaveNoByteOrderMark) {
  EXPECT_EQ(texts("\xEF\xBB\xBFOne"), Texts{"One"});
  EXPECT_EQ(texts("\xEF\xBB\xBF<p>One"), Texts{"One"});
  EXPECT_EQ(joined("\xEF\xBB\xBFOne"), "\xEF\xBB\xBFOne");
}

TEST(HtmlParts, KnowTheirLines) {
  const std::vector<DocumentPart> parts = html_parts("<p>a\nb</p>\n\n<p>c</p>\n", "page");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].line, 1);
  EXPECT_EQ(parts[1].line, 4);
}

TEST(HtmlParts, AreUtf8) {
  for (const std::string page : {"<p>a\n<p>\xE4", "<meta charset=\"ISO-8859-1\"><p>a</p>"}) {
    EXPECT_THROW(html_parts(page, "page"), InputError) << page;
  }
  try {
    html_parts("<p>a\n<p>\xE4", "page");
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("page:2"), std::string::npos) << error.what();
  }
  EXPECT_EQ(texts("<META HTTP-EQUIV=a content='text/html; charset=utf-8'><p>ä</p>"), Texts{"ä"});
}

TEST(HtmlParts, JoinedAreThePage) {
  EXPECT_EQ(joined(""), "");
  EXPECT_EQ(joined("no tags"), "no tags");
  Random random(3);
  const Texts pieces{"<p>",        "</p>",
                     "<b>",        "</b>",
                     "<i>",        "</i>",
                     " word ",     "a&amp;b",
                     "&nbsp;",     "<br/>",
                     "<!--",       "-->",
                     "<table>",    "<td>",
                     "</table>",   "<script>",
                     "</script>",  "<a x='>'",
                     ">",          "<",
                     "</",         std::string(1, '\0'),
                     "\r\n",       "ü",
                     "<![CDATA[",  "]]>",
                     "<li>",       "<ul>",
                     "</ul>",      "<code>",
                     "</code>",    "<span translate=no>",
                     "</span>",    "<svg>",
                     "</svg>",     "<title>",
                     "<select>",   "<option>",
                     "<template>", "<form>",
                     "</bogus>",   "<plaintext>",
                     "<textarea>", "<?php ?>",
                     "<frameset>", "<body>",
                     "<math><mi>", "\xEF\xBB\xBF"};
  for (int round = 0; round < 3000; ++round) {
    std::string page;
    for (auto left = random.below(25); left > 0; --left) page += pieces[random.below(pieces.size())];
    EXPECT_EQ(joined(page), page);
    for (const DocumentPart& part : html_parts(page, "page")) {
      std::size_t at = 0;
      for (const Mark& mark : part.marks) {
        EXPECT_LE(at, mark.at) << page;
        at = mark.at;
        EXPECT_NE(part.source.find(mark.bytes), std::string::npos) << page;
      }
      EXPECT_LE(at, part.text.size()) << page;
    }
  }
}

// Without the shortcut for texts that stay as they are.
TEST(HtmlParts, OfATextThatStaysTheSameStayTheSame) {
  const std::string page =
      "<p>One <b>two</b> <i>three <u>four</u></i>, <code>c<b>d</b></code> five<img src=x> six&nbsp;seven "
      "&amp; <a "
      "href='u'>eight</a>.</p>";
  const DocumentPart part = html_parts(page, "page").front();
  TokenLinks links;
  for (const ByteRange& word : unicode_words(part.text)) links.sources.push_back(word.end);
  links.targets = links.sources;
  links.weights.resize(links.sources.size() * links.sources.size());
  for (std::size_t i = 0; i < links.sources.size(); ++i) links.weights[i * links.sources.size() + i] = 1;
  EXPECT_EQ(
      text_with_marks({part.text, part.marks, part.kept}, part.text, std::span(&links, 1), html_written),
      part.source);
}

TEST(HtmlParts, OfHugePages) {
  constexpr int kMany = 100'000;
  std::string many = "<p>", deep, unclosed;
  for (int i = 0; i < kMany; ++i) many += "<b>a</b> <br>";
  for (int i = 0; i < kMany; ++i) deep += "<div>";
  for (int i = 0; i < 2000; ++i) unclosed += "<b>a<p>";
  EXPECT_EQ(joined(many), many);
  EXPECT_EQ(html_parts(many, "page").front().marks.size(), 3u * kMany - 1);
  EXPECT_THROW(html_parts(deep + "text", "page"), InputError);
  EXPECT_EQ(joined(unclosed), unclosed);
}

}  // namespace
}  // namespace gloss
