// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/pair_languages.h"

#include <gtest/gtest.h>

#include <map>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

TEST(PairLanguages, FindsTheSideThatIsWrong) {
  const auto identifier = built_in_identifier({});
  const std::string english = "The weather in the mountains changes quickly.",
                    german = "Das Wetter in den Bergen ändert sich schnell.",
                    french = "Le temps change vite à la montagne.";
  const auto languages = [&](const std::string& source, const std::string& target) {
    return pair_languages(*identifier, source, target, "en", "deu_Latn");
  };
  EXPECT_EQ(languages(english, german), PairLanguages::right);
  EXPECT_EQ(languages(german, english), PairLanguages::swapped);
  EXPECT_EQ(languages(french, german), PairLanguages::wrong_source);
  EXPECT_EQ(languages(english, french), PairLanguages::wrong_target);
  EXPECT_EQ(languages(english, english), PairLanguages::wrong_target);
  EXPECT_EQ(languages(french, french), PairLanguages::wrong);
  EXPECT_EQ(languages("12", "12"), PairLanguages::right) << "no language";
  EXPECT_EQ(languages("Hotel", "Hotel"), PairLanguages::right) << "too short to tell";
}

TEST(PairLanguages, FindsTheLabelledPairs) {
  GLOSS_NEED_SHARED_DATA(data, "corpus_cleaning");
  const auto identifier = built_in_identifier({});
  const std::vector<std::string> english = split(read_file(*data + "/messy.en"), '\n'),
                                 german = split(read_file(*data + "/messy.de"), '\n'),
                                 labels = split(read_file(*data + "/messy.labels.tsv"), '\n');
  std::map<std::string, std::pair<int, int>> kinds;  // not right, and all
  for (std::size_t i = 1; i < labels.size() && !labels[i].empty(); ++i) {
    auto& [found, all] = kinds[split(labels[i], '\t').at(1)];
    found +=
        pair_languages(*identifier, english.at(i - 1), german.at(i - 1), "en", "de") != PairLanguages::right;
    ++all;
  }
  const auto share = [&](const std::string& kind) { return 1.0 * kinds[kind].first / kinds[kind].second; };
  EXPECT_GE(share("wrong_language"), 0.98);
  EXPECT_GE(share("swapped"), 0.98);
  EXPECT_LE(share("clean"), 0.005);
}

}  // namespace
}  // namespace gloss
