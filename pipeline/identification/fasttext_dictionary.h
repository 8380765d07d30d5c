// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/formats/byte_reader.h"

namespace gloss {

/// FNV-1a of bytes that are extended with their sign, as fastText computes it.
std::uint32_t fasttext_hash(std::string_view text);

/// How a model of fastText turns text into features.
struct FastTextFeatures {
  int word_ngrams = 1;            ///< longest sequence of words that is a feature
  std::int64_t buckets = 0;       ///< rows for n-grams, which share them by their hashes
  int shortest = 0, longest = 0;  ///< n-grams of characters; none if `longest` is 0
};

/// The words and labels of a model of fastText. It refers to the bytes that it was read from.
class FastTextDictionary {
 public:
  FastTextDictionary() = default;
  /// Throws InputError if the bytes are no dictionary.
  FastTextDictionary(ByteReader&, const FastTextFeatures&);

  std::int64_t words() const { return words_; }
  /// The labels as the file has them, with the prefix `__label__`.
  std::span<const std::string_view> labels() const { return std::span(entries_).subspan(words_); }
  /// How often each label occurs in the text that the model was trained on.
  std::span<const std::int64_t> label_counts() const { return label_counts_; }
  /// The number of rows that features may have.
  std::int64_t rows() const { return rows_; }

  /// Calls `add` with the rows of the features of a line, some at a time. The word </s> ends the line.
  void features(std::string_view line, const std::function<void(std::span<const std::int64_t>)>& add) const;

 private:
  struct Features;
  void read_entries(ByteReader&, std::int32_t entries, std::int32_t labels);
  void read_kept(ByteReader&, std::int64_t pairs);
  std::int64_t find(std::string_view word, std::uint32_t hash) const;
  void add_word(std::string_view word, Features&) const;
  void add_ngrams(std::string_view word, Features&) const;
  void add_bucket(std::uint64_t hash, Features&) const;

  FastTextFeatures settings_;
  std::uint64_t mask_ = 0;  // of the hashes, if the number of buckets is a power of two: divisions are slow
  std::size_t words_ = 0;
  std::int64_t rows_ = 0;
  std::vector<std::string_view> entries_;  // words, then labels
  std::vector<std::int64_t> label_counts_;
  std::vector<std::int32_t> places_;  // of entries, by their hashes; -1: free
  bool pruned_ = false;
  std::unordered_map<std::int32_t, std::int32_t> kept_;  // of a pruned model: row after the words by bucket
};

}  // namespace gloss
