// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/repeated_lines.h"

#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "pipeline/inference/packed_translations.h"
#include "pipeline/inference/sentence_number.h"

namespace gloss {

/// The memory of an entry, about.
std::size_t RepeatedLines::byte_count(const std::string& line, const Known& known) {
  constexpr std::size_t kManagement = 64;  // of the entry and its texts
  return sizeof(Generation::value_type) + kManagement + line.capacity() + known.translated.capacity();
}

std::optional<TranslatedLine> RepeatedLines::find(const std::string& line, std::uint64_t number) {
  if (const auto older = older_.find(line); older != older_.end() && !recent_.contains(line)) {
    Known moved = std::move(older->second);
    older_.erase(older);
    keep(line, std::move(moved));
  }
  const auto found = recent_.find(line);
  if (found == recent_.end()) return std::nullopt;
  Known& known = found->second;
  std::optional<TranslatedLine> translated = unpacked(known.translated, line);
  if (!translated) {
    recent_.erase(found);
    return std::nullopt;
  }
  const bool again = std::exchange(known.of_earlier_run, false) && known.line >= line_of(number);
  if (!again) ++repeats_;
  return translated;
}

void RepeatedLines::keep(const std::string& line, Known known) {
  const std::size_t bytes = byte_count(line, known);
  if (bytes > bytes_ / 2) return;
  if (recent_bytes_ + bytes > bytes_ / 2) {
    save();
    if (memory_ != nullptr) memory_->age();
    older_ = std::exchange(recent_, {});
    recent_bytes_ = 0;
  }
  recent_bytes_ += bytes;
  if (memory_ != nullptr) {
    unsaved_.text(line);
    unsaved_.count(known.line);
    unsaved_.text(known.translated);
  }
  recent_.emplace(line, std::move(known));
}

bool RepeatedLines::load(std::string_view block, Generation& generation, std::size_t& bytes) {
  PackedReader reader(block);
  while (!reader.at_end()) {
    const std::string line(reader.text());
    const std::uint64_t number = reader.count();
    Known known{std::string(reader.text()), number, true};
    const std::size_t more = byte_count(line, known);
    if (!reader.intact() || bytes + more > bytes_ / 2) return false;
    if (generation.emplace(line, std::move(known)).second) bytes += more;
  }
  return true;
}

void RepeatedLines::keep_in(RunMemory& memory) {
  if (translator_.draws()) return;
  memory_ = &memory;
  std::size_t older_bytes = 0;
  memory.read(RunMemory::Generation::old,
              [&](std::string_view block) { return load(block, older_, older_bytes); });
  memory.read(RunMemory::Generation::recent,
              [&](std::string_view block) { return load(block, recent_, recent_bytes_); });
}

void RepeatedLines::save() {
  if (unsaved_.bytes().empty()) return;
  memory_->add(unsaved_.bytes());
  unsaved_.clear();
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
    std::optional<TranslatedLine> known = blank ? std::nullopt : find(lines[line], numbers[line]);
    if (known) {
      results[line] = *std::move(known);
      continue;
    }
    place[line] =
        blank ? std::ssize(fresh) : first_place.try_emplace(lines[line], std::ssize(fresh)).first->second;
    if (place[line] < std::ssize(fresh)) {
      ++repeats_;
      continue;
    }
    fresh.push_back(lines[line]);
    fresh_numbers.push_back(numbers[line]);
  }

  const std::size_t known = lines.size() - fresh.size();
  if (known > 0) finished(static_cast<int>(known));
  const std::vector<TranslatedLine> translated = translator_.translate(fresh, fresh_numbers, finished);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (place[line] >= 0) results[line] = translated[index(place[line])];
  }
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (!is_blank(fresh[i])) keep(fresh[i], {packed(translated[i]), line_of(fresh_numbers[i])});
  }
  save();
  return results;
}

}  // namespace gloss
