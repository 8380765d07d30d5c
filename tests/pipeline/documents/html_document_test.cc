// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_document.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "pipeline/documents/marked_text.h"
#include "tests/support/scattered_links.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {
namespace {

using Texts = std::vector<std::string>;

std::string joined(const std::string& page) {
  std::string all;
  for (const DocumentPart& part : html_parts(page, "page")) all += part.before + part.source;
  return all;
}

/// The texts of a page outside of tags, with '|' where marks are.
Texts html_texts(const std::string& page) {
  Texts all;
  for (const DocumentPart& part : html_parts(page, "page")) {
    if (part.source.empty() || part.quote != 0) continue;
    std::string text = part.text;
    for (auto mark = part.marks.rbegin(); mark != part.marks.rend(); ++mark) text.insert(mark->at, "|");
    all.push_back(text);
  }
  return all;
}

TEST(HtmlParts, EndWithBlocks) {
  EXPECT_EQ(html_texts("<h1>One</h1>\n<p>Two <b>three</b>\n four.<ul><li>Five<li>six</ul>seven<hr>eight"),
            (Texts{"One", "Two |three| four.", "Five", "six", "seven", "eight"}));
  EXPECT_EQ(html_texts("<table><tr><td>a<td><b>c</b></table>"), (Texts{"a", "c"}));
}

TEST(HtmlParts, HaveMarksBetweenWordsOnly) {
  EXPECT_EQ(html_texts("<p> <b> One</b> two<br></p>"), (Texts{"|One| two"}));
  EXPECT_EQ(html_texts("<p><b><i>One two</i></b> <!-- c --></p>"), (Texts{"One two"}));
  EXPECT_EQ(html_texts("<p><a name=x></a>One<img src=x>two</p>"), (Texts{"One|two"}));
  EXPECT_EQ(html_texts("<p>One<!-- c --> two</p>"), (Texts{"One| two"}));
  EXPECT_EQ(html_texts("<p>One<br>two&nbsp;three</p>"), (Texts{"One| two| three"}));
  EXPECT_EQ(html_texts("<p>One</foo> two</b> three"), (Texts{"One| two| three"}));
}

TEST(HtmlParts, LeaveOutWhatIsNotTranslated) {
  EXPECT_EQ(html_texts("<!DOCTYPE html><html><head><meta name=a content='b c'><title>One</title>"
                       "<script>if (a < b) 'two'</script><style>p { x }</style></head><body title='no'>"
                       "<pre>no</pre><textarea>no <b>no</b></textarea><p translate=no>no <b>no</b></p>"
                       "<p class='x notranslate'>no</p><!-- no --><svg><text>no</text></svg>two"
                       "<table translate=no><tr><td>no</table>"),
            (Texts{"One", "two"}));
  EXPECT_EQ(html_texts("<p>Use <code>ls <b>-l</b></code> now <span translate=no>Acme</span> please</p>"),
            (Texts{"Use ls -l now Acme please"}));
  EXPECT_EQ(html_texts("<p>Use <script>b</script> <code></code> <code>" + std::string(100, 'x') +
                       "</code> now</p>"),
            (Texts{"Use |||now"}));
  EXPECT_EQ(html_texts("<p><code>ls</code>, <kbd>cd</kbd></p>"), Texts{});
  const DocumentPart part = html_parts("<p>Use <code>ls  <b>-l</b></code>.", "page").front();
  ASSERT_EQ(part.kept.size(), 1u);
  EXPECT_EQ(part.kept[0].place.of(part.text), "ls -l");
  EXPECT_EQ(part.kept[0].bytes, "<code>ls  <b>-l</b></code>");
  EXPECT_EQ(html_texts("<p>12.50 &euro;</p><p>&nbsp;</p><p>*</p>"), Texts{});
}

/// The attributes of a page, in its order, among the texts.
Texts with_attributes(const std::string& page) {
  Texts all;
  for (const DocumentPart& part : html_parts(page, "page")) {
    if (part.quote != 0) all.push_back(part.quote + part.text);
    if (part.quote == 0 && !part.source.empty()) all.push_back(part.text);
    for (const AttributeText& attribute : part.attributes) {
      all.push_back(attribute.quote + attribute.text);
      EXPECT_EQ(attribute.in_source.of(part.source), attribute.in_mark.of(part.marks[attribute.mark].bytes));
    }
  }
  return all;
}

TEST(HtmlParts, HaveAttributesThatReadersSee) {
  EXPECT_EQ(with_attributes("<img alt='A  dog' src='No'><hr title=One><p>Two <b title=\"a &amp;&#x22; b\" "
                            "id=no>three</b><br> <img alt=four> five<i title=last></i>"),
            (Texts{"'A dog", "\"One", "Two three five", "\"a &\" b", "\"four", "\"last"}));
  EXPECT_EQ(
      with_attributes("<input placeholder='Your name' value=no><input type=Reset value=Clear><input "
                      "type=submit value=no><textarea placeholder=Text>no</textarea>"
                      "<select><option label=First value=no>One</select><table><tr><th abbr=Short>Long"),
      (Texts{"'Your name", "\"Clear", "\"Text", "\"First", "One", "\"Short", "Long"}));
  EXPECT_EQ(with_attributes("<meta name=Description content='A page'><meta property='og:title' content='A "
                            "title'><meta name=author content=no><meta http-equiv=refresh content='5 no'>"
                            "<link title=no><nav aria-label=Menu aria-labelledby=no>"),
            (Texts{"'A page", "'A title", "\"Menu"}));
  EXPECT_EQ(with_attributes("<p translate=no title=no><img alt=no></p><div class=notranslate title=no><img "
                            "alt=no></div><img alt='12'><img alt=''><img alt><script title=One></script>"),
            Texts{"\"One"});
  const std::string page = "<p title='a'>One <b title=\"b\">two</b> three<img alt=c></p><img alt=d>\n";
  EXPECT_EQ(joined(page), page);
}

/// The only text of a page, with the bytes of its pairs; marks alone have braces. Checks that pairs are
/// nested.
std::string with_pairs(const std::string& page) {
  const std::vector<DocumentPart> parts = html_parts(page, "page");
  const DocumentPart& part = parts.at(0);
  std::string text;
  std::size_t at = 0;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < part.marks.size(); ++i) {
    const Mark& mark = part.marks[i];
    text += part.text.substr(at, mark.at - at) +
            (mark.kind == MarkKind::alone ? "{" + mark.bytes + "}" : mark.bytes);
    at = mark.at;
    if (mark.kind == MarkKind::open) open.push_back(i);
    if (mark.kind != MarkKind::close) continue;
    if (open.empty() || mark.partner != open.back() || part.marks[open.back()].partner != i)
      return "not nested: " + text;
    open.pop_back();
  }
  return text + part.text.substr(at);
}

// As browsers do; otherwise the tags of the one that ends later could change places.
TEST(HtmlParts, DivideTheElementThatCrossesAnother) {
  EXPECT_EQ(with_pairs("<p>Try to <b>sign <i x=1>the</b> contract</i>."),
            "Try to <b>sign <i x=1>the</i></b><i x=1> contract</i>.");
  EXPECT_EQ(with_pairs("<p>a <b>b <i>c <u>d</b> e</u> f</i> g"),
            "a <b>b <i>c <u>d</u></i></b><i><u> e</u> f</i> g");
  EXPECT_EQ(with_pairs("<p>a <b>b <i>c</b> d <u>e</i> f</u> g"),
            "a <b>b <i>c</i></b><i> d <u>e</u></i><u> f</u> g");
  EXPECT_EQ(with_pairs("<p>a <b>b <span>c</b> d</span> e"), "a <b>b <span>c</span></b><span> d</span> e");
  EXPECT_EQ(with_pairs("<p>a <span>b <b>c</span> d</b> e"), "a <span>b <b>c</b></span><b> d</b> e");
  EXPECT_EQ(with_pairs("<p>a <b>b <i>c</b> d"), "a <b>b {<i>}c</b> d") << "no end";
  EXPECT_EQ(with_pairs("<p>a <b>b <i>c</b></i> d"), "a <b>b <i>c</i></b><i></i> d");
  EXPECT_EQ(with_pairs("<p><b><i></b>One</i> two"), "One{</i>} two") << "its begin is before the text";
  const std::string page = "<p>a <i title=B>b <b>c</i> <code title=D>d</code> e</b>.</p>";
  EXPECT_EQ(with_pairs(page), "a <i title=B>b <b>c</b></i><b> d e</b>.");
  EXPECT_EQ(with_attributes(page), (Texts{"a b c d e.", "\"B"})) << "that of code is kept";
  EXPECT_EQ(joined(page), page);
  EXPECT_EQ(with_attributes("<p>a <b>b <i title=B>c</b> d</i>"), (Texts{"a b c d", "\"B"}));
  // The number of repeated tags has a limit.
  std::string many = "<p>a";
  for (int i = 0; i < 1000; ++i) many += "<i>";
  for (int i = 0; i < 10'000; ++i) many += "<b>b<u>c</b>d</u>";
  for (int i = 0; i < 1000; ++i) many += "</i>";
  EXPECT_LT(html_parts(many + "e", "page").at(0).marks.size(), 100'000U);
}

TEST(HtmlParts, HaveTheLanguageOfTheTranslation) {
  const auto with_language = [](const std::string& page) {
    std::string all;
    for (const DocumentPart& part : html_parts(page, "page", "de")) all += part.before + part.source;
    return all;
  };
  EXPECT_EQ(with_language("<!doctype html><HTML LANG=en class=x><p lang=fr>One"),
            "<!doctype html><HTML LANG=\"de\" class=x><p lang=fr>One");
  EXPECT_EQ(with_language("<html xml:lang='en-US' lang=\"en-US\">One"),
            "<html xml:lang='de' lang=\"de\">One");
  EXPECT_EQ(with_language("<html>One<html lang=en>"), "<html>One<html lang=en>");
  EXPECT_EQ(joined("<html lang=en>One"), "<html lang=en>One");
}

TEST(HtmlParts, KeepTheSpaceBesideLineBreaks) {
  const DocumentPart part =
      html_parts("<p>One<br>\n  two <br/>\n<br> three &nbsp; four\n five", "page").front();
  EXPECT_EQ(part.text, "One two three four five");
  Texts bytes;
  for (const Mark& mark : part.marks) bytes.push_back(mark.bytes);
  EXPECT_EQ(bytes, (Texts{"<br>\n  ", " <br/>\n", "<br> ", " &nbsp; "}));
  TokenLinks links;
  links.sources = {3, 7, 13, 18, 23};
  links.targets = {4, 9, 14};
  links.weights.assign(15, 0.2F);
  const std::string target = "Eins zwei drei";
  const std::string written =
      text_with_marks({part.text, part.marks, part.kept}, target, std::span(&links, 1), html_written);
  for (const Mark& mark : part.marks) {
    EXPECT_NE(written.find(mark.bytes), std::string::npos) << written;
  }
}

TEST(HtmlParts, OfXhtmlEndWithEmptyElements) {
  const std::string body =
      "<head><script src='a>b'/><title>One</title></head><body><p>Two <i/>three<p/>four <a id='x'/>five<br/>"
      "six<![CDATA[ a > b ]]></p><textarea/>seven<script>//<![CDATA[\n</script>]]>\n</script>eight</body>";
  const std::string xhtml = "http://www.w3.org/1999/xhtml";
  for (const std::string& begin :
       {std::string("<?xml version='1.0'?>\n<html>"), "<html xmlns='" + xhtml + "'>",
        std::string("<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\"><html>")}) {
    EXPECT_EQ(html_texts(begin + body + "</html>"),
              (Texts{"One", "Two |three", "four |five| six", "seven|eight"}));
    EXPECT_EQ(joined(begin + body), begin + body);
  }
  EXPECT_EQ(html_texts("<html><script/>hidden"), Texts{}) << "HTML has no empty elements";
}

TEST(HtmlParts, DecodeReferences) {
  EXPECT_EQ(html_texts("<p>a &lt; b &amp;&copy; &#x263A; &auml &bogus; d</p>"),
            (Texts{"a < b &© ☺ ä &bogus; d"}));
  EXPECT_EQ(html_written("a < b & c > d\xC2\xA0"
                         "e"),
            "a &lt; b &amp; c &gt; d&#160;e");
}

TEST(HtmlParts, HaveNoByteOrderMark) {
  EXPECT_EQ(html_texts("\xEF\xBB\xBFOne"), Texts{"One"});
  EXPECT_EQ(html_texts("\xEF\xBB\xBF<p>One"), Texts{"One"});
  EXPECT_EQ(joined("\xEF\xBB\xBFOne"), "\xEF\xBB\xBFOne");
}

TEST(HtmlParts, KnowTheirLines) {
  const std::vector<DocumentPart> parts = html_parts("<p>a\nb</p>\n\n<p>c</p>\n", "page");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].line, 1);
  EXPECT_EQ(parts[1].line, 4);
}

TEST(HtmlParts, AreUtf8) {
  for (const std::string page : {"<p>a\n<p>\xE4", "<meta charset=\"ISO-8859-1\"><p>a</p>",
                                 "<?xml version='1.0' encoding='iso-8859-1'?><html><p>a</p></html>"}) {
    EXPECT_THROW(html_parts(page, "page"), InputError) << page;
  }
  try {
    html_parts("<p>a\n<p>\xE4", "page");
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("page:2"), std::string::npos) << error.what();
  }
  EXPECT_EQ(html_texts("<?xml version='1.0' encoding='UTF-8'?><p>ä</p>"), Texts{"ä"});
  EXPECT_EQ(html_texts("<META HTTP-EQUIV=a content='text/html; charset=utf-8'><p>ä</p>"), Texts{"ä"});
}

TEST(HtmlParts, JoinedAreThePage) {
  EXPECT_EQ(joined(""), "");
  EXPECT_EQ(joined("no tags"), "no tags");
  Random random(3);
  const Texts pieces{"<p>",         "</p>",
                     "<b>",         "</b>",
                     "<i>",         "</i>",
                     " word ",      "a&amp;b",
                     "&nbsp;",      "<br/>",
                     "<!--",        "-->",
                     "<table>",     "<td>",
                     "</table>",    "<script>",
                     "</script>",   "<a x='>'",
                     ">",           "<",
                     "</",          std::string(1, '\0'),
                     "\r\n",        "ü",
                     "<![CDATA[",   "]]>",
                     "<li>",        "<ul>",
                     "</ul>",       "<code>",
                     "</code>",     "<span translate=no>",
                     "</span>",     "<svg>",
                     "</svg>",      "<title>",
                     "<select>",    "<option>",
                     "<template>",  "<form>",
                     "</bogus>",    "<plaintext>",
                     "<textarea>",  "<?php ?>",
                     "<i/>",        "<?xml ?>",
                     "<img alt=A>", "<p title='B'>",
                     "<frameset>",  "<body>",
                     "<math><mi>",  "\xEF\xBB\xBF"};
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
      "<img src=y> ten <img src=z> <wbr> nine "
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

// Pages found by fuzzing: a mark after others, but before fewer words than they, made the text come twice.
TEST(HtmlParts, TranslationsAreWrittenOnce) {
  const std::string target = "one 12 %s <two> 12 & 12 three {x}";
  for (const std::string page :
       {"<xlf       srev(fiio?n'2.0'><file><unit><pc id='1'>b</pc><sc id='2'/>c<ec starsio=n'2.0'><file><ec "
        "st>"
        "</sunit><pc id='1'>b</pit></file></xli~f>",
        "<p><g id='2'><mrk mtype='seg' mid='1'>a.</mrk> <mrk mtype='seg'm id='2'>b</mrk></g></seg></p>",
        "<p><b>wo</b><i>rd</i></p>"}) {
    for (const DocumentPart& part : html_parts(page, "page")) {
      if (part.marks.empty()) continue;
      const TokenLinks links = scattered_links(part.text, target);
      std::string written =
          text_with_marks({part.text, part.marks, {}}, target, std::span(&links, 1),
                          [](std::string_view text) { return "[" + std::string(text) + "]"; });
      std::string text;
      for (std::size_t begin = 0; (begin = written.find('[', begin)) != std::string::npos;) {
        const std::size_t end = written.find(']', begin);
        text += written.substr(begin + 1, end - begin - 1);
        begin = end;
      }
      std::erase(text, ' ');
      EXPECT_EQ(text, "one12%s<two>12&12three{x}") << written;
    }
  }
}

}  // namespace
}  // namespace gloss
