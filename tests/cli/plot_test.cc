// SPDX-License-Identifier: Apache-2.0
// gloss plot through the real binary: pictures of a real training, of many runs, of hostile names; the page
// in a real browser.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "tests/support/browser.h"
#include "tests/support/on_terminal.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHostile = "</script><script>document.title='owned'</script><img src=x onerror=1>&amp;";

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

struct PlotCommand : testing::Test {
  /// A training directory whose log has `reports` reports and a validation for every 20 of them.
  std::string run(const std::string& name, int reports, double floor, const std::string& more = "") {
    std::string log;
    for (int i = 1; i <= reports; ++i) {
      const double loss = floor + 8 * std::exp(-i / 50.0);
      const std::string place = concat("\"update\":", i * 10, ",\"epoch\":", 1 + i / 100,
                                       ",\"tokens\":", i * 4000, ",\"seconds\":", i * 1.5);
      log += concat(R"({"event":"report",)", place, ",\"loss\":", loss + 1, ",\"cross_entropy\":", loss,
                    ",\"learning_rate\":", 0.001 / i, ",\"gradient_norm\":", 1 + i % 7,
                    ",\"tokens_per_second\":", 4000 + i % 50, "}\n");
      if (i % 20 == 0) {
        log += concat(R"({"event":"validation",)", place, ",\"cross_entropy\":", loss + 0.1,
                      ",\"bleu\":", 40 - loss, ",\"best\":true}\n");
      }
    }
    fs::create_directories(folder / name);
    folder.write(name + "/train.log.jsonl", log + more);
    return folder / name;
  }
  ProgramResult plot(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {kGlossBinary, "plot"});
    return run_program(arguments, input);
  }
  void refused(const std::vector<std::string>& arguments, int status, const std::string& message) {
    const ProgramResult result = plot(arguments);
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
    EXPECT_EQ(result.output, "");
  }

  TemporaryDirectory folder;
};

TEST_F(PlotCommand, DrawsARealTraining) {
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
  EXPECT_GT(fs::file_size(folder / "events/trained/events.out.tfevents.0.gloss"), 500u);
}

TEST_F(PlotCommand, FormatsFollowTheNameOfTheOutput) {
  const std::string one = run("one", 60, 1);
  ASSERT_EQ(plot({one, "-o", folder / "a.svg"}).status, 0);
  EXPECT_TRUE(folder.read("a.svg").starts_with("<svg "));
  ASSERT_EQ(plot({one, "-o", folder / "a.html"}).status, 0);
  EXPECT_TRUE(folder.read("a.html").starts_with("<!doctype html>"));
  const ProgramResult text = plot({one, "--format", "text"});
  EXPECT_TRUE(text.output.starts_with("run ")) << text.output;
  EXPECT_NE(text.output.find("\none "), std::string::npos) << text.output;
  // A log itself, also on standard input.
  EXPECT_EQ(plot({"-", "--labels", "one"}, folder.read("one/train.log.jsonl")).output, plot({one}).output);
  EXPECT_EQ(plot({one + "/train.log.jsonl", "--labels", "one"}).output, plot({one}).output);
  EXPECT_EQ(plot({one + "/"}).output, plot({one}).output);
}

TEST_F(PlotCommand, SaysWhatItWrote) {
  const std::string one = run("one", 60, 1), two = run("two", 60, 1);
  for (const char* name : {"a.svg", "a.html", "a.txt"}) {
    const ProgramResult written = plot({one, two, "-o", folder / name});
    EXPECT_EQ(std::count(written.errors.begin(), written.errors.end(), '\n'), 1) << written.errors;
    EXPECT_NE(written.errors.find(folder / name), std::string::npos) << written.errors;
    EXPECT_NE(written.errors.find("2 runs"), std::string::npos) << written.errors;
    EXPECT_EQ(plot({one, "-q", "-o", folder / name}).errors, "");
  }
  EXPECT_EQ(plot({one}).errors, "") << "standard output";
}

TEST_F(PlotCommand, ATerminalGetsATableAndNoPicture) {
  const std::string one = run("one", 60, 1);
  const ProgramResult picture = on_terminal({kGlossBinary, "plot", one});
  EXPECT_EQ(picture.status, 2);
  EXPECT_NE(picture.errors.find("--output curves.svg"), std::string::npos) << picture.errors;
  EXPECT_EQ(picture.output, "");
  const ProgramResult page = on_terminal({kGlossBinary, "plot", one, "-f", "html"});
  EXPECT_NE(page.errors.find("--output curves.html"), std::string::npos) << page.errors;
  const ProgramResult table = on_terminal({kGlossBinary, "plot", one, "-f", "text"});
  EXPECT_EQ(table.status, 0) << table.errors;
  EXPECT_NE(table.output.find("one "), std::string::npos) << table.output;
}

TEST_F(PlotCommand, AxesAndCurvesCanBeChosen) {
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

TEST_F(PlotCommand, ManyRunsOfManyPointsGiveASmallPicture) {
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

TEST_F(PlotCommand, ASinglePointIsADot) {
  const ProgramResult drawn = plot({run("point", 1, 1)});
  ASSERT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_EQ(elements_of(drawn.output)["circle"], 5);  // without validation
}

TEST_F(PlotCommand, ReportsMistakes) {
  const std::string one = run("one", 20, 1), two = run("two", 20, 1);
  refused({}, 2, "RUN");
  refused({folder / "missing"}, 3, folder / "missing");
  fs::create_directories(folder / "empty");
  refused({folder / "empty"}, 3, "has no train.log.jsonl");
  folder.write("empty/train.log.jsonl", "");
  refused({one, folder / "empty"}, 3, "empty/train.log.jsonl");
  folder.write("empty/train.log.jsonl", "{\"event\":\"report\",\"update\":1}\nrubbish\n{}\n");
  refused({folder / "empty"}, 3, "train.log.jsonl:2: column");
  refused({one, one + "/"}, 2, "is given twice");
  refused({one, two, "--labels", "a"}, 2, "2 runs but 1 --labels");
  refused({one, two, "--labels", "a", "a"}, 2, "the same");
  refused({one, "--curves", "bless"}, 2, "--curves: no log has 'bless'; expected bleu, ");
  refused({one, "--smooth", "1"}, 2, "--smooth");
  refused({one, "--from", "1000000"}, 3, "nothing to draw");
  refused({one, "--output", folder / "a.png"}, 2,
          "no .png; expected a name that ends in .svg, .html or .txt");
  refused({one, "--output", folder / "a"}, 2, "no ending; expected a name that ends in .svg, .html or .txt");
  refused({one, "--format", "tensorboard"}, 2, "--output DIR");
  refused({one, "--output", "/nowhere/a.svg"}, 1, "/nowhere");
  std::vector<std::string> many;
  for (int i = 0; i < 29; ++i) many.push_back(run(concat("many", i), 1, 1));
  refused(many, 2, "at most 28");
  many.push_back("--format");
  many.push_back("text");
  EXPECT_EQ(plot(many).status, 0);
}

TEST_F(PlotCommand, WarnsOfAnIncompleteLastLineAndIgnoresIt) {
  const ProgramResult drawn = plot({run("killed", 20, 1, R"({"event":"report","upda)")});
  EXPECT_EQ(drawn.status, 0);
  EXPECT_NE(drawn.errors.find("killed/train.log.jsonl:22"), std::string::npos) << drawn.errors;
  EXPECT_EQ(drawn.output, plot({run("killed", 20, 1)}).output);
}

TEST_F(PlotCommand, HostileTextStaysText) {
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

/// Inspects the page, moves the pointer, presses keys, hides a run.
constexpr const char* kVisit = R"js(
const values = () => document.querySelector("figure .values:not(.hidden)");
const rows = () => [...values().querySelectorAll("tr")].map((row) => row.textContent.trim());
const box = document.querySelector("figure > svg").getBoundingClientRect();
const over = (share) => document.querySelector("figure > svg").dispatchEvent(new PointerEvent("pointermove",
  {clientX: box.left + box.width * (layout.left + share * layout.width) / layout.whole, clientY: box.top + 50}));
const key = (name) => document.querySelectorAll("figure > svg")[1].dispatchEvent(new KeyboardEvent("keydown", {key: name}));
seen.title = document.title;
seen.heading = document.querySelector("h1").textContent;
seen.labels = [...document.querySelectorAll("main section bdi")].map((node) => node.textContent);
seen.panels = [...document.querySelectorAll("figure .heading")].map((node) => node.textContent);
seen.scripts = document.scripts.length;
seen.images = document.images.length;
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
seen.before = values() === null;
over(0.55);
seen.caption = values().querySelector("caption").textContent;
seen.rows = rows();
seen.inside = values().getBoundingClientRect().right <= window.innerWidth;
seen.cursors = document.querySelectorAll("g:not(.hidden) > .cursor").length;
over(0.8);
seen.later = values().querySelector("caption").textContent;
document.querySelector("tbody input").click();
over(0.55);
seen.one = rows();
seen.hidden = getComputedStyle(document.querySelector(".run-0")).display;
document.querySelector("figure > svg").dispatchEvent(new PointerEvent("pointerleave"));
seen.left = values() === null;
key("ArrowRight");
key("ArrowRight");
seen.key = values().querySelector("caption").textContent;
key("Escape");
seen.escaped = values() === null;
seen.drawn = document.querySelector(".run-1.strong").getBBox().width > 100;
)js";

TEST_F(PlotCommand, ThePageWorksInABrowser) {
  const std::string first = run(std::string("a <b>") + "&amp;", 100, 1), second = run("second", 60, 2);
  ASSERT_EQ(plot({first, second, "--title", kHostile, "-o", folder / "page.html"}).status, 0);
  const std::string page = folder.read("page.html");
  for (const char* reference : {"https://", "src=\"", "<link", "@import", "url("}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  const PageVisit visit = visit_page(page, kVisit, folder);
  if (visit.skipped) {
    GTEST_SKIP()
        << "SKIPPED: no Chromium is installed ('apt-get install chromium'); the page was not looked at";
  }
  EXPECT_EQ(visit.messages.find("CONSOLE"), std::string::npos) << visit.messages;
  const nlohmann::json& seen = visit.seen;
  ASSERT_TRUE(seen.is_object()) << visit.messages;
  EXPECT_EQ(seen["title"], kHostile);
  EXPECT_EQ(seen["heading"], kHostile);
  EXPECT_EQ(seen["labels"], (nlohmann::json{"a <b>&amp;", "second"}));
  EXPECT_EQ(seen["panels"].size(), 6u);
  EXPECT_EQ(seen["scripts"], 3);
  EXPECT_EQ(seen["images"], 0);
  EXPECT_TRUE(seen["wide"]) << "the page is wider than a phone";
  EXPECT_TRUE(seen["before"]);
  EXPECT_EQ(seen["caption"], "update 550");
  EXPECT_EQ(seen["rows"],
            (nlohmann::json{"trainingvalidation", "a <b>&amp;3.6633.5095", "second4.6634.5095"}));
  EXPECT_TRUE(seen["inside"]);
  EXPECT_EQ(seen["cursors"], 6);
  EXPECT_EQ(seen["later"], "update 800");
  EXPECT_EQ(seen["one"], (nlohmann::json{"trainingvalidation", "second4.6634.5095"}));
  EXPECT_EQ(seen["hidden"], "none");
  EXPECT_TRUE(seen["left"]);
  EXPECT_EQ(seen["key"], "update 20");
  EXPECT_TRUE(seen["escaped"]);
  EXPECT_TRUE(seen["drawn"]);
}

}  // namespace
}  // namespace gloss
