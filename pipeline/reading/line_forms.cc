// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/line_forms.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/reading/stories.h"
#include "tokenizer/word_links.h"

namespace gloss {
namespace {

/// True if line `number` of a block, counted from 1 in the file, is too long to have columns.
bool has_no_columns(const PairBlock& block, std::int64_t number) {
  return std::ranges::binary_search(block.source.too_long, index(number - block.first_line));
}

/// Weights in this range, or 0, keep sums of squared gradients within the range of f32.
constexpr double kSmallestWeight = 1e-6, kLargestWeight = 1e6;

}  // namespace

void add_lines(PairBlock& block) {
  for (const std::string_view line : block.source.lines) block.pairs.push_back({line, {}});
}

void take_targets(PairBlock& block) {
  for (std::size_t i = 0; i < block.pairs.size(); ++i) block.pairs[i].target = block.target.lines[i];
}

void add_rows(PairBlock& block, const std::string& name) {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++)) {
      block.pairs.emplace_back();
      continue;
    }
    const auto tabs = std::count(row.begin(), row.end(), '\t');
    if (tabs != 1) {
      throw InputError(concat(name, ":", line - 1, ": found ", tabs + 1, tabs == 0 ? " column" : " columns",
                              ", expected 2 (source TAB target)"));
    }
    const std::size_t tab = row.find('\t');
    block.pairs.push_back({row.substr(0, tab), row.substr(tab + 1)});
  }
}

void add_labelled(PairBlock& block, const std::string& name) {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++)) {
      block.pairs.emplace_back();
      continue;
    }
    const std::size_t columns = between_tabs(row).size();
    if (columns < 2 || columns > 3) {
      throw InputError(concat(name, ":", line - 1, ": found ", columns, columns == 1 ? " column" : " columns",
                              ", expected 2 (label TAB text) or 3 (label TAB text TAB text)"));
    }
    const std::size_t tab = row.find('\t');
    if (is_blank(row.substr(0, tab))) {
      throw InputError(concat(name, ":", line - 1, ": the label before the tab is missing"));
    }
    block.pairs.push_back({row.substr(tab + 1), row.substr(0, tab)});
  }
}

void add_item_paths(PairBlock& block, const ItemList& list) {
  for (const std::string_view row : block.source.lines) {
    block.pairs.push_back({row.substr(0, row.find('\t')), {}});
    block.pairs.back().items = &list;
  }
  for (const std::size_t i : block.source.too_long) block.pairs[i] = {};
}

void add_items(PairBlock& block, const ItemList& list, bool with_texts, const std::string& name) {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++)) {
      block.pairs.emplace_back();
      continue;
    }
    const std::vector<std::string_view> columns = between_tabs(row);
    if (columns.size() != 2 || columns[0].empty() || (!with_texts && is_blank(columns[1]))) {
      throw InputError(concat(name, ":", line - 1, ": found ", columns.size(),
                              columns.size() == 1 ? " column" : " columns", ", expected 2 (",
                              with_texts ? "path TAB text)" : "path TAB label), neither of them empty"));
    }
    block.pairs.push_back({columns[0], columns[1]});
    block.pairs.back().items = &list;
  }
}

void add_archive(PairBlock& block, const ItemList& list, const IdxArchive* labels) {
  const std::int64_t end = std::min(list.archive->items(), block.first_line - 1 + IndexedLines::kBlockLines);
  for (std::int64_t item = block.first_line - 1; item < end; ++item) {
    block.numbers.push_back(concat(item));
    block.numbers.push_back(labels != nullptr ? concat(static_cast<int>(labels->item(item).front())) : "");
  }
  for (std::size_t i = 0; i < block.numbers.size(); i += 2) {
    block.pairs.push_back({block.numbers[i], block.numbers[i + 1]});
    block.pairs.back().items = &list;
  }
}

void add_stories(PairBlock& block, const std::string& name) {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++) || is_blank(row)) {
      block.pairs.emplace_back();
      continue;
    }
    const StoryQuestion found = split_story(row, true, concat(name, ":", line - 1));
    block.pairs.push_back({found.text, found.answer});
  }
}

void add_babi_stories(PairBlock& block, const IndexedLines& file, std::int64_t number,
                      std::int64_t max_line_bytes) {
  BabiStory story(true);
  // The lines of the first story that are in earlier blocks.
  std::vector<LineBlock> earlier;
  std::size_t begin = 0;
  if (!block.source.lines.empty() && !begins_story(block.source.lines.front())) {
    constexpr std::int64_t kMostBlocks = BabiStory::kMostLines / IndexedLines::kBlockLines + 1;
    for (std::int64_t before = number - 1; before >= std::max<std::int64_t>(0, number - kMostBlocks);
         --before) {
      earlier.push_back(file.read(before));
      const std::vector<std::string_view>& lines = earlier.back().lines;
      const auto start = std::find_if(lines.rbegin(), lines.rend(), begins_story);
      if (start == lines.rend()) continue;
      begin = index(lines.rend() - start) - 1;
      break;
    }
  }
  const auto take = [&](const LineBlock& lines, std::size_t i, std::int64_t first_line) {
    const std::string where = concat(file.name(), ":", first_line + static_cast<std::int64_t>(i));
    if (std::ranges::binary_search(lines.too_long, i)) {
      throw InputError(concat(where, ": the line has more than ", max_line_bytes,
                              " bytes; a story in bAbI's format cannot lack a line"));
    }
    return !is_blank(lines.lines[i]) && story.take(lines.lines[i], where);
  };
  for (std::size_t i = earlier.size(); i-- > 0; begin = 0) {
    const std::int64_t first_line =
        (number - 1 - static_cast<std::int64_t>(i)) * IndexedLines::kBlockLines + 1;
    for (std::size_t line = begin; line < earlier[i].lines.size(); ++line) take(earlier[i], line, first_line);
  }
  block.stories.reserve(2 * block.source.lines.size());
  for (std::size_t i = 0; i < block.source.lines.size(); ++i) {
    if (!take(block.source, i, block.first_line)) {
      block.pairs.emplace_back();
      continue;
    }
    block.stories.push_back(story.text());
    const std::string_view text = block.stories.back();
    block.stories.push_back(story.answer());
    block.pairs.push_back({text, block.stories.back()});
  }
}

void take_weights(PairBlock& block, const std::string& name) {
  for (std::size_t i = 0; i < block.pairs.size(); ++i) {
    const std::string_view text = trimmed(block.weights.lines[i]);
    double weight = 0;
    if (!parse_number(text, weight) ||
        !(weight == 0 || (weight >= kSmallestWeight && weight <= kLargestWeight))) {
      throw InputError(concat(name, ":", block.first_line + static_cast<std::int64_t>(i), ": found ",
                              shown(text), ", expected a weight of 0 or from ", kSmallestWeight, " to ",
                              kLargestWeight));
    }
    block.pairs[i].weight = static_cast<float>(weight);
  }
}

void take_links(PairBlock& block, const std::string& name) {
  for (std::size_t i = 0; i < block.pairs.size(); ++i) {
    PairView& pair = block.pairs[i];
    if (pair.too_long) continue;
    const std::string where = concat(name, ":", block.first_line + static_cast<std::int64_t>(i));
    pair.links = links_between(block.links.lines[i], pair.source, pair.target, where);
  }
}

std::vector<std::string_view> between_tabs(std::string_view line) {
  std::vector<std::string_view> parts;
  for (std::size_t tab; (tab = line.find('\t')) != std::string_view::npos; line.remove_prefix(tab + 1)) {
    parts.push_back(line.substr(0, tab));
  }
  parts.push_back(line);
  return parts;
}

}  // namespace gloss
