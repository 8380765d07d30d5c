// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/hold_out.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/random.h"
#include "pipeline/preparation/near_duplicates.h"

namespace gloss {
namespace {

constexpr std::int64_t kShare = 20, kMost = 1000, kFewestLines = 200;
constexpr std::size_t kFewest = 10;
/// Lines of a label, of which one may be chosen.
constexpr std::int64_t kFewestOfLabel = 3;
/// With fewer than one of ten lines that are wanted, near duplicates are the nature of the text.
constexpr std::int64_t kNearlyNone = 10;
/// Lines that are tried for each one that is wanted.
constexpr std::int64_t kTried = 4;

/// Calls `take` with each pair that has text and its line.
void for_each_pair(const IndexedPairs& text, Listener& listener, const std::string& what,
                   const std::function<void(const PairView&, std::int64_t line)>& take) {
  for (std::int64_t number = 0; number < text.blocks(); ++number) {
    const PairBlock block = text.read(number);
    std::int64_t line = block.first_line;
    for (const PairView& pair : block.pairs) {
      if (!pair.too_long && !pair.left_out) take(pair, line);
      ++line;
    }
    listener.progress({line - 1, text.lines(), "lines", what + text.text()});
  }
}

std::size_t text_to_divide(std::span<const WeightedText> texts) {
  const auto most = std::ranges::max_element(
      texts, {}, [](const WeightedText& text) { return std::pair(text.weight, text.pairs->lines()); });
  return index(most - texts.begin());
}

/// Different numbers of lines in random order.
std::vector<std::int64_t> some_lines(std::int64_t lines, std::int64_t wanted) {
  Random random(0x68656c64);
  std::vector<std::int64_t> chosen;
  std::unordered_map<std::int64_t, std::int64_t> moved;  // the places of a shuffled list that changed
  const auto at = [&](std::int64_t place) {
    const auto known = moved.find(place);
    return known == moved.end() ? place : known->second;
  };
  for (std::int64_t place = 0; place < std::min(lines, wanted); ++place) {
    const std::int64_t other =
        place + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(lines - place)));
    chosen.push_back(at(other) + 1);
    moved[other] = at(place);
  }
  return chosen;
}

/// A line that may be chosen.
struct Tried {
  std::string source;  // empty: it is too long or has nothing on a side
  std::string label;   // of annotated text or an item
};

std::vector<Tried> lines_of(const IndexedPairs& text, const std::vector<std::int64_t>& lines) {
  auto sorted = std::make_shared<IndexedPairs::Lines>(lines);
  std::ranges::sort(*sorted);
  std::unordered_map<std::int64_t, Tried> found;
  const IndexedPairs chosen = text.only(sorted);
  Listener silent;
  for_each_pair(chosen, silent, "", [&](const PairView& pair, std::int64_t line) {
    const bool blank = is_blank(pair.source) || (!text.is_plain() && is_blank(pair.target));
    if (!blank && pair.weight > 0)
      found[line] = {std::string(pair.source), text.is_annotated() ? std::string(pair.target) : ""};
  });
  std::vector<Tried> in_order;
  for (const std::int64_t line : lines) in_order.push_back(found[line]);
  return in_order;
}

}  // namespace

std::int64_t held_out_lines(std::int64_t lines) {
  return lines < kFewestLines ? 0 : std::min(kMost, lines / kShare);
}

HoldOut choose_hold_out(std::span<const WeightedText> texts, Listener& listener) {
  HoldOut chosen{.text = text_to_divide(texts), .lines = std::make_shared<IndexedPairs::Lines>()};
  const IndexedPairs& text = *texts[chosen.text].pairs;
  const std::int64_t wanted = held_out_lines(text.lines());
  if (wanted == 0) return chosen;
  const std::vector<std::int64_t> tried = some_lines(text.lines(), wanted * kTried);
  const std::vector<Tried> lines = lines_of(text, tried);
  std::vector<std::string_view> sources;
  std::unordered_map<std::uint64_t, std::int64_t> occurrences;  // of the folded sources
  std::unordered_map<std::string_view, std::int64_t> labelled;
  for (const auto& [source, label] : lines) {
    sources.push_back(text.items() == nullptr ? std::string_view(source) : "");  // names of items say nothing
    occurrences[folded_hash(source)] = 0;
    labelled[label] = 0;
  }
  NearDuplicates known(sources);
  std::vector<bool> near(tried.size());
  std::vector<std::size_t> found;
  for (std::size_t number = 0; number < texts.size(); ++number) {
    for_each_pair(*texts[number].pairs, listener, "looking for duplicates in ",
                  [&](const PairView& pair, std::int64_t line) {
                    const auto same = occurrences.find(folded_hash(pair.source));
                    if (same != occurrences.end()) ++same->second;
                    const auto label = labelled.find(pair.target);
                    if (label != labelled.end()) ++label->second;
                    found.clear();
                    known.find(pair.source, found);
                    for (const std::size_t like : found) {
                      if (number == chosen.text && line == tried[like]) continue;
                      near[like] = true;
                      known.forget(like);
                    }
                  });
  }
  const auto lines_that = [&](const auto& suits) {
    auto suiting = std::make_shared<IndexedPairs::Lines>();
    auto left = labelled;
    for (std::size_t i = 0; i < tried.size() && std::ssize(*suiting) < wanted; ++i) {
      const auto& [source, label] = lines[i];
      if (source.empty() || !suits(i)) continue;
      if (!label.empty() && left[label]-- < kFewestOfLabel) continue;
      suiting->push_back(tried[i]);
    }
    if (suiting->size() < kFewest) suiting->clear();
    std::ranges::sort(*suiting);
    return suiting;
  };
  if (text.items() == nullptr) chosen.lines = lines_that([&](std::size_t i) { return !near[i]; });
  if (std::ssize(*chosen.lines) * kNearlyNone < wanted) {
    chosen.near = false;
    chosen.lines =
        lines_that([&](std::size_t i) { return occurrences.at(folded_hash(lines[i].source)) == 1; });
  }
  return chosen;
}

HoldOut choose_passage(std::span<const WeightedText> texts) {
  const std::size_t text = text_to_divide(texts);
  const std::int64_t lines = texts[text].pairs->lines();
  auto last = std::make_shared<IndexedPairs::Lines>();
  for (std::int64_t line = lines - held_out_lines(lines) + 1; line <= lines; ++line) last->push_back(line);
  return {.text = text, .lines = std::move(last)};
}

void warn_of_leaks(std::span<const WeightedText> texts, const IndexedPairs& validation, Listener& listener) {
  struct Known {
    std::int64_t line = 0, count = 0;  // in the validation text
    bool found = false;
  };
  std::unordered_map<std::uint64_t, Known> known;
  std::int64_t pairs = 0;
  for_each_pair(validation, listener, "reading ", [&](const PairView& pair, std::int64_t line) {
    if (is_blank(pair.source)) return;
    Known& one = known[folded_hash(pair.source)];
    if (one.count++ == 0) one.line = line;
    ++pairs;
  });
  std::int64_t leaked = 0;
  std::string first;
  for (const WeightedText& text : texts) {
    for_each_pair(*text.pairs, listener, "looking for lines of the validation text in ",
                  [&](const PairView& pair, std::int64_t line) {
                    const auto like = known.find(folded_hash(pair.source));
                    if (like == known.end() || like->second.found) return;
                    like->second.found = true;
                    leaked += like->second.count;
                    if (first.empty()) {
                      first =
                          concat("line ", like->second.line, " is line ", line, " of ", text.pairs->text());
                    }
                  });
  }
  if (leaked == 0) return;
  listener.warn(concat(validation.text(), ": ", leaked, " of ", counted(pairs, "source line"),
                       " are in the training text too (the first: ", first,
                       "), so that the validation measures memory as well; leave these lines out of one of "
                       "the two"));
}

}  // namespace gloss
