// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/translation_report.h"

#include "base/text.h"

namespace gloss {

const char* const kReportFormat =
    "--report FILE: LINE<tab>KIND<tab>FIGURE for each reason to look at a translation,\n"
    "in order. LINE counts from 1 in the whole input; in documents it is the one at\n"
    "which the text begins. KIND and FIGURE:\n"
    "  cut                the source tokens that were left out (--max-source-tokens)\n"
    "  too-long           the tokens of the longest sentence, if 99.9 % of the lines\n"
    "                     that the model learned from are not that long\n"
    "  several-sentences  the sentences that were translated as one, without --split\n"
    "  unknown            the pieces of the source that the model does not know\n"
    "  repeats            how often the translation repeats a phrase in a row, from 4\n"
    "  copy               the words of the sentences that are their own translation, if\n"
    "                     a sentence has four words or more and is no mere name\n";

void write_report(std::int64_t line, std::span<const Shortcoming> shortcomings, Output& output) {
  for (const auto& [kind, figure] : shortcomings) {
    output.line(concat(line, "\t", name_of(kind), "\t", figure));
  }
}

}  // namespace gloss
