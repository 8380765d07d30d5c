// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/translation_training.h"

#include "base/error.h"
#include "pipeline/metrics/tokenizers.h"

namespace gloss {

Fields data_fields_of(TranslationTrainingSettings& settings) {
  Fields fields = fields_of(settings.text);
  append(fields, fields_of(settings.valid_text, "valid_", "validation text"));
  fields.push_back(hold_out_field(settings));
  append(fields, fields_of(settings.corpus));
  fields.push_back({"guided_alignment_weight",
                    &settings.guided_alignment_weight,
                    "weight of the loss of the attention head that follows --guided-alignment",
                    {1e-6, 1e6}});
  return fields;
}

Fields old_fields_of(TranslationTrainingSettings& settings) {
  Fields fields =
      fields_of(settings.old_text, "old_", "text that the model knew before, of which BLEU is reported");
  for (Field& field : fields) field.traits |= kFreeOnResume | kOptional;
  return fields;
}

Fields order_fields_of(TranslationTrainingSettings& settings) {
  Fields fields{{"target_order", target_order_choice(settings.target_order),
                 "order in which the model predicts the tokens of a translation; one of"}};
  return fields;
}

Fields loss_fields_of(TranslationTrainingSettings& settings) {
  return {{"r_drop",
           &settings.r_drop,
           "weight of the divergence between two predictions of each token with different dropout (R-Drop); "
           "each update then computes its batch twice; 0: once",
           {0, 1e6}},
          {"doubly_stochastic",
           &settings.doubly_stochastic,
           "weight of the squares of 1 minus the attention that each source position gets from the whole "
           "target, so that a recurrent decoder looks at all of the source (Xu et al. 2015)",
           {0, 1e6}},
          {"ctc_weight",
           &settings.ctc_weight,
           "share in the loss of connectionist temporal classification, by which the encoder itself learns "
           "to label "
           "its vectors with the tokens of the target in their order; then 'gloss translate --ctc' needs no "
           "decoder",
           {0, 0.99}}};
}

Fields all_fields_of(TranslationTrainingSettings& settings) {
  Fields fields = data_fields_of(settings);
  if (!settings.network.source.is_text()) {
    fields.push_back(source_type_field(settings.network.source));
    append(fields, item_fields_of(settings.network.source, settings.items));
  }
  const bool text = settings.network.source.is_text();
  append(fields, text ? fields_of(settings.tokenizers) : plain_fields_of(settings.tokenizers));
  append(fields, chosen_fields_of(settings.network));
  append(fields, run_fields_of(settings));
  append(fields, fields_of(settings.validation));
  append(fields, loss_fields_of(settings));
  append(fields, all_fields_of(settings.distillation));
  append(fields, settings.start.any() ? fields_of(settings.languages) : order_fields_of(settings));
  if (settings.start.any()) append(fields, old_fields_of(settings));
  return fields;
}

void refuse_unused(const TranslationTrainingSettings& settings, const Given& given) {
  if (given(&settings.guided_alignment_weight) && settings.text.guided_alignment.empty()) {
    throw UsageError(
        "--guided-alignment-weight has no effect without --guided-alignment FILE; give the file or leave it "
        "out");
  }
  refuse_unused(settings.distillation, given);
}

void check(const TranslationTrainingSettings& settings) {
  if (!settings.valid_text.empty()) check(settings.valid_text, "valid-");
  check(static_cast<const ModelTrainingSettings&>(settings));
  const TrainingSettings& training = settings.loop.training;
  const bool bleu = settings.validation.bleu && settings.validates();
  if (training.stop_on == StopOn::accuracy) {
    throw UsageError(
        "--stop-on accuracy is for classifiers; for translation models use cross_entropy or bleu");
  }
  if (training.stop_on == StopOn::bleu && !bleu) {
    throw UsageError(
        "--stop-on bleu needs a validation text (--valid-source and --valid-target) and --valid-bleu");
  }
  if (!settings.old_text.empty()) {
    check(settings.old_text, "old-");
    if (!bleu) throw UsageError("--old-source has no effect without a validation with BLEU; leave it out");
  }
  if (bleu) make_tokenizer(settings.validation.tokenize);
  if (form_of(settings.network) != Form::encoder_decoder || settings.network.sizes.decoder_layers == 0) {
    throw UsageError(
        "--encoder-layers or --decoder-layers is 0; a translation model needs at least 1 of each");
  }
  if (settings.doubly_stochastic > 0 && !spreads_attention(settings.network)) {
    throw UsageError(
        "--doubly-stochastic is for recurrent networks with soft attention (--architecture recurrent, "
        "--selection soft); leave "
        "it "
        "out");
  }
  if (settings.ctc_weight > 0 && settings.network.source.is_text()) {
    throw UsageError(
        "--ctc-weight is for recordings, features and images, whose vectors are in the order of the target, "
        "but the "
        "source is text; leave it out");
  }
  if (settings.ctc_weight > 0 && settings.target_order != TargetOrder::left_to_right) {
    throw UsageError("--ctc-weight needs targets in the order of the source; leave out --target-order");
  }
  const int positions = settings.network.sizes.max_positions;
  if (settings.corpus.max_length + 1 > positions) {
    throw UsageError(concat("--max-length ", settings.corpus.max_length,
                            " plus the end token does not fit into --max-positions ", positions));
  }
}

}  // namespace gloss
