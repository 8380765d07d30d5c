// SPDX-License-Identifier: Apache-2.0
// The documentation quotes code that is compiled, and names what there is.
#include "tests/extending/quotes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "tests/support/paths.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// The text of a file of the repository.
std::string text_of(const fs::path& path) { return read_file((kSourceFolder / path).string()); }

/// README.md and the pages of docs, by their paths in the repository.
std::vector<fs::path> pages() {
  std::vector<fs::path> found{"README.md"};
  for (const fs::directory_entry& entry : fs::directory_iterator(kSourceFolder / fs::path("docs"))) {
    if (entry.path().extension() == ".md") found.push_back("docs" / entry.path().filename());
  }
  std::ranges::sort(found);
  return found;
}

/// The C++ files below a folder of the repository.
std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSourceFolder / folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".h" || extension == ".cc") found.push_back(fs::relative(entry.path(), kSourceFolder));
  }
  return found;
}

bool is_in_repository(const Quote& quote) {
  if (!quote.file.empty()) {
    return fs::exists(kSourceFolder / fs::path(quote.file)) && has_parts(text_of(quote.file), quote.parts);
  }
  return std::ranges::any_of(sources("tests/extending"),
                             [&](const fs::path& path) { return has_parts(text_of(path), quote.parts); });
}

/// What a page has between single backquotes, outside its blocks of code.
std::vector<std::string> inline_code(const fs::path& page) {
  std::string prose;
  bool fenced = false;
  for (const std::string& line : split(text_of(page), '\n')) {
    const bool fence = trimmed(line).starts_with("```");
    fenced = fenced != fence;
    if (!fenced && !fence) prose += line + "\n";
  }
  const std::regex code("`([^`\n]+)`");
  std::vector<std::string> found;
  for (std::sregex_iterator at(prose.begin(), prose.end(), code), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

TEST(Quotes, PartsAreFoundWhateverTheirIndentationAndComments) {
  const std::string source = "struct A {\n  int b = 1;  ///< bytes\n\n  // why\n  int c = 2;\n};\n";
  EXPECT_TRUE(has_parts(source, {"int b = 1;\nint c = 2;\n"}));
  EXPECT_TRUE(has_parts(source, {"struct A {\n", "    int c = 2;\n  };\n"}));
  EXPECT_FALSE(has_parts(source, {"int c = 2;\n", "int b = 1;\n"}));
  EXPECT_FALSE(has_parts(source, {"int b = 2;\n"}));
  EXPECT_FALSE(has_parts(source, {"struct A {\nint b = 1;\n"}));
  EXPECT_FALSE(has_parts(source, {"// ...\n"}));
}

TEST(Quotes, BlocksSayWhichFilesTheyQuote) {
  const std::string page =
      "text\n```cpp\n// a/b.h\nint a;\n// ...\nint b;\n// c.cc\nint c;\n// ...\n```\n```\nno\n```\n";
  const std::vector<CodeBlock> blocks = code_blocks(page);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].line, 3);
  ASSERT_EQ(blocks[0].quotes.size(), 2u);
  EXPECT_EQ(blocks[0].quotes[0].file, "a/b.h");
  EXPECT_EQ(blocks[0].quotes[0].parts, (std::vector<std::string>{"int a;\n", "int b;\n"}));
  EXPECT_EQ(blocks[0].quotes[1].file, "c.cc");
  EXPECT_EQ(blocks[0].quotes[1].parts, std::vector<std::string>{"int c;\n"});
}

TEST(Quotes, TheCodeOfEveryPageIsInTheRepository) {
  int checked = 0;
  for (const fs::path& page : pages()) {
    for (const CodeBlock& block : code_blocks(text_of(page))) {
      EXPECT_FALSE(block.quotes.empty()) << page << " line " << block.line << ": an empty block";
      for (const Quote& quote : block.quotes) {
        EXPECT_TRUE(is_in_repository(quote)) << page << " line " << block.line << ": not in "
                                             << (quote.file.empty() ? "tests/extending" : quote.file) << ":\n"
                                             << join(quote.parts, "// ...\n");
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 15);
}

TEST(Quotes, TheSourceFilesThatPagesNameExist) {
  const std::regex path("[a-z_]+(/[a-z0-9_]+)+\\.(h|cc)");
  for (const fs::path& page : pages()) {
    for (const std::string& code : inline_code(page)) {
      if (!std::regex_match(code, path)) continue;
      EXPECT_TRUE(fs::exists(kSourceFolder / fs::path(code))) << page << " names " << code;
    }
  }
}

TEST(Quotes, TheNamesInTheGuideToExtendingAreInTheSources) {
  const std::regex name("[A-Za-z_][A-Za-z0-9_]*");
  std::set<std::string> known;
  for (const char* folder : {"base", "tokenizer", "model", "pipeline", "cli", "tests"}) {
    for (const fs::path& source : sources(folder)) {
      const std::string text = text_of(source);
      for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
        known.insert(at->str());
      }
    }
  }
  const std::regex identifier("[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z0-9_]+|\\.[a-z_]+)*");
  int checked = 0;
  for (const std::string& code : inline_code("docs/extending.md")) {
    if (!std::regex_match(code, identifier) || code.find("NAME") != std::string::npos) continue;
    if (fs::path(code).extension() == ".json" || fs::path(code).extension() == ".cc") continue;
    for (std::sregex_iterator at(code.begin(), code.end(), name), end; at != end; ++at) {
      EXPECT_TRUE(known.contains(at->str())) << "docs/extending.md names " << code;
      ++checked;
    }
  }
  EXPECT_GT(checked, 40);
}

}  // namespace
}  // namespace gloss
