// SPDX-License-Identifier: Apache-2.0
// Sentence boundaries by ICU.
#include "tokenizer/sentences/unicode_sentences.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/ures.h>
#include <unicode/utext.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

void expect_sentences_split(UErrorCode status) {
  if (U_FAILURE(status)) throw Error(concat("ICU cannot split text into sentences: ", u_errorName(status)));
}

/// The language as ICU knows it; nothing for codes that it does not know.
std::optional<icu::Locale> find_locale(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  std::string tag = language;
  std::replace(tag.begin(), tag.end(), '_', '-');
  icu::Locale locale = icu::Locale::forLanguageTag(tag, status);
  const std::string code = U_SUCCESS(status) ? locale.getLanguage() : "";
  const char* const* known = uloc_getISOLanguages();
  while (*known != nullptr && code != *known) ++known;
  if (code.empty() || *known == nullptr) return std::nullopt;
  return locale;
}

icu::Locale locale_of(const std::string& language) {
  if (language.empty()) return icu::Locale::getRoot();
  const std::optional<icu::Locale> locale = find_locale(language);
  if (!locale) {
    throw UsageError(concat("found the language ", shown(language),
                            ", expected a code such as de, en or pt-BR (ISO 639, BCP 47)"));
  }
  return *locale;
}

/// The abbreviations in ICU's data; none where the data have none.
std::vector<std::string> listed_abbreviations(const icu::Locale& locale) {
  using Resource = std::unique_ptr<UResourceBundle, decltype(&ures_close)>;
  UErrorCode status = U_ZERO_ERROR;
  const Resource data(ures_open(U_ICUDATA_NAME "-brkitr", locale.getName(), &status), &ures_close);
  const Resource exceptions(ures_getByKey(data.get(), "exceptions", nullptr, &status), &ures_close);
  const Resource words(ures_getByKey(exceptions.get(), "SentenceBreak", nullptr, &status), &ures_close);
  std::vector<std::string> abbreviations;
  if (U_FAILURE(status)) return abbreviations;
  for (std::int32_t i = 0; i < ures_getSize(words.get()); ++i) {
    std::int32_t size = 0;
    const UChar* const word = ures_getStringByIndex(words.get(), i, &size, &status);
    expect_sentences_split(status);
    abbreviations.emplace_back();
    icu::UnicodeString(word, size).toUTF8String(abbreviations.back());
    std::erase(abbreviations.back(), ' ');
  }
  return abbreviations;
}

}  // namespace

bool is_sentence_terminal(char32_t character) {
  const int role = u_getIntPropertyValue(static_cast<UChar32>(character), UCHAR_SENTENCE_BREAK);
  return role == U_SB_STERM || role == U_SB_ATERM;
}

struct UnicodeSentences::Iterator {
  std::unique_ptr<icu::BreakIterator> sentences;
};

UnicodeSentences::UnicodeSentences(const std::string& language) {
  const icu::Locale locale = locale_of(language);
  language_ = locale.getLanguage();
  abbreviations_ = listed_abbreviations(locale);
  UErrorCode status = U_ZERO_ERROR;
  auto iterator = std::make_unique<Iterator>();
  iterator->sentences.reset(icu::BreakIterator::createSentenceInstance(locale, status));
  expect_sentences_split(status);
  iterator_ = std::move(iterator);
}

bool UnicodeSentences::knows(const std::string& language) { return find_locale(language).has_value(); }

UnicodeSentences::~UnicodeSentences() = default;
UnicodeSentences::UnicodeSentences(UnicodeSentences&&) noexcept = default;

std::vector<std::size_t> UnicodeSentences::begins(std::string_view line) const {
  UErrorCode status = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, line.data(), static_cast<std::int64_t>(line.size()), &status);
  expect_sentences_split(status);
  const std::unique_ptr<UText, decltype(&utext_close)> closing(&text, &utext_close);
  const std::unique_ptr<icu::BreakIterator> sentences(iterator_->sentences->clone());
  sentences->setText(&text, status);
  expect_sentences_split(status);
  std::vector<std::size_t> begins;
  for (std::int32_t at = sentences->next(); at != icu::BreakIterator::DONE; at = sentences->next()) {
    const auto byte = static_cast<std::size_t>(at);
    if (byte < line.size()) begins.push_back(byte);
  }
  return begins;
}

}  // namespace gloss
