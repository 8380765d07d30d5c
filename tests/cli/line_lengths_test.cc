// SPDX-License-Identifier: Apache-2.0
// The lengths of the lines that a model learned from, in the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/text.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

using nlohmann::json;

struct LineLengthsOfModels : TrainCommand {
  json config(const std::string& model) { return json::parse(folder.read(model + "/config.json")); }
  /// Removes a member of a JSON file, by its path.
  void remove_member(const std::string& file, const std::string& path) {
    json content = json::parse(folder.read(file));
    const json::json_pointer place(path);
    content.at(place.parent_pointer()).erase(place.back());
    folder.write(file, content.dump(1));
  }
  /// The number of pieces of each line of a file.
  std::vector<int> pieces(const std::string& file) {
    std::vector<int> counts;
    const ProgramResult encoded =
        gloss({"encode", "--tokenizer", folder / "run/best/tokenizer.model"}, folder.read(file));
    EXPECT_EQ(encoded.status, 0) << encoded.errors;
    for (const std::string& line : split(encoded.output, '\n')) {
      if (!line.empty()) counts.push_back(static_cast<int>(std::count(line.begin(), line.end(), ' ')) + 1);
    }
    return counts;
  }
  ProgramResult finetune(const std::string& from, const std::string& output) {
    return gloss({"finetune", "--model", folder / from, "--source", folder / "valid.en", "--target",
                  folder / "valid.de", "--max-updates", "1", "--output", folder / output});
  }
};

TEST_F(LineLengthsOfModels, AreThoseOfTheTrainingText) {
  ASSERT_EQ(train("run", {"--max-updates", "2", "-j", "1"}).status, 0);
  const json lengths = config("run/best").at("lengths");
  for (const auto& [side, file] : {std::pair("source", "train.en"), std::pair("target", "train.de")}) {
    std::vector<int> counts = pieces(file);
    ASSERT_EQ(counts.size(), 300u);
    std::sort(counts.begin(), counts.end());
    const json& found = lengths.at(side);
    EXPECT_EQ(found.at("lines"), 300);
    EXPECT_EQ(found.at("longest"), counts.back());
    EXPECT_EQ(found.at("percentile_99"), counts[296]);
    EXPECT_EQ(found.at("percentile_99_9"), counts.back());
    EXPECT_NEAR(found.at("mean").get<double>(), std::accumulate(counts.begin(), counts.end(), 0) / 300.0,
                0.005);
  }
  EXPECT_FALSE(lengths.contains("before"));
}

TEST_F(LineLengthsOfModels, OutliveAveragingAndQuantisationAndAreShown) {
  ASSERT_EQ(train("run", {"--max-updates", "4", "--valid-interval", "2"}).status, 0);
  ASSERT_EQ(gloss({"average", folder / "run", "--output", folder / "mean"}).status, 0);
  ASSERT_EQ(gloss({"quantize", "-m", folder / "mean", "--type", "int8", "--output", folder / "small"}).status,
            0);
  const json lengths = config("run/best").at("lengths");
  EXPECT_EQ(config("mean").at("lengths"), lengths);
  EXPECT_EQ(config("small").at("lengths"), lengths);
  const ProgramResult shown = gloss({"info", folder / "small", "--format", "json"});
  EXPECT_EQ(json::parse(shown.output).at("lengths"), lengths);
  const ProgramResult text = gloss({"info", folder / "small"});
  EXPECT_NE(text.output.find(concat("longest ", lengths["source"]["longest"].get<int>())), std::string::npos)
      << text.output;
}

TEST_F(LineLengthsOfModels, AreKeptByATrainingThatContinuesAndMayBeMissing) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  const json lengths = config("run/best").at("lengths");
  ASSERT_EQ(train("run", {"--max-updates", "4"}).status, 0);
  EXPECT_EQ(config("run/best").at("lengths"), lengths);
  // As an older version left it.
  for (const std::string checkpoint : {"run/checkpoint-000002", "run/checkpoint-000004"}) {
    remove_member(checkpoint + "/training.json", "/data/lengths");
    remove_member(checkpoint + "/config.json", "/lengths");
  }
  const ProgramResult continued = train("run", {"--max-updates", "6"});
  ASSERT_EQ(continued.status, 0) << continued.errors;
  EXPECT_FALSE(config("run/best").contains("lengths"));
  EXPECT_EQ(gloss({"translate", "-m", folder / "run"}, "one two\n").status, 0);
  ASSERT_EQ(finetune("run", "further").status, 0);
  EXPECT_EQ(config("further/best").at("lengths").at("before"), 0) << "unknown";
}

TEST_F(LineLengthsOfModels, OfAStartingModelCountTooAndThoseOfAPretrainedOneDoNot) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  ASSERT_EQ(finetune("run", "further").status, 0);
  const json first = config("run/best").at("lengths"), second = config("further/best").at("lengths");
  EXPECT_EQ(second.at("source").at("lines"), 20);
  EXPECT_EQ(second.at("before"), first.at("source").at("percentile_99_9"));
  ASSERT_EQ(gloss({"pretrain", "--objective", "denoise", "--input", folder / "train.en", "--vocab-size", "60",
                   "--width", "16", "--heads", "2", "--layers", "1", "--feed-forward-width", "32",
                   "--max-updates", "1", "--output", folder / "base"})
                .status,
            0);
  EXPECT_FALSE(config("base/best").contains("lengths"));
  ASSERT_EQ(finetune("base", "translation").status, 0);
  EXPECT_FALSE(config("translation/best").at("lengths").contains("before"));
}

TEST_F(LineLengthsOfModels, OfLongerLinesAreCountedOnceWithTheRemedy) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  const std::string usual = concat(config("run/best").at("lengths").at("source").at("longest").get<int>());
  const std::string many = "one two three four five six. one two three four. one two three";
  const auto translate = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{"translate", "-m",       folder / "run",   "--max-length",
                                   "3",         "--report", folder / "report"};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramResult result = gloss(words, concat("one two\n", many, "\n\n", many, "\n"));
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.errors;
  };
  const std::string whole = translate({});
  EXPECT_NE(whole.find(concat("up to ", usual, " tokens (--split")), std::string::npos) << whole;
  EXPECT_NE(whole.find("2 times on 2 lines"), std::string::npos) << whole;
  EXPECT_NE(whole.find("2 longer than"), std::string::npos) << whole;
  EXPECT_NE(folder.read("report").find("4\ttoo-long\t"), std::string::npos) << folder.read("report");
  const std::string split = translate({"--split"});
  EXPECT_EQ(split.find("too long"), std::string::npos) << split;
  EXPECT_EQ(folder.read("report").find("too-long"), std::string::npos) << folder.read("report");
}

TEST_F(LineLengthsOfModels, ThatAreDamagedAreAnErrorThatNamesThem) {
  ASSERT_EQ(train("run", {"--max-updates", "1"}).status, 0);
  json damaged = config("run/best");
  damaged["lengths"]["source"]["longest"] = "long";
  folder.write("run/best/config.json", damaged.dump());
  expect_failure(gloss({"info", folder / "run/best"}), 3, "lengths.source");
}

}  // namespace
}  // namespace gloss
