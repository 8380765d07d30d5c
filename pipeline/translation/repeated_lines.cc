// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/repeated_lines.h"

#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "pipeline/translation/packed_translations.h"
#include "pipeline/translation/sentence_number.h"

namespace gloss {

std::optional<TranslatedLine> RepeatedLines::find(const std::string& line, std::uint64_t number) {
  const std::optional<KnownLines::Entry> known = known_.find(line);
  if (!known) return std::nullopt;
  if (!known->of_earlier_run || known->number < line_of(number)) ++repeats_;
  return unpacked(known->translated, line);
}

void RepeatedLines::keep(const KnownLines::Entry& known) {
  known_.add(known);
  if (memory_ == nullptr) return;
  unsaved_.text(known.line);
  unsaved_.count(known.number);
  unsaved_.text(known.translated);
}

void RepeatedLines::keep_in(RunMemory& memory) {
  if (translator_.draws()) return;
  memory_ = &memory;
  memory.read(RunMemory::Generation::old, [&](std::string_view block) { return load(block); });
  memory.read(RunMemory::Generation::recent, [&](std::string_view block) {
    if (!load(block)) return false;
    saved_ += block.size();
    return true;
  });
}

bool RepeatedLines::load(std::string_view block) {
  PackedReader reader(block);
  while (!reader.at_end()) {
    KnownLines::Entry known{.line = reader.text(), .of_earlier_run = true};
    known.number = reader.count();
    known.translated = reader.text();
    if (!reader.intact() || !unpacked(known.translated, known.line)) return false;
    known_.add(known);
  }
  return true;
}

void RepeatedLines::save() {
  if (unsaved_.bytes().empty()) return;
  if (saved_ > 0 && saved_ + unsaved_.size() > bytes_) {
    memory_->age();
    saved_ = 0;
  }
  saved_ += unsaved_.size();
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
    if (!is_blank(fresh[i])) keep({fresh[i], packed(translated[i]), line_of(fresh_numbers[i])});
  }
  save();
  return results;
}

}  // namespace gloss
