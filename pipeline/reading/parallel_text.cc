// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/parallel_text.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "base/rounding.h"
#include "base/text.h"
#include "pipeline/reading/line_forms.h"

namespace gloss {
namespace {

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
  if (target_) block.target = target_->read(number);
  add_pairs(block, number);
  if (weights_) {
    block.weights = weights_->read(number);
    take_weights(block, weights_->name());
  }
  if (links_) block.links = links_->read(number);
  for (const LineBlock* lines : {&block.source, &block.target, &block.links}) {
    for (const std::size_t i : lines->too_long) block.pairs[i].too_long = true;
  }
  if (links_) take_links(block, links_->name());
  return block;
}

void IndexedPairs::add_pairs(PairBlock& block, std::int64_t number) const {
  if (!source_) {
    add_archive(block, *items_, labels_.get());
    if (target_) take_targets(block);
  } else if (items_ && target_) {
    add_item_paths(block, *items_);
    take_targets(block);
  } else if (items_) {
    add_items(block, *items_, files_.item_texts, source_->name());
  } else if (target_) {
    add_lines(block);
    take_targets(block);
  } else if (!files_.plain.empty()) {
    add_lines(block);
    for (PairView& pair : block.pairs) pair.language = files_.language;
  } else if (!files_.labelled.empty()) {
    add_labelled(block, source_->name());
  } else if (!files_.stories.empty() && story_format_ == StoryFormat::babi) {
    add_babi_stories(block, *source_, number, files_.max_line_bytes);
  } else if (!files_.stories.empty()) {
    add_stories(block, source_->name());
  } else {
    add_rows(block, source_->name());
  }
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
