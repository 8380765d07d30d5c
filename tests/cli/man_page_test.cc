// SPDX-License-Identifier: Apache-2.0
// The manual pages that gloss writes, read by the programs that show them.
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/shell_tool.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

struct ManPages : testing::Test {
  ManPages() {
    const ProgramResult made = run_program({kGlossBinary, "help", "--generate", folder / "docs"});
    EXPECT_EQ(made.status, 0) << made.errors;
    pages = names_in(folder / "docs/man");
  }
  std::string path(const std::string& page) { return folder / ("docs/man/" + page); }

  TemporaryDirectory folder;
  std::vector<std::string> pages;
};

TEST_F(ManPages, AreThereForEveryCommand) {
  EXPECT_GE(pages.size(), 21u);
  for (const std::string& page : pages) {
    const std::string text = read_file(path(page));
    for (const std::string section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"}) {
      EXPECT_NE(text.find(".SH " + section + "\n"), std::string::npos) << page << ": " << section;
    }
  }
  const std::string translate = read_file(path("gloss-translate.1"));
  EXPECT_NE(translate.find("\\-\\-beam\\-size"), std::string::npos);
  EXPECT_NE(read_file(path("gloss-train.1")).find("\\-\\-[no\\-]valid\\-bleu"), std::string::npos);
  EXPECT_NE(read_file(path("gloss-finetune.1")).find("Only with \\-\\-task classify"), std::string::npos);
  EXPECT_NE(read_file(path("gloss.1")).find("gloss\\-translate"), std::string::npos);
}

TEST_F(ManPages, DoNotDependOnTheMachine) {
  EXPECT_NE(read_file(path("gloss-translate.1")).find("(default all processors)"), std::string::npos);
}

TEST_F(ManPages, GiveNoWarningsFromMan) {
  const std::string man = find_tool("man");
  if (man.empty()) GTEST_SKIP() << "man is not installed: the manual pages are NOT checked with it";
  for (const std::string& page : pages) {
    const ProgramResult shown = run_program({man, "--warnings", "-E", "UTF-8", "-l", path(page)}, "",
                                            {"LC_ALL=C.UTF-8", "MANROFFSEQ=", "MANWIDTH=80"});
    EXPECT_EQ(shown.status, 0) << page;
    EXPECT_EQ(shown.errors, "") << page;
    EXPECT_NE(shown.output.find("EXIT STATUS"), std::string::npos) << page;
  }
}

TEST_F(ManPages, GiveNoWarningsFromMandoc) {
  const std::string mandoc = find_tool("mandoc");
  if (mandoc.empty()) GTEST_SKIP() << "mandoc is not installed: the manual pages are NOT checked with it";
  for (const std::string& page : pages) {
    const ProgramResult checked = run_program({mandoc, "-T", "lint", path(page)});
    EXPECT_EQ(checked.output + checked.errors, "") << page;
  }
}

}  // namespace
}  // namespace gloss
