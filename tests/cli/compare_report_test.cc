// The report in a real browser: it renders, sorts and filters, writes nothing to the console, and hostile
// text stays text.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

std::string find_browser() {
  if (const char* chosen = std::getenv("GLOSS_BROWSER")) return chosen;
  for (const char* folder : {"/usr/bin/", "/usr/local/bin/", "/snap/bin/"}) {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      if (std::filesystem::exists(std::string(folder) + name)) return std::string(folder) + name;
    }
  }
  return "";
}

constexpr const char* kHostile =
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> "
    "&lt;b&gt;";

/// Clicks through the page and writes what it sees into the element "seen".
constexpr const char* kVisit = R"js(
const seen = {};
const text = (selector) => document.querySelector(selector).textContent;
const firstColumn = () => [...document.querySelectorAll("#scores tbody th")].map((node) => node.textContent);
const lines = () => [...document.querySelectorAll("#sentences article")].map((node) => Number(node.dataset.line));
const choose = (id, value) => { byId(id).value = value; byId(id).dispatchEvent(new Event("change", {bubbles: true})); };
seen.title = document.title;
seen.heading = text("h1");
seen.summary = text("#summary");
seen.systems = firstColumn();
document.querySelectorAll("#scores thead button")[1].click();
seen.descending = firstColumn();
document.querySelectorAll("#scores thead button")[1].click();
seen.ascending = firstColumn();
seen.sorted = document.querySelectorAll("#scores thead th")[1].getAttribute("aria-sort");
seen.buckets = document.querySelectorAll("#lengths thead th").length - 1;
seen.lengthBefore = text("#lengths tbody");
choose("length-metric", "1");
seen.lengthAfter = text("#lengths tbody");
seen.ngrams = document.querySelectorAll("#ngrams tbody tr").length;
seen.lines = lines();
byId("next").click();
seen.secondPage = lines();
choose("sort", "length");
byId("direction").click();
seen.longest = lines()[0];
choose("sort", "s0");
byId("direction").click();
seen.worst = lines()[0];
byId("find").value = "OWNED";
byId("find").dispatchEvent(new Event("input", {bubbles: true}));
seen.found = text("#found");
seen.hostile = document.querySelector("#sentences dd").textContent;
seen.images = document.images.length;
seen.scripts = document.scripts.length;
byId("find").value = "cat";
byId("find").dispatchEvent(new Event("input", {bubbles: true}));
seen.marks = [...document.querySelectorAll("#sentences mark")].map((node) => node.textContent);
seen.missing = [...document.querySelectorAll("#sentences u")].map((node) => node.textContent);
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
document.body.append(make("pre", {id: "seen"}, "SEEN" + JSON.stringify(seen) + "NEES"));
)js";

std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
      text.replace(at, std::string(from).size(), to);
    }
  }
  return text;
}

class Report : public testing::Test {
 protected:
  void SetUp() override {
    std::string reference, first, second, source;
    for (int i = 0; i < 40; ++i) {
      const std::string number = std::to_string(i);
      reference += "sentence number " + number + " of the test\n";
      first += "sentence number " + number + " of the text\n";
      second += "sentence number " + number + " of the test\n";
      source += "Satz " + number + "\n";
    }
    reference +=
        "the cat sat on the mat and then it went away again to sleep\n" + std::string(kHostile) + "\n";
    first += "the dog sat on the mat and then it went away to sleep\n" + std::string(kHostile) + "\n";
    second += "a cat sat on the mat and then it went away again to sleep\n" + std::string(kHostile) + "\n";
    source += "die Katze\n" + std::string(kHostile) + "\n";
    const ProgramResult result = run_program(
        {GLOSS_BINARY, "compare", folder_.write("reference", reference), folder_.write("first", first),
         folder_.write(kName, second), "--source", folder_.write("source", source), "--html",
         folder_ / "report.html", "--samples", "50", "--title", "Tests & <i>trials</i>", "--force"});
    ASSERT_EQ(result.status, 0) << result.errors;
    page_ = folder_.read("report.html");
  }

  static constexpr const char* kName = "<b>second";
  TemporaryDirectory folder_;
  std::string page_;
};

TEST_F(Report, StandsAlone) {
  for (const char* reference : {"http://", "https://", "src=\"", "<link", "@import", "url("}) {
    EXPECT_EQ(page_.find(reference), std::string::npos) << reference;
  }
  EXPECT_NE(page_.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page_.find("onerror=\""), std::string::npos);
  EXPECT_NE(page_.find("<title>Tests &amp; &lt;i&gt;trials&lt;/i&gt;</title>"), std::string::npos);
  // Two script elements: the data and the program.
  EXPECT_EQ(page_.find("</script>", page_.find("</script>", page_.find("</script>") + 1) + 1),
            std::string::npos);
}

TEST_F(Report, TheTableHasSignificanceMarks) {
  const ProgramResult result =
      run_program({GLOSS_BINARY, "compare", folder_ / "reference", folder_ / "first", folder_ / kName, "-m",
                   "chrf", "ter", "--samples", "200", "-w", "2"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("Baseline: " + (folder_ / "first")), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("(p = 0.0050)*"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(" - TER        nrefs:1|bs:200|seed:12345|"), std::string::npos)
      << result.output;
}

TEST_F(Report, MistakesAreTold) {
  const auto compare = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {GLOSS_BINARY, "compare"});
    return run_program(arguments, "");
  };
  const std::string reference = folder_ / "reference", first = folder_ / "first";
  EXPECT_EQ(compare({reference}).status, 2);
  EXPECT_EQ(compare({reference, first, first}).status, 2);
  EXPECT_EQ(compare({reference, "-", "-"}).status, 2);
  EXPECT_EQ(compare({reference, folder_.write("short", "x\n")}).status, 3);
  EXPECT_EQ(compare({reference, first, "--source", folder_ / "short", "--html", folder_ / "r.html"}).status,
            3);
  EXPECT_EQ(compare({reference, first, "--html", "/nowhere/report.html"}).status, 1);
}

TEST_F(Report, WorksInABrowser) {
  const std::string browser = find_browser();
  if (browser.empty()) {
    GTEST_SKIP()
        << "SKIPPED: no Chromium is installed ('apt-get install chromium'); the report was not looked at";
  }
  const std::size_t end = page_.rfind("</body>");
  folder_.write("visited.html", page_.substr(0, end) + "<script>" + kVisit + "</script>" + page_.substr(end));
  const ProgramResult result =
      run_program({browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--user-data-dir=" + folder_.path() + "/profile", "--window-size=390,844",
                   "--enable-logging=stderr", "--dump-dom", "file://" + folder_.path() + "/visited.html"},
                  "", {"HOME=" + folder_.path()});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors.find("CONSOLE"), std::string::npos) << result.errors;
  const std::size_t from = result.output.rfind("SEEN{"), to = result.output.rfind("}NEES");
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos)
      << result.errors << result.output.substr(0, 2000);
  const auto seen = nlohmann::json::parse(unescaped(result.output.substr(from + 4, to + 1 - from - 4)));

  EXPECT_EQ(seen["title"], "Tests & <i>trials</i>");
  EXPECT_EQ(seen["heading"], "Tests & <i>trials</i>");
  EXPECT_EQ(seen["summary"], "42 segments, 2 systems, references reference");
  const nlohmann::json baseline_first{"first (baseline)", kName}, baseline_last{kName, "first (baseline)"};
  EXPECT_EQ(seen["systems"], baseline_first);
  EXPECT_EQ(seen["descending"], baseline_last);
  EXPECT_EQ(seen["ascending"], baseline_first);
  EXPECT_EQ(seen["sorted"], "ascending");
  EXPECT_GE(seen["buckets"], 2);
  EXPECT_NE(seen["lengthBefore"], seen["lengthAfter"]);
  EXPECT_GT(seen["ngrams"], 0);
  EXPECT_EQ(seen["lines"].size(), 20u);
  EXPECT_EQ(seen["lines"][0], 1);
  EXPECT_EQ(seen["secondPage"][0], 21);
  EXPECT_EQ(seen["longest"], 42);
  EXPECT_EQ(seen["worst"], 41);
  EXPECT_EQ(seen["found"], "1 of 42 segments");
  EXPECT_EQ(seen["hostile"], kHostile);
  EXPECT_EQ(seen["images"], 0);
  EXPECT_EQ(seen["scripts"], 3);
  const std::vector<std::string> marks = seen["marks"], missing = seen["missing"];
  EXPECT_NE(std::find(marks.begin(), marks.end(), "dog"), marks.end());
  EXPECT_EQ(std::find(marks.begin(), marks.end(), "mat"), marks.end());
  EXPECT_TRUE(missing.empty()) << seen["missing"];  // the one has "the", the other "cat"
  EXPECT_TRUE(seen["wide"]) << "the page is wider than a phone";
}

}  // namespace
}  // namespace gloss
