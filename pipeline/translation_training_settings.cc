#include "base/error.h"
#include "pipeline/metrics/tokenizers.h"
#include "pipeline/translation_training.h"

namespace gloss {

Fields data_fields_of(TranslationTrainingSettings& settings) {
  Fields fields = fields_of(settings.text);
  append(fields, fields_of(settings.valid_text, "valid_", "validation text"));
  append(fields, fields_of(settings.corpus));
  return fields;
}

Fields all_fields_of(TranslationTrainingSettings& settings) {
  Fields fields = data_fields_of(settings);
  append(fields, fields_of(settings.tokenizers));
  append(fields, fields_of(settings.network));
  append(fields, fields_of(settings.start));
  append(fields, loop_fields_of(settings.loop));
  append(fields, fields_of(settings.validation));
  fields.push_back({"ranks", &settings.ranks, "processes that learn together"});
  return fields;
}

void check(const TranslationTrainingSettings& settings) {
  if (!settings.valid_text.empty()) check(settings.valid_text, "valid-");
  check(static_cast<const ModelTrainingSettings&>(settings));
  const TrainingSettings& training = settings.loop.training;
  const bool bleu = settings.validation.bleu && !settings.valid_text.empty();
  if (settings.valid_text.empty() && training.early_stopping > 0) {
    throw UsageError("--early-stopping needs a validation text: --valid-source and --valid-target");
  }
  if (training.stop_on == StopOn::accuracy) {
    throw UsageError("--stop-on accuracy is for classifiers; translation models have cross_entropy and bleu");
  }
  if (training.stop_on == StopOn::bleu && !bleu) {
    throw UsageError(
        "--stop-on bleu needs a validation text (--valid-source and --valid-target) and --valid-bleu");
  }
  if (bleu) make_tokenizer(settings.validation.tokenize);
  const TransformerSettings& network = settings.network.transformer;
  if (form_of(settings.network) != Form::encoder_decoder) {
    throw UsageError(
        "a translation model needs --encoder-layers and --decoder-layers of at least 1; found 0");
  }
  const int positions = network.max_positions;
  if (settings.corpus.max_length + 1 > positions) {
    throw UsageError(concat("--max-length ", settings.corpus.max_length,
                            " and the end token do not fit into --max-positions ", positions));
  }
}

}  // namespace gloss
