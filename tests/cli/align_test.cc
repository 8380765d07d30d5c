// SPDX-License-Identifier: Apache-2.0
// gloss align through the real binary: links, weights, text maps, and the page in a real browser.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "tests/support/browser.h"
#include "tests/support/untrained_program.h"

namespace gloss {
namespace {

constexpr const char* kHostileWord = "</script><img src=x onerror=\"document.title='owned'\"> &lt;b&gt;";

class Align : public UntrainedModels {
 protected:
  static ProgramResult align(const std::string& source, const std::string& target,
                             std::vector<std::string> options = {}) {
    const TemporaryDirectory files;
    options.insert(options.end(),
                   {"--source", files.write("source", source), "--target", files.write("target", target)});
    return gloss("align", options);
  }
  inline static const std::string kSource = "the cat sat\n\non a mat.\n",
                                  kTarget = "a cat\nthe dog\non the mat.\n";
};

TEST_F(Align, GivesEachTargetWordALinkAndEachPairALine) {
  const ProgramResult result = align(kSource, kTarget);
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<std::string> lines = output_lines(result.output);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "");
  const std::vector<std::string> links = split(lines[2], ' ');
  ASSERT_EQ(links.size(), 3u);
  for (std::size_t i = 0; i < links.size(); ++i) {
    EXPECT_EQ(links[i].substr(1), concat("-", i));
    EXPECT_TRUE(links[i][0] >= '0' && links[i][0] <= '2') << links[i];
  }
}

TEST_F(Align, LinksAreTheLargestWeightsOfEveryFormat) {
  const auto json = json_lines(align(kSource, kTarget, {"--format", "json"}).output);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["source"], (nlohmann::json{"the", "cat", "sat"}));
  EXPECT_EQ(json[0]["target"], (nlohmann::json{"a", "cat"}));
  EXPECT_EQ(json[1]["maps"], nlohmann::json::array());
  const std::vector<std::string> rows = output_lines(align(kSource, kTarget, {"--format", "tsv"}).output);
  ASSERT_EQ(rows.size(), 5u);
  const std::vector<std::string> links = output_lines(align(kSource, kTarget).output);
  std::size_t row = 0;
  for (const std::size_t pair : {0u, 2u}) {
    const nlohmann::json& map = json[pair]["maps"].at(0);
    EXPECT_EQ(map["layer"], 1);
    EXPECT_EQ(map["head"], 0);
    std::string expected;
    for (std::size_t target = 0; target < map["weights"].size(); ++target) {
      const auto weights = map["weights"][target].get<std::vector<double>>();
      const std::vector<std::string> columns = split(rows.at(row++), '\t');
      ASSERT_EQ(columns.size(), 4 + weights.size());
      EXPECT_EQ(columns[0], std::to_string(pair));
      EXPECT_EQ(columns[3], std::to_string(target));
      double sum = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        EXPECT_NEAR(std::stod(columns[4 + i]), weights[i], 6e-5);
        sum += weights[i];
      }
      EXPECT_GT(sum, 0.1);
      EXPECT_LT(sum, 1.001);
      const auto best = std::max_element(weights.begin(), weights.end()) - weights.begin();
      expected += concat(target == 0 ? "" : " ", best, "-", target);
    }
    EXPECT_EQ(links[pair], expected);
  }
}

TEST_F(Align, AveragesTheHeads) {
  const nlohmann::json all =
      json_lines(align(kSource, kTarget, {"--format", "json", "--all"}).output).front()["maps"];
  const nlohmann::json mean =
      json_lines(align(kSource, kTarget, {"--format", "json"}).output).front()["maps"].at(0)["weights"];
  ASSERT_EQ(all.size(), 2u);  // one layer, two heads
  EXPECT_NE(all[0]["weights"], all[1]["weights"]);
  for (std::size_t target = 0; target < mean.size(); ++target) {
    for (std::size_t source = 0; source < mean[target].size(); ++source) {
      const double both =
          all[0]["weights"][target][source].get<double>() + all[1]["weights"][target][source].get<double>();
      EXPECT_NEAR(mean[target][source].get<double>(), both / 2, 1e-6);
    }
  }
  EXPECT_EQ(
      json_lines(align(kSource, kTarget, {"--format", "json", "--head", "2"}).output).front()["maps"].at(0),
      all[1]);
}

TEST_F(Align, ShowsHowLayersMixTheWordsOfASide) {
  for (const std::string side : {"encoder", "decoder"}) {
    const auto json = json_lines(align(kSource, kTarget, {"--format", "json", "--attention", side}).output);
    ASSERT_EQ(json.size(), 3u);
    const nlohmann::json words = json[2][side == "encoder" ? "source" : "target"];
    EXPECT_EQ(words.size(), 3u);
    EXPECT_EQ(json[2]["source"], words);
    EXPECT_EQ(json[2]["target"], words);
    EXPECT_EQ(json[1]["maps"], nlohmann::json::array());
    const nlohmann::json& rows = json[2]["maps"].at(0)["weights"];
    for (std::size_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (std::size_t column = 0; column < 3; ++column) {
        const auto weight = rows[row][column].get<double>();
        sum += weight;
        if (side == "decoder" && column > row) {
          EXPECT_EQ(weight, 0) << "a later word is seen";
        } else {
          EXPECT_GT(weight, 0);
        }
      }
      EXPECT_LT(sum, 1) << "the rest is on other tokens";
    }
  }
}

TEST_F(Align, DoesNotDependOnNeighboursAndThreads) {
  for (const std::string side : {"cross", "encoder", "decoder"}) {
    const std::vector<std::string> options{"--format", "json", "--all", "--attention", side};
    std::vector<std::string> alone = options;
    alone.insert(alone.end(), {"--batch-size", "1", "-j", "2"});
    EXPECT_EQ(align(kSource, kTarget, alone).output, align(kSource, kTarget, options).output);
  }
}

TEST_F(Align, DrawsAMapWithCharacters) {
  const ProgramResult result = align("the cat sat\n", "a\x1b[31m cat\n", {"--text"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::vector<std::string> lines = output_lines(result.output);
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(lines[0], "line 0, layer 1, mean of the heads");
  EXPECT_NE(lines[1].find("the cat sat"), std::string::npos) << lines[1];
  EXPECT_EQ(result.output.find('\x1b'), std::string::npos) << "no control character reaches the terminal";
}

TEST_F(Align, RefusesInvalidInput) {
  expect_failure(align(kSource, kTarget, {"--layer", "2"}), 2, "1 decoder layers with 2 heads each");
  expect_failure(align(kSource, kTarget, {"--head", "3"}), 2, "1 decoder layers with 2 heads each");
  expect_failure(align(kSource, kTarget, {"--attention", "encoder", "--layer", "2"}), 2,
                 "1 encoder layers with 2 heads each");
  expect_failure(align(kSource, kTarget, {"--attention", "self"}), 2, "cross, encoder, decoder");
  expect_failure(align(kSource, kTarget, {"--all"}), 2, "--all is for --format tsv and json");
  expect_failure(align(kSource, kTarget, {"--text", "--format", "tsv"}), 2, "--text and --format");
  expect_failure(align(kSource, "a\n"), 3, "lines");
}

constexpr const char* kAlignmentVisit = R"js(
const choose = (id, value) => { byId(id).value = value; byId(id).dispatchEvent(new Event("change")); };
const rowNames = () => [...document.querySelectorAll("#map tbody th")].map((node) => node.textContent);
const opacities = () => [...document.querySelectorAll("#map td div")].map((node) => node.style.opacity);
seen.pairs = byId("item").options.length;
seen.heads = [...byId("head").options].map((node) => node.textContent);
seen.columns = [...document.querySelectorAll("#map thead th")].map((node) => node.textContent);
seen.rows = rowNames();
const mean = opacities();
choose("head", "1");
seen.changed = JSON.stringify(mean) !== JSON.stringify(opacities());
document.querySelector("#map tbody td").dispatchEvent(new Event("mouseenter"));
seen.value = byId("value").textContent;
byId("next").click();
seen.second = rowNames();
choose("item", "2");
seen.hostile = rowNames();
seen.title = document.title;
seen.images = document.images.length;
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
)js";

TEST_F(Align, FailsEarlyIfThePageCannotBeWritten) {
  const ProgramResult result = align(kSource, kTarget, {"--html", "/missing/map.html"});
  expect_failure(result, 1, "/missing/map.html");
  EXPECT_EQ(result.output, "");
}

TEST_F(Align, ThePageWorksInABrowserAndHostileTextStaysText) {
  const TemporaryDirectory files;
  const std::string hostile = std::string(kHostileWord) + "\n";
  const ProgramResult result = align(kSource + hostile, kTarget + hostile,
                                     {"--html", files / "map.html", "--title", "Maps & <i>more</i>"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const std::string page = read_file(files / "map.html");
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_NE(page.find("Maps &amp; &lt;i&gt;more&lt;/i&gt;"), std::string::npos);
  const PageVisit visit = visit_page(page, kAlignmentVisit, files);
  if (visit.skipped) GTEST_SKIP() << "no Chromium is installed";
  ASSERT_FALSE(visit.seen.is_null()) << visit.messages;
  EXPECT_EQ(visit.messages.find("CONSOLE"), std::string::npos) << visit.messages;
  EXPECT_EQ(visit.seen["title"], "Maps & <i>more</i>");
  EXPECT_EQ(visit.seen["pairs"], 3);  // one has no words
  EXPECT_EQ(visit.seen["heads"], (nlohmann::json{"mean", "1", "2"}));
  EXPECT_EQ(visit.seen["columns"], (nlohmann::json{"the", "cat", "sat"}));
  EXPECT_EQ(visit.seen["rows"], (nlohmann::json{"a", "cat"}));
  EXPECT_EQ(visit.seen["changed"], true);
  EXPECT_EQ(visit.seen["value"].get<std::string>().substr(0, 9), "a ← the");
  EXPECT_EQ(visit.seen["second"], (nlohmann::json{"on", "the", "mat."}));
  EXPECT_EQ(visit.seen["hostile"].at(0), "</script><img");
  EXPECT_EQ(visit.seen["images"], 0);
  EXPECT_EQ(visit.seen["wide"], true);
}

}  // namespace
}  // namespace gloss
