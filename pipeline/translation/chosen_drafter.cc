// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/chosen_drafter.h"

#include "base/error.h"
#include "base/paths.h"
#include "pipeline/foreign/file_errors.h"
#include "pipeline/foreign/no_model.h"
#include "pipeline/search/model_drafter.h"
#include "pipeline/translation/lexical_drafter.h"
#include "pipeline/translation/memory_drafter.h"

namespace gloss {

void expect_draftable(const SearchSettings& search) {
  const int hypotheses = hypotheses_of_row(search);
  if (hypotheses == 1) return;
  throw UsageError(concat("--draft is for one hypothesis a line, but the search has ", hypotheses, ": add ",
                          search.sampling.sample ? "--n-best 1" : "--beam-size 1", " or leave out --draft"));
}

ChosenDrafter::ChosenDrafter(const DraftChoice& choice, const TextModels& models, const std::string& name,
                             const LanguageChoice& languages, Listener& listener) {
  const auto expect_takes_several = [](const Decoder& decoder, const std::string& which,
                                       const char* inability) {
    if (decoder.takes_several()) return;
    throw UsageError(concat("--draft: the decoder of ", which, " reads one token after the other and cannot ",
                            inability, "; use a transformer, or leave out --draft"));
  };
  expect_takes_several(models.decoder(), name, "check the tokens of a draft at once");
  const TextModel& first = models.first();
  if (!dangling_link(choice.path).empty()) throw InputError(concat("--draft: ", why_no_model(choice.path)));
  if (!path_exists(choice.path)) {
    throw InputError(concat("--draft: ", choice.path,
                            " does not exist; expected a model directory, a shortlist, or a file of lines "
                            "'source<tab>translation'"));
  }
  const bool file = !is_folder(choice.path);
  if (file && Shortlist::is_gloss_shortlist(choice.path)) {
    drafter_ = std::make_unique<const LexicalDrafter>(
        Shortlist::read(choice.path, *first.source, *first.target),
        first.format.target_order == TargetOrder::right_to_left, first.target->end_id());
    return;
  }
  if (file) {
    drafter_ = std::make_unique<const MemoryDrafter>(TranslationMemory::read(
        choice.path, *first.source, *first.target, first.format.normalization, first.format.target_order));
    return;
  }
  models_ = read_text_models({{choice.path}, Form::encoder_decoder, {}, &languages}, listener);
  expect_same_text({first, name}, {models_.first(), choice.path}, "a model and the one that drafts for it");
  expect_takes_several(models_.decoder(), choice.path, "take back the wrong tokens of a draft");
  if (!models_.decoder().forgets_earlier_steps()) {
    throw UsageError(
        concat("--draft: decoder layers of ", choice.path,
               " keep the latest tokens only and cannot drop the rest of a draft; use a model with "
               "--decoder-mixers attention, strided, fixed, ssru or average, or leave out --draft"));
  }
  pack(models_, choice.precision, choice.threads, listener);
  drafter_ = std::make_unique<const ModelDrafter>(models_.decoder(),
                                                  models_.first().model.settings.sizes.max_positions);
}

}  // namespace gloss
