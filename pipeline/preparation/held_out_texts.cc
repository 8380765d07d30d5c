// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/held_out_texts.h"

#include <algorithm>

#include "base/error.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/text.h"
#include "tokenizer/folded_text.h"

namespace gloss {
namespace {

constexpr std::size_t kFew = 5, kMany = 10;  // words in a row
/// The share of a held-out line's runs of few words that are too many.
constexpr double kShareOfRuns = 0.5;

/// The hashes of the words of folded text. An ideograph is a word.
std::vector<std::uint64_t> folded_words(std::u32string_view folded) {
  std::vector<std::uint64_t> words;
  std::uint64_t hash = 0;
  const auto end_word = [&] {
    if (hash != 0) words.push_back(hash);
    hash = 0;
  };
  for (const char32_t c : folded) {
    const bool separates = c == U' ' || joins_address(c);
    if (separates || is_ideograph(c)) end_word();
    if (!separates) hash = mix_bits(hash + c + 1);
    if (is_ideograph(c)) end_word();
  }
  end_word();
  return words;
}

/// The hashes of the different runs of `length` words, in order.
std::vector<std::uint64_t> word_runs(const std::vector<std::uint64_t>& words, std::size_t length) {
  std::vector<std::uint64_t> runs;
  for (std::size_t begin = 0; begin + length <= words.size(); ++begin) {
    std::uint64_t hash = length;
    for (std::size_t i = begin; i < begin + length; ++i) hash = mix_bits(hash * 3 + words[i]);
    runs.push_back(hash);
  }
  std::ranges::sort(runs);
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

}  // namespace

HeldOutTexts::HeldOutTexts(const std::vector<std::string>& paths) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    files_.push_back({input_name(path), static_cast<std::uint32_t>(texts.size())});
    std::int64_t number = 0;
    for (const std::string& line : read_lines(path)) {
      ++number;
      for (const std::string& text : split(line, '\t')) {
        if (is_blank(text)) continue;
        texts.push_back(text);
        lines_.push_back(number);
      }
    }
  }
  std::u32string folded;
  for (std::uint32_t number = 0; number < texts.size(); ++number) {
    whole_.emplace(byte_hash(texts[number]).high, number);
    folded.clear();
    append_folded(texts[number], folded);
    const std::vector<std::uint64_t> words = folded_words(folded);
    const std::vector<std::uint64_t> few = word_runs(words, kFew);
    for (const std::uint64_t run : few) by_five_words_[run].push_back(number);
    for (const std::uint64_t run : word_runs(words, kMany)) by_ten_words_.emplace(run, number);
    runs_.push_back(static_cast<std::uint32_t>(few.size()));
  }
  near_ = std::make_unique<NearDuplicates>(std::vector<std::string_view>(texts.begin(), texts.end()));
}

std::optional<std::uint32_t> HeldOutTexts::with_same_words(std::u32string_view folded) const {
  const std::vector<std::uint64_t> words = folded_words(folded);
  std::optional<std::uint32_t> first;
  const auto take = [&](std::uint32_t text) { first = std::min(first.value_or(text), text); };
  std::vector<std::uint32_t> sharing;
  for (const std::uint64_t run : word_runs(words, kFew)) {
    const auto known = by_five_words_.find(run);
    if (known != by_five_words_.end())
      sharing.insert(sharing.end(), known->second.begin(), known->second.end());
  }
  if (sharing.empty()) return first;
  std::ranges::sort(sharing);
  for (std::size_t begin = 0, end = 0; begin < sharing.size(); begin = end) {
    while (end < sharing.size() && sharing[end] == sharing[begin]) ++end;
    const std::size_t shared = end - begin, runs = runs_[sharing[begin]];
    const bool many = static_cast<double>(shared) >= kShareOfRuns * static_cast<double>(runs);
    if (many && shared >= std::min<std::size_t>(2, runs)) take(sharing[begin]);
  }
  for (const std::uint64_t run : word_runs(words, kMany)) {
    const auto known = by_ten_words_.find(run);
    if (known != by_ten_words_.end()) take(known->second);
  }
  return first;
}

std::optional<HeldOutTexts::Found> HeldOutTexts::find(std::string_view text) const {
  if (is_blank(text)) return std::nullopt;
  const auto same = whole_.find(byte_hash(text).high);
  if (same != whole_.end()) return Found{Leak::exact, same->second};
  const std::u32string folded = folded_sides(text, {});
  std::vector<std::size_t> found;
  near_->find(compared_text(folded), found);
  if (!found.empty()) return Found{Leak::near, static_cast<std::uint32_t>(found.front())};
  const std::optional<std::uint32_t> words = with_same_words(folded);
  return words ? std::optional<Found>({Leak::words, *words}) : std::nullopt;
}

std::string HeldOutTexts::place(std::uint32_t text) const {
  const auto after = std::ranges::upper_bound(files_, text, {}, &File::first);
  return concat(std::prev(after)->name, ":", lines_[text]);
}

}  // namespace gloss
