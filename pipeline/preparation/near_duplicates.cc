// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/near_duplicates.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "base/random.h"
#include "tokenizer/folded_text.h"

namespace gloss {
namespace {

/// The length of a run. An ideograph counts three.
constexpr std::uint64_t kRun = 5, kOfIdeograph = 3;
/// Separates the sides of folded text.
constexpr char32_t kSide = U'\n';
constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;

std::uint32_t upper_half(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

void append_side(std::string_view text, std::u32string& out) {
  constexpr char32_t kBytes = 0x110000;  // follows all characters
  const std::size_t before = out.size();
  append_folded(text, out);
  if (out.size() > before) return;
  for (const char byte : text) out += kBytes + static_cast<unsigned char>(byte);
}

/// Appends the hashes of all runs of one side.
void append_runs(std::u32string_view side, std::uint64_t seed, std::vector<std::uint32_t>& runs) {
  std::u32string letters(side);
  std::erase_if(letters, [](char32_t c) { return c == U' ' || joins_address(c); });
  for (std::size_t begin = 0; begin < letters.size(); ++begin) {
    std::uint64_t hash = seed, weight = 0;
    std::size_t end = begin;
    for (; end < letters.size() && weight < kRun; ++end) {
      hash = hash * kFactor + letters[end];
      weight += is_ideograph(letters[end]) ? kOfIdeograph : 1;
    }
    if (weight < kRun && begin > 0) return;
    runs.push_back(upper_half(mix_bits(hash)));
  }
}

/// Appends the hashes of all numbers and of all words that are addresses.
void append_names(std::u32string_view side, std::uint64_t seed, std::vector<std::uint32_t>& names) {
  std::uint64_t word = seed, number = seed;
  bool address = false, letters = false, digits = false;
  const auto add = [&](std::uint64_t hash) { names.push_back(upper_half(mix_bits(hash))); };
  for (const char32_t c : side) {
    const bool digit = c >= U'0' && c <= U'9';
    if (digit) number = number * kFactor + c;
    if (!digit && digits) {
      add(number);
      number = seed;
    }
    digits = digit;
    if (c == U' ') {
      if (address && letters) add(word);
      word = seed;
      address = letters = false;
      continue;
    }
    if (joins_address(c)) {
      address = true;
    } else {
      word = word * kFactor + c;
      letters = letters || !digit;
    }
  }
  if (digits) add(number);
}

/// Calls `take` with each side and the number that makes its hashes differ from those of the other.
template <class Take>
void for_each_side(std::u32string_view folded, const Take& take) {
  constexpr std::uint64_t kOfTarget = 0x74617267;
  const std::size_t end = std::min(folded.find(kSide), folded.size());
  take(folded.substr(0, end), std::uint64_t{0});
  if (end < folded.size()) take(folded.substr(end + 1), kOfTarget);
}

}  // namespace

std::u32string folded_sides(std::string_view source, std::string_view target) {
  std::u32string folded;
  folded.reserve(source.size() + target.size() + 3);
  append_side(source, folded);
  if (!target.empty()) {
    folded += kSide;
    append_side(target, folded);
  }
  return folded;
}

ComparedText compared_text(std::u32string_view folded) {
  ComparedText compared;
  compared.runs.reserve(folded.size());
  for_each_side(folded, [&](std::u32string_view side, std::uint64_t seed) {
    append_runs(side, seed, compared.runs);
    append_names(side, seed, compared.names);
  });
  std::ranges::sort(compared.runs);
  compared.runs.erase(std::unique(compared.runs.begin(), compared.runs.end()), compared.runs.end());
  std::ranges::sort(compared.names);
  return compared;
}

ComparedText compared_text(std::string_view source, std::string_view target) {
  return compared_text(folded_sides(source, target));
}

double similarity(const ComparedText& a, const ComparedText& b) {
  std::size_t common = 0, i = 0, j = 0;
  while (i < a.runs.size() && j < b.runs.size()) {
    const std::uint32_t x = a.runs[i], y = b.runs[j];
    common += x == y ? 1 : 0;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
  return static_cast<double>(common) / static_cast<double>(a.runs.size() + b.runs.size() - common);
}

bool contradict(const ComparedText& a, const ComparedText& b) {
  return !std::ranges::includes(a.names, b.names) && !std::ranges::includes(b.names, a.names);
}

std::array<std::uint64_t, 2> side_hashes(std::u32string_view folded) {
  std::array<std::uint64_t, 2> hashes{};
  for_each_side(folded, [&](std::u32string_view side, std::uint64_t seed) {
    std::uint64_t hash = 0;
    for (const char32_t c : side) hash = c == U' ' ? hash : mix_bits(hash + kFactor + c);
    if (seed == 0) hashes[0] = hash;
    hashes[1] = hash;
  });
  return hashes;
}

std::uint64_t folded_hash(std::string_view line) { return side_hashes(folded_sides(line, {}))[0]; }

std::array<std::uint32_t, kBands> bands_of(std::u32string_view folded) {
  std::vector<std::uint32_t> runs;
  runs.reserve(folded.size());
  for_each_side(folded, [&](std::u32string_view side, std::uint64_t seed) { append_runs(side, seed, runs); });
  constexpr std::size_t kRows = 4, kValues = kBands * kRows;
  constexpr std::uint64_t kEmpty = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, kValues> values;
  values.fill(kEmpty);
  // A round gives each run a place and a number there, by a multiplication with a random odd factor. Rounds
  // after the first fill places that are still empty; the last ones fill one place each.
  constexpr int kPlaceShift = 64 - std::countr_zero(kValues);
  std::size_t empty = kValues;
  for (std::uint64_t round = 0; round < 2 * kValues && empty > 0; ++round) {
    const std::uint64_t factor = mix_bits(round + 1) | 1;
    const bool one_place = round >= kValues;
    if (one_place && values[round - kValues] != kEmpty) continue;
    for (const std::uint32_t run : runs) {
      const std::uint64_t hash = run * factor;
      std::uint64_t& value = values[one_place ? round - kValues : hash >> kPlaceShift];
      empty -= value == kEmpty ? 1 : 0;
      value = std::min(value, (round << 32) | static_cast<std::uint32_t>(hash >> (kPlaceShift - 32)));
    }
  }
  std::array<std::uint32_t, kBands> bands;
  for (std::size_t band = 0; band < kBands; ++band) {
    std::uint64_t hash = band;
    for (std::size_t row = 0; row < kRows; ++row)
      hash = mix_bits(hash * kFactor + values[band * kRows + row]);
    bands[band] = upper_half(hash);
  }
  return bands;
}

NearDuplicates::NearDuplicates(const std::vector<std::string_view>& known) {
  std::unordered_map<std::uint32_t, std::int64_t> count;
  for (const std::string_view line : known) {
    known_.push_back(compared_text(line));
    for (const std::uint32_t run : known_.back().runs) ++count[run];
  }
  for (std::size_t number = 0; number < known_.size(); ++number) {
    std::vector<std::uint32_t> rarest = known_[number].runs;
    std::ranges::stable_sort(rarest, {}, [&](std::uint32_t run) { return count.at(run); });
    const auto others = static_cast<double>(rarest.size()) * (1 - kNearlySame);
    rarest.resize(std::min(rarest.size(), static_cast<std::size_t>(others) + 1));
    for (const std::uint32_t run : rarest) by_rare_run_[run].push_back(number);
  }
}

void NearDuplicates::find(const ComparedText& line, std::vector<std::size_t>& found) const {
  std::vector<std::size_t> candidates;
  for (const std::uint32_t run : line.runs) {
    const auto known = by_rare_run_.find(run);
    if (known == by_rare_run_.end()) continue;
    candidates.insert(candidates.end(), known->second.begin(), known->second.end());
  }
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::ranges::copy_if(candidates, std::back_inserter(found), [&](std::size_t number) {
    return !known_[number].runs.empty() && similarity(line, known_[number]) >= kNearlySame;
  });
}

void NearDuplicates::forget(std::size_t number) { known_[number].runs.clear(); }

}  // namespace gloss
