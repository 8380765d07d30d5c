// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/support/pseudo_terminal.h"
#include "tests/support/started_program.h"
#include "tests/support/untrained_translation.h"

namespace gloss {
namespace {

struct TranslateDocuments : UntrainedTranslation {};

TEST_F(TranslateDocuments, OfParagraphs) {
  const std::string lines =
      translate("The small dog sees a house. A dog walks.\nHome?\n", {"-q", "--split"}).output;
  const std::size_t end = lines.find('\n');
  const std::string first = lines.substr(0, end), second = lines.substr(end + 1, lines.size() - end - 2);
  const std::string text = "\n  The small dog\n\tsees a house. A\n dog walks.\r\n\r\n\nHome?";
  for (const char* batch : {"1", "32"}) {
    const ProgramResult result = translate(text, {"--format", "paragraphs", "--batch-size", batch});
    EXPECT_EQ(result.output, "\n  " + first + "\r\n\r\n\n" + second);
    EXPECT_NE(result.errors.find("2 paragraphs"), std::string::npos) << result.errors;
  }
  EXPECT_EQ(translate("", {"--format", "paragraphs"}).output, "");
  EXPECT_EQ(translate(" \n\n", {"--format", "paragraphs"}).output, " \n\n");
}

/// Everything between '<' and '>', sorted.
std::vector<std::string> tags_of(const std::string& page) {
  std::vector<std::string> tags;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    tags.push_back(page.substr(at, page.find('>', at) + 1 - at));
  }
  std::sort(tags.begin(), tags.end());
  return tags;
}

TEST_F(TranslateDocuments, OfHtml) {
  const std::string head = "<!DOCTYPE html>\n<html><head><script>if (a) b();</script></head>\n<body>";
  const std::string page = head +
                           "<p>The <b>small</b> dog<br>sees <i>a <u>big</u> house</i>. A <a href='x'>dog</a>"
                           " walks &amp; <img src=y> sees.</p>\n<pre>The dog.</pre>\n<p translate=no>A dog\n";
  std::string first;
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--batch-size", "1"}, {"-j", "1"}, {"-j", "3"}}) {
    std::vector<std::string> all{"--format", "html"};
    all.insert(all.end(), options.begin(), options.end());
    const ProgramResult result = translate(page, all);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_NE(result.errors.find("1 text,"), std::string::npos) << result.errors;
    if (first.empty()) first = result.output;
    EXPECT_EQ(result.output, first);
  }
  EXPECT_NE(first, page);
  EXPECT_TRUE(first.starts_with(head + "<p>"));
  EXPECT_TRUE(first.ends_with("</p>\n<pre>The dog.</pre>\n<p translate=no>A dog\n"));
  EXPECT_EQ(tags_of(first), tags_of(page));
  EXPECT_EQ(translate("", {"--format", "html"}).output, "");
}

TEST_F(TranslateDocuments, OfXliff) {
  const std::string
      before =
          "<xliff version='1.2'><file><body><trans-unit id='1'><source>The <g id='1'>small</g> dog"
          " &lt;<x id='2'/> sees %s.</source>",
      after = "</trans-unit></body></file></xliff>";
  const std::string first = translate(before + after, {"--format", "xliff", "-q"}).output;
  const std::string target = "<target state=\"needs-review-translation\" state-qualifier=\"leveraged-mt\">";
  ASSERT_TRUE(first.starts_with(before + target) && first.ends_with("</target>" + after)) << first;
  std::vector<std::string> tags =
      tags_of(before + "<g id='1'></g><x id='2'/>" + target + "</target>" + after);
  EXPECT_EQ(tags_of(first), tags);
  EXPECT_EQ(translate(first, {"--format", "xliff", "-q"}).output, first) << "has a target now";
}

std::ptrdiff_t count_in(const std::string& text, const std::string& part) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(TranslateDocuments, OfXliffKeepTheirSpace) {
  const std::string source =
      "\n  The small dog\n\n\tsees &lt;<g id='1'>a house</g>.  A dog\r\n<![CDATA[walks\n - home]]>\n";
  const auto translated = [&](const std::string& start) {
    const ProgramResult result =
        translate(start + "<source>" + source + "</source></trans-unit></xliff>", {"--format", "xliff"});
    EXPECT_EQ(result.status, 0) << result.errors;
    const std::size_t begin = result.output.find('>', result.output.find("<target")) + 1;
    return result.output.substr(begin, result.output.find("</target>") - begin);
  };
  const std::string kept = translated("<xliff version='1.2' xml:space='preserve'><trans-unit id='1'>");
  const std::regex pattern(
      "\n  (\\S.*\\S)\n\n\t(\\S.*\\S)  (\\S.*\\S)\r\n(\\S.*\\S)<!\\[CDATA\\[\n \\]\\]>(\\S.*\\S)\n");
  EXPECT_TRUE(std::regex_match(kept, pattern)) << kept;
  EXPECT_EQ(kept.find("small dog"), std::string::npos) << "is translated: " << kept;
  const std::string other = translated("<xliff version='1.2'><trans-unit id='1'>");
  EXPECT_EQ(count_in(other.substr(1, other.size() - 2), "\n"), 0) << other;
}

// What "title" and "alt" say, outside of texts and in their markup.
TEST_F(TranslateDocuments, AttributesOfHtmlAreTranslated) {
  const auto translated = [&](const std::string& text) {
    std::string line = translate(text + "\n", {"-q", "--split"}).output;
    line.pop_back();
    return line;
  };
  const std::string dog = translated("A dog"), house = translated("The small house"),
                    text = translated("Home");
  const auto page = [](const std::string& a, const std::string& b, const std::string& c) {
    return "<html lang=en><img id=1 alt=" + a + " src='A dog'><hr title=" + b +
           "><p title='no' translate=no><p>" + c;
  };
  const auto escaped = [](const std::string& value) {  // as untrained models write anything
    std::string bytes;
    for (const char byte : value) {
      bytes += byte == '&' ? "&amp;" : byte == '<' ? "&lt;" : byte == '>' ? "&gt;" : std::string(1, byte);
    }
    return bytes;
  };
  EXPECT_EQ(translate(page("'A dog'", "\"The small house\"", "Home"), {"--format", "html", "-q"}).output,
            page("'" + escaped(dog) + "'", "\"" + escaped(house) + "\"", escaped(text)));
  const std::string inside = "<p>The dog <a href='x' title=\"The small house\">sees</a> Home";
  const std::string result = translate(inside, {"--format", "html", "-q"}).output;
  EXPECT_NE(result.find("<a href='x' title=\"" + escaped(house) + "\">"), std::string::npos) << result;
}

// The model of this test has no languages.
TEST_F(TranslateDocuments, NameTheirLanguage) {
  const std::string page = "<html lang='en'><p>A dog.";
  EXPECT_TRUE(translate(page, {"--format", "html"}).output.starts_with("<html lang='en'>"));
  const ProgramResult html = translate(page, {"--format", "html", "--target-language", "pt_BR"});
  EXPECT_TRUE(html.output.starts_with("<html lang='pt-BR'>")) << html.output << html.errors;
  const std::string xliff =
      "<xliff version='1.2'><file><body><trans-unit><source>A dog.</source></trans-unit></body>"
      "</file></xliff>";
  const ProgramResult file = translate(xliff, {"--format", "xliff", "--target-language", "de"});
  EXPECT_TRUE(file.output.starts_with("<xliff version='1.2'><file target-language=\"de\">"))
      << file.output << file.errors;
  expect_failed(translate(page, {"--format", "html", "--target-language", "Saxon"}), 2, "--target-language");
  expect_failed(translate("A dog.\n", {"--target-language", "de"}), 2, "--target-language");
  // That of the source stays as it is.
  expect_failed(translate(xliff, {"--format", "xliff", "-s", "en", "-t", "de"}), 2, "--split-language en");
}

TEST_F(TranslateDocuments, AreNotedWithoutTheirFormat) {
  const TemporaryDirectory files;
  for (const auto& [name, format] : {std::pair("a.html", "html"), {"a.xlf", "xliff"}}) {
    const std::string file = files.write(name, "<p>A dog.\n");
    const ProgramResult lines = translate("", {"-i", file});
    EXPECT_EQ(lines.status, 0) << lines.errors;
    EXPECT_NE(lines.errors.find(std::string("--format ") + format), std::string::npos) << lines.errors;
    EXPECT_EQ(translate("", {"-i", file, "--format", "text"}).errors.find("--format"), std::string::npos);
  }
}

TEST_F(TranslateDocuments, KeepWhatIsProtected) {
  const std::string line = "A dog at https://x.org/a sees {name} and 517 TERM-1 dogs.\n";
  const std::vector<std::string> patterns{"--protect", "url",        "--protect",
                                          "number",    "[A-Z]+-\\d", "placeholder"};
  for (const std::string format : {"text", "json", "paragraphs", "html"}) {
    std::vector<std::string> options{"--format", format, "-q"};
    options.insert(options.end(), patterns.begin(), patterns.end());
    const ProgramResult result = translate(line, options);
    EXPECT_EQ(result.status, 0) << result.errors;
    for (const std::string piece : {"https://x.org/a", "{name}", "517", "TERM-1"}) {
      EXPECT_EQ(count_in(result.output, piece), 1) << format << "\n" << result.output;
    }
  }
  EXPECT_EQ(count_in(translate(line, {"--format", "html"}).output, "{name}"), 1);
}

TEST_F(TranslateDocuments, NamesMistakes) {
  expect_failed(translate("<p>\n\xE4", {"--format", "html"}), 3, "standard input:2");
  expect_failed(translate("<meta charset=cp1252>", {"--format", "html"}), 3, "cp1252");
  const std::string page = folder.write("page", "<p>A dog.");
  expect_failed(translate("", {"--format", "html", page, page}), 2, page);
  expect_failed(translate("<xliff version='1.2'>\n<a></b>", {"--format", "xliff"}), 3, "standard input:2:8");
  expect_failed(translate("", {"--format", "xliff"}), 3, "standard input");
  expect_failed(translate("", {"--protect", "(a"}), 2, "(a");
  expect_failed(translate("", {"--protect", "url", "(a"}), 2, "--protect");
  expect_failed(translate("", {"--protect", "nmber"}), 2, "'number'");
  expect_failed(translate("", {"--protect", ""}), 2, "--protect");
  expect_failed(translate("", {"--protect", "URL"}), 2, "'url'");
  expect_failed(translate("", {"--protect", "url,email"}), 2, "--protect url email");
  const std::string file = folder.write("text", "A dog.\n");
  expect_failed(translate("", {"--protect", "url", file}), 2, "'" + file + "' is a file");
  expect_failed(translate("", {"--protect", "url", "--word-scores"}), 2, "--word-scores");
}

TEST_F(TranslateDocuments, NamePatternsThatTakeTooLong) {
  const std::string hard(60, 'a');
  const auto expect_named = [](const ProgramResult& result, const std::string& place) {
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_NE(result.errors.find("(a+)+b"), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find("--protect"), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find(place), std::string::npos) << result.errors;
  };
  const ProgramResult lines = translate("A dog.\n" + hard + "\nHome\n", {"--protect", "url", "(a+)+b"});
  expect_named(lines, "standard input:2");
  const std::size_t first = lines.output.find('\n');
  EXPECT_EQ(lines.output.substr(first, 2), "\n\n") << "an empty line: " << lines.output;
  EXPECT_GT(lines.output.size(), first + 3) << "the line after it has a translation";
  for (const std::string format : {"paragraphs", "html"}) {
    const ProgramResult text =
        translate("<p>A dog.\n\n<p>" + hard + "\n\n", {"--format", format, "--protect", "(a+)+b"});
    expect_named(text, "standard input:3");
    EXPECT_TRUE(text.output.ends_with("\n\n<p>" + hard + "\n\n")) << text.output;
  }
}

TEST_F(TranslateDocuments, ExcludesWhatSpeaksOfLines) {
  expect_excluded(*this,
                  {{"--n-best", "2"}, {"--prefix"}, {"--word-scores"}, {"--alignment", "hard"}, {"--scores"}},
                  {"--format", "paragraphs"});
}

TEST_F(TranslateDocuments, ShowAsManyTextsAsThereAre) {
  const std::string page = folder.write("page", "<p>A dog</p><p>It sees a <b>house</b></p>\n");
  const std::vector<std::string> command{kGlossBinary, "translate", "-m",   folder.path(), "--max-length",
                                         "9",          "--format",  "html", page};
  PseudoTerminal terminal;
  StartedProgram program(command, terminal.path());
  EXPECT_EQ(program.wait(), 0);
  const std::string shown = terminal.printed();
  EXPECT_NE(shown.find(" 2/2 texts"), std::string::npos) << shown;
  EXPECT_NE(shown.find(": 2 texts,"), std::string::npos) << shown;
  const std::string elsewhere = run_program(command).errors;
  EXPECT_EQ(elsewhere.find("/2"), std::string::npos) << elsewhere;
}

}  // namespace
}  // namespace gloss
