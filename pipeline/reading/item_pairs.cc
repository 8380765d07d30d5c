// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/item_pairs.h"

#include "base/error.h"

namespace gloss {

bool ItemPairs::next(SentencePair& pair) {
  const bool item = items_.next(pair.source), text = texts_.next(pair.target);
  if (item != text) {
    throw InputError(concat("found ", item ? "no text for the item at " : "no item for the text at ",
                            (item ? items_ : texts_).place(read_ + 1), "; expected a line for each item"));
  }
  read_ += item ? 1 : 0;
  return item;
}

}  // namespace gloss
