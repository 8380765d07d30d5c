// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/media/item_rows.h"
#include "pipeline/tasks/classifier.h"

namespace gloss {

/// Classifies items that are not text, such as images. The result of an item depends on the item alone.
class ItemClassifier {
 public:
  /// The model must outlive this object. Throws UsageError unless it is a classifier of items, or if
  /// `explain` is set but the network has no attention. `list`: to which the items belong.
  ItemClassifier(const TextModel&, const ClassificationSettings&, int threads, ItemList list);

  /// One result for each line; a blank one has no labels. If an item cannot be read, the message becomes the
  /// problem of the result. Only the items of a batch for each thread are in memory.
  std::vector<ClassifiedLine> classify(std::span<const std::string> lines,
                                       const std::function<void(int lines)>& finished) const;

 private:
  const TextModel& model_;
  ClassificationSettings settings_;
  int threads_;
  ItemRows items_;
};

}  // namespace gloss
