// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/kept_placement.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "pipeline/documents/closing_mark.h"
#include "pipeline/examples/piece_words.h"

namespace gloss {
namespace {

/// An edit of a translation for a piece that is kept.
struct KeptEdit : TargetEdit {
  std::size_t piece = 0;  ///< number of the piece; for text that is removed, the number of all pieces
};

/// Adds the spaces around the texts of edits, which are in the order of the translation, `target`: pieces are
/// separated from each other, and from the words beside them if they are inserted, where they are in
/// `source`.
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

class Restoring {
 public:
  Restoring(std::string_view source, std::span<const KeptText> kept, const LinkedWords& words,
            const std::string& target)
      : source_(source), kept_(kept), words_(words), target_(target), places_(kept.size()) {}

  std::vector<KeptEdit> edits() && {
    for (std::size_t piece = 0; piece < kept_.size(); ++piece) find(piece);
    for (std::size_t piece = 0; piece < kept_.size(); ++piece) {
      if (!places_[piece]) replace(piece);
    }
    for (std::size_t piece = kept_.size(); piece-- > 0;) {  // the place of one may be that of the next
      if (!places_[piece]) insert(piece);
    }
    for (std::size_t piece = 0; piece < kept_.size(); ++piece) remove_copies(piece);
    std::ranges::sort(edits_, {}, [](const KeptEdit& edit) {
      return std::tuple(edit.old.begin, edit.old.end, edit.piece);
    });
    Spacing(source_, kept_, target_, edits_).add();
    return std::move(edits_);
  }

 private:
  std::string_view text_of(std::size_t piece) const { return kept_[piece].place.of(source_); }
  WordSpan sources_of(std::size_t piece) const {
    WordSpan span = words_.source_words(kept_[piece].place.begin, kept_[piece].place.end);
    while (span.size() > 1 && !words_.same_sentence(span.begin, span.end - 1)) --span.end;
    return span;
  }
  bool is_free(ByteRange range) const {
    const auto after = taken_.lower_bound(range.end);
    return after == taken_.begin() || std::prev(after)->second <= range.begin;
  }
  /// The next place of the text from `all.begin` on where it is no part of longer words; empty if there is
  /// none.
  ByteRange next_place(std::string_view text, ByteRange all) const {
    const bool word_first = !between_words("a" + std::string(text), 1);
    const bool word_last = !between_words(std::string(text) + "a", text.size());
    const std::string_view target = std::string_view(target_).substr(0, all.end);
    for (std::size_t at = target.find(text, all.begin); at != std::string_view::npos;
         at = target.find(text, at + 1)) {
      if (word_first && !between_words(target_, at)) continue;
      if (word_last && !between_words(target_, at + text.size())) continue;
      return {at, at + text.size()};
    }
    return {};
  }
  void add(ByteRange old, std::size_t piece) {
    if (old.size() > 0) taken_.emplace(old.begin, old.end);
    edits_.push_back({{old, std::string(text_of(piece)), sources_of(piece), {}}, piece});
    places_[piece] = old;
  }
  void remove(ByteRange old) {
    taken_.emplace(old.begin, old.end);
    for (auto place = inserted_.upper_bound(old.begin); place != inserted_.end() && *place < old.end;
         ++place) {
      edits_.push_back({{{old.begin, *place}, "", {}, {}}, kept_.size()});
      old.begin = *place;
    }
    edits_.push_back({{old, "", {}, {}}, kept_.size()});
  }
  void find(std::size_t piece);
  void replace(std::size_t piece);
  void insert(std::size_t piece);
  /// Where a piece that no word belongs to is inserted.
  std::size_t place_before_next(std::size_t piece) const;
  /// The begin of the word that belongs most to a source word, if any does, among these.
  std::optional<std::size_t> translation_of(std::size_t source, WordSpan targets) const;
  void remove_copies(std::size_t piece);
  /// The sum of the shares of the words at some bytes.
  float share(ByteRange range, WordSpan sources) const;
  /// The bytes of the sentences of these source words.
  ByteRange bytes_of(WordSpan targets) const {
    if (!targets.empty())
      return {words_.targets()[targets.begin].begin, words_.targets()[targets.end - 1].end};
    const std::size_t place =
        targets.begin < words_.targets().size() ? words_.targets()[targets.begin].begin : target_.size();
    return {place, place};
  }

  std::string_view source_;
  std::span<const KeptText> kept_;
  const LinkedWords& words_;
  const std::string& target_;
  std::vector<KeptEdit> edits_;
  std::vector<std::optional<ByteRange>> places_;  // of the pieces that have one
  std::map<std::size_t, std::size_t> taken_;      // begins and ends of replaced bytes
  std::set<std::size_t> inserted_;                // places
};

float Restoring::share(ByteRange range, WordSpan sources) const {
  const auto ends_before = [](const ByteRange& word, std::size_t at) { return word.end <= at; };
  const std::vector<ByteRange>& targets = words_.targets();
  auto word = std::lower_bound(targets.begin(), targets.end(), range.begin, ends_before);
  float sum = 0;
  for (; word != targets.end() && word->begin < range.end; ++word) {
    sum += words_.share(static_cast<std::size_t>(word - targets.begin()), sources);
  }
  return sum;
}

void Restoring::find(std::size_t piece) {
  const WordSpan sources = sources_of(piece);
  const ByteRange sentence = bytes_of(words_.target_sentences(sources));
  std::optional<ByteRange> best;
  float most = -1;
  for (ByteRange at = next_place(text_of(piece), sentence); at.size() > 0;
       at = next_place(text_of(piece), {at.end, sentence.end})) {
    const float share_here = share(at, sources);
    if (is_free(at) && share_here > most) best = at, most = share_here;
  }
  if (best) add(*best, piece);
}

void Restoring::replace(std::size_t piece) {
  const WordSpan sources = sources_of(piece), all = words_.target_sentences(sources);
  WordSpan best, now;
  float most = 0, sum = 0;
  for (std::size_t word = all.begin; word < all.end && !sources.empty(); ++word) {
    if (!is_free(words_.targets()[word])) {
      now = {};
      continue;
    }
    if (now.empty() || sum < 0) {
      now = {word, word};
      sum = 0;
    }
    now.end = word + 1;
    sum += words_.share(word, sources) - 0.5f;
    if (sum > most) best = now, most = sum;
  }
  if (!best.empty()) add(bytes_of(best), piece);
}

std::optional<std::size_t> Restoring::translation_of(std::size_t source, WordSpan targets) const {
  std::optional<std::size_t> begin;
  float most = 0;
  for (std::size_t word = targets.begin; word < targets.end; ++word) {
    const float share_here = words_.share(word, {source, source + 1});
    if (share_here > most) most = share_here, begin = words_.targets()[word].begin;
  }
  return begin;
}

std::size_t Restoring::place_before_next(std::size_t piece) const {
  const WordSpan sources = sources_of(piece), all = words_.target_sentences(sources);
  const std::size_t next = sources.end, end = bytes_of(all).end;
  if (next == 0 || next == words_.sources().size() || !words_.same_sentence(next - 1, next)) return end;
  const bool piece_follows =
      piece + 1 < kept_.size() && kept_[piece + 1].place.overlaps(words_.sources()[next]);
  if (piece_follows) return places_[piece + 1]->begin;
  return translation_of(next, all).value_or(end);
}

void Restoring::insert(std::size_t piece) {
  std::size_t at = place_before_next(piece);
  const auto after = taken_.lower_bound(at);
  if (after != taken_.begin()) at = std::max(at, std::prev(after)->second);
  add({at, at}, piece);
  inserted_.insert(at);
}

void Restoring::remove_copies(std::size_t piece) {
  const ByteRange sentence = bytes_of(words_.target_sentences(sources_of(piece)));
  const auto is_free_space = [&](std::size_t byte) {
    return byte < target_.size() && target_[byte] == ' ' && is_free({byte, byte + 1});
  };
  std::size_t begin = sentence.begin;  // of what is left
  for (ByteRange at = next_place(text_of(piece), sentence); at.size() > 0;
       at = next_place(text_of(piece), {at.end, sentence.end})) {
    if (!is_free(at)) continue;
    if (at.begin > 0 && is_free_space(at.begin - 1) && !inserted_.contains(at.begin)) {
      remove({at.begin - 1, at.end});
    } else if (at.begin == begin && is_free_space(at.end)) {
      remove({at.begin, at.end + 1});
      begin = at.end + 1;
    } else {
      remove(at);
    }
  }
}

}  // namespace

std::vector<KeptText> restore_kept(std::string_view source, std::span<const KeptText> kept,
                                   LinkedWords& words, std::string& target) {
  const std::vector<KeptEdit> found = Restoring(source, kept, words, target).edits();
  std::vector<TargetEdit> edits(found.begin(), found.end());
  words.apply(edits, target);
  std::vector<KeptText> places;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (found[i].piece == kept.size()) continue;
    const std::string_view text = kept[found[i].piece].place.of(source);
    const std::size_t begin = edits[i].now.begin + edits[i].text.find(text);
    places.push_back({{begin, begin + text.size()}, kept[found[i].piece].bytes});
  }
  return places;
}

}  // namespace gloss
