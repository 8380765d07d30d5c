// SPDX-License-Identifier: Apache-2.0
// Rules about lengths.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pipeline/cleaning/agreement.h"
#include "pipeline/cleaning/rule.h"

namespace gloss {
namespace {

/// The longer through the shorter of two lengths; 0 if both are 0.
double ratio_of(std::size_t a, std::size_t b) {
  const auto shorter = static_cast<double>(std::min(a, b)), longer = static_cast<double>(std::max(a, b));
  if (shorter > 0) return longer / shorter;
  return longer == 0 ? 0 : std::numeric_limits<double>::infinity();
}

double bytes(const SideText& side, const RuleSetup&, Side) { return static_cast<double>(side.bytes.size()); }
double characters(const SideText& side, const RuleSetup&, Side) { return static_cast<double>(side.size()); }
double visible(const SideText& side, const RuleSetup&, Side) {
  return static_cast<double>(side.size() - side.count(kSplits | kSpace | kControl | kFormat));
}
double words(const SideText& side, const RuleSetup&, Side) { return static_cast<double>(side.words.size()); }
double unicode_words(const SideText& side, const RuleSetup&, Side) {
  return static_cast<double>(side.pieces(kSpace).size());
}
/// Spaces as hardrules counts them: U+0020 and U+00A0.
double spaces(const SideText& side, const RuleSetup& setup, Side which) {
  if (has_no_spaces(setup.language(which))) return static_cast<double>(side.size()) - 1;
  return static_cast<double>(
      std::ranges::count_if(side.characters, [](char32_t c) { return c == U' ' || c == 0xA0; }));
}
double longest_word(const SideText& side, const RuleSetup&, Side) {
  return static_cast<double>(SideText::longest(side.words));
}
double longest_unicode_word(const SideText& side, const RuleSetup&, Side) {
  return static_cast<double>(SideText::longest(side.pieces(kSpace)));
}
double longest_run(const SideText& side, const RuleSetup&, Side) {
  std::size_t most = 0, run = 0;
  for (const char32_t c : side.characters) {
    run = c == U' ' ? 0 : run + 1;
    most = std::max(most, run);
  }
  return static_cast<double>(most);
}
double longest_letters(const SideText& side, const RuleSetup&, Side) {
  std::size_t most = 0, run = 0;
  for (std::size_t i = 0; i < side.size(); ++i) {
    run = side.has(i, kLetter | kMark) ? run + 1 : 0;
    most = std::max(most, run);
  }
  return static_cast<double>(most);
}
double mean_word(const SideText& side, const RuleSetup&, Side) {
  if (side.words.empty()) return 0;
  std::size_t all = 0;
  for (const TextPart& word : side.words) all += word.size();
  return static_cast<double>(all) / static_cast<double>(side.words.size());
}

double word_ratio(const PairText& pair, const RuleSetup&) {
  return ratio_of(pair.source.words.size(), pair.target.words.size());
}
double unicode_word_ratio(const PairText& pair, const RuleSetup&) {
  return ratio_of(pair.source.pieces(kSpace).size(), pair.target.pieces(kSpace).size());
}
double character_ratio(const PairText& pair, const RuleSetup&) {
  return ratio_of(pair.source.size(), pair.target.size());
}
double byte_ratio(const PairText& pair, const RuleSetup&) {
  return ratio_of(pair.source.bytes.size(), pair.target.bytes.size());
}
double source_ratio(const PairText& pair, const RuleSetup&) {
  const auto source = static_cast<double>(pair.source.words.size()),
             target = static_cast<double>(pair.target.words.size());
  return target > 0 ? source / target : std::numeric_limits<double>::infinity();
}
double padded_ratio(const PairText& pair, const RuleSetup&) {
  return padded_length_ratio(pair.source.size(), pair.target.size());
}
double logarithm_ratio(const PairText& pair, const RuleSetup&) {
  const auto source = static_cast<double>(pair.source.words.size()),
             target = static_cast<double>(pair.target.words.size());
  const double longer = std::log10(std::max(source, target) + 1);
  return longer > 0 ? std::log10(std::min(source, target) + 1) / longer : 0;
}
/// hardrules compares bytes where a side is Chinese, Japanese or Korean, and characters elsewhere.
double length_ratio(const PairText& pair, const RuleSetup& setup) {
  for (const Side side : {Side::source, Side::target}) {
    if (has_no_spaces(setup.language(side))) return byte_ratio(pair, setup);
  }
  return ratio_of(pair.source.size(), pair.target.size());
}

}  // namespace

std::span<const Rule> length_rules() {
  constexpr const char* kOpus = "OpusFilter LengthFilter";
  static const auto table = std::to_array<Rule>({
      {"visible_characters",
       "characters but white space, control and format characters",
       "",
       {.at_least = 1},
       visible},
      {"bytes", "bytes of UTF-8", "", {.at_most = 4000}, bytes},
      {"characters", "code points", kOpus, {.at_least = 1, .at_most = 1000}, characters},
      {"words",
       "pieces between white space as Python splits them",
       kOpus,
       {.at_least = 1, .at_most = 200},
       words},
      {"unicode_words",
       "pieces between Unicode's white space, as Perl splits them",
       "Moses clean-corpus-n.perl:122",
       {.at_least = 1, .at_most = 80},
       unicode_words},
      {"spaces",
       "U+0020 and U+00A0; of zh, ja and ko characters less one",
       "hardrules not_too_short",
       {.at_least = 2},
       spaces},
      {"word_ratio",
       "words of the longer side / those of the shorter one",
       "OpusFilter LengthRatioFilter",
       {.below = 3},
       nullptr,
       word_ratio},
      {"unicode_word_ratio",
       "the same of unicode_words",
       "Moses clean-corpus-n.perl:126",
       {.at_most = 9},
       nullptr,
       unicode_word_ratio},
      {"source_ratio",
       "words of the source / words of the target",
       "OpusCleaner src_trg_ratio",
       {.at_least = 0.6, .at_most = 1 / 0.6},
       nullptr,
       source_ratio},
      {"logarithm_ratio",
       "log10(words + 1) of the shorter side / that of the longer one",
       "OpusCleaner src_trg_ratio --log",
       {.at_least = 0.6},
       nullptr,
       logarithm_ratio},
      {"character_ratio",
       "characters of the longer side / those of the shorter one",
       "OpusFilter LengthRatioFilter",
       {.below = 3},
       nullptr,
       character_ratio},
      {"padded_ratio",
       "the same with 12 characters added to both sides",
       "",
       {.at_most = 1.9},
       nullptr,
       padded_ratio},
      {"byte_ratio",
       "bytes of the longer side / those of the shorter one",
       "",
       {.below = 4},
       nullptr,
       byte_ratio},
      {"length_ratio",
       "byte_ratio if a side is zh, ja or ko, else character_ratio",
       "hardrules length_ratio",
       {.at_most = 3},
       nullptr,
       length_ratio},
      {"longest_word",
       "characters of the longest word",
       "OpusFilter LongWordFilter",
       {.below = 40},
       longest_word},
      {"longest_unicode_word",
       "characters of the longest of unicode_words",
       "Moses clean-corpus-n.perl:130",
       {.at_most = 1000},
       longest_unicode_word},
      {"longest_run",
       "characters of the longest piece between U+0020",
       "OpusCleaner max_word_length",
       {.at_most = 150},
       longest_run},
      {"longest_letters", "letters of the longest run of letters", "", {.at_most = 40}, longest_letters},
      {"mean_word",
       "mean length of the words in characters",
       "OpusFilter AverageWordLengthFilter",
       {.at_least = 2, .at_most = 20},
       mean_word},
  });
  return table;
}

}  // namespace gloss
