// SPDX-License-Identifier: Apache-2.0
// gloss plot through the real binary: formats, notes, mistakes.
#include <algorithm>

#include "tests/cli/plot_command.h"
#include "tests/support/on_terminal.h"

namespace gloss {
namespace {

TEST_F(PlotCommand, FormatsFollowTheNameOfTheOutput) {
  const std::string one = run("one", 60, 1);
  ASSERT_EQ(plot({one, "-o", folder / "a.svg"}).status, 0);
  EXPECT_TRUE(folder.read("a.svg").starts_with("<svg "));
  ASSERT_EQ(plot({one, "-o", folder / "a.html"}).status, 0);
  EXPECT_TRUE(folder.read("a.html").starts_with("<!doctype html>"));
  ASSERT_EQ(plot({one, "--html", folder / "page"}).status, 0);
  EXPECT_EQ(folder.read("page"), folder.read("a.html"));
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
  const ProgramResult usual = on_terminal({kGlossBinary, "plot", one});
  EXPECT_EQ(usual.status, 0) << usual.errors;
  EXPECT_EQ(usual.output, on_terminal({kGlossBinary, "plot", one, "-f", "text"}).output);
  EXPECT_NE(usual.errors.find("--html"), std::string::npos) << usual.errors;
  const ProgramResult curves = on_terminal({kGlossBinary, "plot", one, "--from", "2"});
  EXPECT_EQ(curves.status, 2);
  EXPECT_NE(curves.errors.find("--from"), std::string::npos) << curves.errors;
  EXPECT_NE(curves.errors.find("--output curves.svg"), std::string::npos) << curves.errors;
  const ProgramResult picture = on_terminal({kGlossBinary, "plot", one, "-f", "svg"});
  EXPECT_EQ(picture.status, 2);
  EXPECT_NE(picture.errors.find("--output curves.svg"), std::string::npos) << picture.errors;
  EXPECT_EQ(picture.output, "");
  const ProgramResult page = on_terminal({kGlossBinary, "plot", one, "-f", "html"});
  EXPECT_NE(page.errors.find("--html curves.html"), std::string::npos) << page.errors;
  const ProgramResult table = on_terminal({kGlossBinary, "plot", one, "-f", "text"});
  EXPECT_EQ(table.status, 0) << table.errors;
  EXPECT_NE(table.output.find("one "), std::string::npos) << table.output;
}

TEST_F(PlotCommand, ReportsMistakes) {
  const std::string one = run("one", 20, 1), two = run("two", 20, 1);
  refused({}, 2, "RUN");
  refused({folder / "missing"}, 3, folder / "missing");
  std::filesystem::create_directories(folder / "empty");
  refused({folder / "empty"}, 3, "has no train.log.jsonl");
  folder.write("empty/train.log.jsonl", "");
  refused({one, folder / "empty"}, 3, "empty/train.log.jsonl");
  folder.write("empty/train.log.jsonl", "{\"event\":\"report\",\"update\":1}\nrubbish\n{}\n");
  refused({folder / "empty"}, 3, "train.log.jsonl:2: column");
  refused({one, one + "/"}, 2, "is given twice");
  refused({one, two, "--labels", "a"}, 2, "1 name for 2 runs");
  refused({one, two, "--labels", "a", "a"}, 2, "the same");
  refused({one, "--curves", "bless"}, 2, "--curves: no log has 'bless'; expected bleu, ");
  refused({one, "--smooth", "1"}, 2, "--smooth");
  refused({one, "--from", "1000000"}, 3, "nothing to draw");
  refused({one, "--output", folder / "a.png"}, 2,
          "no .png; expected a name that ends in .svg, .html or .txt");
  refused({one, "--output", folder / "a"}, 2, "no ending; expected a name that ends in .svg, .html or .txt");
  refused({one, "--format", "tensorboard"}, 2, "--output DIR");
  refused({one, "--format", "text", "--curves", "bless"}, 2, "--curves has no effect");
  refused({one, "--format", "tensorboard", "-o", folder / "events", "--smooth", "0.9"}, 2,
          "--smooth has no effect");
  refused({one, "-o", folder / "a.txt", "--x", "time"}, 2, "--x has no effect");
  refused({one, "--html", folder / "a", "--format", "svg"}, 2, "--html");
  refused({one, "--html", "-"}, 2, "--html");
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

}  // namespace
}  // namespace gloss
