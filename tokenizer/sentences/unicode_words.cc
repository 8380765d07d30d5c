// SPDX-License-Identifier: Apache-2.0
// Word boundaries by ICU.
#include "tokenizer/sentences/unicode_words.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>

#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

void expect_words_split(UErrorCode status) {
  if (U_FAILURE(status)) throw Error(concat("ICU cannot split text into words: ", u_errorName(status)));
}

std::unique_ptr<icu::BreakIterator> word_iterator() {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> made(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  expect_words_split(status);
  return made;
}

}  // namespace

std::vector<ByteRange> unicode_words(std::string_view text) {
  static const std::unique_ptr<const icu::BreakIterator> shared = word_iterator();
  UErrorCode status = U_ZERO_ERROR;
  UText bytes = UTEXT_INITIALIZER;
  utext_openUTF8(&bytes, text.data(), static_cast<std::int64_t>(text.size()), &status);
  expect_words_split(status);
  const std::unique_ptr<UText, decltype(&utext_close)> closing(&bytes, &utext_close);
  const std::unique_ptr<icu::BreakIterator> iterator(shared->clone());
  iterator->setText(&bytes, status);
  expect_words_split(status);
  std::vector<ByteRange> words;
  std::size_t begin = 0;
  for (std::int32_t at = iterator->next(); at != icu::BreakIterator::DONE; at = iterator->next()) {
    const ByteRange range{begin, static_cast<std::size_t>(at)};
    const std::u32string characters = code_points(range.of(text));
    if (!characters.empty() && !is_unicode_space(characters.front())) words.push_back(range);
    begin = range.end;
  }
  return words;
}

}  // namespace gloss
