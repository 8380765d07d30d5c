// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/shortlist.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

class ShortlistFile : public testing::Test {
 protected:
  ShortlistFile() : words_(Subwords::from_bytes(cat_model(), "words")) {
    std::vector<std::vector<TokenId>> translations(index(words_.size()));
    translations[4] = {7, 3, 9};
    translations[5] = {3};
    translations.back() = {8};
    Shortlist({6, 3, 10}, translations).write(path(), words_, words_);
  }
  std::string path() const { return folder_ / "list"; }
  Shortlist read() const { return Shortlist::read(path(), words_, words_); }
  std::string message() const {
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory folder_;
  Subwords words_;
};

TEST_F(ShortlistFile, CandidatesAreTheBestOfEachTokenTheMostFrequentAndOthers) {
  const Shortlist list = read();
  const std::vector<TokenId> source{4, 5, words_.size() - 1};
  EXPECT_EQ(list.candidates(source, {}, {2}), (std::vector<TokenId>{2, 3, 6, 7, 8, 9, 10}));
  EXPECT_EQ(list.candidates(source, {"", 1, 1}, {2, 2}), (std::vector<TokenId>{2, 3, 6, 7, 8}));
  EXPECT_EQ(list.candidates(source, {"", 0, 0}, {2}), (std::vector<TokenId>{2}));
}

TEST_F(ShortlistFile, TruncatedFilesAndOtherVocabulariesAreRefused) {
  const std::string whole = folder_.read("list");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    folder_.write("list", whole.substr(0, size));
    EXPECT_NE(message().find(path()), std::string::npos) << size;
  }
  folder_.write("list", whole + "more");
  EXPECT_NE(message().find("damaged"), std::string::npos) << message();
  folder_.write("list", whole);
  EXPECT_EQ(message(), "");
  words_ = Subwords::from_bytes(cat_model(model_piece("dog", 0, 4)), "others");
  EXPECT_NE(message().find("another source vocabulary"), std::string::npos) << message();
}

TEST_F(ShortlistFile, RandomChangesNeverGiveTokensOutsideTheVocabulary) {
  const std::string whole = folder_.read("list");
  std::vector<TokenId> source;
  for (TokenId token = 0; token < words_.size(); ++token) source.push_back(token);
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    folder_.write("list", bytes);
    try {
      for (const TokenId token : read().candidates(source, {}, {})) {
        EXPECT_TRUE(token >= 0 && token < words_.size()) << token;
      }
    } catch (const InputError&) {
    }
  }
}

TEST_F(ShortlistFile, AbsurdSizesAreRefusedBeforeAllocation) {
  std::string bytes = folder_.read("list");
  const std::string members = "\"translations\":5";
  const std::size_t at = bytes.find(members);
  ASSERT_NE(at, std::string::npos) << bytes.substr(0, 300);
  folder_.write("list", bytes.replace(at, members.size(), "\"translations\":2147483000"));
  EXPECT_NE(message().find("expected 858993"), std::string::npos) << message();
}

}  // namespace
}  // namespace gloss
