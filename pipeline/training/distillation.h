// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "model/tensor/soft_targets.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// Models whose probabilities a training follows at each target token (word-level distillation: Hinton et al.
/// 2015, Kim and Rush 2016).
struct DistillationSettings {
  std::vector<std::string> teacher{};  ///< model directories; several are an ensemble; none: no distillation
  double weight = 0.5;                 ///< of the teachers in the wanted probabilities
  int top = 8;                         ///< tokens of the teachers per target token
  Precision precision = Precision::automatic;
  std::vector<std::string> sums{};  ///< checksums of the teachers, set by open_teachers
};
/// The fields that users choose.
Fields fields_of(DistillationSettings&);
/// Those and the checksums, as stored in config.json.
Fields all_fields_of(DistillationSettings&);
/// Throws UsageError if a setting was given without a teacher.
void refuse_unused(const DistillationSettings&, const Given&);

/// Trained translation models that teach another. Thread-safe.
class Teachers {
 public:
  /// Reads and packs the models. Throws InputError if one is no translation model, UsageError if one
  /// translates between several languages.
  Teachers(const DistillationSettings&, int threads, Listener&);

  /// The checksum of each model.
  std::vector<std::string> sums() const;
  /// Throws UsageError, naming the teacher and the difference, unless both have the same pieces on both
  /// sides, the teachers can read sentences of `max_length` tokens, and predict target tokens in the same
  /// order.
  void expect_fit(const Tokenizers& of_student, int max_length,
                  TargetOrder = TargetOrder::left_to_right) const;
  /// The tokens with the highest mean probability at each target token among the best of each model, with
  /// probabilities that are scaled to a sum of 1.
  SoftTargets soft_targets(const Batch&) const;

 private:
  const std::string& name(std::size_t model) const { return names_[model]; }

  std::vector<std::string> names_;
  TextModels models_;
  int top_;
};

/// Throws UsageError if there is a teacher and the student would learn a vocabulary instead of taking that of
/// its teacher.
void expect_vocabulary_of_teacher(const DistillationSettings&, const TokenizerSettings&);
/// Opens the teachers and sets their checksums in the settings; null if there are none.
std::shared_ptr<const Teachers> open_teachers(DistillationSettings&, int threads, Listener&);

/// Throws UsageError if the training of this checkpoint has other teachers; their checksums are in its
/// settings.
void expect_same_teachers(const DistillationSettings&, const std::string& checkpoint);

}  // namespace gloss
