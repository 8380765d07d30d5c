// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/score_table.h"

#include <algorithm>

#include "base/text.h"

namespace gloss {
namespace {

/// Columns that a text takes: characters, without terminal colours.
std::size_t visible_width(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') {
      while (at < text.size() && text[at] != 'm') ++at;
    } else if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80) {
      ++width;
    }
  }
  return width;
}

std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::size_t missing = width - std::min(width, visible_width(text));
  const std::size_t before = to_the_right ? missing : missing / 2;
  return std::string(before, ' ') + text + std::string(missing - before, ' ');
}

/// The width of each column: its widest line, or its heading and a blank on both sides.
std::vector<std::size_t> widths_of(const ScoreTable& table) {
  std::vector<std::size_t> widths;
  for (const std::string& heading : table.headings) widths.push_back(visible_width(heading) + 2);
  for (const auto& row : table.rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      for (const std::string& line : split(row[column], '\n')) {
        widths[column] = std::max(widths[column], visible_width(line));
      }
    }
  }
  return widths;
}

std::string rule(const std::vector<std::size_t>& widths, const char* left, const char* line,
                 const char* cross, const char* right) {
  std::string text = left;
  for (std::size_t column = 0; column < widths.size(); ++column) {
    if (column > 0) text += cross;
    for (std::size_t i = 0; i < widths[column] + 2; ++i) text += line;
  }
  return text + right;
}

std::string framed_row(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
  std::size_t height = 1;
  std::vector<std::vector<std::string>> cells;
  for (const std::string& cell : row) {
    cells.push_back(split(cell, '\n'));
    height = std::max(height, cells.back().size());
  }
  std::vector<std::string> lines;
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::string part = line < cells[column].size() ? cells[column][line] : "";
      text += "│ " + padded(part, widths[column], column == 0) + " ";
    }
    lines.push_back(text + "│");
  }
  return join(lines, "\n");
}

std::string escaped_for_latex(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        out += '\\';
        out += c;
        break;
      case '^':
        out += "\\^{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '<':
        out += "\\ensuremath{<}";
        break;
      case '>':
        out += "\\ensuremath{>}";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string latex_row(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
  std::vector<std::string> cells;
  for (std::size_t column = 0; column < row.size(); ++column) {
    cells.push_back(escaped_for_latex(" " + padded(row[column], widths[column], column == 0) + " "));
  }
  return join(cells, "&") + "\\\\";
}

}  // namespace

std::string framed(const ScoreTable& table) {
  const std::vector<std::size_t> widths = widths_of(table);
  std::vector<std::string> lines{rule(widths, "╒", "═", "╤", "╕"), framed_row(table.headings, widths),
                                 rule(widths, "╞", "═", "╪", "╡")};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (row > 0) lines.push_back(rule(widths, "├", "─", "┼", "┤"));
    lines.push_back(framed_row(table.rows[row], widths));
  }
  lines.push_back(rule(widths, "╘", "═", "╧", "╛"));
  return join(lines, "\n");
}

std::string latex(const ScoreTable& table) {
  const std::vector<std::size_t> widths = widths_of(table);
  std::vector<std::string> lines{"\\begin{tabular}{r" + std::string(widths.size() - 1, 'c') + "}",
                                 "\\toprule", latex_row(table.headings, widths), "\\midrule"};
  for (const auto& row : table.rows) lines.push_back(latex_row(row, widths));
  lines.insert(lines.end(), {"\\bottomrule", "\\end{tabular}"});
  return join(lines, "\n");
}

}  // namespace gloss
