// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/parallel_text.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/rounding.h"
#include "base/shown.h"

namespace gloss {
namespace {

/// True if line `number` of a block, counted from 1 in the file, is too long to have columns.
bool has_no_columns(const PairBlock& block, std::int64_t number) {
  return std::ranges::binary_search(block.source.too_long, index(number - block.first_line));
}

/// Weights in this range, or 0, keep sums of squared gradients within the range of f32.
constexpr double kSmallestWeight = 1e-6, kLargestWeight = 1e6;

std::string lines_text(std::int64_t count) { return concat(count, count == 1 ? " line" : " lines"); }

}  // namespace

IndexedPairs::IndexedPairs(const ParallelFiles& files, const std::string& folder, Listener& listener)
    : files_(files),
      items_(files.items.empty() ? std::optional<ItemList>()
                                 : open_item_list(files.items, folder, listener)) {
  if (items_ && items_->archive) {
    if (!files.item_texts) open_labels(folder, listener);
    if (files.item_texts && files.target.empty()) {
      throw UsageError(concat(files.items,
                              " is an idx archive, which has no texts; give it with --source, "
                              "and the texts with --target"));
    }
  } else {
    if (!files.item_labels.empty()) {
      throw UsageError(concat(files.item_labels, " are labels of an idx archive, but ", files.items,
                              " is a list; write the labels into the list: path TAB label"));
    }
    source_ = std::make_shared<IndexedLines>(!files.plain.empty()      ? files.plain
                                             : !files.labelled.empty() ? files.labelled
                                             : !files.stories.empty()  ? files.stories
                                             : !files.items.empty()    ? files.items
                                             : !files.tsv.empty()      ? files.tsv
                                                                       : files.source,
                                             folder, listener, files.max_line_bytes);
  }
  const auto expect_short_lines = [&](const IndexedLines& lines) {
    if (lines.lines() == 0 || lines.long_lines() < lines.lines()) return;
    throw InputError(concat(lines.name(), ": all of its ", lines_text(lines.lines()), " have more than ",
                            files.max_line_bytes,
                            " bytes and would be skipped; split them, or raise --max-line-bytes"));
  };
  if (source_) expect_short_lines(*source_);
  const auto open_beside = [&](std::shared_ptr<const IndexedLines>& lines, const std::string& path,
                               const char* meaning) {
    if (path.empty()) return;
    lines = std::make_shared<IndexedLines>(path, folder, listener, files.max_line_bytes);
    expect_short_lines(*lines);
    if (lines->lines() == this->lines()) return;
    throw InputError(concat(source_ ? source_->name() : text(), " has ", lines_text(this->lines()), " but ",
                            lines->name(), " has ", lines->lines(), "; ", meaning));
  };
  open_beside(target_, files.target,
              files.items.empty() ? "expected a translation of each line" : "expected a line for each item");
  open_beside(weights_, files.line_weights, "expected one weight for each line");
  open_beside(links_, files.links, "expected one line of links, maybe empty, for each line");
  if (files.stories.empty() || blocks() == 0) return;
  const LineBlock first = source_->read(0);
  const auto line = std::ranges::find_if_not(first.lines, is_blank);
  story_format_ = gloss::story_format(line == first.lines.end() ? std::string_view() : *line);
}

void IndexedPairs::open_labels(const std::string& folder, Listener& listener) {
  if (files_.item_labels.empty()) {
    throw UsageError(concat(
        files_.items, " is an idx archive without labels; give the archive of its labels with --labels"));
  }
  labels_ = std::make_shared<IdxArchive>(files_.item_labels, folder, listener);
  if (!labels_->sizes().empty()) {
    throw InputError(concat(labels_->name(), ": the items have ", labels_->sizes().size(),
                            " dimensions; expected one number for each item, its label"));
  }
  if (labels_->items() == items_->archive->items()) return;
  throw InputError(concat(items_->name, " has ", items_->archive->items(), " items but ", labels_->name(),
                          " has ", labels_->items(), "; expected one label for each item"));
}

std::int64_t IndexedPairs::lines() const { return source_ ? source_->lines() : items_->archive->items(); }

std::int64_t IndexedPairs::blocks() const {
  return source_ ? source_->blocks() : ceil_div(lines(), std::int64_t{IndexedLines::kBlockLines});
}

std::uint64_t IndexedPairs::fingerprint() const {
  const std::uint64_t of_labels = labels_ ? mix_bits(labels_->fingerprint()) : 0;
  std::uint64_t state =
      mix_bits(source_ ? source_->fingerprint() : items_->archive->fingerprint() ^ of_labels);
  for (const auto* lines : {&target_, &weights_}) {
    state = mix_bits(state ^ (*lines != nullptr ? (*lines)->fingerprint() : 0));
  }
  return state;
}

IndexedPairs IndexedPairs::only(std::shared_ptr<const Lines> chosen) const {
  IndexedPairs view = *this;
  view.chosen_ = std::move(chosen);
  return view;
}

IndexedPairs IndexedPairs::without(std::shared_ptr<const Lines> chosen) const {
  IndexedPairs view = only(std::move(chosen));
  view.only_chosen_ = false;
  return view;
}

std::string IndexedPairs::text() const {
  return chosen_ && only_chosen_ ? concat("the held-out lines of ", files_.text()) : files_.text();
}

std::int64_t IndexedPairs::kept_lines() const {
  if (!chosen_) return lines();
  return only_chosen_ ? std::ssize(*chosen_) : lines() - std::ssize(*chosen_);
}

PairBlock IndexedPairs::read(std::int64_t number) const {
  if (!chosen_) return read_whole(number);
  if (only_chosen_) {
    const auto next = std::ranges::upper_bound(*chosen_, number * IndexedLines::kBlockLines);
    if (next == chosen_->end() || *next > (number + 1) * IndexedLines::kBlockLines) return {};
  }
  PairBlock block = read_whole(number);
  leave_out(block);
  return block;
}

void IndexedPairs::leave_out(PairBlock& block) const {
  std::int64_t line = block.first_line;
  auto next = std::ranges::lower_bound(*chosen_, line);
  for (PairView& pair : block.pairs) {
    const bool chosen = next != chosen_->end() && *next == line;
    if (chosen) ++next;
    pair.left_out = chosen != only_chosen_;
    ++line;
  }
}

PairBlock IndexedPairs::read_whole(std::int64_t number) const {
  PairBlock block;
  block.first_line = number * IndexedLines::kBlockLines + 1;
  if (source_) block.source = source_->read(number);
  if (!source_) {
    read_archive(block);
  } else if (items_) {
    split_items(block);
  } else if (target_) {
    block.target = target_->read(number);
    for (std::size_t i = 0; i < block.source.lines.size(); ++i) {
      block.pairs.push_back({block.source.lines[i], block.target.lines[i]});
    }
  } else if (!files_.plain.empty()) {
    for (const std::string_view line : block.source.lines)
      block.pairs.push_back({line, {}, 1, files_.language});
  } else if (!files_.labelled.empty()) {
    split_labels(block);
  } else if (!files_.stories.empty() && story_format_ == StoryFormat::babi) {
    read_babi(block, number);
  } else if (!files_.stories.empty()) {
    split_stories(block);
  } else {
    split_rows(block);
  }
  if (items_ && target_) take_texts(block, number);
  if (weights_) read_weights(block, number);
  if (links_) block.links = links_->read(number);
  for (const LineBlock* lines : {&block.source, &block.target, &block.links}) {
    for (const std::size_t i : lines->too_long) block.pairs[i].too_long = true;
  }
  if (links_) take_links(block);
  return block;
}

std::string IndexedPairs::noun() const { return is_parallel() ? "pair" : items_ ? "item" : "line"; }

std::vector<std::string_view> IndexedPairs::texts_of(const PairView& pair) const {
  if (pair.too_long || pair.left_out) return {};
  if (!files_.plain.empty()) return {pair.source};
  if (items_) return files_.item_texts ? std::vector{pair.target} : std::vector<std::string_view>();
  if (!files_.stories.empty()) {
    StoryTexts texts = story_texts(pair.source);
    if (!texts.question.empty()) texts.sentences.push_back(texts.question);
    return std::move(texts.sentences);
  }
  return files_.labelled.empty() ? std::vector{pair.source, pair.target} : between_tabs(pair.source);
}

void IndexedPairs::split_labels(PairBlock& block) const {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++)) {
      block.pairs.emplace_back();
      continue;
    }
    const std::size_t columns = between_tabs(row).size();
    if (columns < 2 || columns > 3) {
      throw InputError(concat(source_->name(), ":", line - 1, ": found ", columns,
                              columns == 1 ? " column" : " columns",
                              ", expected 2 (label TAB text) or 3 (label TAB text TAB text)"));
    }
    const std::size_t tab = row.find('\t');
    if (is_blank(row.substr(0, tab))) {
      throw InputError(concat(source_->name(), ":", line - 1, ": the label before the tab is missing"));
    }
    block.pairs.push_back({row.substr(tab + 1), row.substr(0, tab)});
  }
}

void IndexedPairs::split_items(PairBlock& block) const {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++)) {
      block.pairs.emplace_back();
      continue;
    }
    const std::vector<std::string_view> columns = between_tabs(row);
    if (target_) {
      block.pairs.push_back({columns[0], {}});
    } else if (columns.size() != 2 || columns[0].empty() || (!files_.item_texts && is_blank(columns[1]))) {
      throw InputError(concat(source_->name(), ":", line - 1, ": found ", columns.size(),
                              columns.size() == 1 ? " column" : " columns", ", expected 2 (", files_.form(),
                              files_.item_texts ? ")" : "), neither of them empty"));
    } else {
      block.pairs.push_back({columns[0], columns[1]});
    }
    block.pairs.back().items = &*items_;
  }
}

void IndexedPairs::read_archive(PairBlock& block) const {
  const std::int64_t end = std::min(lines(), block.first_line - 1 + IndexedLines::kBlockLines);
  for (std::int64_t item = block.first_line - 1; item < end; ++item) {
    block.numbers.push_back(concat(item));
    block.numbers.push_back(labels_ ? concat(static_cast<int>(labels_->item(item).front())) : "");
  }
  for (std::size_t i = 0; i < block.numbers.size(); i += 2) {
    block.pairs.push_back({block.numbers[i], block.numbers[i + 1]});
    block.pairs.back().items = &*items_;
  }
}

void IndexedPairs::take_texts(PairBlock& block, std::int64_t number) const {
  block.target = target_->read(number);
  for (std::size_t i = 0; i < block.pairs.size(); ++i) block.pairs[i].target = block.target.lines[i];
}

void IndexedPairs::split_stories(PairBlock& block) const {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++) || is_blank(row)) {
      block.pairs.emplace_back();
      continue;
    }
    const StoryQuestion found = split_story(row, true, concat(source_->name(), ":", line - 1));
    block.pairs.push_back({found.text, found.answer});
  }
}

void IndexedPairs::read_babi(PairBlock& block, std::int64_t number) const {
  BabiStory story(true);
  // The lines of the first story that are in earlier blocks.
  std::vector<LineBlock> earlier;
  std::size_t begin = 0;
  if (!block.source.lines.empty() && !begins_story(block.source.lines.front())) {
    constexpr std::int64_t kMostBlocks = BabiStory::kMostLines / IndexedLines::kBlockLines + 1;
    for (std::int64_t before = number - 1; before >= std::max<std::int64_t>(0, number - kMostBlocks);
         --before) {
      earlier.push_back(source_->read(before));
      const std::vector<std::string_view>& lines = earlier.back().lines;
      const auto start = std::find_if(lines.rbegin(), lines.rend(), begins_story);
      if (start == lines.rend()) continue;
      begin = index(lines.rend() - start) - 1;
      break;
    }
  }
  const auto take = [&](const LineBlock& lines, std::size_t i, std::int64_t first_line) {
    const std::string where = concat(source_->name(), ":", first_line + static_cast<std::int64_t>(i));
    if (std::ranges::binary_search(lines.too_long, i)) {
      throw InputError(concat(where, ": the line has more than ", files_.max_line_bytes,
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

void IndexedPairs::split_rows(PairBlock& block) const {
  std::int64_t line = block.first_line;
  for (const std::string_view row : block.source.lines) {
    if (has_no_columns(block, line++)) {
      block.pairs.emplace_back();
      continue;
    }
    const auto tabs = std::count(row.begin(), row.end(), '\t');
    if (tabs != 1) {
      throw InputError(concat(source_->name(), ":", line - 1, ": found ", tabs + 1,
                              tabs == 0 ? " column" : " columns", ", expected 2 (source TAB target)"));
    }
    const std::size_t tab = row.find('\t');
    block.pairs.push_back({row.substr(0, tab), row.substr(tab + 1)});
  }
}

void IndexedPairs::read_weights(PairBlock& block, std::int64_t number) const {
  block.weights = weights_->read(number);
  for (std::size_t i = 0; i < block.pairs.size(); ++i) {
    const std::string_view text = trimmed(block.weights.lines[i]);
    double weight = 0;
    if (!parse_number(text, weight) ||
        !(weight == 0 || (weight >= kSmallestWeight && weight <= kLargestWeight))) {
      throw InputError(concat(weights_->name(), ":", block.first_line + static_cast<std::int64_t>(i),
                              ": found ", shown(text), ", expected a weight of 0 or from ", kSmallestWeight,
                              " to ", kLargestWeight));
    }
    block.pairs[i].weight = static_cast<float>(weight);
  }
}

void IndexedPairs::take_links(PairBlock& block) const {
  for (std::size_t i = 0; i < block.pairs.size(); ++i) {
    PairView& pair = block.pairs[i];
    if (pair.too_long) continue;
    const std::string where = concat(links_->name(), ":", block.first_line + static_cast<std::int64_t>(i));
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

std::vector<SentencePair> read_pairs(const IndexedPairs& text) {
  std::vector<SentencePair> pairs;
  for (std::int64_t block = 0; block < text.blocks(); ++block) {
    const PairBlock read = text.read(block);
    for (const PairView& pair : read.pairs) {
      if (!pair.too_long && !pair.left_out)
        pairs.push_back({std::string(pair.source), std::string(pair.target)});
    }
  }
  return pairs;
}

}  // namespace gloss
