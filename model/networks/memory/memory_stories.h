// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "base/random.h"
#include "model/networks/packed_rows.h"

namespace gloss {

/// The stories and questions of packed rows. A row is a story, whose sentences end with end tokens, and a
/// question, also with an end token; a begin token may precede them.
struct MemoryStories {
  std::vector<TokenId> words;     ///< of the sentences in memory, story after story
  std::vector<int> starts{0};     ///< start of each memory in `words`, and the end of the last
  std::vector<int> ages;          ///< of each memory: 0 is the latest sentence of its story; -1: unused
  std::vector<int> in_memory;     ///< of each row: its sentences in memory; unused memories follow them
  std::vector<int> forgotten;     ///< of each row: sentences before those in memory
  std::vector<TokenId> asked;     ///< words of the questions
  std::vector<int> questions{0};  ///< start of each question in `asked`, and the end of the last

  /// Each row has `memories` memories: the latest sentences of its story, then unused ones without words.
  MemoryStories(const PackedRows&, TokenId begin, TokenId end, int memories);

  int rows() const { return static_cast<int>(questions.size()) - 1; }
  /// The number of a row's first memory.
  int first_memory(int row) const { return row * memories; }
  /// Puts up to `share` times as many empty memories as a story has sentences at random places between them:
  /// the sentences before one become older, up to the age of the last memory.
  void insert_empty(double share, Random&);
  /// For each row: its question and its memories.
  std::vector<AttentionSpan> spans() const;

  int memories;  ///< of each row
};

}  // namespace gloss
