// SPDX-License-Identifier: Apache-2.0
// Inputs that no sensible program writes, in every format: each gives a message with its place, or keeps what
// is not text.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "tests/support/untrained_translation.h"

namespace gloss {
namespace {

using namespace std::string_literals;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string utf16(const std::string& text, bool big) {
  std::string bytes = big ? "\xFE\xFF"s : "\xFF\xFE"s;
  for (const char byte : text) bytes += big ? std::string{'\0', byte} : std::string{byte, '\0'};
  return bytes;
}

std::string xliff(const std::string& source) {
  return "<xliff version='1.2'>\n<file><body><trans-unit id='1'><source>" + source +
         "</source></trans-unit></body></file></xliff>";
}

struct NastyInput {
  std::string name, bytes;
  std::set<std::string> refusing{};  ///< formats that end with an error
};

/// "lines" are those of `translate`, "sentences" those of `--split`, "split" is `gloss split`.
std::vector<NastyInput> nasty_inputs() {
  const std::string no_xliff = "xliff";
  const std::string entities =
      "<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;'>";
  std::string many_tags = "<p>";
  for (int i = 0; i < 2000; ++i) many_tags += "<b>dog</b> <br>";
  return {
      {"empty", "", {no_xliff}},
      {"no final newline", "A dog sees.", {no_xliff}},
      {"a long line", repeated("The dog sees a house. ", 5000), {no_xliff}},
      {"a long word", std::string(100'000, 'x'), {no_xliff}},
      {"NUL", "A\0 dog\0.\n\0"s, {no_xliff}},
      {"invalid UTF-8", "A dog.\nA \xFF\xC3 dog.\n\xE2\x82", {"html", no_xliff}},
      {"UTF-16, little", utf16("A dog.\nA house.\n", false), {no_xliff}},
      {"UTF-16, big", utf16("A dog.\nA house.\n", true), {no_xliff}},
      {"half a character of UTF-16", utf16("A dog.\n", false) + "A", {no_xliff}},
      {"deep HTML", repeated("<div>", 100'000) + "A dog.", {"html", no_xliff}},
      {"deep XLIFF", "<xliff version='1.2'>" + repeated("<group>", 100'000), {"html", no_xliff}},
      {"unclosed tags", "<p>A <b>dog <i>sees a <a href='x'>house.\n<table><td>Home", {no_xliff}},
      {"broken tags", "<p>A <b <i>dog</ <p / x='>'\n</b> sees & <!-- a", {no_xliff}},
      {"scripts and styles",
       "<script>if (a < b) '</p>'</script><style>p > b { x }</style><p>A dog<script>x</script> sees",
       {no_xliff}},
      {"CDATA in HTML", "<p>A <![CDATA[ dog > ]]> sees.</p>", {no_xliff}},
      {"CDATA in XLIFF", xliff("A <![CDATA[ <dog> & ]]> sees.")},
      {"many tags", many_tags, {no_xliff}},
      {"many tags in XLIFF", xliff(repeated("<g id='1'>dog</g> <x id='2'/>", 2000))},
      {"XLIFF without its end", "<xliff version='1.2'>\n<file><body><trans-unit><source>A dog", {no_xliff}},
      {"XLIFF with wrong ends", "<xliff version='1.2'>\n<file></body></xliff>", {no_xliff}},
      {"XLIFF of another version", "\n<xliff version='9'/>", {no_xliff}},
      {"an entity bomb", "<!DOCTYPE xliff [" + entities + "]>" + xliff("&c;&c;&c;"), {no_xliff}},
      {"an external entity",
       "<!DOCTYPE xliff [<!ENTITY a SYSTEM 'file:///etc/hostname'>]>\n" + xliff("A &a; dog."),
       {no_xliff}},
      {"an unknown entity", xliff("A &a; dog."), {no_xliff}},
      {"control characters", "A \x01\x1b[31m dog \x7f.\r\n\v\f", {no_xliff}}};
}

struct NastyInputs : UntrainedTranslation {
  ProgramResult run(const std::string& format, const std::string& input) const {
    if (format == "split") return run_program({kGlossBinary, "split", "-q"}, input);
    if (format == "lines") return translate(input, {"-q"});
    if (format == "sentences") return translate(input, {"-q", "--split"});
    return translate(input, {"-q", "--format", format});
  }
  /// Expects an error of the input that names the place, and no output.
  static void expect_place(const ProgramResult& result) {
    EXPECT_EQ(result.status, 3) << result.errors;
    EXPECT_EQ(result.output, "");
    const std::string file = "standard input:";
    const std::size_t found = result.errors.find(file), line = found + file.size();
    ASSERT_NE(found, std::string::npos) << result.errors;
    const std::size_t colon = result.errors.find_first_not_of("0123456789", line);
    ASSERT_GT(colon, line) << result.errors;
    ASSERT_NE(colon, std::string::npos) << result.errors;
    EXPECT_EQ(result.errors[colon], ':') << result.errors;
    EXPECT_GT(result.errors.find_first_not_of("0123456789", colon + 1), colon + 1) << result.errors;
  }
};

std::ptrdiff_t count_of(const std::string& text, const std::string& part) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(NastyInputs, AreTranslatedOrNamed) {
  for (const NastyInput& input : nasty_inputs()) {
    for (const std::string format : {"lines", "sentences", "paragraphs", "html", "xliff", "split"}) {
      SCOPED_TRACE(input.name + ", " + format);
      const ProgramResult result = run(format, input.bytes);
      if (input.refusing.contains(format)) {
        expect_place(result);
        continue;
      }
      EXPECT_EQ(result.status, 0) << result.errors;
      const bool decoded = input.bytes.starts_with("\xFF\xFE") || input.bytes.starts_with("\xFE\xFF");
      if (format == "lines" && !decoded) {
        const bool ended = input.bytes.empty() || input.bytes.ends_with('\n');
        EXPECT_EQ(count_of(result.output, "\n"), count_of(input.bytes, "\n") + (ended ? 0 : 1));
      } else if (format == "html" && !decoded) {
        for (const std::string part :
             {"<b>", "</b>", "<br>", "<script>", "<style>p > b { x }</style>", "<table>"})
          EXPECT_EQ(count_of(result.output, part), count_of(input.bytes, part)) << part;
      } else if (format == "xliff") {
        EXPECT_EQ(count_of(result.output, "<target"), 1) << result.output;
        for (const std::string part : {"<g id='1'>", "</g>", "<x id='2'/>"})
          EXPECT_EQ(count_of(result.output, part), 2 * count_of(input.bytes, part)) << part;
      } else if (format == "split" && !decoded) {
        EXPECT_EQ(run_program({kGlossBinary, "split", "--join", "-q"}, result.output).output, input.bytes);
      }
    }
  }
}

TEST_F(NastyInputs, TextsOfDocumentsHaveALimit) {
  const std::string word(5000, 'x'), page = "<p>" + word + "</p>\n<p title='" + word + "'>A dog.</p>\n";
  const std::vector<std::pair<std::string, std::string>> documents = {{"html", page}, {"xliff", xliff(word)}};
  for (const auto& [format, document] : documents) {
    SCOPED_TRACE(format);
    const ProgramResult result = translate(document, {"--format", format, "--max-line-bytes", "1000"});
    EXPECT_EQ(result.status, 3);
    EXPECT_EQ(count_of(result.output, word), 2);
    for (const std::string part : {"5000", "1000", "standard input:"}) {
      EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
    }
    EXPECT_EQ(result.output.find("A dog."), std::string::npos);
  }
}

}  // namespace
}  // namespace gloss
