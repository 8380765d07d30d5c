// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/fasttext_dictionary.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"

namespace gloss {
namespace {

constexpr std::string_view kEnd = "</s>", kLabelPrefix = "__label__";
/// True for what separates words; other white space does not.
constexpr bool separates(char byte) { return byte == ' ' || byte == '\0' || (byte >= '\t' && byte <= '\r'); }
/// An entry of a dictionary has a NUL, a count and a type at least.
constexpr std::int64_t kFewestBytes = 10;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::uint32_t fasttext_hash(std::string_view text) {
  std::uint32_t hash = 2166136261;
  for (const char byte : text) {
    hash = (hash ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(byte))) * 16777619;
  }
  return hash;
}

FastTextDictionary::FastTextDictionary(ByteReader& reader, const FastTextFeatures& settings)
    : settings_(settings) {
  const auto buckets = static_cast<std::uint64_t>(settings.buckets);
  if (std::has_single_bit(buckets)) mask_ = buckets - 1;
  const auto entries = reader.number<std::int32_t>("the number of entries");
  const auto words = reader.number<std::int32_t>("the number of words");
  const auto labels = reader.number<std::int32_t>("the number of labels");
  reader.number<std::int64_t>("the number of tokens");
  const auto pairs = reader.number<std::int64_t>("the number of kept n-grams");
  if (words < 0 || labels < 1 || std::int64_t{words} + labels != entries ||
      entries > static_cast<std::int64_t>(reader.left()) / kFewestBytes) {
    throw InputError(concat(reader.where(), " claims ", entries, " entries: ", words, " words and ", labels,
                            " labels, in ", reader.left(), " bytes; expected a dictionary with labels"));
  }
  words_ = index(words);
  read_entries(reader, entries, labels);
  rows_ = words + (pairs >= 0 ? 0 : settings.buckets);
  pruned_ = pairs >= 0;
  if (pruned_) read_kept(reader, pairs);
}

void FastTextDictionary::read_entries(ByteReader& reader, std::int32_t entries, std::int32_t labels) {
  places_.assign(std::bit_ceil(index(entries) * 2), -1);
  std::int64_t left = std::int64_t{1} << 53;  // of the sum of all counts, so that sums are exact
  for (std::int32_t i = 0; i < entries; ++i) {
    const std::string_view entry = reader.text_before('\0', "an entry of the dictionary");
    const auto count = reader.number<std::int64_t>("the count of an entry");
    const bool is_label = index(i) >= words_;
    if (const auto type = reader.number<std::int8_t>("the type of an entry"); type != (is_label ? 1 : 0)) {
      throw InputError(concat(reader.where(), ": the entry ", shown(entry), " has the type ", type,
                              ", expected ", words_, " words (0), then ", labels, " labels (1)"));
    }
    entries_.push_back(entry);
    std::size_t place = fasttext_hash(entry) & (places_.size() - 1);
    for (; places_[place] >= 0; place = (place + 1) & (places_.size() - 1)) {
      if (entries_[index(places_[place])] == entry) {
        throw InputError(concat(reader.where(), " has the entry ", shown(entry), " twice"));
      }
    }
    places_[place] = i;
    if (!is_label) continue;
    if (count < 0 || count > left) {
      throw InputError(concat(reader.where(), ": the label ", shown(entry), " has the count ", count));
    }
    left -= count;
    label_counts_.push_back(count);
  }
}

void FastTextDictionary::read_kept(ByteReader& reader, std::int64_t pairs) {
  constexpr std::int64_t kPairBytes = 8;
  if (pairs > static_cast<std::int64_t>(reader.left()) / kPairBytes) {
    throw InputError(concat(reader.where(), " is truncated or damaged: it claims ", pairs,
                            " kept n-grams, more than its ", reader.left(), " bytes can have"));
  }
  kept_.reserve(index(pairs));
  std::int32_t most = -1;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const auto bucket = reader.number<std::int32_t>("the bucket of a kept n-gram");
    const auto row = reader.number<std::int32_t>("the row of a kept n-gram");
    if (row < 0) throw InputError(concat(reader.where(), ": a kept n-gram has the row ", row));
    kept_[bucket] = row;
    most = std::max(most, row);
  }
  rows_ += std::int64_t{most} + 1;
}

std::int64_t FastTextDictionary::find(std::string_view word, std::uint32_t hash) const {
  std::size_t place = hash & (places_.size() - 1);
  while (places_[place] >= 0 && entries_[index(places_[place])] != word) {
    place = (place + 1) & (places_.size() - 1);
  }
  return places_[place];
}

/// The features of a line.
struct FastTextDictionary::Features {
  const std::function<void(std::span<const std::int64_t>)>& take;
  std::array<std::int64_t, 256> rows{};
  std::size_t count = 0;
  std::vector<std::int32_t> hashes{};  // of the words so far, if sequences of them are features
  std::string marked{};                // working memory: a word between its marks

  void add(std::int64_t row) {
    if (count == rows.size()) flush();
    rows[count++] = row;
  }
  void flush() {
    if (count > 0) take(std::span(rows).first(count));
    count = 0;
  }
};

void FastTextDictionary::features(std::string_view line,
                                  const std::function<void(std::span<const std::int64_t>)>& add) const {
  Features found{add};
  for (bool ended = false; !ended;) {
    line.remove_prefix(index(std::ranges::find_if_not(line, separates) - line.begin()));
    const std::size_t size = index(std::ranges::find_if(line, separates) - line.begin());
    const std::string_view word = size == 0 ? kEnd : line.substr(0, size);
    line.remove_prefix(size);
    ended = word == kEnd;
    add_word(word, found);
  }
  for (std::size_t first = 0; first < found.hashes.size(); ++first) {
    // Sign-extended to 64 bits.
    auto hash = static_cast<std::uint64_t>(std::int64_t{found.hashes[first]});
    const std::size_t end = std::min(found.hashes.size(), first + index(settings_.word_ngrams));
    for (std::size_t next = first + 1; next < end; ++next) {
      hash = hash * 116049371 + static_cast<std::uint64_t>(std::int64_t{found.hashes[next]});
      add_bucket(hash, found);
    }
  }
  found.flush();
}

void FastTextDictionary::add_word(std::string_view word, Features& found) const {
  const std::uint32_t hash = fasttext_hash(word);
  const std::int64_t entry = find(word, hash);
  const bool is_label = entry < 0 ? word.starts_with(kLabelPrefix) : index(entry) >= words_;
  if (is_label) return;
  if (entry >= 0) found.add(entry);
  if (settings_.longest > 0 && word != kEnd) {
    found.marked.assign(1, '<').append(word).append(1, '>');
    add_ngrams(found.marked, found);
  }
  if (settings_.word_ngrams > 1) found.hashes.push_back(static_cast<std::int32_t>(hash));
}

void FastTextDictionary::add_ngrams(std::string_view word, Features& found) const {
  for (std::size_t begin = 0; begin < word.size(); ++begin) {
    if (continues_character(word[begin])) continue;
    std::uint32_t hash = 2166136261;
    std::size_t end = begin;
    for (int size = 1; size <= settings_.longest && end < word.size(); ++size) {
      do {
        hash = (hash ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(word[end]))) * 16777619;
        ++end;
      } while (end < word.size() && continues_character(word[end]));
      const bool only_mark = size == 1 && (begin == 0 || end == word.size());
      if (size >= settings_.shortest && !only_mark) add_bucket(hash, found);
    }
  }
}

void FastTextDictionary::add_bucket(std::uint64_t hash, Features& found) const {
  const auto bucket = static_cast<std::int64_t>(
      mask_ != 0 ? hash & mask_ : hash % static_cast<std::uint64_t>(settings_.buckets));
  if (!pruned_) {
    found.add(static_cast<std::int64_t>(words_) + bucket);
  } else if (const auto kept = kept_.find(static_cast<std::int32_t>(bucket)); kept != kept_.end()) {
    found.add(static_cast<std::int64_t>(words_) + kept->second);
  }
}

}  // namespace gloss
