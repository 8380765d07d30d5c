// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "pipeline/alignment/shortlist.h"
#include "tests/support/foreign_bytes.h"
#include "tests/support/has.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

struct MarianShortlist : testing::Test {
  /// A binary shortlist in which each source token has the translations `of`.
  std::string binary(std::uint64_t first, const std::vector<std::uint32_t>& of) const {
    const auto size = static_cast<std::uint64_t>(words.size());
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> all;
    for (std::uint64_t token = 0; token <= size; ++token) {
      offsets.push_back(all.size());
      if (token < size) all.insert(all.end(), of.begin(), of.end());
    }
    return little_endian<std::uint64_t>({0xF11A48D5013417F5, 0, first, of.size(), size + 1, all.size()}) +
           little_endian(offsets) + little_endian(all);
  }
  std::vector<TokenId> candidates(const std::string& bytes, const std::vector<TokenId>& source,
                                  const ShortlistSettings& settings) const {
    const std::string path = folder.write("list", bytes);
    return Shortlist::read(path, words, words, settings.shortlist_threshold)
        .candidates(source, settings, {words.end_id()});
  }
  std::string problem(const std::string& bytes, double threshold = 0) const {
    try {
      Shortlist::read(folder.write("list", bytes), words, words, threshold);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory folder;
  Subwords words = Subwords::from_bytes(cat_model(), "cat");
};

TEST_F(MarianShortlist, BinaryListsAllowFirstTranslatedAndSourceTokens) {
  const std::vector<TokenId> found = candidates(binary(5, {9, 12}), {7}, {});
  // 0 to 4 first, 7 the source, 9 and 12 translations: eight.
  EXPECT_EQ(found, (std::vector<TokenId>{0, 1, 2, 3, 4, 7, 9, 12}));
}

TEST_F(MarianShortlist, NextTokensFillUpToAMultipleOfEight) {
  EXPECT_EQ(candidates(binary(6, {9, 12}), {14}, {}),
            (std::vector<TokenId>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST_F(MarianShortlist, TextHasTheMostProbableTranslations) {
  const std::string text = "▁mat ▁cat 0.2\n▁sat\t▁cat\t0.5\n▁the ▁cat 0.1\nNULL ▁cat 0.9\n▁on ▁the 0.9\n\n";
  const auto id = [&](const std::string& piece) {
    for (int i = 0; i < words.size(); ++i) {
      if (words.piece(i) == piece) return i;
    }
    return -1;
  };
  const auto allows = [&](const ShortlistSettings& settings, const std::string& piece) {
    return std::ranges::count(candidates(text, {id("▁cat")}, settings), id(piece)) == 1;
  };
  ShortlistSettings settings{.shortlist = "list", .shortlist_first = 3, .shortlist_best = 1};
  EXPECT_TRUE(allows(settings, "▁sat"));
  EXPECT_TRUE(allows(settings, "▁cat"));
  EXPECT_FALSE(allows(settings, "▁on"));
  settings.shortlist_best = 3;
  EXPECT_TRUE(allows(settings, "▁mat"));
  settings.shortlist_threshold = 0.3;
  EXPECT_FALSE(allows(settings, "▁mat"));
  EXPECT_TRUE(allows(settings, "▁sat"));
}

TEST_F(MarianShortlist, RefusesDamage) {
  const std::string good = binary(5, {9, 12});
  EXPECT_EQ(problem(good), "");
  EXPECT_TRUE(has(problem(good.substr(0, good.size() - 1)), "truncated"));
  EXPECT_TRUE(has(problem(good.substr(0, 40)), "truncated"));
  EXPECT_TRUE(has(problem(binary(5, {9, 99})), "99"));
  EXPECT_TRUE(has(problem(binary(100, {9})), "100"));
  std::string offsets = good;
  offsets[32] = 3;  // number of offsets
  EXPECT_TRUE(has(problem(offsets), "3 offsets"));
  offsets = good;
  offsets[7 * 8 + 7] = '\x7f';  // the end of the first list
  EXPECT_TRUE(has(problem(offsets), "translations of source token 0"));
  std::string count = good;
  count[5 * 8 + 7] = '\x7f';
  EXPECT_TRUE(has(problem(count), "claims"));
  EXPECT_TRUE(has(problem(good, 0.1), "--shortlist-threshold"));
  EXPECT_TRUE(has(problem("▁mat ▁cat 0.2\n▁mat ▁cat\n"), "list:2"));
  EXPECT_TRUE(has(problem("▁mat ▁cat nan\n"), "list:1"));
  EXPECT_TRUE(has(problem(""), "no entries"));
}

TEST_F(MarianShortlist, TextOfAnotherModelIsAnError) {
  const std::string known = "▁mat ▁cat 0.2\n▁sat ▁cat 0.5\n▁on ▁the 0.9\n";
  EXPECT_EQ(problem(known + "☃ ▁cat 0.1\n"), "") << "a rare character";
  const std::string other = problem(known + "Schnee ▁cat 0.1\nKatze ▁the 0.1\n");
  EXPECT_TRUE(has(other, "list: 2 of 5 lines")) << other;
}

}  // namespace
}  // namespace gloss
