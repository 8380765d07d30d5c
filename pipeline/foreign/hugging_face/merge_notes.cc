// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/merge_notes.h"

#include <unordered_set>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/foreign/hugging_face/tokenizer_to_export.h"
#include "tokenizer/characters.h"

namespace gloss {

std::vector<std::string> notes_on_merges(const Subwords& subwords, const std::string& directory) {
  const TokenizerToExport tokenizer(subwords);
  if (tokenizer.kind() != TokenizerToExport::Kind::byte_pairs) return {};
  std::unordered_set<std::string> merged;
  const auto merges = tokenizer.merges();
  for (const auto& [left, right] : merges) merged.insert(left + right);
  int unmade = 0;
  for (int id = 0; id < tokenizer.used(); ++id) {
    const std::string& piece = tokenizer.piece(id);
    if (!tokenizer.is_special(id) && !merged.contains(piece) && code_points(piece).size() > 1) ++unmade;
  }
  // Real vocabularies have a few, such as RoBERTa's madeupword0000.
  constexpr int kFew = 20;
  if (unmade <= tokenizer.used() / kFew) return {};
  return {concat(directory, ": ", unmade, " of ", tokenizer.used(),
                 " tokens come from no merge; if merges are missing", " (there are ", merges.size(),
                 "), text is split into wrong tokens")};
}

}  // namespace gloss
