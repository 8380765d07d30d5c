// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/reading/indexed_lines.h"
#include "pipeline/reading/item_list.h"
#include "pipeline/reading/parallel_files.h"
#include "pipeline/reading/stories.h"
#include "tokenizer/word_links.h"

namespace gloss {

/// A line, its translation and its loss weight. Users skip pairs that are too long.
struct PairView {
  std::string_view source, target;
  float weight = 1;
  std::string_view language{};      ///< of plain text
  bool too_long = false;            ///< a line is over the limit; the texts are empty
  bool left_out = false;            ///< the line is not among those of this view (IndexedPairs::only)
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

  /// These numbers of lines, counted from 1, in order.
  using Lines = std::vector<std::int64_t>;
  /// A view of the same files in which all other lines are left out.
  IndexedPairs only(std::shared_ptr<const Lines> chosen) const;
  /// A view of the same files in which these lines are left out.
  IndexedPairs without(std::shared_ptr<const Lines> chosen) const;

  /// The names for messages.
  std::string text() const;
  /// The form of a line, for messages.
  std::string form() const { return files_.form(); }
  bool has_stories() const { return !files_.stories.empty(); }
  /// True if both sides are text.
  bool is_parallel() const { return !files_.source.empty() || !files_.tsv.empty(); }
  bool is_plain() const { return !files_.plain.empty(); }
  /// True if a line has one of a few labels or answers.
  bool is_annotated() const { return !is_parallel() && !is_plain() && !files_.item_texts; }
  /// What a line is, for messages.
  std::string noun() const;
  /// What a target of an annotated text is, for messages.
  std::string target_noun() const { return files_.stories.empty() ? "label" : "answer"; }
  /// The name of the file of links; "" without.
  const std::string& links() const { return files_.links; }
  /// The texts of a pair: both sides; only the source if there are no targets; the texts without the
  /// label; the sentences of a story and its question; or the text of an item, if it has one. None of a
  /// pair that is too long or left out.
  std::vector<std::string_view> texts_of(const PairView&) const;
  /// The number of lines of the files, those that are left out included.
  std::int64_t lines() const;
  std::int64_t blocks() const;
  /// The number of lines that are not left out.
  std::int64_t kept_lines() const;
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
  PairBlock read_whole(std::int64_t block) const;
  void leave_out(PairBlock& block) const;
  void open_labels(const std::string& folder, Listener&);
  /// Adds the pairs of a block, by the form of its lines.
  void add_pairs(PairBlock& block, std::int64_t number) const;

  ParallelFiles files_;
  std::optional<ItemList> items_;             // the source, if it is not text
  std::shared_ptr<const IdxArchive> labels_;  // of an archive
  std::shared_ptr<const IndexedLines>
      source_;  // or the only file: tsv, plain, labelled text or a list; not an archive
  std::shared_ptr<const IndexedLines> target_, weights_, links_;
  StoryFormat story_format_ = StoryFormat::lines;
  std::shared_ptr<const Lines> chosen_;  // null: all lines
  bool only_chosen_ = true;              // false: all but those
};

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
