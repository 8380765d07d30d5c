// SPDX-License-Identifier: Apache-2.0
// The presets make the decisions that the real programs made on a noisy corpus, line by line, and the default
// finds the noise of its labels.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/cleaning/cleaner.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

using Strings = std::vector<std::string>;

Strings lines_in(const std::string& path) {
  Strings lines;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The rows of a table without its header.
std::vector<Strings> rows_in(const std::string& path) {
  std::vector<Strings> rows;
  const Strings lines = lines_in(path);
  for (std::size_t i = 1; i < lines.size(); ++i) rows.push_back(split(lines[i], '\t'));
  return rows;
}

/// What a plan made of a pair.
struct Cleaned {
  Verdict verdict;
  std::string reason, source, target;
};

struct CleaningFixtures : testing::Test {
  /// False if the data is missing.
  bool has_data() {
    const std::optional<std::string> found = shared_data("corpus_cleaning");
    if (!found) return false;
    folder = *found;
    source = lines_in(folder + "/messy.en");
    target = lines_in(folder + "/messy.de");
    return true;
  }
  /// All pairs, cleaned; the values are those of all checks.
  std::vector<Cleaned> clean_all(CleaningPlan plan) {
    const Cleaner cleaner(std::move(plan), {"en", "de"});
    names = cleaner.value_names(false);
    std::vector<Cleaned> all;
    for (std::size_t i = 0; i < source.size(); ++i) {
      PairRecord record{source[i], target[i]};
      Verdict verdict = cleaner.clean(record, false, /*all_values=*/true);
      const std::string reason(cleaner.reason(verdict));
      all.push_back({std::move(verdict), reason, record.source, record.target});
    }
    return all;
  }
  /// The values of a rule in a verdict.
  std::vector<double> values(const Cleaned& cleaned, const std::string& rule) const {
    std::vector<double> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == rule || names[i].starts_with(rule + " (")) found.push_back(cleaned.verdict.values[i]);
    }
    return found;
  }
  std::string folder;
  Strings source, target, names;
};

#define GLOSS_NEED_FIXTURES() \
  if (!has_data())            \
  GTEST_SKIP() << "SKIPPED: reference data corpus_cleaning is missing; set GLOSS_SHARED_DATA to its folder"

TEST_F(CleaningFixtures, MosesKeepsAndChangesTheSameLines) {
  GLOSS_NEED_FIXTURES();
  const std::vector<Cleaned> all = clean_all(cleaning_preset_named("moses").plan());
  Strings kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].reason.empty()) kept.push_back(std::to_string(i + 1));
  }
  EXPECT_EQ(kept, lines_in(folder + "/decisions/moses.kept"));
  std::map<std::string, Strings> changed;
  for (const std::string& line : lines_in(folder + "/decisions/moses.changed.tsv")) {
    const Strings row = split(line, '\t');
    changed[row[0]] = {row[1], row[2]};
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].reason.empty()) continue;
    const auto found = changed.find(std::to_string(i + 1));
    const Strings wanted =
        found == changed.end() ? Strings{valid_utf8(source[i]), valid_utf8(target[i])} : found->second;
    EXPECT_EQ((Strings{all[i].source, all[i].target}), wanted) << "line " << i + 1;
  }
}

TEST_F(CleaningFixtures, OpusFilterHasTheSameScoresAndDecisions) {
  GLOSS_NEED_FIXTURES();
  const Strings rules{"words",
                      "characters",
                      "word_ratio",
                      "character_ratio",
                      "longest_word",
                      "mean_word",
                      "opening_tags",
                      "unwanted_characters",
                      "alphabetic_share",
                      "visible_alphabetic_share",
                      "script_share",
                      "terminal_punctuation",
                      "digit_similarity",
                      "common_substring",
                      "similarity",
                      "word_similarity",
                      "repetitions"};
  const Bounds words{.at_least = 1, .at_most = 100}, visible{.at_least = 0.75};
  CleaningPlan plan{{&repair_named("trailing_space")}, {}};
  for (const std::string& name : rules) {
    const Rule& rule = rule_named(name);
    plan.checks.push_back({&rule, name == "words"                      ? words
                                  : name == "visible_alphabetic_share" ? visible
                                                                       : rule.bounds});
  }
  const std::vector<Cleaned> all = clean_all(plan);
  const std::vector<Strings> rows = rows_in(folder + "/decisions/opusfilter.tsv");
  ASSERT_EQ(rows.size(), all.size());
  int other_substrings = 0, kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rules.size(); ++j) {
      std::vector<double> found = values(all[i], rules[j]);
      bool accepted = true;
      for (const double value : found) accepted &= plan.checks[j].bounds.hold(value);
      const bool long_text = all[i].target.size() >= 200;  // of which difflib ignores frequent characters
      std::vector<double> wanted;
      for (const std::string& number : split(rows[i][2 + j], ' ')) wanted.push_back(std::stod(number));
      if (rules[j] == "unwanted_characters") {
        for (double& value : found) value = value > 0 ? 1 : 0;
      }
      if (wanted.size() == 1 && found.size() == 2) found = {std::max(found[0], found[1])};
      ASSERT_EQ(found.size(), wanted.size()) << rules[j];
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (rules[j] == "common_substring" && long_text) {
          EXPECT_GE(found[k], wanted[k] - 1e-6) << "line " << i + 1;
          other_substrings += std::abs(found[k] - wanted[k]) > 1e-6 ? 1 : 0;
          accepted = rows[i][1][j] == '1';
        } else if (found[k] != wanted[k]) {
          EXPECT_NEAR(found[k], wanted[k], 1e-6 * std::max(1.0, std::abs(wanted[k])))
              << "line " << i + 1 << ' ' << rules[j];
        }
      }
      EXPECT_EQ(accepted, rows[i][1][j] == '1') << "line " << i + 1 << ": " << rules[j];
    }
  }
  EXPECT_GT(other_substrings, 0);
  for (const Cleaned& cleaned : clean_all(cleaning_preset_named("opusfilter").plan()))
    kept += cleaned.reason.empty() ? 1 : 0;
  EXPECT_GT(kept, 3000);
}

TEST_F(CleaningFixtures, OpusCleanerKeepsTheSameLines) {
  GLOSS_NEED_FIXTURES();
  const std::vector<Strings> rows = rows_in(folder + "/decisions/opuscleaner.keep.tsv");
  // The columns of the defaults, and the rules for them.
  const std::vector<std::pair<std::size_t, Strings>> columns{{1, {"words"}},
                                                             {2, {"words"}},
                                                             {3, {"longest_run"}},
                                                             {4, {"source_ratio"}},
                                                             {6, {"language_words", "language_letters"}},
                                                             {8, {"number_agreement"}},
                                                             {9, {"url_mismatch"}},
                                                             {10, {"currency_difference"}}};
  const CleaningPlan plan = cleaning_preset_named("opuscleaner").plan();
  const std::vector<Cleaned> all = clean_all(plan);
  ASSERT_EQ(rows.size(), all.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool keep = true;
    for (const auto& [column, rules] : columns) {
      const std::string& decision = rows[i][column];
      keep &= decision != "0" && decision != "-";
      if (decision == "-") continue;  // the original ends with an exception
      bool kept = true;
      for (const Check& check : plan.checks) {
        for (const std::string& rule : rules) {
          for (const double value : values(all[i], rule)) {
            const bool empty_only = column == 1;  // remove_empty_lines
            if (check.rule->name == rule) kept &= empty_only ? value >= 1 : check.bounds.hold(value);
          }
        }
      }
      EXPECT_EQ(kept, decision == "1") << "line " << i + 1 << ", column " << column;
    }
    EXPECT_EQ(all[i].reason.empty(), keep) << "line " << i + 1 << ": " << all[i].reason;
  }
}

TEST_F(CleaningFixtures, HardrulesRejectsTheSameLinesForTheSameReasons) {
  GLOSS_NEED_FIXTURES();
  static const std::map<std::string, Strings> reasons{{"characters", {"no_empty", "not_too_long"}},
                                                      {"spaces", {"not_too_short"}},
                                                      {"length_ratio", {"length_ratio"}},
                                                      {"identical_letters", {"no_identical"}},
                                                      {"literals", {"no_literals"}},
                                                      {"letter_share", {"no_only_symbols"}},
                                                      {"digit_share", {"no_only_numbers"}},
                                                      {"breadcrumbs", {"no_breadcrumbs"}},
                                                      {"glued_words", {"no_glued_words"}},
                                                      {"repeated_phrases", {"no_repeated_words"}},
                                                      {"latin1_run", {"no_unicode_noise"}},
                                                      {"space_noise", {"no_space_noise"}},
                                                      {"brackets", {"no_paren"}},
                                                      {"escaped_characters", {"no_escaped_unicode"}},
                                                      {"encoding_marks", {"no_bad_encoding"}},
                                                      {"titles", {"no_titles"}}};
  std::map<std::size_t, std::string> wanted;
  for (const Strings& row : rows_in(folder + "/decisions/hardrules.tsv")) wanted[std::stoul(row[0])] = row[1];
  const std::vector<Cleaned> all = clean_all(cleaning_preset_named("hardrules").plan());
  const std::array sides{"(left,right)", "(left)", "(right)"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string rule = wanted.contains(i + 1) ? wanted[i + 1] : "keep";
    if (all[i].reason.empty()) {
      EXPECT_EQ(rule, "keep") << "line " << i + 1;
      continue;
    }
    bool same = false;
    for (const std::string& name : reasons.at(all[i].reason)) {
      same |= rule == name + sides[static_cast<std::size_t>(all[i].verdict.side + 1)];
    }
    EXPECT_TRUE(same) << "line " << i + 1 << ": " << all[i].reason << " for " << rule;
  }
}

TEST_F(CleaningFixtures, TheDefaultKeepsCleanPairsAndHandlesNoise) {
  GLOSS_NEED_FIXTURES();
  const std::set<std::string> of_several_pairs{"exact_duplicate", "near_duplicate", "misaligned"};
  std::map<std::size_t, Strings> gold;
  for (const std::string& line : lines_in(folder + "/messy.gold.tsv")) {
    const Strings row = split(line, '\t');
    gold[std::stoul(row[0])] = {row[1], row[2]};
  }
  const std::vector<Cleaned> all = clean_all(cleaning_preset_named("default").plan());
  std::map<std::string, std::array<int, 2>> handled;  // by kind: handled, all
  int keep = 0, kept = 0, bad = 0, good = 0;
  for (const Strings& row : rows_in(folder + "/messy.labels.tsv")) {
    const std::size_t line = std::stoul(row[0]);
    const Cleaned& cleaned = all[line - 1];
    if (row[4] == "keep") {
      ++keep;
      kept += cleaned.reason.empty() ? 1 : 0;
    }
    if ((row[4] != "drop" && row[4] != "fix") || of_several_pairs.contains(row[1])) continue;
    const auto original = gold.find(line);
    const bool repaired =
        original != gold.end() && original->second == Strings{cleaned.source, cleaned.target};
    const bool swapped = row[1] == "swapped" && (cleaned.verdict.repairs >> 10 & 1) != 0;
    const bool is_handled = !cleaned.reason.empty() || repaired || swapped;
    ++bad;
    good += is_handled ? 1 : 0;
    handled[row[1]][0] += is_handled ? 1 : 0;
    ++handled[row[1]][1];
  }
  EXPECT_GE(kept, 0.98 * keep) << kept << " of " << keep;
  EXPECT_GE(good, 0.948 * bad) << good << " of " << bad;
  for (const auto& [kind, counts] : handled) {
    if (std::getenv("GLOSS_SHOW_KINDS") != nullptr)
      std::printf("%-16s %3d of %3d\n", kind.c_str(), counts[0], counts[1]);
  }
}

}  // namespace
}  // namespace gloss
