// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace gloss {

/// The number of characters of a page: those with the same number / kCharacterPage.
constexpr std::size_t kCharacterPage = 256;

/// A table of all characters, of which a page is made when one of its characters is asked for. Pages live as
/// long as the program. Safe to call on many threads.
template <class Page>
class CharacterPages {
 public:
  /// `make` returns the page with a number.
  explicit constexpr CharacterPages(std::unique_ptr<Page> (*make)(std::size_t number)) : make_(make) {}

  /// The page of a character up to U+10FFFF.
  const Page& of(char32_t character) {
    std::atomic<const Page*>& place = pages_[character / kCharacterPage];
    if (const Page* const known = place.load(std::memory_order_acquire)) return *known;
    std::unique_ptr<Page> page = make_(character / kCharacterPage);
    const Page* other = nullptr;  // that another thread has made meanwhile
    return place.compare_exchange_strong(other, page.get()) ? *page.release() : *other;
  }

 private:
  std::unique_ptr<Page> (*make_)(std::size_t);
  std::array<std::atomic<const Page*>, 0x110000 / kCharacterPage> pages_{};
};

}  // namespace gloss
