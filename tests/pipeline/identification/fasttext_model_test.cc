// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/fasttext_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/text.h"
#include "tests/support/fasttext_file.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& path) {
  Lines lines = split(read_file(path), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

/// Compares predictions with lines of fastText: labels and probabilities in turn.
void expect_predictions(const std::string& model_path, const Lines& lines, const Lines& expected) {
  const FastTextModel model(model_path);
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::istringstream fields(expected[i]);
    std::size_t found = 0;
    const auto predictions = model.predict(lines[i], 3);
    for (std::string label, probability; fields >> label >> probability; ++found) {
      ASSERT_LT(found, predictions.size()) << lines[i];
      EXPECT_EQ("__label__" + model.labels()[index(predictions[found].label)], label) << lines[i];
      // Six digits are printed.
      EXPECT_NEAR(std::exp(predictions[found].log_probability), std::stod(probability), 1e-5) << lines[i];
    }
    EXPECT_EQ(found, predictions.size()) << lines[i];
  }
}

TEST(FastTextModel, PredictsAsRecorded) {
  GLOSS_NEED_SHARED_DATA(data, "interchange/fasttext");
  const Lines lines = lines_of(*data + "/lines.txt");
  for (const std::string name : {"lid.bin", "lid.ftz", "lid-hs.bin", "lid-hs.ftz", "words.bin", "words.ftz",
                                 "words-ns.bin", "many-labels.bin", "many-labels.ftz"}) {
    SCOPED_TRACE(name);
    expect_predictions(*data + "/" + name, lines, lines_of(*data + "/" + name + ".top3.txt"));
  }
}

TEST(FastTextModel, TheWordForTheEndEndsALine) {
  GLOSS_NEED_SHARED_DATA(data, "interchange/fasttext");
  const Lines rows = lines_of(*data + "/lines-eos.lid.bin.top3.txt");
  // fastText reads the rest of the second line as a line of its own: rows 1 and 3.
  expect_predictions(*data + "/lid.bin", {"</s>", "The dog </s> runs", "The dog"},
                     {rows[0], rows[2], rows[2]});
}

/// The message with which a file is refused; empty: it is read and used.
std::string refusal(const std::string& bytes) {
  try {
    FastTextModel({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "x.bin")
        .predict("ab b", 2);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const FastTextFile& file, const std::vector<std::string>& parts) {
  const std::string message = refusal(file.bytes());
  for (const std::string& part : {std::string("x.bin")})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << part << ": " << message;
}

TEST(FastTextModel, ReadsAWrittenFile) {
  const std::string bytes = FastTextFile().bytes();
  EXPECT_EQ(refusal(bytes), "");
  const FastTextModel model({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "x.bin");
  EXPECT_EQ(model.labels(), (Lines{"en", "de"}));
  // All vectors are (0.5, 0.5): the products are 1 and 0.5.
  const auto best = model.predict("any", 1);
  EXPECT_NEAR(std::exp(best.at(0).log_probability), 1 / (1 + std::exp(-0.5)), 2e-5);
}

TEST(FastTextModel, RefusesEveryTruncation) {
  const std::string bytes = FastTextFile().bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(bytes.substr(0, size)).find("x.bin"), std::string::npos) << size;
  }
}

TEST(FastTextModel, RefusesImpossibleFigures) {
  expect_refused({.magic = 5}, {"5", "793712314"});
  expect_refused({.version = 13}, {"13", "11 or 12"});
  expect_refused({.dimension = 1 << 30}, {"1073741824"});
  expect_refused({.loss = 5}, {"loss", "5"});
  expect_refused({.kind = 1}, {"supervised"});
  expect_refused({.buckets = 0}, {"0 buckets"});
  expect_refused({.longest = 1 << 20}, {"1048576"});
  expect_refused({.entries = INT32_MAX, .words = INT32_MAX - 2}, {"2147483647"});
  expect_refused({.words = 3, .labels = 0}, {"labels"});
  expect_refused({.pairs = std::int64_t{1} << 60}, {"1152921504606846976"});
  expect_refused({.rows = std::int64_t{1} << 62}, {"4611686018427387904"});
  expect_refused({.rows = -1}, {"-1"});
  expect_refused({.columns = 3}, {"3"});
  expect_refused({.weight = NAN}, {"finite"});
  expect_refused({.weight = INFINITY}, {"finite"});
  expect_refused({.loss = 1, .label_count = -1}, {"-1"});
  expect_refused({.second_label = "__label__en"}, {"twice", "__label__en"});
  expect_refused({.label_type = 0}, {"type", "0"});
}

// Bytes changed one by one are refused or used, without reading outside of the file.
TEST(FastTextModel, SurvivesDamage) {
  GLOSS_NEED_SHARED_DATA(data, "interchange/fasttext");
  for (const std::string name : {"lid.ftz", "many-labels.ftz", "lid-hs.bin"}) {
    const std::string bytes = read_file(*data + "/" + name);
    for (std::size_t place = 0; place < bytes.size(); place += place < 200 ? 1 : 997) {
      std::string damaged = bytes;
      damaged[place] = static_cast<char>(~damaged[place]);
      refusal(damaged);
      refusal(bytes.substr(0, place));
    }
  }
}

}  // namespace
}  // namespace gloss
