// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/shortcomings.h"

#include <array>

#include "base/text.h"

namespace gloss {
namespace {

using Kind = Shortcoming::Kind;

constexpr std::array<const char*, Shortcoming::kKinds> kNames{"cut",     "too-long", "several-sentences",
                                                              "unknown", "repeats",  "copy"};

/// The text of the warning about a kind; empty: others speak of it.
std::string warning_of(Kind kind, const UsualLines& usual) {
  switch (kind) {
    case Kind::too_long:
      return concat(usual.split ? "a sentence" : "the line",
                    " is longer than 99.9 % of the lines that the model learned from, which have up to ",
                    usual.length, " tokens (",
                    usual.split ? concat("--max-source-tokens ", usual.length, " divides it")
                                : "--split translates sentence by sentence",
                    ")");
    case Kind::several_sentences:
      return "the line has several sentences, which are translated as one (--split translates each "
             "separately)";
    case Kind::repeats:
      return "the translation repeats a phrase four times or more in a row (--no-repeat-ngram)";
    case Kind::copy:
      return "the translation is a copy of the text (is it in the source language of the model?)";
    case Kind::cut:
    case Kind::unknown:
      break;
  }
  return "";
}

}  // namespace

const char* name_of(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::vector<Shortcoming> shortcomings(const TranslatedLine& line, const UsualLines& usual) {
  std::vector<Shortcoming> found;
  const auto add = [&](Kind kind, std::int64_t figure) {
    if (figure > 0) found.push_back({kind, figure});
  };
  add(Kind::cut, line.left_out);
  add(Kind::too_long, usual.length > 0 && line.longest > usual.length ? line.longest : 0);
  add(Kind::several_sentences, line.sentences > 1 ? line.sentences : 0);
  add(Kind::unknown, line.unknown);
  add(Kind::repeats, line.translations.front().repeats);
  add(Kind::copy, line.copied);
  return found;
}

std::vector<Shortcoming> count_shortcomings(const TranslatedLine& line, const UsualLines& usual,
                                            StreamReport& report) {
  std::vector<Shortcoming> found = shortcomings(line, usual);
  for (const Shortcoming& shortcoming : found) {
    const std::string warning = warning_of(shortcoming.kind, usual);
    if (!warning.empty()) report.count(warning);
  }
  const Translation& best = line.translations.front();
  if (best.cut == Cut::by_length) {
    report.count(
        "the length limit ended the translation (--max-length, of texts also --max-length-factor; against "
        "repetition: "
        "--no-repeat-ngram)");
  }
  if (best.cut == Cut::by_rules) {
    report.count(
        "the rules allow no token to continue the translation (--no-repeat-ngram, --ban, --lexicon)");
  }
  report.count("the translation lacks a required term", best.missing);
  return found;
}

}  // namespace gloss
