// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/pretraining.h"

#include <algorithm>

#include "base/error.h"

namespace gloss {
namespace {

void check_languages(const PretrainingSettings& settings) {
  const std::vector<std::string>& languages = settings.text.languages;
  const std::string& valid = settings.valid_text.language;
  if (settings.objective != Objective::denoise && !(languages.empty() && valid.empty())) {
    throw UsageError("--languages and --valid-language are for --objective denoise only; leave them out");
  }
  if (languages.empty() && settings.text.temperature != 1) {
    throw UsageError("--language-temperature needs the languages of the corpora: give --languages");
  }
  if (!valid.empty() && std::ranges::count(languages, valid) == 0) {
    throw UsageError(concat("--valid-language is ", valid, ", expected one of --languages: ",
                            languages.empty() ? "found none" : join(languages, ", ")));
  }
}

}  // namespace

PretrainingSettings::PretrainingSettings() {
  apply_purpose(Purpose::plain_text, network);
  network.sizes.max_positions = plain.block_length;
  loop.training.label_smoothing = 0;
}

Field objective_field(Objective& objective) {
  return {"objective", choice(objective, {"lm", "mlm", "denoise"}),
          "training objective; predict each token from the tokens before it (lm), masked tokens from all "
          "others (mlm), or the original of a noisy text (denoise)"};
}

Form form_of(Objective objective) {
  switch (objective) {
    case Objective::lm:
      return Form::decoder;
    case Objective::mlm:
      return Form::encoder;
    case Objective::denoise:
      return Form::encoder_decoder;
  }
  throw BrokenPromise("an objective without a form");
}

void apply_objective(Objective objective, NetworkSettings& network) {
  const Form form = form_of(objective);
  if (form == Form::decoder) network.sizes.encoder_layers = 0;
  if (form == Form::encoder) network.sizes.decoder_layers = 0;
}

Fields data_fields_of(PretrainingSettings& settings) {
  Fields fields = plain_fields_of(settings.text);
  fields.push_back({"valid_input", &settings.valid_text.plain, "validation text", {}, 0, "FILE"});
  add_traits(fields, kFreeOnResume, settings.valid_text.plain);
  fields.push_back(hold_out_field(settings));
  fields.push_back({"valid_language",
                    &settings.valid_text.language,
                    "language of the validation text (denoise)",
                    {},
                    0,
                    "NAME"});
  append(fields, fields_of(settings.plain));
  append(fields, fields_of(settings.mask));
  append(fields, fields_of(settings.noise));
  return fields;
}

Fields all_fields_of(PretrainingSettings& settings) {
  Fields fields{objective_field(settings.objective)};
  append(fields, data_fields_of(settings));
  append(fields, plain_fields_of(settings.tokenizers));
  append(fields, chosen_fields_of(settings.network));
  append(fields, run_fields_of(settings));
  return fields;
}

void check(const PretrainingSettings& settings) {
  if (settings.text.plain.empty()) throw UsageError("no training text: give --input FILE");
  check(static_cast<const ModelTrainingSettings&>(settings));
  check_languages(settings);
  if (settings.loop.training.stop_on != StopOn::cross_entropy) {
    throw UsageError(
        "--stop-on bleu is for translation models and accuracy for classifiers; on plain text use "
        "cross_entropy");
  }
  const int positions = settings.network.sizes.max_positions;
  if (settings.plain.block_length > positions) {
    throw UsageError(concat("--block-length ", settings.plain.block_length,
                            " does not fit into --max-positions ", positions));
  }
}

}  // namespace gloss
