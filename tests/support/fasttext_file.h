// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

namespace gloss {

/// A little model in fastText's format, written number by number.
struct FastTextFile {
  std::int32_t magic = 793712314, version = 12, dimension = 2, word_ngrams = 1, loss = 3, kind = 3,
               buckets = 4, shortest = 1, longest = 2, entries = 3, words = 1, labels = 2;
  std::int64_t pairs = -1, rows = 5, columns = 2;
  float weight = 0.5F;
  std::int64_t label_count = 7;
  std::string second_label = "__label__de";
  std::int8_t label_type = 1;

  std::string bytes() const {
    std::string out;
    const auto put = [&out](auto... numbers) {
      (out.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
    };
    const auto put_entry = [&](const std::string& entry, std::int64_t count, std::int8_t type) {
      out.append(entry).append(1, '\0');
      put(count, type);
    };
    put(magic, version, dimension, 5, 5, 1, 5, word_ngrams, loss, kind, buckets, shortest, longest, 100,
        1e-4);
    put(entries, words, labels, std::int64_t{9}, pairs);
    put_entry("</s>", 3, 0);
    put_entry("__label__en", 8, 1);
    put_entry(second_label, label_count, label_type);
    put(std::uint8_t{0}, rows, columns);
    for (int i = 0; i < 10; ++i) put(weight);
    put(std::uint8_t{0}, std::int64_t{2}, columns, 1.0F, 1.0F, 2.0F, -1.0F);
    return out;
  }
};

}  // namespace gloss
