// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/known_lines.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/packed_bytes.h"

namespace gloss {
namespace {

constexpr std::size_t kFirstSlots = 64;
// Flags of an entry.
constexpr char kOfEarlierRun = 1, kFound = 2;

/// The values of an entry. They say themselves where they end.
struct Values {
  explicit Values(const char* entry) : reader({entry + 1, kAnySize}) {
    line = reader.text();
    number = reader.count();
    translated = reader.text();
  }
  static constexpr std::size_t kAnySize = std::size_t{1} << 40;
  PackedReader reader;
  std::string_view line, translated;
  std::uint64_t number = 0;
};

}  // namespace

KnownLines::KnownLines(std::size_t bytes)
    : limit_(bytes), block_size_(std::clamp<std::size_t>(bytes / 32, 64, 1 << 16)), slots_(kFirstSlots) {}

void KnownLines::add(const Entry& entry) {
  PackedWriter packed;
  packed.count(entry.of_earlier_run ? kOfEarlierRun : 0);
  packed.text(entry.line);
  packed.count(entry.number);
  packed.text(entry.translated);
  if (packed.size() > limit_ / 4 || slots_[slot_of(entry.line)] != nullptr) return;
  if (2 * (count_ + 1) > slots_.size()) double_slots();
  while (!blocks_.empty() && bytes() + std::max(packed.size(), block_size_) > limit_ &&
         blocks_.back().size - blocks_.back().used < packed.size()) {
    forget_oldest();
  }
  char* const place = append(packed.bytes());
  slots_[slot_of(entry.line)] = place;
  ++count_;
}

std::optional<KnownLines::Entry> KnownLines::find(std::string_view line) {
  char* const entry = slots_[slot_of(line)];
  if (entry == nullptr) return std::nullopt;
  const bool earlier = (*entry & kOfEarlierRun) != 0;
  *entry = kFound;
  const Values values(entry);
  return Entry{values.line, values.translated, values.number, earlier};
}

std::size_t KnownLines::first_slot(std::string_view line) const {
  return std::hash<std::string_view>()(line) & (slots_.size() - 1);
}

std::size_t KnownLines::slot_of(std::string_view line) const {
  std::size_t slot = first_slot(line);
  while (slots_[slot] != nullptr && Values(slots_[slot]).line != line)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void KnownLines::double_slots() {
  const std::vector<char*> before = std::exchange(slots_, std::vector<char*>(2 * slots_.size()));
  for (char* const entry : before) {
    if (entry != nullptr) slots_[slot_of(Values(entry).line)] = entry;
  }
}

void KnownLines::clear_slot(std::size_t slot) {
  const std::size_t last = slots_.size() - 1;
  slots_[slot] = nullptr;
  // Entries that follow without a gap may have been kept from their place by this one.
  for (std::size_t next = (slot + 1) & last; slots_[next] != nullptr; next = (next + 1) & last) {
    char* const entry = std::exchange(slots_[next], nullptr);
    slots_[slot_of(Values(entry).line)] = entry;
  }
}

char* KnownLines::append(std::string_view entry) {
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < entry.size()) {
    in_blocks_ += blocks_.emplace_back(std::max(entry.size(), block_size_)).size;
  }
  Block& block = blocks_.back();
  char* const place = block.content.get() + block.used;
  std::ranges::copy(entry, place);
  block.used += entry.size();
  return place;
}

void KnownLines::forget_oldest() {
  const Block block = std::move(blocks_.front());
  blocks_.pop_front();
  in_blocks_ -= block.size;
  for (std::size_t at = 0; at < block.used;) {
    char* const entry = block.content.get() + at;
    const Values values(entry);
    const auto size = static_cast<std::size_t>(values.translated.data() + values.translated.size() - entry);
    const std::size_t slot = slot_of(values.line);
    if ((*entry & kFound) != 0) {
      *entry = 0;
      slots_[slot] = append({entry, size});
    } else {
      clear_slot(slot);
      --count_;
    }
    at += size;
  }
}

}  // namespace gloss
