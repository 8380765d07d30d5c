// SPDX-License-Identifier: Apache-2.0
// gloss train --guided-alignment through the real binary.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/lines.h"
#include "base/text.h"
#include "tests/cli/train_command.h"

namespace gloss {
namespace {

struct GuidedAlignment : TrainCommand {
  GuidedAlignment() {
    // The language of number words is translated word by word.
    std::string links;
    const std::vector<std::string> lines = read_lines(folder / "train.en");
    for (const std::string& line : lines) {
      for (std::size_t word = 0; word < split(line, ' ').size(); ++word) {
        links += concat(word == 0 ? "" : " ", word, "-", word);
      }
      links += "\n";
    }
    guided = {"--guided-alignment", folder.write("train.links", links)};
  }
  std::vector<std::string> with_links(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), guided.begin(), guided.end());
    return more;
  }
  /// The share of the words of the validation text that `gloss align` links correctly.
  double accuracy(const std::string& run) {
    const ProgramResult result = gloss(
        {"align", "-m", folder / run, "--source", folder / "valid.en", "--target", folder / "valid.de"});
    EXPECT_EQ(result.status, 0) << result.errors;
    int right = 0, words = 0;
    const std::vector<std::string> lines = split(result.output, '\n');
    for (const std::string& line : lines) {
      if (line.empty()) continue;
      const std::vector<std::string> links = split(line, ' ');
      for (const std::string& link : links) {
        const std::vector<std::string> ends = split(link, '-');
        right += ends.at(0) == ends.at(1) ? 1 : 0;
        ++words;
      }
    }
    return static_cast<double>(right) / words;
  }
  nlohmann::json network_of(const std::string& run) {
    return nlohmann::json::parse(folder.read(run + "/best/config.json"))["network"];
  }
  std::vector<std::string> guided;
};

TEST_F(GuidedAlignment, TheHeadFollowsTheLinksAndShowsTheAlignment) {
  const std::vector<std::string> longer{"--max-updates", "250", "--guided-alignment-weight", "1"};
  ASSERT_EQ(train("guided", with_links(longer)).status, 0);
  ASSERT_EQ(train("plain", {"--max-updates", "250"}).status, 0);
  EXPECT_EQ(network_of("guided")["alignment_head"], 1);
  EXPECT_EQ(network_of("plain")["alignment_head"], 0);
  EXPECT_GE(accuracy("guided"), 0.75);
  EXPECT_LT(accuracy("plain"), accuracy("guided") - 0.1);
  const auto links_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"align",
                                   "-m",
                                   folder / "guided",
                                   "--source",
                                   folder / "valid.en",
                                   "--target",
                                   folder / "valid.de",
                                   "--format",
                                   "json"};
    words.insert(words.end(), more.begin(), more.end());
    return gloss(words).output;
  };
  EXPECT_EQ(links_of({}), links_of({"--head", "1"}));
  EXPECT_NE(links_of({}), links_of({"--head", "2"}));
  // Translation reports the same head.
  const ProgramResult translated =
      gloss({"translate", "-m", folder / "guided", "--alignment", "hard"}, "three four five\n");
  EXPECT_NE(translated.output.find("0-0 1-1 2-2"), std::string::npos) << translated.output;
}

TEST_F(GuidedAlignment, GivesTheSameBytesInPartsAndOnAnyThreads) {
  expect_parts_as_whole(
      [&](const std::string& output, const std::vector<std::string>& more) { return train(output, more); },
      with_links({"--bpe-dropout", "0.2", "--gradient-shards", "2", "--shuffle-window", "100"}), {"7", "12"});
}

TEST_F(GuidedAlignment, TrainsEveryNetworkThatAttends) {
  for (const std::vector<std::string>& network : std::vector<std::vector<std::string>>{
           {"--decoder-mixers", "ssru"}, {"--decoder-heads", "1"}, {"--norm", "pre"}}) {
    const ProgramResult result = train("run", with_links([&] {
                                         std::vector<std::string> more{"--fresh", "--max-updates", "3"};
                                         more.insert(more.end(), network.begin(), network.end());
                                         return more;
                                       }()));
    EXPECT_EQ(result.status, 0) << network.front() << ": " << result.errors;
  }
  const auto recurrent = [&](const std::string& attention) {
    return run_program(any_command(
        "recurrent", with_links({"--architecture", "recurrent", "--attention", attention, "--fresh"})));
  };
  ASSERT_EQ(recurrent("additive").status, 0);
  EXPECT_EQ(network_of("recurrent")["alignment_head"], 1);
  expect_failure(recurrent("none"), 2, "--guided-alignment");
}

TEST_F(GuidedAlignment, FineTuningKeepsOrTrainsTheHead) {
  ASSERT_EQ(train("guided", with_links()).status, 0);
  ASSERT_EQ(train("plain").status, 0);
  const auto finetune = [&](const std::string& from, const std::string& output,
                            const std::vector<std::string>& more) {
    std::vector<std::string> words{"finetune",
                                   "-m",
                                   folder / from,
                                   "--source",
                                   folder / "train.en",
                                   "--target",
                                   folder / "train.de",
                                   "--output",
                                   folder / output,
                                   "--max-updates",
                                   "2"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = gloss(words);
    EXPECT_EQ(result.status, 0) << result.errors;
  };
  finetune("guided", "kept", {});
  EXPECT_EQ(network_of("kept")["alignment_head"], 1);
  finetune("plain", "trained", guided);
  EXPECT_EQ(network_of("trained")["alignment_head"], 1);
}

TEST_F(GuidedAlignment, ErrorsNameFileLineAndSetting) {
  const auto fails = [&](const std::string& links, const std::string& message) {
    expect_failure(train("bad", {"--guided-alignment", folder.write("bad.links", links)}), 3, message);
  };
  fails("0-0\n", "has 300 lines but ");
  std::string links = folder.read("train.links");
  fails("0-99 " + links, "bad.links:1: the link 0-99 exceeds");
  fails("words " + links, "bad.links:1: 'words'");
  expect_failure(train("bad", {"--guided-alignment", folder / "missing"}), 3, "missing");
  expect_failure(train("bad", {"--guided-alignment-weight", "0.5"}), 2, "--guided-alignment FILE");
  expect_failure(train("bad", with_links({folder / "train.links"})), 2,
                 "--guided-alignment: found 2 for 1 corpus");
  // A training continues with the same links and the same weight only.
  ASSERT_EQ(train("run", with_links()).status, 0);
  expect_failure(train("run", with_links({"--guided-alignment-weight", "0.5"})), 2,
                 "--guided-alignment-weight 0.1, now it is 0.5");
  links.replace(0, links.find('\n'), "");
  expect_failure(train("run", {"--guided-alignment", folder.write("other.links", links)}), 2,
                 "another --guided-alignment");
  expect_failure(train("run"), 2, "another --guided-alignment");
}

}  // namespace
}  // namespace gloss
