// SPDX-License-Identifier: Apache-2.0
// Regular expressions by ICU.
#include "tokenizer/pattern.h"

#include <unicode/regex.h>
#include <unicode/utext.h>

#include <algorithm>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {

struct Pattern::Compiled {
  std::unique_ptr<const icu::RegexPattern> pattern;
};

Pattern::Pattern(const std::string& expression) : expression_(expression) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError place{};
  auto compiled = std::make_unique<Compiled>();
  compiled->pattern.reset(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(expression), 0, place, status));
  if (U_FAILURE(status)) {
    throw UsageError(concat("found ", shown(expression), ", which is no regular expression of ICU: ",
                            u_errorName(status), " at character ", place.offset));
  }
  compiled_ = std::move(compiled);
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;

std::vector<ByteRange> Pattern::matches(std::string_view text) const {
  // In ICU's unit, some thousand steps: enough for any expression that needs some steps for each byte.
  const auto most = static_cast<std::int32_t>(2000 + std::min(text.size(), std::size_t{1} << 30) / 100);
  UErrorCode status = U_ZERO_ERROR;
  UText bytes = UTEXT_INITIALIZER;
  utext_openUTF8(&bytes, text.data(), static_cast<std::int64_t>(text.size()), &status);
  const std::unique_ptr<UText, decltype(&utext_close)> closing(&bytes, &utext_close);
  const std::unique_ptr<icu::RegexMatcher> matcher(compiled_->pattern->matcher(status));
  std::vector<ByteRange> found;
  if (U_SUCCESS(status)) {
    matcher->reset(&bytes);
    matcher->setTimeLimit(most, status);
  }
  while (U_SUCCESS(status) && matcher->find(status)) {
    const auto begin = static_cast<std::size_t>(matcher->start64(status));
    const auto end = static_cast<std::size_t>(matcher->end64(status));
    if (begin < end) found.push_back({begin, end});
  }
  if (U_FAILURE(status)) {
    throw Error(concat("ICU cannot search for ", shown(expression_), " in a text of ", text.size(),
                       " bytes: ", u_errorName(status), "; use a simpler expression"));
  }
  return found;
}

}  // namespace gloss
