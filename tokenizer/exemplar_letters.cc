// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/exemplar_letters.h"

#include <unicode/ulocdata.h>
#include <unicode/uniset.h>

#include <array>
#include <map>
#include <mutex>
#include <utility>

namespace gloss {

struct ExemplarLetters::Characters {
  icu::UnicodeSet all;
  std::array<bool, 0x250> latin{};  // the first of them, which most texts have
};

ExemplarLetters::ExemplarLetters(std::unique_ptr<Characters> characters)
    : characters_(std::move(characters)) {}
ExemplarLetters::~ExemplarLetters() = default;

bool ExemplarLetters::has(char32_t character) const {
  if (character < characters_->latin.size()) return characters_->latin[character];
  return characters_->all.contains(static_cast<UChar32>(character)) != 0;
}

const ExemplarLetters* ExemplarLetters::of(const std::string& language) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<const ExemplarLetters>> known;
  const std::lock_guard lock(guard);
  const auto [found, added] = known.emplace(language, nullptr);
  if (!added) return found->second.get();
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<ULocaleData, decltype(&ulocdata_close)> data(ulocdata_open(language.c_str(), &error),
                                                                     &ulocdata_close);
  if (U_FAILURE(error) || error == U_USING_DEFAULT_WARNING) return nullptr;  // the root's are of no language
  auto characters = std::make_unique<Characters>();
  ulocdata_getExemplarSet(data.get(), characters->all.toUSet(), USET_CASE_INSENSITIVE, ULOCDATA_ES_STANDARD,
                          &error);
  if (U_FAILURE(error) || characters->all.isEmpty()) return nullptr;
  if (characters->all.contains(U'i'))
    characters->all.add(0x130).add(0x131);  // as case folds of other programs
  for (std::size_t i = 0; i < characters->latin.size(); ++i) {
    characters->latin[i] = characters->all.contains(static_cast<UChar32>(i)) != 0;
  }
  characters->all.freeze();
  found->second.reset(new ExemplarLetters(std::move(characters)));
  return found->second.get();
}

}  // namespace gloss
