// SPDX-License-Identifier: Apache-2.0

#include "tests/extending/quotes.h"

#include <algorithm>
#include <regex>
#include <span>

#include "base/text.h"

namespace gloss {
namespace {

/// Takes the same number of spaces from all lines, so that one of them begins with a letter.
void remove_indentation(std::span<std::string> lines) {
  std::size_t common = std::string::npos;
  for (const std::string& line : lines) common = std::min(common, line.find_first_not_of(' '));
  for (std::string& line : lines) line.erase(0, common);
}

/// The place in `lines`, from `from` on, after the first occurrence of `part`; -1 if there is none.
std::ptrdiff_t end_of(const std::vector<std::string>& part, const std::vector<std::string>& lines,
                      std::ptrdiff_t from) {
  const std::ptrdiff_t size = std::ssize(part);
  for (std::ptrdiff_t at = from; at + size <= std::ssize(lines); ++at) {
    std::vector<std::string> candidate(lines.begin() + at, lines.begin() + at + size);
    remove_indentation(candidate);
    if (candidate == part) return at + size;
  }
  return -1;
}

}  // namespace

std::vector<std::string> code_lines(const std::string& text) {
  static const std::regex comment("(^|\\s)//.*");
  std::vector<std::string> lines;
  for (std::string& line : split(text, '\n')) {
    line = std::regex_replace(line, comment, "");
    line.erase(line.find_last_not_of(" \r") + 1);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

bool has_parts(const std::string& text, const std::vector<std::string>& parts) {
  const std::vector<std::string> lines = code_lines(text);
  std::ptrdiff_t at = 0;
  for (const std::string& part : parts) {
    std::vector<std::string> wanted = code_lines(part);
    remove_indentation(wanted);
    if (wanted.empty()) return false;
    at = end_of(wanted, lines, at);
    if (at < 0) return false;
  }
  return !parts.empty();
}

std::vector<CodeBlock> code_blocks(const std::string& page) {
  static const std::regex file("\\s*// ([a-z_]+(?:/[a-z0-9_]+)*\\.(?:h|cc))");
  std::vector<CodeBlock> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string& line : split(page, '\n')) {
    ++number;
    const std::string_view words = trimmed(line);
    std::smatch match;
    if (!inside) {
      inside = words == "```cpp";
      if (inside) blocks.push_back({number + 1, {}});
    } else if (words == "```") {
      inside = false;
      for (Quote& quote : blocks.back().quotes) std::erase(quote.parts, "");  // around `// ...` at an end
    } else if (std::regex_match(line, match, file)) {
      blocks.back().quotes.push_back({match[1], {""}});
    } else {
      std::vector<Quote>& quotes = blocks.back().quotes;
      if (quotes.empty()) quotes.push_back({"", {""}});
      if (words == "// ...") {
        quotes.back().parts.emplace_back();
      } else {
        quotes.back().parts.back() += line + "\n";
      }
    }
  }
  return blocks;
}

}  // namespace gloss
