// SPDX-License-Identifier: Apache-2.0
// gloss plot through the real binary: SVG pictures of a real training, of many runs, of hostile names.
#include <algorithm>
#include <map>

#include "tests/cli/plot_command.h"

namespace gloss {
namespace {

struct PlotPicture : PlotCommand {};

/// The number of occurrences of each element; fails unless the document is well-formed: elements are closed
/// in order, attributes are quoted, and only XML's own entities occur.
std::map<std::string, int> elements_of(const std::string& xml) {
  std::map<std::string, int> counts;
  std::vector<std::string> open;
  const auto check_text = [&](std::string_view text) {
    EXPECT_EQ(text.find('<'), std::string::npos) << text;
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
      const std::string_view entity = text.substr(at, text.find(';', at) - at);
      EXPECT_TRUE(entity == "&lt" || entity == "&gt" || entity == "&amp" || entity == "&quot") << entity;
    }
    for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  };
  std::size_t at = 0;
  while ((at = xml.find('<', at)) != std::string::npos) {
    const std::size_t end = xml.find('>', at);
    std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.starts_with("/")) {
      EXPECT_FALSE(open.empty());
      if (open.empty()) break;
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else {
      const std::string name = tag.substr(0, tag.find_first_of(" /"));
      ++counts[name];
      EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
      EXPECT_EQ(std::count(tag.begin(), tag.end(), '='), std::count(tag.begin(), tag.end(), '"') / 2) << tag;
      if (!tag.ends_with("/")) open.push_back(name);
      check_text(tag);
    }
    const std::size_t next = std::min(xml.find('<', end), xml.size());
    check_text(std::string_view(xml).substr(end + 1, next - end - 1));
    at = end;
  }
  EXPECT_TRUE(open.empty());
  return counts;
}

TEST_F(PlotPicture, DrawsARealTraining) {
  std::string english, german;
  for (int i = 0; i < 60; ++i) {
    english += concat("one two ", i % 10, "\n");
    german += concat("eins zwei ", i % 10, "\n");
  }
  const std::string source = folder.write("en", english), target = folder.write("de", german);
  const ProgramResult trained = run_program({kGlossBinary,
                                             "train",
                                             "--source",
                                             source,
                                             "--target",
                                             target,
                                             "--valid-source",
                                             source,
                                             "--valid-target",
                                             target,
                                             "--output",
                                             folder / "trained",
                                             "--vocab-size",
                                             "40",
                                             "--width",
                                             "16",
                                             "--feed-forward-width",
                                             "32",
                                             "--heads",
                                             "2",
                                             "--encoder-layers",
                                             "1",
                                             "--decoder-layers",
                                             "1",
                                             "--batch-tokens",
                                             "100",
                                             "--max-updates",
                                             "20",
                                             "--valid-interval",
                                             "10",
                                             "--report-interval",
                                             "5"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const ProgramResult drawn = plot({folder / "trained"});
  EXPECT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_EQ(drawn.errors, "");
  EXPECT_TRUE(drawn.output.starts_with("<svg "));
  EXPECT_GE(elements_of(drawn.output)["path"], 20);
  for (const std::string title : {"Cross-entropy per token", "Loss per token", "BLEU of the validation",
                                  "Learning rate", "Tokens per second", "Gradient norm", ">trained<"}) {
    EXPECT_NE(drawn.output.find(title), std::string::npos) << title;
  }
  EXPECT_EQ(plot({folder / "trained", "--format", "svg"}).output, drawn.output);
  const ProgramResult events =
      plot({folder / "trained", "--format", "tensorboard", "--output", folder / "events"});
  EXPECT_EQ(events.status, 0) << events.errors;
  EXPECT_GT(std::filesystem::file_size(folder / "events/trained/events.out.tfevents.0.gloss"), 500u);
}

TEST_F(PlotPicture, AxesAndCurvesCanBeChosen) {
  const std::string one = run("one", 250, 1);
  const auto drawn = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {one, "--curves", "loss"});
    const ProgramResult result = plot(more);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  };
  EXPECT_NE(drawn({}).find(">updates<"), std::string::npos);
  EXPECT_NE(drawn({"--x", "tokens"}).find(">0.4M<"), std::string::npos);
  EXPECT_NE(drawn({"--x", "epochs"}).find(">epochs<"), std::string::npos);
  EXPECT_NE(drawn({"--x", "time"}).find(">minutes<"), std::string::npos);
  EXPECT_EQ(drawn({}).find("faint"), drawn({}).find(".faint") + 1);  // in the style alone
  EXPECT_NE(drawn({"--smooth", "0.9"}).find("class=\"curve faint"), std::string::npos);
  EXPECT_EQ(drawn({"--from", "2000"}).find(">0<"), std::string::npos);
  EXPECT_EQ(drawn({}).find("Gradient norm"), std::string::npos);
}

TEST_F(PlotPicture, ManyRunsOfManyPointsGiveASmallPicture) {
  std::vector<std::string> runs;
  for (int i = 0; i < 10; ++i) runs.push_back(run(concat("run", i), 1500, 1 + 0.1 * i));
  const ProgramResult drawn = plot(runs);
  ASSERT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_LT(drawn.output.size(), 2'000'000u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_NE(drawn.output.find(concat("run-", i, " colour-", i % 7, " dash-", i / 7)), std::string::npos)
        << i;
  }
}

TEST_F(PlotPicture, ASinglePointIsADot) {
  const ProgramResult drawn = plot({run("point", 1, 1)});
  ASSERT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_EQ(elements_of(drawn.output)["circle"], 5);  // without validation
}

TEST_F(PlotPicture, HostileTextStaysText) {
  const std::string one = run("one", 20, 1,
                              R"({"event":"report","update":300,"</svg><script>":1})"
                              "\n");
  const std::string bytes = std::string(kHostile) + "\x1b[31m\xFF\x01";
  const std::vector<std::string> words{one,        "--curves", "</svg><script>", "loss",
                                       "--labels", bytes,      "--title",        bytes};
  const ProgramResult drawn = plot(words);
  ASSERT_EQ(drawn.status, 0) << drawn.errors;
  const auto elements = elements_of(drawn.output);
  EXPECT_FALSE(elements.contains("script"));
  EXPECT_FALSE(elements.contains("img"));
  EXPECT_NE(drawn.output.find("&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(drawn.output.find('\xFF'), std::string::npos);
}

}  // namespace
}  // namespace gloss
