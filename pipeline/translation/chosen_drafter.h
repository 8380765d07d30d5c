// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "base/listener.h"
#include "pipeline/search/drafter.h"
#include "pipeline/text_models/precision.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// Where drafts of translations come from.
struct DraftChoice {
  /// A directory with a model, a translation memory, or a file of `gloss shortlist`; empty: no drafts.
  std::string path{};
  Precision precision = Precision::automatic;  ///< of the model
  int threads = 1;                             ///< to prepare it
};

/// The model, translation memory or shortlist that drafts translations.
class ChosenDrafter {
 public:
  /// For the translations of `models`, whose first has the name `name`. Throws UsageError if the models
  /// cannot check drafts, if the search is not greedy and does not sample one translation, or if the drafting
  /// model has other vocabularies or cannot draft; InputError if it or the file is invalid.
  ChosenDrafter(const DraftChoice&, const TextModels& models, const std::string& name, const LanguageChoice&,
                Listener&);
  const Drafter& drafter() const { return *drafter_; }

 private:
  TextModels models_;  // no members: a file drafts
  std::unique_ptr<const Drafter> drafter_;
};

/// Throws UsageError if the search has several hypotheses at a time, which drafts do not help.
void expect_draftable(const SearchSettings&);

}  // namespace gloss
