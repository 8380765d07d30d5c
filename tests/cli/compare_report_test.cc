// SPDX-License-Identifier: Apache-2.0
// The report in a real browser: it renders, sorts and filters, writes nothing to the console, and hostile
// text stays text.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/support/browser.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

constexpr const char* kHostileSentence =
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> "
    "&lt;b&gt;";

/// Clicks through the page and puts what it sees into `seen`.
constexpr const char* kReportVisit = R"js(
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
)js";

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
    reference += "the cat sat on the mat and then it went away again to sleep\n" +
                 std::string(kHostileSentence) + "\n";
    first += "the dog sat on the mat and then it went away to sleep\n" + std::string(kHostileSentence) + "\n";
    second +=
        "a cat sat on the mat and then it went away again to sleep\n" + std::string(kHostileSentence) + "\n";
    source += "die Katze\n" + std::string(kHostileSentence) + "\n";
    const ProgramResult result = run_program(
        {kGlossBinary, "compare", folder_.write("reference", reference), folder_.write("first", first),
         folder_.write(kName, second), "--source", folder_.write("source", source), "--html",
         folder_ / "report.html", "--samples", "50", "--title", "Tests & <i>trials</i>", "--force"});
    ASSERT_EQ(result.status, 0) << result.errors;
    page_ = folder_.read("report.html");
  }

  static constexpr const char* kName = "<b>second";
  TemporaryDirectory folder_;
  std::string page_;
};

TEST_F(Report, NeedsNoOtherFiles) {
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

TEST_F(Report, TheTableIsTheSameWithSystemsAsInput) {
  const std::string reference = folder_ / "reference", first = folder_ / "first", second = folder_ / kName;
  const ProgramResult plain = run_program({kGlossBinary, "compare", reference, first, second});
  const ProgramResult input = run_program({kGlossBinary, "compare", reference, "-i", first, second});
  EXPECT_EQ(input.status, 0) << input.errors;
  EXPECT_EQ(input.output, plain.output);
  EXPECT_EQ(run_program({kGlossBinary, "compare", "-i", first, second}).status, 2);
}

TEST_F(Report, TheTableHasSignificanceMarks) {
  const ProgramResult result =
      run_program({kGlossBinary, "compare", folder_ / "reference", folder_ / "first", folder_ / kName, "-m",
                   "chrf", "ter", "--samples", "200", "-w", "2"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("Baseline: " + (folder_ / "first")), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("(p = 0.0050)*"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(" - TER        nrefs:1|bs:200|seed:12345|"), std::string::npos)
      << result.output;
}

TEST_F(Report, ScoresByLengthInGroupsOfSimilarSize) {
  std::string reference, first, second, of_long_reference, of_long_first;
  for (int i = 0; i < 3; ++i) {  // one word six times, two words once, five words three times
    reference += "one\none\n";
    first += "one\nno\n";
    second += "one\none\n";
    of_long_reference += "a b c d e\n";
    of_long_first += "a b c d f\n";
  }
  const std::string references = folder_.write("r", reference + "one two\n" + of_long_reference);
  const std::string firsts = folder_.write("f", first + "one two\n" + of_long_first);
  const std::string seconds = folder_.write("s", second + "one two\n" + of_long_reference);
  const auto compare = [&](const std::string& format) {
    return run_program({kGlossBinary, "compare", references, firsts, seconds, "-m", "ter", "--length-groups",
                        "4", "-f", format, "-w", "2", "--samples", "20"});
  };
  const ProgramResult json = compare("json");
  ASSERT_EQ(json.status, 0) << json.errors;
  const nlohmann::json lengths = nlohmann::json::parse(json.output)[0]["lengths"];
  ASSERT_EQ(lengths.size(), 3u) << json.output;  // segments of one length are not divided
  const std::tuple<const char*, int, double> expected[] = {
      {"0-1", 6, 50.0}, {"2-4", 1, 0.0}, {"5 or more", 3, 20.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(lengths[i]["words"], std::get<0>(expected[i]));
    EXPECT_EQ(lengths[i]["segments"], std::get<1>(expected[i]));
    EXPECT_NEAR(static_cast<double>(lengths[i]["TER"]), std::get<2>(expected[i]), 1e-9);
  }

  const std::string text = compare("text").output;
  for (const char* wanted :
       {"TER by words (segments)", "0-1 (6)", "2-4 (1)", "5 or more (3)", "50.00", "20.00"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << text;
  }
  EXPECT_NE(compare("latex").output.find("50.00"), std::string::npos);
}

TEST_F(Report, ReportsMistakes) {
  const auto compare = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kGlossBinary, "compare"});
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
  const PageVisit visit = visit_page(page_, kReportVisit, folder_);
  if (visit.skipped) {
    GTEST_SKIP()
        << "SKIPPED: no Chromium is installed ('apt-get install chromium'); the report was not looked at";
  }
  EXPECT_EQ(visit.messages.find("CONSOLE"), std::string::npos) << visit.messages;
  const nlohmann::json& seen = visit.seen;
  ASSERT_TRUE(seen.is_object()) << visit.messages;

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
  EXPECT_EQ(seen["hostile"], kHostileSentence);
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
