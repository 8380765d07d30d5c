// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/marked_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "pipeline/documents/kept_placement.h"
#include "pipeline/documents/linked_words.h"
#include "pipeline/documents/mark_placement.h"

namespace gloss {
namespace {

/// Writes a translation from its begin to its end.
class Writer {
 public:
  Writer(std::string_view target, std::span<const KeptText> kept, const WriteText& written)
      : target_(target), kept_(kept), written_(written) {}

  /// The text up to this byte, unless it is written already.
  void text_until(std::size_t end) {
    if (end < at_) return;
    while (next_ < kept_.size() && kept_[next_].place.end <= end) {
      const KeptText& piece = kept_[next_++];
      result_ += written_(target_.substr(at_, piece.place.begin - at_));
      result_ += piece.bytes ? *piece.bytes : written_(piece.place.of(target_));
      at_ = piece.place.end;
    }
    result_ += written_(target_.substr(at_, end - at_));
    at_ = end;
  }
  void skip_until(std::size_t end) { at_ = std::max(at_, end); }
  void mark(const Mark& mark) { result_ += mark.bytes; }
  void space() { result_ += ' '; }
  std::string finish() && {
    text_until(target_.size());
    return std::move(result_);
  }

 private:
  std::string_view target_;
  std::span<const KeptText> kept_;
  const WriteText& written_;
  std::string result_;
  std::size_t at_ = 0, next_ = 0;  // bytes; pieces
};

}  // namespace

std::string text_with_marks(const MarkedSource& source, std::string target, std::span<const TokenLinks> links,
                            const WriteText& written) {
  if (source.marks.empty() && source.kept.empty()) return written(target);
  LinkedWords words(source.text, target, links);
  const std::vector<KeptText> kept = restore_kept(source.text, source.kept, words, target);
  const std::vector<PlacedMark> placed = place_marks({source.text, source.marks, target}, words);
  const std::vector<ByteRange>& targets = words.targets();
  Writer writer(target, kept, written);
  std::size_t place = 0;  // number of words before; never falls, else text would be written twice
  for (std::size_t first = 0, last = 0; first < placed.size(); first = last) {
    place = std::max(place, placed[first].words_before);
    const ByteRange space{place == 0 ? 0 : targets[place - 1].end,
                          place == targets.size() ? target.size() : targets[place].begin};
    std::size_t before_space = first;  // number of marks up to the last one before the space
    bool replaces = space.size() == 0;
    for (; last < placed.size() && placed[last].words_before <= place; ++last) {
      const Mark& mark = source.marks[placed[last].mark];
      if (!belongs_to_next(source.text, mark)) before_space = last + 1;
      replaces = replaces || mark.is_space;
    }
    writer.text_until(space.begin);
    for (std::size_t i = first; i < before_space; ++i) {
      const Mark& mark = source.marks[placed[i].mark];
      if (mark.apart && !replaces) writer.space();
      writer.mark(mark);
    }
    if (replaces) {
      writer.skip_until(space.end);
    } else {
      writer.text_until(space.end);
    }
    for (std::size_t i = before_space; i < last; ++i) {
      const Mark& mark = source.marks[placed[i].mark];
      writer.mark(mark);
      if (mark.apart && !replaces) writer.space();
    }
  }
  return std::move(writer).finish();
}

}  // namespace gloss
