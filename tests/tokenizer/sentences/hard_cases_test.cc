// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <unicode/brkiter.h>
#include <unicode/filteredbrk.h>
#include <unicode/locid.h>
#include <unicode/utext.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "base/lines.h"
#include "base/text.h"
#include "tests/support/paths.h"
#include "tokenizer/sentences/sentence_splitter.h"

namespace gloss {
namespace {

/// A line and the bytes at which its sentences begin, without the first.
struct Case {
  std::string text;
  std::set<std::size_t> begins{};
};

std::vector<Case> read_cases(const std::string& name) {
  std::vector<Case> cases;
  for (const std::string& line : read_lines(concat(kSourceFolder, "/tests/tokenizer/sentences/", name))) {
    if (line.starts_with('#')) continue;
    Case read;
    for (const std::string& sentence : split(line, '|')) {
      if (!read.text.empty()) read.begins.insert(read.text.size());
      read.text += sentence;
    }
    cases.push_back(read);
  }
  return cases;
}

/// Right, superfluous and missing boundaries.
struct Count {
  int right = 0, superfluous = 0, missing = 0;

  double precision() const { return static_cast<double>(right) / (right + superfluous); }
  double recall() const { return static_cast<double>(right) / (right + missing); }
  void add(const std::set<std::size_t>& expected, const std::set<std::size_t>& found) {
    for (const std::size_t at : found) ++(expected.contains(at) ? right : superfluous);
    for (const std::size_t at : expected) missing += !found.contains(at);
  }
};

std::set<std::size_t> begins_of(const SentenceSplitter& splitter, const std::string& text) {
  std::set<std::size_t> begins;
  std::size_t at = 0;
  for (const std::string_view sentence : splitter.split(text)) {
    if (at > 0) begins.insert(at);
    at += sentence.size();
  }
  return begins;
}

/// The boundaries of ICU's own filter for abbreviations.
std::set<std::size_t> icu_begins(const std::string& language, const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale(language.c_str());
  const std::unique_ptr<icu::FilteredBreakIteratorBuilder> builder(
      icu::FilteredBreakIteratorBuilder::createInstance(locale, status));
  const std::unique_ptr<icu::BreakIterator> iterator(
      builder->build(icu::BreakIterator::createSentenceInstance(locale, status), status));
  UText characters = UTEXT_INITIALIZER;
  utext_openUTF8(&characters, text.data(), static_cast<std::int64_t>(text.size()), &status);
  iterator->setText(&characters, status);
  EXPECT_TRUE(U_SUCCESS(status));
  std::set<std::size_t> begins;
  for (int at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    if (static_cast<std::size_t>(at) < text.size()) begins.insert(static_cast<std::size_t>(at));
  }
  utext_close(&characters);
  return begins;
}

std::string marked(const Case& shown, const std::set<std::size_t>& begins) {
  std::string text = shown.text;
  for (auto at = begins.rbegin(); at != begins.rend(); ++at) text.insert(*at, "|");
  return text;
}

/// A file of cases and what is expected of gloss.
struct Expected {
  std::string file, language;
  std::size_t least_cases = 0;
  int most_wrong = 0;  ///< superfluous and missing boundaries
  bool shown = true;   ///< prints the wrong lines; those of held-out cases stay unseen
};

/// gloss is better than ICU, also than ICU with the abbreviations of the Common Locale Data Repository.
void expect_better_than_icu(const Expected& expected) {
  const std::string& language = expected.language;
  const std::vector<Case> cases = read_cases(expected.file);
  EXPECT_GE(cases.size(), expected.least_cases);
  const SentenceSplitter splitter(language);
  const UnicodeSentences unicode(language);
  Count ours, plain, filtered;
  for (const Case& each : cases) {
    const std::set<std::size_t> found = begins_of(splitter, each.text);
    ours.add(each.begins, found);
    if (found != each.begins && expected.shown) std::cout << marked(each, found) << "\n";
    const std::vector<std::size_t> begins = unicode.begins(each.text);
    plain.add(each.begins, {begins.begin(), begins.end()});
    filtered.add(each.begins, icu_begins(language, each.text));
  }
  const auto figures = [](const Count& count) {
    return concat("precision ", count.precision(), ", recall ", count.recall());
  };
  std::cout << expected.file << ": gloss " << figures(ours) << "; ICU " << figures(plain)
            << "; ICU with abbreviations " << figures(filtered) << "\n";
  EXPECT_LE(ours.superfluous + ours.missing, expected.most_wrong);
  EXPECT_GT(ours.precision(), std::max(plain.precision(), filtered.precision()));
  EXPECT_GT(ours.recall(), std::max(plain.recall(), filtered.recall()));
}

TEST(HardCases, English) { expect_better_than_icu({"hard_english.txt", "en", 200, 0}); }
TEST(HardCases, German) { expect_better_than_icu({"hard_german.txt", "de", 200, 1}); }
TEST(HardCases, DevelopedEnglish) { expect_better_than_icu({"developed_english.txt", "en", 150, 5}); }
TEST(HardCases, DevelopedGerman) { expect_better_than_icu({"developed_german.txt", "de", 150, 3}); }
TEST(HardCases, HeldOutEnglish) { expect_better_than_icu({"held_out_english.txt", "en", 150, 19, false}); }
TEST(HardCases, HeldOutGerman) { expect_better_than_icu({"held_out_german.txt", "de", 150, 10, false}); }

}  // namespace
}  // namespace gloss
