// SPDX-License-Identifier: Apache-2.0
// What CMake installs and removes again, and what the installed program names: its libraries and its commit.
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

/// A copy of the program, whose commit the build's script writes for a folder of its own.
struct CommitOfTheBuild : testing::Test {
  void SetUp() override {
    if (cmake.empty() || git.empty() || objcopy.empty()) {
      GTEST_SKIP() << "needs cmake, git and objcopy: the commit in --version is NOT checked";
    }
    fs::create_directories(source);
    fs::copy_file(kGlossBinary, program);
  }
  ProgramResult run_git(const std::vector<std::string>& words) const {
    std::vector<std::string> all{git, "-C", source, "-c", "user.name=A", "-c", "user.email=a@example.org"};
    all.insert(all.end(), words.begin(), words.end());
    return run_program(all);
  }
  /// The line of --version with the commit, once the script has written that of a folder; "" without one.
  std::string named_commit(const std::string& directory) const {
    const ProgramResult written =
        run_program({cmake, "-D", "GIT=" + git, "-D", "OBJCOPY=" + objcopy, "-D", "SOURCE=" + directory, "-D",
                     "PROGRAM=" + program, "-P", std::string(kSourceFolder) + "/cmake/commit.cmake"});
    EXPECT_EQ(written.status, 0) << written.errors;
    const std::string version = run_program({program, "--version"}).output;
    EXPECT_TRUE(version.starts_with("gloss ")) << version;
    const std::string line = split(version, '\n')[1];
    return line.starts_with("commit: ") ? line : "";
  }
  /// The line with the build id of a program. The package with objcopy also has readelf.
  static std::string build_id(const std::string& path) {
    const std::string notes = run_program({find_tool("readelf"), "--notes", path}).output;
    const std::size_t at = notes.find("Build ID: ");
    return at == std::string::npos ? notes : notes.substr(at, notes.find('\n', at) - at);
  }

  const std::string cmake = find_tool("cmake"), git = find_tool("git"), objcopy = find_tool("objcopy");
  const TemporaryDirectory folder;
  const std::string source = folder / "source", program = folder / "gloss";
};

TEST_F(CommitOfTheBuild, IsTheLatestOfTheCheckout) {
  EXPECT_EQ(named_commit(source), "") << "an archive";
  ASSERT_EQ(run_git({"init", "--quiet"}).status, 0);
  EXPECT_EQ(named_commit(source), "") << "without a commit";
  write_file(source + "/code", "1");
  ASSERT_EQ(run_git({"add", "code"}).status, 0);
  ASSERT_EQ(run_git({"commit", "--quiet", "-m", "First"}).status, 0);
  const std::string hash = split(run_git({"rev-parse", "--short", "HEAD"}).output, '\n')[0];
  EXPECT_EQ(named_commit(source), "commit: " + hash);
  write_file(source + "/notes", "untracked");
  EXPECT_EQ(named_commit(source), "commit: " + hash);
  write_file(source + "/code", "2");
  const std::string changed = named_commit(source);
  EXPECT_TRUE(changed.starts_with("commit: " + hash + ", ")) << changed;
  EXPECT_TRUE(has(changed, "changes")) << changed;
  EXPECT_EQ(build_id(program), build_id(kGlossBinary)) << "unfinished outputs recognise their program by it";
  fs::create_directories(source + "/archive");
  EXPECT_EQ(named_commit(source + "/archive"), "") << "an archive in a checkout of something else";
}

TEST_F(CommitOfTheBuild, IsOneOfTheSourceFolder) {
  const std::string line = split(run_program({kGlossBinary, "--version"}).output, '\n')[1];
  const std::string checkout =
      run_program({git, "-C", kSourceFolder, "rev-parse", "--show-prefix", "HEAD"}).output;
  EXPECT_EQ(line.starts_with("commit: "), checkout.starts_with("\n")) << line;
  if (!line.starts_with("commit: ")) return;
  const std::string hash = line.substr(8, line.find(',') - 8);
  EXPECT_EQ(run_program({git, "-C", kSourceFolder, "cat-file", "-e", hash + "^{commit}"}).status, 0) << line;
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
