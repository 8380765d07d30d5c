// SPDX-License-Identifier: Apache-2.0
// The commands and links of README.md and docs/*.md work.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/run_program.h"
#include "tests/support/shell_tool.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// The pages of the documentation.
std::vector<fs::path> pages() {
  const fs::path root = kSourceFolder;
  std::vector<fs::path> found{root / "README.md", root / "CHANGELOG.md", root / "CONTRIBUTING.md"};
  for (const char* folder : {"docs", "corpora"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
  }
  return found;
}

std::vector<std::string> lines_of_page(const fs::path& page) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(page.string()));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The lines of a page that are code, indented by four spaces or between fences, and the others.
struct Lines {
  std::vector<std::string> code, prose;
};
Lines split_lines(const fs::path& page) {
  Lines split;
  bool fenced = false;
  for (const std::string& line : lines_of_page(page)) {
    if (line.starts_with("```")) {
      fenced = !fenced;
    } else if (fenced) {
      split.code.push_back(line);
    } else if (line.starts_with("    ")) {
      split.code.push_back(line.substr(4));
    } else {
      split.prose.push_back(line);
    }
  }
  return split;
}

/// The commands of a page's code blocks after lines that match `mark`, in their order, with those of its
/// group before them. In a block with prompts (`$ `) only the lines after prompts are commands.
std::string code_after(const std::regex& mark, const fs::path& page) {
  std::string code;
  std::smatch match;
  enum { text, marked, commands, output } at = text;
  for (const std::string& line : lines_of_page(page)) {
    const bool is_code = line.starts_with("    ");
    if (std::regex_match(line, match, mark)) {
      at = marked;
      code += match[1].str() + "\n";
    } else if (at != text && is_code && line.starts_with("    $ ")) {
      at = output;
      code += line.substr(6) + "\n";
    } else if (is_code && (at == marked || at == commands)) {
      at = commands;
      code += line.substr(4) + "\n";
    } else if (!is_code && !line.empty() && at != marked) {
      at = text;
    }
  }
  return code;
}

/// The commands after lines `<!-- tested -->` or `<!-- tested after: COMMANDS -->`.
std::string tested_code_of(const fs::path& page) {
  return code_after(std::regex("<!-- tested(?: after: (.*))? -->"), page);
}

/// A folder with the first lines of the phrasebook, so that the commands are quick.
void write_short_phrasebook(const std::string& folder) {
  const fs::path source = fs::path(kSourceFolder) / "corpora" / "phrasebook";
  fs::create_directories(folder + "/corpora/phrasebook");
  const std::map<std::string, int> counts{{"train", 400}, {"valid", 4}, {"test", 4}};
  for (const auto& [part, count] : counts) {
    for (const char* language : {".en", ".de"}) {
      const std::vector<std::string> all = lines_of_page(source / (part + language));
      write_file(folder + "/corpora/phrasebook/" + part + language,
                 join({all.begin(), all.begin() + count}, "\n") + "\n");
    }
  }
}

/// Every option after "gloss COMMAND" in a page's code, by command.
std::map<std::string, std::set<std::string>> options_in(const fs::path& page) {
  std::map<std::string, std::set<std::string>> found;
  std::string command;
  for (std::string line : split_lines(page).code) {
    const bool goes_on = line.ends_with("\\");
    line = std::regex_replace(line, std::regex("(^|\\s)#.*"), "");
    const std::vector<std::string> parts =
        split(std::regex_replace(line, std::regex("[|;<>()]|&&"), "\n"), '\n');
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) command.clear();  // only the first part continues the line before
      std::string words = parts[i];
      std::smatch match;
      if (std::regex_search(words, match, std::regex("(?:^|[ /])gloss ([a-z]+)(?: |$)"))) {
        command = match[1];
        words = match.suffix();
      }
      if (command.empty()) continue;
      const std::regex option("(?:^| )(--[a-z][a-z0-9-]*)");
      for (std::sregex_iterator at(words.begin(), words.end(), option), end; at != end; ++at) {
        found[command].insert((*at)[1]);
      }
    }
    if (!goes_on) command.clear();
  }
  return found;
}

/// The names of a page's headings in links: in lower case, without punctuation, with hyphens for spaces.
std::set<std::string> anchors_of(const fs::path& page) {
  const std::regex markup("^#+ |\\]\\([^)]*\\)");
  std::set<std::string> anchors;
  for (const std::string& line : split_lines(page).prose) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : std::regex_replace(line, markup, "")) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '-') {
        anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
      } else if (c == ' ') {
        anchor += '-';
      }
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(Documentation, LinksLeadToFilesAndHeadings) {
  const std::regex link("\\]\\(([^)#]*)#?([^)]*)\\)");
  std::map<fs::path, std::set<std::string>> anchors;
  int links = 0;
  for (const fs::path& page : pages()) {
    const std::string text = join(split_lines(page).prose, "\n");
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string name = (*at)[1], anchor = (*at)[2];
      if (name.starts_with("http")) continue;
      const fs::path target = name.empty() ? page : page.parent_path() / name;
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << name;
      if (!anchor.empty() && fs::exists(target)) {
        const auto [found, added] = anchors.try_emplace(target);
        if (added) found->second = anchors_of(target);
        EXPECT_TRUE(found->second.contains(anchor)) << page << " links to " << name << "#" << anchor;
      }
      ++links;
    }
  }
  EXPECT_GT(links, 20);
}

TEST(Documentation, NoMergeIsUnfinished) {
  for (const fs::path& page : pages()) {
    for (const std::string& line : lines_of_page(page)) {
      EXPECT_FALSE(line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")) << page << ": " << line;
    }
  }
}

/// Expects that the page `index` links to every page directly in `folder`, a path from where the index is.
void expect_links_to_pages(const std::string& index, const std::string& folder) {
  const fs::path path = fs::path(kSourceFolder) / index;
  const std::string text = read_file(path.string());
  for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path() / folder)) {
    if (entry.path().extension() != ".md" || entry.path() == path) continue;
    const std::string name = folder + entry.path().filename().string();
    EXPECT_NE(text.find("(" + name + ")"), std::string::npos) << name;
  }
}

TEST(Documentation, EveryPageIsLinkedFromTheReadmeOrItsIndex) {
  expect_links_to_pages("README.md", "docs/");
  expect_links_to_pages("docs/lab/README.md", "");
}

/// All options of a command, in all of its tasks. "--[no-]NAME" is both "--NAME" and "--no-NAME".
std::string full_help(const std::string& command) {
  std::string help = run_program({kGlossBinary, command, "--help", "all"}).output;
  if (command == "finetune" || command == "evaluate") {
    for (const char* task : {"classify", "answer", "lm", "mlm", "denoise", "align"}) {
      help += run_program({kGlossBinary, command, "--task", task, "--help", "all"}).output;
    }
  }
  return std::regex_replace(help, std::regex("--\\[no-\\]([a-z-]+)"), "--$1 --no-$1");
}

TEST(Documentation, OptionsExist) {
  std::map<std::string, std::string> helps;
  int options = 0;
  for (const fs::path& page : pages()) {
    if (page.filename() == "CHANGELOG.md") continue;
    for (const auto& [command, names] : options_in(page)) {
      if (!helps.contains(command)) {
        helps[command] = full_help(command);
        EXPECT_NE(helps[command], "") << page << ": gloss " << command;
      }
      for (const std::string& name : names) {
        const std::regex whole(name + "(?![a-z0-9-])");
        EXPECT_TRUE(name == "--help" || std::regex_search(helps[command], whole))
            << page << ": gloss " << command << " " << name;
        ++options;
      }
    }
  }
  EXPECT_GT(options, 100);
}

/// Runs commands of a page with bash in a folder with the short phrasebook.
ProgramResult run_commands(const std::string& folder, std::string code) {
  code = std::regex_replace(code, std::regex("--max-updates [0-9]+"), "--max-updates 2");
  code = std::regex_replace(code, std::regex("--warmup-updates [0-9]+"), "--warmup-updates 1");
  code = std::regex_replace(code, std::regex("--vocab-size [0-9]+"), "--vocab-size 300");
  const std::string binaries = fs::path(kGlossBinary).parent_path().string();
  return run_program(
      {"/bin/bash", "-c",
       "set -euo pipefail; cd '" + folder + "'; export PATH='" + binaries + "':$PATH\n" + code});
}

/// Trains the model that the pages call build/demo/model.
void train_demo_model(const std::string& folder) {
  write_short_phrasebook(folder);
  const ProgramResult result = run_commands(
      folder,
      "p=corpora/phrasebook; gloss train --source $p/train.en --target $p/train.de --valid-source "
      "$p/valid.en --valid-target $p/valid.de --preset tiny --encoder-layers 1 --decoder-layers 1 "
      "--vocab-size 300 --max-epochs 4 --report-interval 1 --output build/demo/model");
  ASSERT_EQ(result.status, 0) << result.errors;
}

TEST(Documentation, MarkedCommandsRun) {
  const TemporaryDirectory demo;
  fs::create_directories(demo / "build/demo");
  train_demo_model(demo.path());
  int tested = 0;
  for (const fs::path& page : pages()) {
    const std::string code = tested_code_of(page);
    if (code.empty()) continue;
    const TemporaryDirectory folder;
    fs::copy(demo.path(), folder.path(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    const ProgramResult result = run_commands(folder.path(), code);
    EXPECT_EQ(result.status, 0) << page << "\n" << code << "\n" << result.errors;
    ++tested;
  }
  EXPECT_GE(tested, 4);
}

// Recipes with programs that need not be installed: `<!-- tested with PROGRAM -->`.
TEST(Documentation, RecipesRun) {
  const TemporaryDirectory folder;
  fs::create_directories(folder / "build/demo");
  train_demo_model(folder.path());
  const std::string page = std::string(kSourceFolder) + "/docs/documents.md";
  std::vector<std::string> missing;
  for (const std::string tool : {"pandoc", "po2xliff", "gaupol"}) {
    const std::string code = code_after(std::regex("<!-- tested with (" + tool + ") -->"), page);
    ASSERT_NE(code, "") << tool;
    if (find_tool(tool).empty()) {
      missing.push_back(tool);
      continue;
    }
    const ProgramResult result = run_commands(folder.path(), code.substr(code.find('\n')));
    EXPECT_EQ(result.status, 0) << code << "\n" << result.errors;
  }
  if (!missing.empty())
    GTEST_SKIP() << "not installed, so that recipes are not tested: " << join(missing, ", ");
}

}  // namespace
}  // namespace gloss
