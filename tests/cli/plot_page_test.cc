// SPDX-License-Identifier: Apache-2.0
// The page of gloss plot in a real browser.
#include <nlohmann/json.hpp>

#include "tests/cli/plot_command.h"
#include "tests/support/browser.h"

namespace gloss {
namespace {

struct PlotPage : PlotCommand {};

/// Inspects the page, moves the pointer, presses keys, hides a run.
constexpr const char* kPlotVisit = R"js(
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

TEST_F(PlotPage, ThePageWorksInABrowser) {
  const std::string first = run(std::string("a <b>") + "&amp;", 100, 1), second = run("second", 60, 2);
  ASSERT_EQ(plot({first, second, "--title", kHostile, "-o", folder / "page.html"}).status, 0);
  const std::string page = folder.read("page.html");
  for (const char* reference : {"https://", "src=\"", "<link", "@import", "url("}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  const PageVisit visit = visit_page(page, kPlotVisit, folder);
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
