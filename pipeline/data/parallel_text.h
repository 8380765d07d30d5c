// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/data/indexed_lines.h"
#include "pipeline/data/item_list.h"
#include "pipeline/data/stories.h"
#include "pipeline/data/word_links.h"

namespace gloss {

/// The files of a text: two parallel files; one with lines source TAB target; one of plain text, whose lines
/// are sources without targets; one with lines label TAB text (or label TAB text TAB text), whose texts are
/// sources and whose labels are targets; or one with stories (stories.h), whose stories and questions are
/// sources and whose answers are targets; or a list of items that are not text (item_list.h), with lines path
/// TAB label, or an idx archive of them and one of their labels, or items with texts: two parallel files, an
/// item list or archive and a text, or a list with lines path TAB text. Compressed files (.gz, .zst), pipes
/// and
/// "-" are copied, decompressed, to a temporary file.
struct ParallelFiles {
  std::string source{}, target{}, tsv{};
  std::string line_weights{};  ///< a number for each pair; empty: 1
  std::string links{};         ///< a line of links between words for each pair; empty: none
  std::string plain{};
  std::string language{};  ///< of plain text; empty: unknown
  std::string labelled{};
  std::string stories{};
  std::string items{};        ///< a list, or an archive
  std::string item_labels{};  ///< the labels of an archive
  bool item_texts = false;    ///< items have texts: those of `target`, or the second column of a list
  std::int64_t max_line_bytes = kLongestLine;
  bool empty() const {
    return source.empty() && target.empty() && tsv.empty() && plain.empty() && labelled.empty() &&
           stories.empty() && items.empty();
  }
  /// The form of a line of an annotated text, for messages.
  std::string form() const {
    if (!items.empty()) return item_texts ? "path TAB text" : "path TAB label";
    return stories.empty() ? "label TAB text" : "story TAB question TAB answer";
  }
  /// The names for messages.
  std::string text() const {
    if (!plain.empty()) return plain;
    if (!labelled.empty()) return labelled;
    if (!stories.empty()) return stories;
    if (!items.empty()) {
      const std::string& beside = item_texts ? target : item_labels;
      return beside.empty() ? items : items + ", " + beside;
    }
    return tsv.empty() ? source + ", " + target : tsv;
  }
};
/// The fields `source`, `target` and `tsv` with `prefix` before their names; `what` is the text's use.
Fields fields_of(ParallelFiles&, const std::string& prefix, const std::string& what);
/// Throws UsageError unless both files or the tsv file are given.
void check(const ParallelFiles&, const std::string& prefix);
/// Parallel files, or a tsv file, whose source names items that are not text.
ParallelFiles with_items(ParallelFiles);
/// Throws InputError if one of the files cannot be opened; does not check pipes, as that would consume input.
void expect_readable(const ParallelFiles&);

/// A line, its translation and its loss weight. Users skip pairs that are too long.
struct PairView {
  std::string_view source, target;
  float weight = 1;
  std::string_view language{};      ///< of plain text
  bool too_long = false;            ///< a line is over the limit; the texts are empty
  std::vector<Link> links{};        ///< between the words of both sides (links_between)
  const ItemList* items = nullptr;  ///< of which `source` is an item; null: text
};

/// A block of pairs and the memory that they point to.
struct PairBlock {
  std::int64_t first_line = 1;  ///< counted from 1
  std::vector<PairView> pairs;  ///< point into the lines below
  LineBlock source, target, weights, links;
  std::vector<std::string> stories;  ///< those in bAbI's format, with questions and answers
  std::vector<std::string> numbers;  ///< of the items of an archive, and their labels if they have no texts
};

/// Parallel text of any size in blocks that can be read in any order. Only an index is kept in memory.
class IndexedPairs {
 public:
  /// Reads the files once to index them. Throws InputError if one has more lines than the other. Temporary
  /// files go to `folder`.
  IndexedPairs(const ParallelFiles&, const std::string& folder, Listener& listener);

  /// The names for messages.
  std::string text() const { return files_.text(); }
  /// The form of a line, for messages.
  std::string form() const { return files_.form(); }
  /// What a target of an annotated text is, for messages.
  std::string target_noun() const { return files_.stories.empty() ? "label" : "answer"; }
  /// The name of the file of links; "" without.
  const std::string& links() const { return files_.links; }
  /// The texts of a pair: both sides; only the source if there are no targets; the texts without the
  /// label; the sentences of a story and its question; or the text of an item. None of a pair that is too
  /// long.
  std::vector<std::string_view> texts_of(const PairView&) const;
  std::int64_t lines() const;
  std::int64_t blocks() const;
  /// A hash of the content of all files but the links.
  std::uint64_t fingerprint() const;
  /// A hash of the links; 0 without.
  std::uint64_t links_fingerprint() const { return links_ ? links_->fingerprint() : 0; }
  /// The list or archive of items; null: text.
  const ItemList* items() const { return items_ ? &*items_ : nullptr; }
  /// Throws InputError if a line has too few or too many tabs, a weight is not a number from 0 to 1,000,000,
  /// a link is malformed or exceeds the words of its pair, or a file has changed. Thread-safe.
  PairBlock read(std::int64_t block) const;

 private:
  void open_labels(const std::string& folder, Listener&);
  void split_rows(PairBlock& block) const;
  void split_labels(PairBlock& block) const;
  void split_items(PairBlock& block) const;
  void read_archive(PairBlock& block) const;
  /// Gives items their texts.
  void take_texts(PairBlock& block, std::int64_t number) const;
  void split_stories(PairBlock& block) const;
  void read_babi(PairBlock& block, std::int64_t number) const;
  void read_weights(PairBlock& block, std::int64_t number) const;
  void take_links(PairBlock& block) const;

  ParallelFiles files_;
  std::optional<ItemList> items_;             // the source, if it is not text
  std::unique_ptr<const IdxArchive> labels_;  // of an archive
  std::optional<IndexedLines>
      source_;  // or the only file: tsv, plain, labelled text or a list; not an archive
  std::optional<IndexedLines> target_, weights_, links_;
  StoryFormat story_format_ = StoryFormat::lines;
};

/// The tab-separated columns of a line.
std::vector<std::string_view> between_tabs(std::string_view line);

/// A line and its translation.
struct SentencePair {
  std::string source, target;
};
/// The number of bytes that a pair adds to a window of a stream.
inline std::size_t byte_count(const SentencePair& pair) { return pair.source.size() + pair.target.size(); }
inline void add_to(Checksum& sum, const SentencePair& pair) {
  for (const std::string* side : {&pair.source, &pair.target}) {
    sum.add(*side);
    sum.add("\n");
  }
}
/// All pairs except those that are too long; for text that fits into memory.
std::vector<SentencePair> read_pairs(const IndexedPairs&);

}  // namespace gloss
