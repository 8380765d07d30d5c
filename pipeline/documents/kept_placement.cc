// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/kept_placement.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "pipeline/data/piece_words.h"

namespace gloss {
namespace {

class Restoring {
 public:
  Restoring(std::string_view source, std::span<const KeptText> kept, const LinkedWords& words,
            const std::string& target)
      : source_(source), kept_(kept), words_(words), target_(target) {}

  struct Edit : TargetEdit {
    std::size_t kept = 0;  ///< number of the piece; for what is removed, none
  };

  std::vector<Edit> edits() && {
    std::vector<std::size_t> missing;
    for (std::size_t piece = 0; piece < kept_.size(); ++piece) {
      if (!find(piece)) missing.push_back(piece);
    }
    for (const std::size_t piece : missing) {
      if (!replace(piece)) insert(piece);
    }
    for (std::size_t piece = 0; piece < kept_.size(); ++piece) remove_copies(piece);
    std::ranges::stable_sort(edits_, {},
                             [](const Edit& edit) { return std::pair(edit.old.begin, edit.old.end); });
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
  void add(ByteRange old, std::string text, WordSpan sources, std::size_t piece) {
    if (old.size() > 0) taken_.emplace(old.begin, old.end);
    edits_.push_back({{old, std::move(text), sources, {}}, piece});
  }
  bool find(std::size_t piece);
  bool replace(std::size_t piece);
  void insert(std::size_t piece);
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
  std::vector<Edit> edits_;
  std::map<std::size_t, std::size_t> taken_;  // begins and ends of replaced bytes
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

bool Restoring::find(std::size_t piece) {
  const WordSpan sources = sources_of(piece);
  const ByteRange sentence = bytes_of(words_.target_sentences(sources));
  std::optional<ByteRange> best;
  float most = -1;
  for (ByteRange at = next_place(text_of(piece), sentence); at.size() > 0;
       at = next_place(text_of(piece), {at.end, sentence.end})) {
    const float share_here = share(at, sources);
    if (is_free(at) && share_here > most) best = at, most = share_here;
  }
  if (best) add(*best, std::string(text_of(piece)), sources, piece);
  return best.has_value();
}

bool Restoring::replace(std::size_t piece) {
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
  if (!best.empty()) add(bytes_of(best), std::string(text_of(piece)), sources, piece);
  return !best.empty();
}

void Restoring::insert(std::size_t piece) {
  const WordSpan sources = sources_of(piece), all = words_.target_sentences(sources);
  const ByteRange place = kept_[piece].place;
  std::size_t at = bytes_of(all).end;
  const WordSpan next{sources.end, sources.end + 1};
  if (sources.end < words_.sources().size() && sources.end > 0 &&
      words_.same_sentence(sources.end - 1, sources.end)) {
    float most = 0;
    for (std::size_t word = all.begin; word < all.end; ++word) {
      if (words_.share(word, next) > most) most = words_.share(word, next), at = words_.targets()[word].begin;
    }
  }
  const auto after = taken_.lower_bound(at);
  if (after != taken_.begin()) at = std::max(at, std::prev(after)->second);
  std::string text(text_of(piece));
  const bool spaced_before = place.begin > 0 && source_[place.begin - 1] == ' ';
  const bool spaced_after = place.end < source_.size() && source_[place.end] == ' ';
  if (spaced_before && at > 0 && target_[at - 1] != ' ') text.insert(0, " ");
  if (spaced_after && at < target_.size() && target_[at] != ' ') text += ' ';
  add({at, at}, text, sources, piece);
}

void Restoring::remove_copies(std::size_t piece) {
  const ByteRange sentence = bytes_of(words_.target_sentences(sources_of(piece)));
  for (ByteRange at = next_place(text_of(piece), sentence); at.size() > 0;
       at = next_place(text_of(piece), {at.end, sentence.end})) {
    if (!is_free(at)) continue;
    const bool spaced = at.begin > 0 && target_[at.begin - 1] == ' ' && is_free({at.begin - 1, at.begin});
    add({at.begin - (spaced ? 1 : 0), at.end}, "", {}, kept_.size());
  }
}

}  // namespace

std::vector<KeptText> restore_kept(std::string_view source, std::span<const KeptText> kept,
                                   LinkedWords& words, std::string& target) {
  const std::vector<Restoring::Edit> found = Restoring(source, kept, words, target).edits();
  std::vector<TargetEdit> edits(found.begin(), found.end());
  words.apply(edits, target);
  std::vector<KeptText> places;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (found[i].kept == kept.size()) continue;
    const std::string_view text = kept[found[i].kept].place.of(source);
    const std::size_t begin = edits[i].now.begin + edits[i].text.find(text);
    places.push_back({{begin, begin + text.size()}, kept[found[i].kept].bytes});
  }
  return places;
}

}  // namespace gloss
