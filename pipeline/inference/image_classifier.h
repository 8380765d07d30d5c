// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <vector>

#include "pipeline/inference/classifier.h"
#include "pipeline/sources/image.h"

namespace gloss {

/// Classifies images. The result of an image depends on the image alone.
class ImageClassifier {
 public:
  /// The model must outlive this object. Throws UsageError unless it is a classifier of images, or if
  /// `explain` is set.
  ImageClassifier(const TextModel&, const ClassificationSettings&, int threads);

  /// One result for each line; one that names no image (`blank`) has no labels. `read` returns the image of a
  /// line, on any thread; if it throws InputError, the message becomes the problem of the result. Only the
  /// images of a batch for each thread are in memory.
  std::vector<ClassifiedLine> classify(std::size_t lines, const std::function<bool(std::size_t line)>& blank,
                                       const std::function<Image(std::size_t line)>& read,
                                       const std::function<void(int lines)>& finished) const;

 private:
  const TextModel& model_;
  ClassificationSettings settings_;
  int threads_;
  std::vector<TokenId> row_;
};

}  // namespace gloss
