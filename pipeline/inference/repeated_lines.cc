// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/repeated_lines.h"

#include <string_view>
#include <utility>

#include "base/index.h"
#include "base/text.h"

namespace gloss {
namespace {

/// The memory of an entry of a map with strings, about.
std::size_t byte_count(const std::string& line, const TranslatedLine& translated) {
  constexpr std::size_t kEntry = 64;
  std::size_t bytes = kEntry + line.capacity() + sizeof(TranslatedLine) + translated.problem.capacity();
  for (const Translation& translation : translated.translations) {
    bytes += sizeof(Translation) + translation.text.capacity();
    for (const TranslatedWord& word : translation.words) bytes += sizeof(word) + word.text.capacity();
    bytes += translation.alignment.weights.capacity() * sizeof(float);
    for (const TokenLinks& links : translation.links) {
      bytes += sizeof(links) + links.weights.capacity() * sizeof(float) +
               (links.sources.capacity() + links.targets.capacity()) * sizeof(std::size_t);
    }
  }
  return bytes;
}

}  // namespace

const TranslatedLine* RepeatedLines::find(const std::string& line) {
  if (const auto known = recent_.find(line); known != recent_.end()) return &known->second;
  const auto known = older_.find(line);
  if (known == older_.end()) return nullptr;
  keep(line, std::exchange(known->second, {}));
  older_.erase(line);
  return find(line);
}

void RepeatedLines::keep(const std::string& line, TranslatedLine translated) {
  const std::size_t bytes = byte_count(line, translated);
  if (bytes > bytes_ / 2) return;
  if (recent_bytes_ + bytes > bytes_ / 2) {
    older_ = std::exchange(recent_, {});
    recent_bytes_ = 0;
  }
  recent_bytes_ += bytes;
  recent_.emplace(line, std::move(translated));
}

std::vector<TranslatedLine> RepeatedLines::translate(std::span<const std::string> lines,
                                                     std::span<const std::uint64_t> numbers,
                                                     const std::function<void(int lines)>& finished) {
  if (translator_.draws()) return translator_.translate(lines, numbers, finished);
  std::vector<TranslatedLine> results(lines.size());
  std::vector<std::string> fresh;
  std::vector<std::uint64_t> fresh_numbers;
  std::vector<std::ptrdiff_t> place(lines.size(), -1);  // in `fresh`; -1: known before
  std::unordered_map<std::string_view, std::ptrdiff_t> first_place;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const bool blank = is_blank(lines[line]);  // costs nothing and is no repetition
    const TranslatedLine* const known = blank ? nullptr : find(lines[line]);
    if (known != nullptr) {
      results[line] = *known;
      continue;
    }
    place[line] =
        blank ? std::ssize(fresh) : first_place.try_emplace(lines[line], std::ssize(fresh)).first->second;
    if (place[line] < std::ssize(fresh)) continue;
    fresh.push_back(lines[line]);
    fresh_numbers.push_back(numbers[line]);
  }

  const std::size_t repeats = lines.size() - fresh.size();
  if (repeats > 0) finished(static_cast<int>(repeats));
  repeats_ += static_cast<std::int64_t>(repeats);
  std::vector<TranslatedLine> translated = translator_.translate(fresh, fresh_numbers, finished);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (place[line] >= 0) results[line] = translated[index(place[line])];
  }
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (!is_blank(fresh[i])) keep(fresh[i], std::move(translated[i]));
  }
  return results;
}

}  // namespace gloss
