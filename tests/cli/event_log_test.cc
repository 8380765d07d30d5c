// SPDX-License-Identifier: Apache-2.0
// The log of events that `--log-json` writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

struct EventLogs : testing::Test {
  EventLogs() {
    const Subwords vocabulary = small_vocabulary(330, true);
    std::filesystem::create_directory(folder / "model");
    write_untrained_model(folder / "model", vocabulary, vocabulary);
  }
  ProgramResult translate(const std::vector<std::string>& options,
                          const std::string& text = "a dog\n") const {
    std::vector<std::string> words{kGlossBinary, "translate", "-m", folder / "model", "--max-length", "12"};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(words, text);
  }
  std::vector<nlohmann::json> events() const {
    std::vector<nlohmann::json> events;
    for (const std::string& line : split(folder.read("log"), '\n')) {
      if (!line.empty()) events.push_back(parse_json(line, "log"));
    }
    return events;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const nlohmann::json& event : events()) names.push_back(event.at("event"));
    return names;
  }

  TemporaryDirectory folder;
};

TEST_F(EventLogs, TellStartMessagesAndEnd) {
  ASSERT_EQ(translate({"--quiet", "--log-json", folder / "log"}, "a \xFF dog\n").status, 0);
  const std::vector<std::string> told = names();
  for (const std::string name : {"start", "warning", "note", "end"}) {
    EXPECT_NE(std::ranges::find(told, name), told.end()) << name;
  }
  const nlohmann::json start = events().front(), end = events().back();
  EXPECT_EQ(start.at("command"), "translate");
  EXPECT_GT(start.at("process"), 1);
  EXPECT_EQ(end.at("status"), 0);
  EXPECT_GE(end.at("seconds"), 0);
  for (const nlohmann::json& event : events()) {
    const std::string time = event.at("time");
    EXPECT_EQ(time.size(), std::string("2026-05-04T10:11:12Z").size()) << time;
  }
}

TEST_F(EventLogs, TellTheErrorAndKeepEarlierRuns) {
  const std::string cut = "{\"time\":\"2026-05-04T10:11:12Z\",\"event\":\"cut by a power fail";
  folder.write("log", concat("{\"time\":\"2026-05-04T10:11:11Z\",\"event\":\"end\",\"status\":0}\n", cut));
  const ProgramResult result =
      run_program({kGlossBinary, "translate", "-m", folder / "none", "--log-json", folder / "log"}, "");
  EXPECT_EQ(result.status, 3);
  const std::vector<std::string> lines = split(folder.read("log"), '\n');
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(lines[1], cut);
  const nlohmann::json end = parse_json(lines[3], "log");
  EXPECT_EQ(end.at("status"), 3);
  const std::string error = end.at("error");
  EXPECT_TRUE(has(error, folder / "none")) << error;
}

TEST_F(EventLogs, AreNoPartOfTheSettingsOfARun) {
  const std::string output = folder / "output";
  folder.write("text", "a dog\n");
  ASSERT_EQ(translate({"-i", folder / "text", "-o", output}).status, 0);
  const std::string expected = folder.read("output");
  EXPECT_EQ(translate({"-i", folder / "text", "-o", output, "--resume", "--log-json", folder / "log"}).status,
            0);
  EXPECT_EQ(folder.read("output"), expected);
}

TEST_F(EventLogs, MayNotBeTheOutputOrBeLost) {
  folder.write("text", "a dog\n");
  EXPECT_EQ(translate({"-o", folder / "log", "--log-json", folder / "log"}).status, 2);
  EXPECT_EQ(translate({"-i", folder / "text", "--log-json", folder / "text"}).status, 2);
  EXPECT_EQ(folder.read("text"), "a dog\n");
  const ProgramResult missing = translate({"--log-json", folder / "none/log"});
  EXPECT_NE(missing.status, 0);
  EXPECT_TRUE(has(missing.errors, folder / "none/log")) << missing.errors;
  EXPECT_EQ(missing.output, "");
  // A full disk costs the log, not the translation.
  const ProgramResult full = translate({"--log-json", "/dev/full"});
  EXPECT_EQ(full.status, 0);
  EXPECT_TRUE(has(full.errors, "/dev/full")) << full.errors;
  EXPECT_EQ(full.output, translate({}).output);
}

}  // namespace
}  // namespace gloss
