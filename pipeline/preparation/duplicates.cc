// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/duplicates.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"
#include "base/threads.h"
#include "tokenizer/characters.h"
#include "tokenizer/folded_text.h"

namespace gloss {
namespace {

constexpr std::size_t kColumnBuffer = 1 << 16, kTextBuffer = 1 << 20;  // bytes
constexpr std::uint32_t kMostLines = std::numeric_limits<std::uint32_t>::max() - 1;

/// Folded text in bytes: seven bits of a character in each, the last one without the upper bit.
std::string packed(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (char32_t c : text) {
    for (; c >= 0x80; c >>= 7) bytes += static_cast<char>(0x80 | (c & 0x7F));
    bytes += static_cast<char>(c);
  }
  return bytes;
}

std::u32string unpacked(std::string_view bytes) {
  std::u32string text;
  text.reserve(bytes.size());
  char32_t character = 0;
  int bits = 0;
  for (const char byte : bytes) {
    character |= static_cast<char32_t>(static_cast<unsigned char>(byte) & 0x7F) << bits;
    bits += 7;
    if ((static_cast<unsigned char>(byte) & 0x80) != 0) continue;
    text += character;
    character = 0;
    bits = 0;
  }
  return text;
}

/// The letters of both sides; of a pair without letters, everything.
std::string letters_of(std::string_view source, std::string_view target) {
  std::string letters;
  std::u32string folded;
  for (const std::string_view side : {source, target}) {
    folded.clear();
    append_folded(side, folded);
    for (const char32_t c : folded) {
      if (c != U' ' && !joins_address(c) && !is_number(c)) append_utf8(letters, c);
    }
    letters += '\n';
  }
  return letters.size() > 2 ? letters : concat(source, "\n", target, "\n");
}

/// Sorts numbers by their upper halves; equal ones keep their order.
void sort_by_upper_half(std::vector<std::uint64_t>& numbers) {
  constexpr int kDigit = 11;
  constexpr std::size_t kValues = std::size_t{1} << kDigit;
  if (numbers.size() < kValues) {
    std::ranges::sort(numbers);
    return;
  }
  std::vector<std::uint64_t> sorted(numbers.size());
  for (int shift = 32; shift < 64; shift += kDigit) {
    std::array<std::size_t, kValues + 1> places{};
    for (const std::uint64_t number : numbers) ++places[((number >> shift) & (kValues - 1)) + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (const std::uint64_t number : numbers) sorted[places[(number >> shift) & (kValues - 1)]++] = number;
    numbers.swap(sorted);
  }
}

std::uint32_t upper(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }
std::uint32_t lower(std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }

/// The part, of `parts`, of a number that is equally likely anywhere.
std::uint64_t part_of(std::uint32_t number, std::uint64_t parts) { return (number * parts) >> 32; }

/// The number of parts of `bytes` of which each thread sorts one in its share of the memory.
std::uint64_t parts_for(std::int64_t bytes, const DuplicateSettings& settings) {
  const std::int64_t share = std::max<std::int64_t>(settings.memory / settings.threads, 1 << 16);
  return static_cast<std::uint64_t>(bytes / share + 1);
}

}  // namespace

template <class Value>
LineColumn<Value>::LineColumn() : file_(std::make_unique<NamelessFile>(temporary_folder())) {}

template <class Value>
void LineColumn<Value>::append(const Value& value) {
  buffer_.push_back(value);
  ++size_;
  if (buffer_.size() * sizeof(Value) >= kColumnBuffer) flush();
}

template <class Value>
void LineColumn<Value>::flush() {
  file_->append({reinterpret_cast<const char*>(buffer_.data()), buffer_.size() * sizeof(Value)});
  buffer_.clear();
}

template <class Value>
template <class Take>
void LineColumn<Value>::for_each(const Take& take) const {
  std::vector<Value> values(kColumnBuffer / sizeof(Value));
  std::uint32_t line = 0;
  for (std::int64_t at = 0;; at += static_cast<std::int64_t>(kColumnBuffer)) {
    const std::size_t bytes = file_->read(at, {reinterpret_cast<char*>(values.data()), kColumnBuffer});
    for (std::size_t i = 0; i < bytes / sizeof(Value); ++i) take(values[i], line++);
    if (bytes < kColumnBuffer) return;
  }
}

DuplicateSearch::DuplicateSearch(const DuplicateSettings& settings)
    : settings_(settings), columns_(settings.near ? kBands + 2 : 0) {
  if (settings_.near) texts_ = std::make_unique<NamelessFile>(temporary_folder());
}

SearchedLine DuplicateSearch::prepare(std::string_view source, std::string_view target) const {
  if (settings_.key == DuplicateKey::source) target = {};
  if (settings_.key == DuplicateKey::target) std::swap(source, target), target = {};
  SearchedLine line;
  line.key = byte_hash(settings_.key == DuplicateKey::letters ? letters_of(source, target)
                                                              : concat(source, "\n", target));
  if (!settings_.near) return line;
  const std::u32string folded = folded_sides(source, target);
  line.folded = packed(folded);
  std::ranges::copy(bands_of(folded), line.hashes.begin());
  const std::array<std::uint64_t, 2> sides = side_hashes(folded);
  for (std::size_t side = 0; side < 2; ++side) line.hashes[kBands + side] = upper(sides[side]);
  return line;
}

void DuplicateSearch::add(const SearchedLine& line) {
  if (lines_ == kMostLines) throw Error(concat("found more than ", kMostLines, " lines; divide the text"));
  if (line.preference != 0 && preferences_.empty()) preferences_.resize(lines_);
  if (!preferences_.empty() || line.preference != 0) preferences_.push_back(line.preference);
  keys_.append(line.key);
  passed_over_.push_back(0);
  ++lines_;
  if (!settings_.near) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].append(line.hashes[i]);
  text_buffer_ += line.folded;
  text_ends_.push_back((text_ends_.empty() ? 0 : text_ends_.back()) + std::ssize(line.folded));
  if (text_buffer_.size() < kTextBuffer) return;
  texts_->append(text_buffer_);
  text_buffer_.clear();
}

void DuplicateSearch::pass_over() {
  add({});
  passed_over_.back() = 1;
}

void DuplicateSearch::complete() {
  keys_.flush();
  for (LineColumn<std::uint32_t>& column : columns_) column.flush();
  if (texts_ != nullptr) texts_->append(text_buffer_);
  text_buffer_.clear();
}

bool DuplicateSearch::better(std::uint32_t a, std::uint32_t b) const {
  if (!preferences_.empty() && preferences_[a] != preferences_[b]) return preferences_[a] > preferences_[b];
  return a < b;
}

void DuplicateSearch::find_exact(Repetitions& found) {
  struct Entry {
    ByteHash key;
    std::uint32_t line;
  };
  const std::uint64_t parts = parts_for(lines_ * static_cast<std::int64_t>(sizeof(Entry)), settings_);
  for_each_item(settings_.threads, static_cast<std::int64_t>(parts), [&](std::int64_t part) {
    std::vector<Entry> entries;
    entries.reserve(lines_ / parts + lines_ / parts / 8 + 1);
    keys_.for_each([&](const ByteHash& key, std::uint32_t line) {
      const bool here =
          part_of(static_cast<std::uint32_t>(key.high >> 32), parts) == static_cast<std::uint64_t>(part);
      if (here && passed_over_[line] == 0) entries.push_back({key, line});
    });
    std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key < b.key : better(a.line, b.line);
    });
    for (std::size_t first = 0, i = 1; i < entries.size(); ++i) {
      if (entries[i].key != entries[first].key) {
        first = i;
      } else {
        found.of[entries[i].line] = entries[first].line;
      }
    }
  });
}

std::vector<DuplicateSearch::Pair> DuplicateSearch::candidates_of(std::size_t column, std::uint64_t part,
                                                                  std::uint64_t parts,
                                                                  const Repetitions& exact) const {
  std::vector<std::uint64_t> entries;
  entries.reserve(lines_ / parts + lines_ / parts / 8 + 1);
  columns_[column].for_each([&](std::uint32_t hash, std::uint32_t line) {
    if (part_of(hash, parts) != part || exact.of[line] != line || passed_over_[line] != 0) return;
    entries.push_back(static_cast<std::uint64_t>(hash) << 32 | line);
  });
  sort_by_upper_half(entries);
  std::vector<Pair> pairs;
  std::vector<std::uint32_t> group;
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    while (end < entries.size() && upper(entries[end]) == upper(entries[begin])) ++end;
    if (end - begin < 2) continue;
    group.clear();
    for (std::size_t i = begin; i < end; ++i) group.push_back(lower(entries[i]));
    std::ranges::sort(group, [&](std::uint32_t a, std::uint32_t b) { return better(a, b); });
    for (std::size_t i = 1; i < group.size(); ++i) {
      pairs.push_back(Pair{group[i]} << 32 | group[i - 1]);
      if (i > 1) pairs.push_back(Pair{group[i]} << 32 | group[0]);
    }
  }
  return pairs;
}

ComparedText DuplicateSearch::compared(std::uint32_t line) const {
  const std::int64_t begin = line == 0 ? 0 : text_ends_[line - 1];
  std::string bytes(index(text_ends_[line] - begin), '\0');
  texts_->read(begin, bytes);
  return compared_text(unpacked(bytes));
}

bool DuplicateSearch::alike(const ComparedText& a, const ComparedText& b) const {
  return similarity(a, b) >= settings_.similarity && !(settings_.names_decide && contradict(a, b));
}

void DuplicateSearch::keep_similar(std::vector<Pair>& pairs) const {
  constexpr std::size_t kChunk = 4096;
  const std::size_t chunks = (pairs.size() + kChunk - 1) / kChunk;
  for_each_item(settings_.threads, static_cast<std::int64_t>(chunks), [&](std::int64_t chunk) {
    const std::size_t begin = index(chunk) * kChunk;
    std::uint32_t last = kMostLines;
    ComparedText worse;
    for (std::size_t i = begin; i < std::min(pairs.size(), begin + kChunk); ++i) {
      if (upper(pairs[i]) != last) worse = compared(upper(pairs[i]));
      last = upper(pairs[i]);
      if (!alike(worse, compared(lower(pairs[i])))) pairs[i] = 0;
    }
  });
  std::erase(pairs, Pair{0});  // no pair of a line with itself
}

std::vector<DuplicateSearch::Pair> DuplicateSearch::near_pairs(const Repetitions& exact, Listener& listener) {
  const auto unique = [](std::vector<Pair>& pairs) {
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  };
  const std::uint64_t parts = parts_for(lines_ * std::int64_t{2 * sizeof(std::uint64_t)}, settings_);
  const std::size_t most = index(settings_.memory) / sizeof(Pair) / 4;
  const auto items = static_cast<std::int64_t>(columns_.size() * parts);
  std::vector<Pair> similar, candidates;
  std::mutex guard;
  for (std::int64_t done = 0; done < items;) {
    // As many columns at a time as there are threads, so that memory is bounded.
    const std::int64_t some = std::min<std::int64_t>(settings_.threads, items - done);
    for_each_item(settings_.threads, some, [&](std::int64_t i) {
      const auto item = static_cast<std::uint64_t>(done + i);
      const std::vector<Pair> found = candidates_of(index(item / parts), item % parts, parts, exact);
      const std::lock_guard lock(guard);
      candidates.insert(candidates.end(), found.begin(), found.end());
    });
    done += some;
    if (candidates.size() < most && done < items) continue;
    unique(candidates);
    keep_similar(candidates);
    similar.insert(similar.end(), candidates.begin(), candidates.end());
    unique(similar);
    candidates.clear();
    listener.progress({done, items, "parts", "comparing lines with the same hashes"});
  }
  return similar;
}

Repetitions DuplicateSearch::repetitions(Listener& listener) {
  complete();
  Repetitions found{.of = std::vector<std::uint32_t>(lines_), .near = std::vector<std::uint8_t>(lines_)};
  std::iota(found.of.begin(), found.of.end(), 0U);
  find_exact(found);
  if (!settings_.near) return found;
  std::vector<Pair> pairs = near_pairs(found, listener);
  std::ranges::sort(pairs, [&](Pair a, Pair b) {
    if (upper(a) != upper(b)) return better(upper(a), upper(b));
    return lower(a) != lower(b) && better(lower(a), lower(b));
  });
  std::vector<std::uint32_t> others;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    const std::uint32_t line = upper(pairs[begin]);
    others.clear();  // lines that stay for which similar ones have gone
    for (; end < pairs.size() && upper(pairs[end]) == line; ++end) {
      const std::uint32_t like = lower(pairs[end]);
      if (found.of[like] == like && found.of[line] == line) found.of[line] = like;
      if (found.of[like] != like) others.push_back(found.of[like]);
    }
    if (found.of[line] == line && !others.empty()) {
      const ComparedText text = compared(line);
      std::ranges::sort(others, [&](std::uint32_t a, std::uint32_t b) { return better(a, b); });
      others.erase(std::unique(others.begin(), others.end()), others.end());
      const auto like =
          std::ranges::find_if(others, [&](std::uint32_t other) { return alike(text, compared(other)); });
      if (like != others.end()) found.of[line] = *like;
    }
    found.near[line] = found.of[line] != line ? 1 : 0;
  }
  return found;
}

std::vector<std::uint32_t> DuplicateSearch::clusters(Listener& listener) {
  complete();
  Repetitions found{.of = std::vector<std::uint32_t>(lines_), .near = {}};
  std::iota(found.of.begin(), found.of.end(), 0U);
  find_exact(found);
  const std::vector<Pair> pairs = settings_.near ? near_pairs(found, listener) : std::vector<Pair>();
  std::vector<std::uint32_t>& first = found.of;  // a line that is at most the line itself
  const auto root = [&](std::uint32_t line) {
    while (first[line] != line) line = first[line] = first[first[line]];
    return line;
  };
  for (const Pair pair : pairs) {
    const auto [a, b] = std::minmax({root(upper(pair)), root(lower(pair))});
    first[b] = a;
  }
  for (std::uint32_t line = 0; line < lines_; ++line) first[line] = root(line);
  return std::move(first);
}

}  // namespace gloss
