// SPDX-License-Identifier: Apache-2.0
// What CMake installs and removes again, and what the installed program names: its libraries.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/has.h"
#include "tests/support/run_program.h"
#include "tests/support/shell_tool.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// An installation of this build below a temporary folder.
struct Installation : testing::Test {
  void SetUp() override {
    if (cmake.empty()) GTEST_SKIP() << "cmake is not installed: installing is NOT checked";
    const ProgramResult made =
        run_program({cmake, "-D", "CMAKE_INSTALL_PREFIX=" + prefix, "-D",
                     "CMAKE_INSTALL_COMPONENT=Unspecified", "-P", (build / "cmake_install.cmake").string()});
    ASSERT_EQ(made.status, 0) << made.errors;
  }
  /// The files below the prefix.
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(prefix)) {
      if (!entry.is_directory()) found.push_back(entry.path().string());
    }
    return found;
  }
  ProgramResult uninstall() const {
    return run_program({cmake, "-D", "MANIFEST=" + manifest.string(), "-P",
                        std::string(kSourceFolder) + "/packaging/uninstall.cmake"});
  }

  const std::string cmake = find_tool("cmake");
  const fs::path build = fs::path(kGlossBinary).parent_path();
  // That of a component, so that the one of the user's own installation remains. CMake writes it into the
  // build, so that only one test at a time can install.
  const fs::path manifest = build / "install_manifest_Unspecified.txt";
  const TemporaryDirectory folder;
  const std::string prefix = folder / "prefix";
};

void expect_text_of_quick_start(const std::string& prefix) {
  EXPECT_EQ(run_program({prefix + "/bin/gloss", "--version"}).status, 0);
  const std::string readme = read_file(prefix + "/share/doc/gloss/README.md");
  const std::regex file("\\$text/([a-z.]+)");
  int named = 0;
  for (std::sregex_iterator at(readme.begin(), readme.end(), file), end; at != end; ++at, ++named) {
    const std::string name = (*at)[1];
    EXPECT_EQ(read_file(prefix + "/share/gloss/phrasebook/" + name),
              read_file(std::string(kSourceFolder) + "/corpora/phrasebook/" + name));
  }
  EXPECT_GT(named, 4);
}

void expect_files_of_links(const std::vector<std::string>& files) {
  const std::regex link("\\]\\(([^)#: ]+)(#[^)]*)?\\)");
  int links = 0;
  for (const std::string& page : files) {
    if (!page.ends_with(".md")) continue;
    const std::string text = std::regex_replace(read_file(page), std::regex("```[^`]*```|\n    [^\n]*"), "");
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at, ++links) {
      EXPECT_TRUE(fs::exists(fs::path(page).parent_path() / (*at)[1].str())) << page << ": " << (*at)[1];
    }
  }
  EXPECT_GT(links, 20);
}

TEST_F(Installation, IsCompleteAndRemovedFileByFile) {
  expect_text_of_quick_start(prefix);
  expect_files_of_links(files());
  const std::string missing = prefix + "/share/man/man1/gloss.1", own = prefix + "/share/gloss/notes";
  fs::remove(missing);
  write_file(own, "mine");
  const ProgramResult removed = uninstall();
  EXPECT_EQ(removed.status, 0) << removed.errors;
  EXPECT_TRUE(has(removed.output, missing)) << removed.output;
  EXPECT_FALSE(has(removed.output, "bin/gloss")) << removed.output;
  EXPECT_EQ(files(), std::vector<std::string>{own});
  const ProgramResult again = uninstall();
  EXPECT_NE(again.status, 0);
  EXPECT_TRUE(has(again.errors, "install_manifest")) << again.errors;
}

TEST(Notice, ListsTheLibrariesThatTheProgramLinks) {
  const std::string readelf = find_tool("readelf");
  if (readelf.empty()) GTEST_SKIP() << "readelf is not installed: NOTICE is NOT compared with the program";
  const std::string needed = run_program({readelf, "--dynamic", "--wide", kGlossBinary}).output;
  const std::string notice = read_file(std::string(kSourceFolder) + "/NOTICE"),
                    listed = std::regex_replace(notice, std::regex("[,\n]"), " ");
  // Sanitizers are not part of programs that are passed on.
  const std::regex library("\\(NEEDED\\).*\\[(lib(?!asan|tsan|ubsan)[^\\]]+?)\\.so");
  int libraries = 0;
  for (std::sregex_iterator at(needed.begin(), needed.end(), library), end; at != end; ++at, ++libraries) {
    EXPECT_TRUE(has(listed, concat(" ", (*at)[1].str(), " "))) << (*at)[1];
  }
  EXPECT_GT(libraries, 20) << needed;
}

}  // namespace
}  // namespace gloss
