// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/inference/classifier.h"
#include "pipeline/inference/item_rows.h"

namespace gloss {

/// Classifies images. The result of an image depends on the image alone.
class ImageClassifier {
 public:
  /// The model must outlive this object. Throws UsageError unless it is a classifier of images, or if
  /// `explain` is set.
  ImageClassifier(const TextModel&, const ClassificationSettings&, int threads, ReadImage);

  /// One result for each line; a blank one has no labels. If an image cannot be read, the message becomes the
  /// problem of the result. Only the images of a batch for each thread are in memory.
  std::vector<ClassifiedLine> classify(std::span<const std::string> lines,
                                       const std::function<void(int lines)>& finished) const;

 private:
  const TextModel& model_;
  ClassificationSettings settings_;
  int threads_;
  ItemRows images_;
};

}  // namespace gloss
