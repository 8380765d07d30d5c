// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/formats/ctranslate2.h"
#include "pipeline/foreign/shared/foreign_config.h"

namespace gloss {

/// The variables of a directory of CTranslate2 (weights and settings) and its config.json. All throw
/// InputError, naming the file and the variable.
class CTranslate2Variables {
 public:
  explicit CTranslate2Variables(const std::string& directory);

  const std::string& directory() const { return directory_; }
  const CTranslate2File& file() const { return *file_; }
  const ForeignConfig& config() const { return config_; }
  /// The arrays, which live as long as a copy of the pointer.
  std::shared_ptr<const StoredArrays> arrays() const { return {file_, &file_->arrays}; }

  /// True for a language model, which has no encoder.
  bool decodes_only() const { return sides_.size() == 1; }
  /// "encoder" and "decoder", or the decoder alone.
  const std::vector<std::string>& sides() const { return sides_; }
  /// The first of sides().
  const std::string& first_side() const { return sides_.front(); }
  /// All variables that find(), at(), number() and text() have been asked for.
  const std::vector<std::string>& known() const { return known_; }

  bool has(const std::string& name) const { return file_->arrays.find(name) != nullptr; }
  /// The variable of this name; null if there is none.
  const StoredArray* find(const std::string& name);
  const StoredArray& at(const std::string& name);
  /// A setting: a variable of one number.
  std::optional<double> number(const std::string& name);
  /// A setting of a side; old files have one for both.
  std::optional<double> number(const std::string& side, const std::string& name);
  /// A setting that must be the same on both sides.
  double shared(const std::string& name, double otherwise);
  /// A text of config.json; old files have it as bytes of a variable.
  std::string text(const std::string& name, const std::string& otherwise);
  /// The common answer of a question about each side.
  template <class Question>
  auto of_both(const std::string& what, const Question& question) {
    const auto first = question(sides_.front()), last = question(sides_.back());
    if (first == last) return first;
    refuse(what, concat(first, " in the encoder and ", last, " in the decoder"), "the same in both");
  }
  /// The number of layers of a side.
  int layers(const std::string& side) const;

  [[noreturn]] void refuse(const std::string& name, const std::string& found,
                           const std::string& expected) const;

 private:
  const std::string& path() const { return file_->arrays.path(); }

  std::string directory_;
  std::shared_ptr<const CTranslate2File> file_;
  ForeignConfig config_;
  std::vector<std::string> sides_;
  std::vector<std::string> known_;
};

}  // namespace gloss
