// SPDX-License-Identifier: Apache-2.0
// Models that read recordings, through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/failure.h"
#include "tests/support/image_files.h"
#include "tests/support/run_program.h"
#include "tests/support/sound_files.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// Recordings of one to three tones, low or high, and their names.
class RecordingCommand : public testing::Test {
 protected:
  static constexpr int kRate = 4000, kRecordings = 40;

  RecordingCommand() {
    for (int i = 0; i < kRecordings; ++i) {
      std::vector<int> samples;
      std::string text;
      for (int tone = 0; tone <= i % 3; ++tone) {
        const bool high = (i >> (tone + 1)) % 2 == 0;
        text += concat(tone == 0 ? "" : " ", high ? "hi" : "lo");
        const double frequency = (high ? 1200 : 300) + 7 * (i % 5);
        const int length = kRate / 10 + 20 * (i % 4);
        for (int sample = 0; sample < length; ++sample) {
          const double fade = std::sin(std::numbers::pi * sample / length);
          samples.push_back(
              static_cast<int>(9000 * fade * std::sin(2 * std::numbers::pi * frequency * sample / kRate)));
        }
      }
      const std::string name = concat("sound ", i, ".wav");
      folder.write(name, wav_bytes(kRate, 1, samples));
      list += name + "\n";
      texts += text + "\n";
      rows += concat(name, "\t", text.size() < 3 ? "one" : text.size() < 6 ? "two" : "three", "\n");
    }
    folder.write("list", list);
    folder.write("texts", texts);
    folder.write("rows.tsv", rows);
  }

  ProgramResult train(const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> words{kGlossBinary,
                                   "train",
                                   "--source-type",
                                   "audio",
                                   "--output",
                                   folder / output,
                                   "--source",
                                   folder / "list",
                                   "--target",
                                   folder / "texts",
                                   "--vocab-type",
                                   "char",
                                   "--vocab-size",
                                   "20",
                                   "--audio-bands",
                                   "12",
                                   "--stem-widths",
                                   "4",
                                   "--width",
                                   "16",
                                   "--batch-tokens",
                                   "200",
                                   "--learning-rate",
                                   "0.01",
                                   "--warmup-updates",
                                   "20",
                                   "--dropout",
                                   "0",
                                   "--embedding-dropout",
                                   "0",
                                   "--seed",
                                   "3"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  static std::vector<std::string> conformer(std::vector<std::string> more) {
    more.insert(more.end(), {"--heads", "2", "--feed-forward-width", "16", "--encoder-layers", "1",
                             "--decoder-layers", "1", "--norm", "pre", "--encoder-mixers", "conformer"});
    return more;
  }
  ProgramResult translate(const std::vector<std::string>& more) {
    std::vector<std::string> words{kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "list"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }

  /// Of recognised texts, in percent.
  double word_error_rate(const std::string& found) {
    folder.write("found", found);
    const ProgramResult rate =
        run_program({kGlossBinary, "evaluate", folder / "texts", "-i", folder / "found", "-m", "wer", "-b"});
    EXPECT_EQ(rate.status, 0) << rate.errors;
    return std::stod(rate.output);
  }

  TemporaryDirectory folder;
  std::string list, texts, rows;
};

TEST_F(RecordingCommand, AConformerSpellsWhatItHearsTheSameForAnyBatchAndThreads) {
  const ProgramResult trained = train(
      "run", conformer({"--max-updates", "500", "--schedule", "linear", "--valid-source", folder / "list",
                        "--valid-target", folder / "texts", "--valid-interval", "250"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const ProgramResult result = translate({});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_LT(word_error_rate(result.output), 5) << result.output;
  const std::string scored = translate({"--n-best", "2", "--beam-size", "3"}).output;
  EXPECT_EQ(translate({"--n-best", "2", "--beam-size", "3", "--batch-size", "1"}).output, scored);
  EXPECT_EQ(translate({"--n-best", "2", "--beam-size", "3", "-j", "3"}).output, scored);
  const ProgramResult scores = run_program({kGlossBinary, "score", "-m", folder / "run", "--source",
                                            folder / "list", "--target", folder / "texts"});
  EXPECT_EQ(scores.status, 0) << scores.errors;
  EXPECT_EQ(std::ranges::count(scores.output, '\n'), kRecordings);
  const ProgramResult aligned =
      run_program({kGlossBinary, "align", "-m", folder / "run", "--source", folder / "list", "--target",
                   folder / "texts", "--html", folder / "page.html"});
  EXPECT_EQ(aligned.status, 0) << aligned.errors;
}

TEST_F(RecordingCommand, VectorsAreLabelledWithoutADecoder) {
  const ProgramResult trained = train("run", conformer({"--ctc-weight", "0.9", "--stem-strides", "1",
                                                        "--max-updates", "300", "--schedule", "linear"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  for (const char* beam : {"1", "4"}) {
    const ProgramResult result = translate({"--ctc", "--beam-size", beam});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_LT(word_error_rate(result.output), 8) << result.output;
  }
  const std::vector<std::string> best{"--ctc", "--n-best", "3", "--beam-size", "6"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), best.begin(), best.end());
    return translate(more).output;
  };
  const std::string scored = with({});
  EXPECT_EQ(std::ranges::count(scored, '\n'), 3 * kRecordings) << scored;
  EXPECT_EQ(with({"--batch-size", "1"}), scored);
  EXPECT_EQ(with({"-j", "3"}), scored);
  expect_failure(translate({"--ctc", "--sample"}), 2, {"--sample"});
  expect_failure(translate({"--ctc", "--length-penalty", "0.5"}), 2, {"--length-penalty"});
  const ProgramResult two = run_program(
      {kGlossBinary, "translate", "-m", folder / "run", folder / "run", "--ctc", folder / "list"});
  expect_failure(two, 2, {"--ctc", "single"});
}

TEST_F(RecordingCommand, APyramidHearsAsWell) {
  const ProgramResult trained =
      train("run", {"--architecture", "recurrent", "--cell", "lstm", "--embedding-width", "16",
                    "--encoder-layers", "2", "--pyramid-layers", "1", "--output-dropout", "0",
                    "--max-updates", "300", "--schedule", "linear"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const ProgramResult result = translate({});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_LT(word_error_rate(result.output), 5) << result.output;
  EXPECT_EQ(translate({"--batch-size", "1"}).output, result.output);
  expect_failure(translate({"--ctc"}), 2, {"--ctc", "--ctc-weight"});
  const ProgramResult aligned =
      run_program({kGlossBinary, "align", "-m", folder / "run", "--source", folder / "list", "--target",
                   folder / "texts", "--format", "json"});
  EXPECT_EQ(aligned.status, 0) << aligned.errors;
  expect_failure(train("refused", {"--architecture", "recurrent", "--pyramid-layers", "2"}), 2,
                 {"--pyramid-layers 2", "1"});
}

TEST_F(RecordingCommand, TextsWithoutRoomForTheirLabelsAreSkipped) {
  const ProgramResult trained = train("run", conformer({"--ctc-weight", "0.3", "--stem-widths", "4", "4", "4",
                                                        "4", "4", "--max-updates", "2"}));
  expect_failure(trained, 3, {"40", "--ctc-weight", "vectors"});
  const ProgramResult text =
      run_program({kGlossBinary, "train", "--source", folder / "texts", "--target", folder / "texts",
                   "--ctc-weight", "0.3", "--output", folder / "text"});
  expect_failure(text, 2, {"--ctc-weight", "text"});
}

TEST_F(RecordingCommand, ARecurrentNetworkContinuesToTheSameBytes) {
  const auto until = [&](const std::string& output, const std::string& updates) {
    const ProgramResult result =
        train(output, {"--architecture", "recurrent", "--embedding-width", "16", "--audio-norm", "recording",
                       "--audio-speed", "0.2", "--audio-time-masks", "1", "--audio-band-masks", "1",
                       "--max-updates", updates});
    ASSERT_EQ(result.status, 0) << result.errors;
  };
  until("whole", "8");
  until("parts", "4");
  until("parts", "8");
  for (const char* file : {"last/model.safetensors", "last/config.json"})
    EXPECT_EQ(read_file(folder / concat("parts/", file)), read_file(folder / concat("whole/", file))) << file;
}

TEST_F(RecordingCommand, SlowedRecordingsStayWithinThePositions) {
  // Of 1,380 samples, which have 33 windows and 17 vectors.
  const auto positions = [&](const std::string& output, const std::string& most) {
    return train(output, conformer({"--audio-speed", "0.5", "--max-length", "15", "--max-positions", most,
                                    "--max-updates", "20"}));
  };
  const ProgramResult enough = positions("enough", "17");
  EXPECT_EQ(enough.status, 0) << enough.errors;
  expect_failure(positions("few", "16"), 3, {"list:", "sound ", "17 vectors", "16", "--max-positions"});
}

TEST_F(RecordingCommand, AClassifierCountsTones) {
  const ProgramResult trained = run_program({kGlossBinary,
                                             "finetune",
                                             "--task",
                                             "classify",
                                             "--source-type",
                                             "audio",
                                             "-i",
                                             folder / "rows.tsv",
                                             "--audio-bands",
                                             "12",
                                             "--stem-widths",
                                             "4",
                                             "--width",
                                             "16",
                                             "--layers",
                                             "1",
                                             "--heads",
                                             "2",
                                             "--feed-forward-width",
                                             "16",
                                             "--batch-tokens",
                                             "200",
                                             "--learning-rate",
                                             "0.01",
                                             "--warmup-updates",
                                             "10",
                                             "--dropout",
                                             "0",
                                             "--max-updates",
                                             "150",
                                             "--seed",
                                             "2",
                                             "--encoder-mixers",
                                             "attention",
                                             "--norm",
                                             "post",
                                             "--optimizer",
                                             "adam",
                                             "--schedule",
                                             "inverse_sqrt",
                                             "--no-hold-out",
                                             "--output",
                                             folder / "run"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const ProgramResult result =
      run_program({kGlossBinary, "classify", "-m", folder / "run", "-i", folder / "rows.tsv"});
  EXPECT_EQ(result.status, 0) << result.errors;
  int right = 0;
  const std::vector<std::string> expected = split(rows, '\n'), found = split(result.output, '\n');
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i + 1 < found.size(); ++i) right += expected[i].ends_with("\t" + found[i]) ? 1 : 0;
  EXPECT_GE(right, 36);
}

TEST_F(RecordingCommand, MembersOfAnEnsembleReadRecordingsAlike) {
  ASSERT_EQ(train("run", conformer({"--max-updates", "2"})).status, 0);
  const auto expect_refused = [&](const std::vector<std::string>& more, const std::string& part) {
    std::vector<std::string> options = conformer({"--max-updates", "2", "--fresh"});
    options.insert(options.end(), more.begin(), more.end());
    ASSERT_EQ(train("other", options).status, 0);
    expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "run", folder / "other", "-i",
                                folder / "list"}),
                   2, {"source", part});
  };
  expect_refused({"--audio-window", "30"}, "audio_window");
  expect_refused({"--audio-norm", "recording"}, "recording");
  expect_refused({"--max-positions", "300"}, "at most 300");
}

TEST_F(RecordingCommand, StridesApplyToTheDefaultConvolutions) {
  expect_failure(
      run_program({kGlossBinary, "train", "--source-type", "audio", "--source", folder / "list", "--target",
                   folder / "texts", "--output", folder / "none", "--stem-strides", "1"}),
      2, {"--stem-strides has 1", "--stem-widths 2"});
}

TEST_F(RecordingCommand, NamesListLineAndRecordingOfAProblem) {
  ASSERT_EQ(train("run", conformer({"--max-updates", "2"})).status, 0);
  folder.write("cut.wav", "RIFF");
  folder.write("bad", list + "cut.wav\n");
  folder.write("more", texts + "hi\n");
  const auto with_bad = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--source", folder / "bad", "--target", folder / "more", "--max-updates", "2"});
    std::vector<std::string> words{
        kGlossBinary,   "train", "--source-type", "audio", "--output", folder / "bad run",
        "--vocab-type", "char",  "--vocab-size",  "20",    "--preset", "tiny"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  expect_failure(with_bad({}), 3, {"bad:41", "cut.wav"});
  const ProgramResult skipped = with_bad({"--skip-broken"});
  EXPECT_EQ(skipped.status, 0) << skipped.errors;
  EXPECT_NE(skipped.errors.find("skipped 1 pair"), std::string::npos) << skipped.errors;
  const ProgramResult described =
      run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "bad"});
  expect_failure(described, 3, {"bad:41", "cut.wav", "1 of 41 recordings"});
  EXPECT_EQ(std::ranges::count(described.output, '\n'), kRecordings + 1);
  expect_failure(train("long", conformer({"--max-positions", "8", "--max-length", "7"})), 3,
                 {"list:", "at most 8", "--max-positions"});
  expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "sound 1.wav"}),
                 2, {"sound 1.wav", "list"});
  folder.write("images.idx", idx_bytes({2, 4, 4}, std::string(32, 'x')));
  expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "images.idx"}),
                 2, {"images.idx", "recordings"});
  expect_failure(train("refused", {"--image-flip"}), 2, {"--image-flip", "image"});
  expect_failure(train("refused", conformer({"--audio-window", "2"})), 2, {"--audio-bands"});
}

}  // namespace
}  // namespace gloss
