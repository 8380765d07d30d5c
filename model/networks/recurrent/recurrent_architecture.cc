// SPDX-License-Identifier: Apache-2.0

#include "model/networks/architecture.h"

#include <set>

#include "base/error.h"
#include "base/rounding.h"
#include "model/networks/parts/positions.h"
#include "model/networks/recurrent/recurrent_classifier.h"
#include "model/networks/recurrent/recurrent_language_model.h"
#include "model/networks/recurrent/recurrent_translator.h"

namespace gloss {
namespace {

void check_translator(const RecurrentSettings& own) {
  const bool attends = own.attention != AttentionScore::none;
  if (own.input_feeding && !attends) {
    throw UsageError("input feeding needs attention, but the attention is 'none'; choose another attention");
  }
  if (own.input_feeding && own.query != QueryPlacement::after) {
    throw UsageError(
        "input feeding needs the query 'after'; with 'before' and 'between' the step already reads the "
        "attention context");
  }
  if (own.selection == AttentionSelection::hard &&
      (own.input_feeding || own.coverage || own.query != QueryPlacement::after)) {
    throw UsageError(
        "hard attention needs the query 'after', without input feeding and coverage: a sampled position "
        "must not influence later tokens");
  }
  if (own.window == AttentionWindow::monotonic && own.reverse_source) {
    throw UsageError(
        "a monotonic window needs a source that is not reversed; choose the window 'predictive'");
  }
  if (!attends && own.context == SourceContext::first && own.first_state == FirstState::zero) {
    throw UsageError(
        "without attention, with the context 'first' and the first state 'zero', the decoder cannot see "
        "the source; choose another first state or the context 'every'");
  }
}

/// Throws UsageError unless the settings of cells, directions and attention width fit together.
void check_parts(const NetworkSettings& s) {
  const auto& own = s.own<RecurrentSettings>();
  if (own.product_norm == ProductNorm::separate && own.cell != Cell::gru) {
    throw UsageError(
        "the product norm 'separate' is for the gates and candidate of a GRU; choose 'joint' or the cell "
        "'gru'");
  }
  if (own.stacks_are_separate() && !own.bidirectional) {
    throw UsageError("separate encoder stacks are for both directions; choose the encoder stack 'joined'");
  }
  if (own.pyramid_layers > 0 && s.source.is_text()) {
    throw UsageError(
        "pyramid_layers is for recordings, images and features, but the source is text; leave it out");
  }
  if (own.pyramid_layers > 0 && own.stacks_are_separate()) {
    throw UsageError(
        "pyramid_layers needs layers that read both directions; choose the encoder stack 'joined' or "
        "'first'");
  }
  if (own.pyramid_layers > s.sizes.encoder_layers) {
    throw UsageError(concat("pyramid_layers ", own.pyramid_layers, " is larger than encoder_layers ",
                            s.sizes.encoder_layers));
  }
  if (own.attention_width % s.sizes.heads != 0) {
    throw UsageError(concat("attention width ", own.attention_width, " is not divisible by heads ",
                            s.sizes.heads, "; choose heads that divide it"));
  }
}

/// Checks a network whose source is an image or a recording.
void check_source(const NetworkSettings& s) {
  const auto& own = s.own<RecurrentSettings>();
  if (form_of(s) != Form::encoder_decoder) {
    throw UsageError(
        "recurrent classifiers read text only; choose the architecture 'transformer' for other sources");
  }
  if (own.reverse_source) throw UsageError("reverse_source is for text; leave it out");
  const bool grid = !is_sequence(s.source);
  if (grid && own.window != AttentionWindow::none)
    throw UsageError("a window is a range of positions in a text; choose the window 'none' for images");
  const bool encodes = s.sizes.encoder_layers > 0;
  if (!encodes && own.first_state == FirstState::last) {
    throw UsageError(
        "encoder_layers is 0, so there is no last state of an encoder; choose first_state 'mean' or 'zero'");
  }
  const int width = encodes ? own.embedding_width : s.sizes.width;
  if (s.source.type != SourceType::image &&
      std::int64_t{s.sizes.max_positions} * width > kMostPositionNumbers) {
    throw UsageError(concat("max_positions ", s.sizes.max_positions, " times ", width,
                            ", the width of vectors, exceeds ", kMostPositionNumbers,
                            "; choose fewer positions"));
  }
  if (grid && width % 4 != 0) {
    throw UsageError(concat("the vectors of an image have sinusoidal positions in two dimensions, so ",
                            encodes ? "embedding_width" : "width", " must be divisible by 4; found ", width));
  }
}

void check_classifier(const NetworkSettings& s) {
  const auto& own = s.own<RecurrentSettings>();
  if (own.attention != AttentionScore::none) {
    throw UsageError("a recurrent classifier has no decoder that attends; choose the attention 'none'");
  }
  if (own.reverse_source)
    throw UsageError("a classifier does not support reversed sources; leave out --reverse-source");
  if (s.sizes.encoder_layers == 0) throw UsageError("a recurrent classifier needs encoder layers; found 0");
  if (!own.bidirectional && s.classifier.pooling == Pooling::first) {
    throw UsageError(
        "pooling 'first' needs a bidirectional encoder: the first state has not seen the text; choose "
        "another pooling, such as 'last'");
  }
}

void check_recurrent(const NetworkSettings& s) {
  const auto& own = s.own<RecurrentSettings>();
  expect_heads_divide(s.sizes.width, s.sizes.heads);
  check_parts(s);
  if (!s.source.is_text()) check_source(s);
  switch (form_of(s)) {
    case Form::encoder_decoder:
      return check_translator(own);
    case Form::decoder:
      if (own.attention == AttentionScore::none) return;
      throw UsageError("a recurrent language model has no source to attend to; choose the attention 'none'");
    case Form::encoder:
      throw UsageError(
          "a recurrent network needs decoder layers or classes; masked models need the architecture "
          "'transformer'");
    case Form::classifier:
      return check_classifier(s);
  }
}

std::string reason_unused_by_recurrent(const NetworkSettings& s, const std::string& name) {
  const auto& own = s.own<RecurrentSettings>();
  const bool attends = own.attention != AttentionScore::none;
  const std::set<std::string> of_attention{"query",        "heads",     "window",
                                           "window_reach", "selection", "coverage"};
  if (name == "context" && attends) {
    return "it needs --attention none";
  }
  if (of_attention.contains(name) && !attends) return "the attention is 'none'";
  if (name == "window_reach" && own.window == AttentionWindow::none) return "the window is 'none'";
  if (name == "attention_width" && own.attention != AttentionScore::additive) {
    return "it needs --attention additive";
  }
  if (name == "product_norm_epsilon" && own.product_norm == ProductNorm::none) {
    return "the product norm is 'none'";
  }
  const bool one_layer = s.sizes.encoder_layers < 2 && name == "encoder_stack";
  if (one_layer ||
      (s.sizes.encoder_layers == 0 && (name == "encoder_transitions" || name == "pyramid_layers"))) {
    return concat("the encoder has ", s.sizes.encoder_layers, " layers");
  }
  if ((s.sizes.decoder_layers < 2 && name == "upper_transitions") ||
      (s.sizes.decoder_layers == 0 && name == "decoder_transitions")) {
    return concat("the decoder has ", s.sizes.decoder_layers, " layers");
  }
  if (name == "dropout_layers" && form_of(s) == Form::decoder) return "a language model has no source";
  return "";
}

void change_recurrent_defaults(NetworkSettings& s) {
  s.sizes.encoder_layers = s.sizes.decoder_layers = s.sizes.heads = 1;
}

/// Language models have no source to attend to; classifiers have no decoder that attends.
void set_recurrent_for_purpose(Purpose purpose, NetworkSettings& s) {
  auto& own = s.own<RecurrentSettings>();
  if (purpose != Purpose::translation) own.attention = AttentionScore::none;
  if (purpose != Purpose::plain_text) return;
  own.bidirectional = false;
  own.context = SourceContext::first;
  own.first_state = FirstState::zero;
}

/// A language model reads in one direction; in a classifier all layers read the source.
Fields own_fields_for(Purpose purpose, NetworkSettings& s) {
  auto& own = s.own<RecurrentSettings>();
  Fields fields = fields_of(own);
  if (purpose == Purpose::translation) return fields;
  if (purpose == Purpose::plain_text) {
    leave_out(fields, own.bidirectional, own.encoder_stack, own.encoder_transitions);
  } else {
    leave_out(fields, own.dropout_layers, own.decoder_transitions, own.upper_transitions);
    field_of(fields, own.output_dropout).help = "dropout rate before the scores of the labels";
  }
  return fields;
}

int annotations_of(const NetworkSettings& s, int vectors) {
  return ceil_div(vectors, s.own<RecurrentSettings>().vectors_per_annotation());
}

bool attends_softly(const NetworkSettings& s) {
  const auto& own = s.own<RecurrentSettings>();
  return own.attention != AttentionScore::none && own.selection == AttentionSelection::soft;
}

std::unique_ptr<Network> make_recurrent(const NetworkSettings& s, Parameters& parameters) {
  const auto& own = s.own<RecurrentSettings>();
  const VocabularySettings vocabulary = s.vocabulary();
  switch (form_of(s)) {
    case Form::encoder_decoder:
      return std::make_unique<RecurrentTranslator>(s.sizes, own, s.source, vocabulary, parameters);
    case Form::decoder:
      return std::make_unique<RecurrentLanguageModel>(s.sizes, own, vocabulary, parameters);
    case Form::classifier:
      return std::make_unique<RecurrentClassifier>(s.sizes, own, s.classifier, vocabulary, parameters);
    case Form::encoder:
      break;  // rejected by check_recurrent
  }
  throw BrokenPromise("a form without a network");
}

}  // namespace

Architecture recurrent_architecture() {
  return {.name = "recurrent",
          .plural = "recurrent networks",
          .own_settings = default_settings<RecurrentSettings>,
          .make = make_recurrent,
          .check = check_recurrent,
          .reason_unused = reason_unused_by_recurrent,
          .change_defaults = change_recurrent_defaults,
          .fields_for = own_fields_for,
          .apply_purpose = set_recurrent_for_purpose,
          .spreads_attention = attends_softly,
          .reads_vectors = true,
          .states_of = annotations_of};
}

}  // namespace gloss
