// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/repeated_lines.h"

#include "base/index.h"
#include "base/text.h"

namespace gloss {

std::size_t RepeatedLines::bytes_of(const Known& known) {
  constexpr std::size_t kBlock = 24;                               // of an allocation, besides its content
  constexpr std::size_t kManagement = sizeof(Known) + 8 * kBlock;  // the nodes of the list and the map
  std::size_t bytes = kManagement + known.line.size() + known.translated.problem.size();
  for (const Translation& one : known.translated.translations) {
    bytes += sizeof one + kBlock + one.text.size() + one.alignment.weights.size() * sizeof(float);
    for (const TranslatedWord& word : one.words) bytes += sizeof word + kBlock + word.text.size();
    for (const TokenLinks& links : one.links) {
      bytes += sizeof links + 3 * kBlock + links.weights.size() * sizeof(float) +
               (links.sources.size() + links.targets.size()) * sizeof(std::size_t);
    }
  }
  return bytes;
}

void RepeatedLines::keep(const std::string& line, const TranslatedLine& translated) {
  if (const auto known = known_.find(line); known != known_.end()) {
    ++repeats_;
    return recent_.splice(recent_.begin(), recent_, known->second);
  }
  recent_.push_front({line, translated});
  bytes_ += bytes_of(recent_.front());
  known_.emplace(recent_.front().line, recent_.begin());
  while (bytes_ > limit_) {
    bytes_ -= bytes_of(recent_.back());
    known_.erase(recent_.back().line);
    recent_.pop_back();
  }
}

std::vector<TranslatedLine> RepeatedLines::translate(std::span<const std::string> lines,
                                                     std::span<const std::uint64_t> numbers,
                                                     const std::function<void(int lines)>& finished) {
  if (translator_.draws()) return translator_.translate(lines, numbers, finished);
  std::vector<TranslatedLine> results(lines.size());
  std::vector<std::string> fresh;
  std::vector<std::ptrdiff_t> place(lines.size(), -1);  // in `fresh`; -1: known before
  std::unordered_map<std::string_view, std::ptrdiff_t> first_place;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (const auto known = known_.find(lines[line]); known != known_.end()) {
      results[line] = known->second->translated;
      continue;
    }
    // A blank line costs nothing and is no repetition.
    place[line] = is_blank(lines[line])
                      ? std::ssize(fresh)
                      : first_place.try_emplace(lines[line], std::ssize(fresh)).first->second;
    if (place[line] == std::ssize(fresh)) fresh.push_back(lines[line]);
  }

  const std::size_t known = lines.size() - fresh.size();
  if (known > 0) finished(static_cast<int>(known));
  const std::vector<TranslatedLine> translated = translator_.translate(fresh, finished);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (place[line] >= 0) results[line] = translated[index(place[line])];
    if (!is_blank(lines[line])) keep(lines[line], results[line]);
  }
  return results;
}

}  // namespace gloss
