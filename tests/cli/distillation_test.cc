// SPDX-License-Identifier: Apache-2.0
// gloss train --teacher through the real binary, and the presets of students.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/lines.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct Distillation : TrainCommand {
  std::vector<std::string> taught(std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"--teacher", folder / "teacher", "--tokenizer", folder / "teacher/best/tokenizer.model"});
    return more;
  }
  nlohmann::json last_report(const std::string& run) {
    return nlohmann::json::parse(read_lines(folder / (run + "/train.log.jsonl")).back());
  }
};

TEST_F(Distillation, StudentsFollowTheirTeacher) {
  ASSERT_EQ(train("teacher", {"--max-updates", "60"}).status, 0);
  const ProgramResult result = train("student", taught());
  ASSERT_EQ(result.status, 0) << result.errors;
  ASSERT_EQ(train("alone", {"--tokenizer", folder / "teacher/best/tokenizer.model"}).status, 0);
  EXPECT_NE(read_file(folder / "student/best/model.safetensors"),
            read_file(folder / "alone/best/model.safetensors"));
  // Two teachers, only their probabilities.
  ASSERT_EQ(train("student2", taught({"--teacher", folder / "alone", "--distillation-weight", "1",
                                      "--distillation-top", "4", "--label-smoothing", "0"}))
                .status,
            0);
  const nlohmann::json settings = nlohmann::json::parse(folder.read("student2/best/config.json"))["training"];
  EXPECT_EQ(settings["teacher_sums"].size(), 2u);
  EXPECT_EQ(settings["distillation_weight"], 1);
  EXPECT_NE(last_report("student2")["loss"], last_report("student2")["cross_entropy"]);
}

TEST_F(Distillation, GivesTheSameBytesInPartsAndOnAnyThreads) {
  ASSERT_EQ(train("teacher").status, 0);
  expect_parts_as_whole(
      [&](const std::string& output, const std::vector<std::string>& more) { return train(output, more); },
      taught({"--gradient-shards", "2", "--bpe-dropout", "0.1"}), {"4", "9"});
}

TEST_F(Distillation, ContinuesWithTheSameTeachersOnly) {
  ASSERT_EQ(train("teacher").status, 0);
  ASSERT_EQ(train("student", taught({"--max-updates", "3"})).status, 0);
  // The directory of a teacher may move.
  std::filesystem::rename(folder / "teacher", folder / "moved");
  const auto with_teacher = [&](const std::string& name, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--max-updates", "5", "--tokenizer", folder / "moved/best/tokenizer.model"});
    if (!name.empty()) more.insert(more.end(), {"--teacher", folder / name});
    return train("student", more);
  };
  ASSERT_EQ(train("other", {"--seed", "2", "--tokenizer", folder / "moved/best/tokenizer.model"}).status, 0);
  expect_failure(with_teacher("other"), 2, "started with other models as --teacher");
  expect_failure(with_teacher(""), 2, "started with other models as --teacher");
  expect_failure(with_teacher("moved", {"--distillation-weight", "0.7"}), 2, "--distillation-weight 0.5");
  EXPECT_EQ(with_teacher("moved").status, 0);
}

TEST_F(Distillation, ErrorsNameTheTeacherAndTheSetting) {
  ASSERT_EQ(train("teacher").status, 0);
  ASSERT_EQ(gloss({"vocab", "--input", folder / "train.en", folder / "train.de", "--size", "50", "--output",
                   folder / "other.model"})
                .status,
            0);
  const ProgramResult other =
      train("student", {"--teacher", folder / "teacher", "--tokenizer", folder / "other.model"});
  expect_failure(other, 2, "target vocabulary");
  expect_failure(other, 2, "teacher");
  expect_failure(other, 2, "--tokenizer " + (folder / "teacher/best/tokenizer.model"));
  EXPECT_FALSE(std::filesystem::exists(folder / "student")) << "nothing is left";
  expect_failure(train("student", {"--teacher", folder / "missing"}), 3, "missing");
  const ProgramResult own = train("student", {"--teacher", folder / "teacher"});
  expect_failure(own, 2, "give --tokenizer " + (folder / "teacher/best/tokenizer.model"));
  EXPECT_EQ(own.errors.find("learning a vocabulary"), std::string::npos) << own.errors;
  expect_failure(train("student", {"--distillation-top", "4"}), 2, "without --teacher");
  expect_failure(train("student", taught({"--distillation-weight", "2"})), 2, "--distillation-weight");
}

TEST_F(Distillation, PresetsOfStudentsHaveDeepEncodersAndLightDecoders) {
  const auto network = [&](const std::string& preset, const std::vector<std::string>& more) {
    std::vector<std::string> words{"train",
                                   "--source",
                                   folder / "train.en",
                                   "--target",
                                   folder / "train.de",
                                   "--output",
                                   folder / preset,
                                   "--preset",
                                   preset,
                                   "--vocab-size",
                                   "60",
                                   "--batch-tokens",
                                   "100",
                                   "--max-updates",
                                   "1",
                                   "--encoder-layers"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    return nlohmann::json::parse(folder.read(preset + "/last/config.json"))["network"];
  };
  const nlohmann::json tiny = network("student-tiny", {"1"});
  EXPECT_EQ(tiny["decoder_layers"], 2);
  EXPECT_EQ(tiny["width"], 256);
  EXPECT_EQ(tiny["feed_forward_width"], 1536);
  EXPECT_EQ(tiny["decoder_mixers"], nlohmann::json({"ssru"}));
  const nlohmann::json other = network("student", {"2", "--decoder-mixers", "average", "--width", "64"});
  EXPECT_EQ(other["encoder_layers"], 2);
  EXPECT_EQ(other["decoder_layers"], 1);
  EXPECT_EQ(other["width"], 64);
  EXPECT_EQ(other["decoder_mixers"], nlohmann::json({"average"}));
  expect_failure(
      gloss({"pretrain", "--input", folder / "train.en", "--preset", "student", "-o", folder / "lm"}), 2,
      "student");
}

}  // namespace
}  // namespace gloss
