// SPDX-License-Identifier: Apache-2.0

#include "cli/help/notes.h"

#include <algorithm>

#include "base/text.h"

namespace gloss {
namespace {

Note item_of(const std::string& line) {
  const std::size_t end = std::min(line.find("  "), line.size());
  const std::size_t text = std::min(line.find_first_not_of(' ', end), line.size());
  return {line.substr(0, end), line.substr(text), false};
}

}  // namespace

std::vector<Note> parse_notes(const std::string& notes) {
  constexpr std::size_t kItemIndent = 2;
  std::vector<Note> all;
  bool blank = true;
  for (const std::string& line : split(notes, '\n')) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos) {
      blank = true;
      continue;
    }
    const std::string text = line.substr(indent);
    const bool goes_on = !blank && !all.empty() && (indent > kItemIndent || all.back().term.empty());
    if (indent == kItemIndent) {
      all.push_back(item_of(text));
    } else if (goes_on) {
      all.back().text += (all.back().text.empty() ? "" : " ") + text;
    } else {
      all.push_back({"", text, blank});
    }
    blank = false;
  }
  return all;
}

}  // namespace gloss
