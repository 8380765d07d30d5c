// gloss train, average and info through the real binary, on a language of ten words.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/started_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNone;

struct Text {
  std::string english, german;
};

Text number_words(int lines, std::uint64_t seed) {
  const std::vector<std::string> english{"zero", "one", "two",   "three", "four",
                                         "five", "six", "seven", "eight", "nine"};
  const std::vector<std::string> german{"null", "eins",  "zwei",   "drei", "vier",
                                        "fünf", "sechs", "sieben", "acht", "neun"};
  Random random(seed);
  Text text;
  for (int line = 0; line < lines; ++line) {
    const std::uint64_t words = 1 + random.below(6);
    for (std::uint64_t word = 0; word < words; ++word) {
      const std::size_t digit = random.below(10);
      text.english += (word == 0 ? "" : " ") + english[digit];
      text.german += (word == 0 ? "" : " ") + german[digit];
    }
    text.english += "\n";
    text.german += "\n";
  }
  return text;
}

struct TrainCommand : testing::Test {
  TrainCommand() {
    const Text train = number_words(300, 1), valid = number_words(20, 2);
    folder.write("train.en", train.english);
    folder.write("train.de", train.german);
    folder.write("valid.en", valid.english);
    folder.write("valid.de", valid.german);
  }

  std::vector<std::string> command(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{GLOSS_BINARY,        "train",        "--source",
                                   folder / "train.en", "--target",     folder / "train.de",
                                   "--output",          folder / output};
    const std::vector<std::string> sizes{"--vocab-size",         "60",   "--width",           "16",
                                         "--feed-forward-width", "32",   "--heads",           "2",
                                         "--encoder-layers",     "1",    "--decoder-layers",  "1",
                                         "--batch-tokens",       "200",  "--warmup-updates",  "10",
                                         "--learning-rate",      "0.01", "--report-interval", "5"};
    words.insert(words.end(), sizes.begin(), sizes.end());
    if (std::find(more.begin(), more.end(), "--max-updates") == more.end())
      words.insert(words.end(), {"--max-updates", "30"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::vector<std::string> with_validation(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--valid-source", folder / "valid.en", "--valid-target", folder / "valid.de"});
    return more;
  }
  ProgramResult train(const std::string& output, const std::vector<std::string>& more = {}) {
    return run_program(command(output, more));
  }
  ProgramResult gloss(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), GLOSS_BINARY);
    return run_program(words, input);
  }
  /// Names and bytes of all files of a checkpoint.
  std::map<std::string, std::string> content(const std::string& name) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      files[entry.path().filename().string()] = read_file(entry.path().string());
    }
    return files;
  }
  /// The names of the files that differ or are missing in one of two checkpoints.
  std::vector<std::string> differences(const std::string& name, const std::string& other) {
    std::map<std::string, std::string> files = content(name), others = content(other);
    std::vector<std::string> names;
    for (const auto& [file, bytes] : files) {
      if (others[file] != bytes) names.push_back(file);
    }
    for (const auto& [file, bytes] : others) {
      if (!files.contains(file)) names.push_back(file);
    }
    return names;
  }
  std::vector<std::string> list(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder / name))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  void expect_failure(const ProgramResult& result, int status, const std::string& message) {
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
  }

  TemporaryDirectory folder;
};

TEST_F(TrainCommand, LearnsAndIsUsable) {
  const ProgramResult result =
      train("run", with_validation({"--max-updates", "60", "--valid-interval", "20"}));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("update 20, epoch"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("BLEU"), std::string::npos);
  EXPECT_NE(result.errors.find("finished after update 60"), std::string::npos);

  std::vector<std::string> events;
  double first_loss = 0, last_loss = 0;
  for (const std::string& line : read_lines(folder / "run/train.log.jsonl")) {
    const nlohmann::json entry = nlohmann::json::parse(line);
    events.push_back(entry["event"]);
    if (entry["event"] == "report") (first_loss == 0 ? first_loss : last_loss) = entry["loss"];
  }
  EXPECT_EQ(std::count(events.begin(), events.end(), "report"), 12);
  EXPECT_EQ(std::count(events.begin(), events.end(), "validation"), 3);
  EXPECT_LT(last_loss, first_loss);

  const ProgramResult translated =
      gloss({"translate", "-m", folder / "run/best", "--beam-size", "1"}, "one two\n\nnine\n");
  EXPECT_EQ(translated.status, 0) << translated.errors;
  EXPECT_EQ(std::count(translated.output.begin(), translated.output.end(), '\n'), 3);
}

TEST_F(TrainCommand, ContinuesAfterKillsToTheSameBytes) {
  const std::vector<std::string> options =
      with_validation({"--save-minutes", "0"});  // saves after each update
  ASSERT_EQ(train("whole", options).status, 0);
  int kills = 0;
  // Each run gets a little more time than the one before, so that kills hit every stage on any machine.
  for (double seconds = 0.02; seconds < 60; seconds *= 1.15) {
    std::vector<std::string> words = command("killed", options);
    words.insert(words.begin(), {"/usr/bin/timeout", "--signal=KILL", fixed_text(seconds, 3)});
    const int status = run_program(words).status;
    if (status == 0) break;
    ASSERT_EQ(status, 137);
    ++kills;
  }
  EXPECT_GT(kills, 3);
  EXPECT_EQ(differences("killed/last", "whole/last"), kNone);
  EXPECT_EQ(differences("killed/best", "whole/best"), kNone);
  EXPECT_EQ(list("killed"), list("whole"));
}

TEST_F(TrainCommand, SavesOnASignalAndContinues) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const std::string name = concat("stopped", signal);
    StartedProgram endless(command(name, {"--max-updates", "1000000"}), folder / "errors");
    const auto learns = [&] {
      return folder.read(name + "/train.log.jsonl").find('\n') != std::string::npos;
    };
    while (endless.runs() && !learns()) usleep(5000);
    endless.send(signal);
    ASSERT_EQ(endless.wait(), 0) << folder.read("errors");
    EXPECT_NE(folder.read("errors").find("stopped by a signal after update"), std::string::npos);
    const nlohmann::json record = nlohmann::json::parse(folder.read(name + "/last/training.json"));
    const std::string end = std::to_string(record["state"]["update"].get<int>() + 20);

    const ProgramResult continued = train(name, {"--max-updates", end, "-j", "1"});
    ASSERT_EQ(continued.status, 0) << continued.errors;
    EXPECT_NE(continued.errors.find("continues the training"), std::string::npos) << continued.errors;
    ASSERT_EQ(train("whole", {"--max-updates", end, "--fresh"}).status, 0);
    EXPECT_EQ(differences(name + "/last", "whole/last"), kNone);
    EXPECT_EQ(list(name), list("whole"));
  }
}

TEST_F(TrainCommand, GivesTheSameModelForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2", "5"}) {
    ASSERT_EQ(train("run" + threads, with_validation({"-j", threads})).status, 0);
    EXPECT_EQ(differences("run" + threads + "/last", "run1/last"), kNone) << threads;
  }
  ASSERT_EQ(train("other", with_validation({"--seed", "2"})).status, 0);
  EXPECT_NE(read_file(folder / "other/last/model.safetensors"),
            read_file(folder / "run1/last/model.safetensors"));
}

TEST_F(TrainCommand, KnowsWhenItIsFinishedAndWhenMoreIsWanted) {
  ASSERT_EQ(train("run").status, 0);
  const ProgramResult again = train("run");
  EXPECT_EQ(again.status, 0);
  EXPECT_NE(again.errors.find("already finished: 30 updates"), std::string::npos) << again.errors;
  EXPECT_EQ(std::count(again.errors.begin(), again.errors.end(), '\n'), 1) << again.errors;
  const ProgramResult more = train("run", {"--max-updates", "40"});
  EXPECT_EQ(more.status, 0);
  EXPECT_NE(more.errors.find("continues the training"), std::string::npos) << more.errors;
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000040");
  EXPECT_NE(train("run", {"--fresh", "--tokenizer", folder / "missing"}).status, 0);
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000040")
      << "a mistake must not cost the old training";
  ASSERT_EQ(train("run", {"--seed", "3", "--fresh"}).status, 0);
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000030");
}

TEST_F(TrainCommand, RefusesToContinueWithOtherSettingsOrText) {
  ASSERT_EQ(train("run", {"--max-updates", "5"}).status, 0);
  expect_failure(train("run", {"--seed", "2"}), 2, "was started with --seed 1, now it is 2");
  expect_failure(train("run", {"--clip-norm", "3"}), 2, "--clip-norm 1.0, now it is 3.0");
  expect_failure(train("run", {"--dropout", "0.2"}), 2, "--dropout 0.1, now it is 0.2");
  expect_failure(train("run", with_validation()), 2, "was started with other text than now stands in");
  const Text other = number_words(300, 9);
  folder.write("train.en", other.english);
  folder.write("train.de", other.german);
  expect_failure(train("run"), 2, "was started with other text than now stands in");
}

TEST_F(TrainCommand, RefusesWhatCannotWorkBeforeItStarts) {
  expect_failure(train("run", {"--heads=3"}), 2, "given more than once");
  expect_failure(gloss({"train", "--source", folder / "train.en", "--output", folder / "run"}), 2,
                 "found only --source");
  expect_failure(gloss({"train", "--source", folder / "train.en", "--target", folder / "train.de"}), 2,
                 "--output DIR");
  expect_failure(train("run", {"--tokenizer", folder / "missing.model"}), 3, "missing.model");
  expect_failure(train("run", {"--schedule", "linear", "--max-updates", "0"}), 2, "--max-updates");
  expect_failure(train("run", {"--max-length", "2000"}), 2, "do not fit into --max-positions 1024");
  expect_failure(train("run", {"--valid-source", folder / "valid.en"}), 2, "--valid-target");
  expect_failure(train("run", {"--valid-source", folder / "none.en", "--valid-target", folder / "none.de"}),
                 3, "none.en");
  expect_failure(train("run", {"--early-stopping", "2"}), 2, "--early-stopping needs a validation text");
  folder.write("a file", "");
  expect_failure(train("a file/run"), 1, "a file/run");
  folder.write("train.de", "eins\n");
  expect_failure(train("run"), 3, "train.en has 300 lines but ");
  EXPECT_FALSE(fs::exists(folder / "run/last"));
}

TEST_F(TrainCommand, SkipsWhatItCannotLearnFromAndSaysSo) {
  Text text = number_words(50, 4);
  text.english +=
      "\none\n" + std::string(100'000, 'x') + "\ntwo \xff\n\xe2\x80\xa8three\r\nfour" + std::string(1, '\0');
  text.german += "eins\n \t\nlang\nzwei\ndrei\r\nvier";
  folder.write("train.en", text.english);
  folder.write("train.de", text.german);
  const ProgramResult result = train("run", {"--max-updates", "2"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("skipped 2 pairs with an empty or blank side (the first in line 51)"),
            std::string::npos)
      << result.errors;
  EXPECT_NE(result.errors.find("skipped 1 pair with a side of more than 256 tokens"), std::string::npos);
  EXPECT_NE(result.errors.find("replaced 1 invalid UTF-8 sequences"), std::string::npos);
  EXPECT_NE(result.errors.find("53 pairs"), std::string::npos);
}

TEST_F(TrainCommand, TakesATokenizerForEachSide) {
  for (const std::string side : {"en", "de"}) {
    ASSERT_EQ(gloss({"vocab", "--input", folder / ("train." + side), "--size", "40", "--output",
                     folder / (side + ".model")})
                  .status,
              0);
  }
  std::vector<std::string> tokenizers{"--source-tokenizer", folder / "en.model", "--target-tokenizer",
                                      folder / "de.model"};
  const ProgramResult result = train("run", tokenizers);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("--tied-embeddings is 'target'"), std::string::npos) << result.errors;
  EXPECT_EQ(read_file(folder / "run/last/source.model"), read_file(folder / "en.model"));
  tokenizers.insert(tokenizers.end(), {"--tied-embeddings", "all"});
  expect_failure(train("other", tokenizers), 2, "--tied-embeddings all needs one --tokenizer");
}

TEST_F(TrainCommand, ReadsSettingsFromAFile) {
  folder.write("settings.ini", "width = 24\ndropout = 0.25\n");
  std::vector<std::string> words = command("run", {"--config", folder / "settings.ini"});
  ASSERT_EQ(run_program(words).status, 0);
  const nlohmann::json config = nlohmann::json::parse(read_file(folder / "run/last/config.json"));
  EXPECT_EQ(config["training"]["dropout"], 0.25);
  EXPECT_EQ(config["network"]["width"], 16) << "the command line counts more";
  EXPECT_EQ(config["training"]["learning_rate"], 0.01);
}

TEST_F(TrainCommand, AFullDiskLeavesThePreviousCheckpointWhole) {
  ASSERT_EQ(train("run", {"--max-updates", "5"}).status, 0);
  const auto before = content("run/last");
  std::vector<std::string> words = command("run");
  words.insert(words.begin(), {"/usr/bin/prlimit", "--fsize=20000"});
  const ProgramResult result = run_program(words);
  expect_failure(result, 1, "cannot write");
  EXPECT_TRUE(content("run/last") == before);
  EXPECT_EQ(train("run").status, 0);
}

TEST_F(TrainCommand, AveragesCheckpoints) {
  ASSERT_EQ(train("run", {"--valid-interval", "10"}).status, 0);
  const ProgramResult result = gloss({"average", folder / "run", "--last", "2", "-o", folder / "mean"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("the mean of 2 models"), std::string::npos) << result.errors;
  const ProgramResult named = gloss(
      {"average", folder / "run/checkpoint-000020", folder / "run/checkpoint-000030", "-o", folder / "same"});
  EXPECT_EQ(named.status, 0) << named.errors;
  EXPECT_EQ(read_file(folder / "mean/model.safetensors"), read_file(folder / "same/model.safetensors"));
  EXPECT_NE(read_file(folder / "mean/model.safetensors"), read_file(folder / "run/last/model.safetensors"));
  EXPECT_EQ(gloss({"translate", "-m", folder / "mean"}, "one\n").status, 0);

  EXPECT_EQ(gloss({"average", folder / "run/last", "-o", folder / "alone"}).status, 0);
  EXPECT_EQ(read_file(folder / "alone/model.safetensors"), read_file(folder / "run/last/model.safetensors"));

  expect_failure(gloss({"average", folder / "nothing", "-o", folder / "x"}), 2, "neither a model directory");
  expect_failure(gloss({"average", "-o", folder / "x"}), 2, "found none");
  expect_failure(gloss({"average", folder / "run", "-o", folder / "run/checkpoint-000030"}), 2,
                 "is one of the models");
}

TEST_F(TrainCommand, AFinishedTrainingRepairsItsLinks) {
  ASSERT_EQ(train("run", with_validation()).status, 0);
  const fs::path best = fs::read_symlink(folder / "run/best");
  fs::remove(folder / "run/last");
  fs::remove(folder / "run/best");
  EXPECT_EQ(train("run", with_validation()).status, 0);
  EXPECT_EQ(fs::read_symlink(folder / "run/best"), best);
  EXPECT_EQ(fs::read_symlink(folder / "run/last"), "checkpoint-000030");
}

TEST_F(TrainCommand, RefusesTextThatCanBeReadOnlyOnce) {
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::vector<std::string> words = command("run");
  words[3] = pipe;
  const ProgramResult result = run_program(words);
  expect_failure(result, 2, "expected a regular file");
}

TEST_F(TrainCommand, RefusesSettingsThatCannotWork) {
  expect_failure(train("run", {"--valid-beam-size", "61"}), 2, "--valid-beam-size 61");
  expect_failure(train("run", {"--epsilon", "0"}), 2, "--epsilon");
  expect_failure(train("run", {"--activation-dropout", "1"}), 2, "--activation-dropout");
}

TEST_F(TrainCommand, SaysThatNothingIsValidatedYet) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  fs::remove(folder / "run/best");
  expect_failure(gloss({"info", "-m", folder / "run"}), 3, "run/last");
  EXPECT_EQ(gloss({"info", "-m", folder / "run/last"}).status, 0);
}

TEST_F(TrainCommand, RefusesToAverageDifferentModels) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  ASSERT_EQ(train("other", {"--max-updates", "2", "--tied-embeddings", "none"}).status, 0);
  expect_failure(gloss({"average", folder / "run/last", folder / "other/last", "-o", folder / "x"}), 3,
                 "cannot be averaged");
  expect_failure(
      gloss({"average", folder / "run/last", folder / "run/checkpoint-000002", "-o", folder / "x"}), 2,
      "are one model");
  expect_failure(gloss({"average", folder / "run/last", "-o", folder / "other"}), 2, "belongs to a training");
  expect_failure(gloss({"average", folder / "run/last", "-o", folder / "other/last"}), 2,
                 "belongs to a training");
  std::vector<std::string> words = command("heads", {"--max-updates", "2"});
  *(std::find(words.begin(), words.end(), "--heads") + 1) = "4";
  ASSERT_EQ(run_program(words).status, 0);
  expect_failure(gloss({"average", folder / "run/last", folder / "heads/last", "-o", folder / "x"}), 3,
                 "network settings differ");
  const Text text = number_words(300, 5);
  folder.write("train.en", text.german);
  ASSERT_EQ(train("german", {"--max-updates", "2"}).status, 0);
  expect_failure(gloss({"average", folder / "run/last", folder / "german/last", "-o", folder / "x"}), 3,
                 "their tokenizer.model files differ");
}

TEST_F(TrainCommand, InfoTellsWhatIsInAModel) {
  ASSERT_EQ(train("run", with_validation()).status, 0);
  const ProgramResult text = gloss({"info", "-m", folder / "run"});
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_NE(text.output.find("whole"), std::string::npos) << text.output;
  const nlohmann::json json =
      nlohmann::json::parse(gloss({"info", "--json", "-m", folder / "run/last"}).output);
  EXPECT_EQ(json["network"]["width"], 16);
  EXPECT_EQ(json["training"]["updates"], 30);
  EXPECT_EQ(json["vocabulary"]["source_pieces"], 60);
  EXPECT_TRUE(json["training"]["best_validation"].contains("bleu"));
  EXPECT_GT(json["parameters"]["all"], 1000);
}

TEST_F(TrainCommand, InfoNamesWhatIsWrongWithAModel) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  const std::string last = "run/checkpoint-000002/";
  for (const std::string name : {"model.safetensors", "config.json", "tokenizer.model"}) {
    const std::string bytes = folder.read(last + name);
    folder.write(last + name, bytes.substr(0, bytes.size() / 2));
    expect_failure(gloss({"info", "-m", folder / "run/last"}), 3, name);
    const ProgramResult as_json = gloss({"info", "-m", folder / "run/last", "--json"});
    EXPECT_EQ(as_json.status, 3);
    EXPECT_EQ(nlohmann::json::parse(as_json.output)["whole"], false);
    fs::remove(folder / (last + name));
    EXPECT_EQ(gloss({"info", "-m", folder / "run/last"}).status, 3);
    folder.write(last + name, bytes);
  }
  const std::string optimizer = folder.read(last + "optimizer.safetensors");
  folder.write(last + "optimizer.safetensors", optimizer.substr(0, optimizer.size() - 4));
  expect_failure(gloss({"info", "-m", folder / "run/last"}), 3, "optimizer.safetensors");
  folder.write(last + "optimizer.safetensors", optimizer);
  EXPECT_EQ(gloss({"info", "-m", folder / "run/last"}).status, 0);
  expect_failure(gloss({"info", "-m", folder / "nowhere"}), 3, "nowhere");
  expect_failure(gloss({"info"}), 2, "-m DIR");
}

}  // namespace
}  // namespace gloss
