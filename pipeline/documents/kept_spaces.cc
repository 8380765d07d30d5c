// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/kept_spaces.h"

#include "pipeline/documents/closing_mark.h"

namespace gloss {
namespace {

class Spacing {
 public:
  Spacing(std::string_view source, std::span<const KeptText> kept, std::string_view target,
          std::vector<KeptEdit>& edits)
      : source_(source), kept_(kept), target_(target), edits_(edits) {}

  void add() {
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      if (!is_removal(i)) add_around(i);
    }
  }

 private:
  bool is_removal(std::size_t edit) const { return edits_[edit].piece == kept_.size(); }
  bool spaced_before(std::size_t edit) const {
    const std::size_t begin = kept_[edits_[edit].piece].place.begin;
    return begin > 0 && source_[begin - 1] == ' ';
  }
  bool spaced_after(std::size_t edit) const {
    const std::size_t end = kept_[edits_[edit].piece].place.end;
    return end < source_.size() && source_[end] == ' ';
  }
  void add_around(std::size_t edit) {
    const bool inserted = edits_[edit].old.size() == 0;
    // What is removed on either side is not between the piece and its neighbours.
    std::size_t begin = edits_[edit].old.begin, end = edits_[edit].old.end, first = edit, next = edit + 1;
    for (; first > 0 && is_removal(first - 1) && edits_[first - 1].old.end == begin; --first)
      begin = edits_[first - 1].old.begin;
    for (; next < edits_.size() && is_removal(next) && edits_[next].old.begin == end; ++next)
      end = edits_[next].old.end;
    const bool touches_piece = first > 0 && edits_[first - 1].old.end == begin;
    const bool touched_by_piece = next < edits_.size() && edits_[next].old.begin == end;
    if (touches_piece ? spaced_after(first - 1) || spaced_before(edit)
                      : inserted && spaced_before(edit) && begin > 0 && target_[begin - 1] != ' ')
      edits_[edit].text.insert(0, " ");
    if (!touched_by_piece && inserted && spaced_after(edit) && end < target_.size() && target_[end] != ' ' &&
        !is_closing_mark_at(target_, end))
      edits_[edit].text += ' ';
  }

  std::string_view source_;
  std::span<const KeptText> kept_;
  std::string_view target_;
  std::vector<KeptEdit>& edits_;
};

}  // namespace

void add_spaces(std::string_view source, std::span<const KeptText> kept, std::string_view target,
                std::vector<KeptEdit>& edits) {
  Spacing(source, kept, target, edits).add();
}

}  // namespace gloss
