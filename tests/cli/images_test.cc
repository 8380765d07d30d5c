// SPDX-License-Identifier: Apache-2.0
// gloss finetune --task classify --source-type image and gloss classify through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/failure.h"
#include "tests/support/image_files.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// Images of upright and flat bars: 24 to learn from, 12 to classify, in a list and in archives.
class ImageCommand : public testing::Test {
 protected:
  static constexpr int kSide = 8, kTrained = 24, kClassified = 12;

  ImageCommand() {
    std::filesystem::create_directory(folder / "pictures");
    std::string list, names, labels, numbers;
    for (int i = 0; i < kTrained + kClassified; ++i) {
      const std::vector<std::uint8_t> pixels = bar_image(kSide, i % 2 == 0, i / 2);
      const std::string name = concat("pictures/a picture ", i, ".pgm");
      folder.write(name, pnm_bytes(kSide, kSide, 1, pixels));
      if (i < kTrained) {
        list += concat(name, "\t", i % 2 == 0 ? "upright" : "flat", i % 3 == 0 ? "\r\n" : "\n");
        numbers.append(pixels.begin(), pixels.end());
        labels += static_cast<char>(i % 2);
      } else {
        names += concat(name, "\n");
        expected += i % 2 == 0 ? "upright\n" : "flat\n";
      }
    }
    folder.write("train.tsv", list);
    folder.write("images.idx", idx_bytes({kTrained, kSide, kSide}, numbers));
    folder.write("labels.idx", idx_bytes({kTrained}, labels));
    folder.write("names", names);
  }

  ProgramResult finetune(const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> words{kGlossBinary,
                                   "finetune",
                                   "--task",
                                   "classify",
                                   "--source-type",
                                   "image",
                                   "--output",
                                   folder / output,
                                   "--width",
                                   "16",
                                   "--layers",
                                   "1",
                                   "--feed-forward-width",
                                   "16",
                                   "--batch-tokens",
                                   "96",
                                   "--learning-rate",
                                   "0.01",
                                   "--warmup-updates",
                                   "5",
                                   "--dropout",
                                   "0",
                                   "--optimizer",
                                   "adam",
                                   "--schedule",
                                   "inverse_sqrt",
                                   "--early-stopping",
                                   "0",
                                   "--no-hold-out"};
    words.insert(words.end(), heads.begin(), heads.end());
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  std::vector<std::string> of_list(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--input", folder / "train.tsv"});
    return more;
  }
  ProgramResult classify(const std::string& input, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{kGlossBinary, "classify", "-m", folder / "run", "-i", input};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }

  std::vector<std::string> heads{"--heads", "2"};
  TemporaryDirectory folder;
  std::string expected;
};

TEST_F(ImageCommand, LearnsAListAndClassifiesTheSameForAnyBatchAndThreads) {
  const ProgramResult trained =
      finetune("run", of_list({"--max-updates", "150", "--valid-input", folder / "train.tsv", "--stem-widths",
                               "8", "--stem-strides", "1", "--seed", "3"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const ProgramResult result = classify(folder / "names");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, expected);
  const std::string scored = classify(folder / "names", {"--scores"}).output;
  for (const std::vector<std::string>& speed : std::vector<std::vector<std::string>>{
           {"--batch-size", "1"}, {"--batch-size", "5", "--threads", "3"}}) {
    std::vector<std::string> more = speed;
    more.emplace_back("--scores");
    EXPECT_EQ(classify(folder / "names", more).output, scored);
  }
  // All that is needed is in the model: an image of another size and with colours is adapted.
  std::vector<std::uint8_t> large;
  for (int y = 0; y < 2 * kSide; ++y) {
    for (int x = 0; x < 2 * kSide; ++x) large.insert(large.end(), 3, x / 2 == 3 ? 210 : 30);
  }
  folder.write("large.ppm", pnm_bytes(2 * kSide, 2 * kSide, 3, large));
  folder.write("one", "large.ppm\tignored\n\n");
  EXPECT_EQ(classify(folder / "one").output, "upright\n\n");
  const ProgramResult info = run_program({kGlossBinary, "info", folder / "run", "--format", "json"});
  const nlohmann::json described = nlohmann::json::parse(info.output);
  EXPECT_EQ(described.at("network").at("source_type"), "image");
  EXPECT_EQ(described.at("network").at("image_height"), kSide);
  EXPECT_FALSE(described.contains("vocabulary"));
}

TEST_F(ImageCommand, ReadsArchivesAndContinuesToTheSameBytes) {
  const std::vector<std::string> input{
      "--input",      folder / "images.idx", "--labels", folder / "labels.idx",
      "--image-flip", "--image-erase",       "0.5"};
  const std::vector<std::string> judged{"--valid-input",       folder / "images.idx", "--valid-labels",
                                        folder / "labels.idx", "--valid-interval",    "5"};
  const auto until = [&](const std::string& output, const std::string& updates) {
    std::vector<std::string> more = input;
    more.insert(more.end(), {"--max-updates", updates});
    more.insert(more.end(), judged.begin(), judged.end());
    const ProgramResult result = finetune(output, more);
    ASSERT_EQ(result.status, 0) << result.errors;
  };
  until("whole", "10");
  until("run", "5");
  until("run", "10");
  for (const char* file : {"best/model.safetensors", "best/config.json"})
    EXPECT_EQ(read_file(folder / concat("run/", file)), read_file(folder / concat("whole/", file))) << file;
  const ProgramResult result = classify(folder / "images.idx");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(std::ranges::count(result.output, '\n'), kTrained);
  expect_failure(finetune("other", {"--input", folder / "images.idx"}), 2, {"images.idx", "labels"});
  folder.write("few.idx", idx_bytes({3}, std::string(3, '\0')));
  expect_failure(finetune("other", {"--input", folder / "images.idx", "--labels", folder / "few.idx"}), 3,
                 {"24", "few.idx has 3"});
}

TEST_F(ImageCommand, NamesListLineAndImageOfAProblem) {
  ASSERT_EQ(finetune("run", of_list({"--max-updates", "3"})).status, 0);
  const std::string whole = folder.read("train.tsv");
  folder.write("cut.pgm", "P5 8 8 255\nabc");
  folder.write("bad.tsv", whole + "cut.pgm\tflat\nmissing.png\tflat\n");
  const std::vector<std::string> of_bad{"--input", folder / "bad.tsv", "--max-updates", "3"};
  expect_failure(finetune("bad", of_bad), 3, {"bad.tsv:25", "cut.pgm"});
  std::vector<std::string> skipping = of_bad;
  skipping.emplace_back("--skip-broken");
  const ProgramResult skipped = finetune("bad", skipping);
  EXPECT_EQ(skipped.status, 0) << skipped.errors;
  EXPECT_NE(skipped.errors.find("skipped 2 items"), std::string::npos) << skipped.errors;
  folder.write("names", "pictures/a picture 1.pgm\ncut.pgm\npictures/a picture 2.pgm\n");
  const ProgramResult stopped = classify(folder / "names");
  expect_failure(stopped, 3, {"names:2", "cut.pgm"});
  EXPECT_EQ(std::ranges::count(stopped.output, '\n'), 1);
  const ProgramResult passed = classify(folder / "names", {"--skip-broken"});
  EXPECT_EQ(passed.status, 0) << passed.errors;
  EXPECT_EQ(std::ranges::count(passed.output, '\n'), 3);
  EXPECT_NE(passed.errors.find("cut.pgm"), std::string::npos) << passed.errors;
  folder.write("columns.tsv", "pictures/a picture 1.pgm\n");
  expect_failure(finetune("bad", {"--input", folder / "columns.tsv", "--fresh"}), 3, {"columns.tsv:1"});
}

TEST_F(ImageCommand, KeepsThePicturesOfAList) {
  ASSERT_EQ(finetune("run", of_list({"--max-updates", "3"})).status, 0);
  folder.write("names", "pictures/a picture 1.pgm\npictures/a picture 2.pgm\n");
  const std::string picture = folder / "pictures/a picture 2.pgm", bytes = read_file(picture);
  for (const std::string option : {"-o", "--html", "--log-json"}) {
    expect_failure(classify(folder / "names", {option, picture}), 2, {picture});
    EXPECT_EQ(read_file(picture), bytes);
  }
}

TEST_F(ImageCommand, ExplainsALabelByThePlacesOfTheImage) {
  ASSERT_EQ(finetune("run", of_list({"--max-updates", "20", "--pooling", "mean"})).status, 0);
  folder.write("names", "pictures/a picture 1.pgm\n\npictures/a picture 2.pgm\n");
  const ProgramResult plain = classify(folder / "names"),
                      explained = classify(folder / "names", {"--explain"});
  ASSERT_EQ(explained.status, 0) << explained.errors;
  const std::vector<std::string> lines = split(explained.output, '\n');
  EXPECT_EQ(lines[0].substr(0, lines[0].find('\t')), plain.output.substr(0, plain.output.find('\n')));
  EXPECT_NE(lines[0].find("\t1,1="), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1], "");
  const ProgramResult json = classify(folder / "names", {"--explain", "--format", "json"});
  const nlohmann::json first = nlohmann::json::parse(json.output.substr(0, json.output.find('\n')));
  double sum = 0;
  for (const nlohmann::json& place : first.at("words")) sum += place.at("attention").get<double>();
  EXPECT_NEAR(sum, 1, 1e-3);
  const ProgramResult page = classify(folder / "names", {"--html", folder / "page.html"});
  ASSERT_EQ(page.status, 0) << page.errors;
  EXPECT_EQ(page.output, plain.output);
  EXPECT_NE(read_file(folder / "page.html").find("\"pictures\""), std::string::npos);
}

TEST_F(ImageCommand, RefusesOptionsWithoutEffect) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& part) {
    expect_failure(finetune("refused", of_list(more)), 2, {part});
  };
  refused({"--vocab-size", "50"}, "--vocab-size");
  refused({"--max-positions", "50"}, "--max-positions");
  refused({"--word-dropout", "0.1"}, "--word-dropout");
  refused({"--architecture", "recurrent"}, "--heads has no effect");
  refused({"--positions", "rotary"}, "rotary");
  for (const std::string positions : {"relative", "sinusoidal-relative"})
    refused({"--positions", positions, "--pooling", "first"}, "'first'");
  refused({"--positions", "relative", "--pooling", "mean", "--relative-reach", "3"}, "--relative-reach");
  refused({"--positions", "relative", "--pooling", "mean", "--encoder-mixers", "strided"}, "strided");
  refused({"--patch-size", "3"}, "patch");
  const ProgramResult text = run_program({kGlossBinary, "finetune", "--task", "classify", "--image-shift",
                                          "2", "--input", folder / "train.tsv", "--output", folder / "text"});
  expect_failure(text, 2, {"--image-shift", "--source-type"});
  ASSERT_EQ(
      finetune("run", of_list({"--max-updates", "2", "--positions", "relative", "--pooling", "mean"})).status,
      0);
  ASSERT_EQ(classify(folder / "names").status, 0);
  for (const char* command : {"embed", "answer"})
    expect_failure(run_program({kGlossBinary, command, "-m", folder / "run"}, "x\n"), 3, {"images"});
  for (const std::string mixer : {"dynamic", "token-mlp"}) {
    std::vector<std::string> options{"--max-updates", "2", "--encoder-mixers", mixer};
    if (mixer == "token-mlp") {
      heads.clear();
      options.insert(options.end(), {"--token-window", "4"});
    }
    const ProgramResult trained = finetune(mixer, of_list(options));
    ASSERT_EQ(trained.status, 0) << trained.errors;
    const ProgramResult explained =
        run_program({kGlossBinary, "classify", "-m", folder / mixer, "--explain", folder / "names"});
    if (mixer == "dynamic") {
      EXPECT_EQ(explained.status, 0) << explained.errors;
    } else {
      expect_failure(explained, 2, {"--explain", mixer});
    }
  }
  expect_failure(classify(folder / "names", {"--split"}), 2, {"--split"});
}

}  // namespace
}  // namespace gloss
