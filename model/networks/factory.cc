#include "model/networks/factory.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "model/networks/recurrent.h"
#include "model/networks/recurrent_classifier.h"
#include "model/networks/recurrent_language_model.h"
#include "model/networks/transformer.h"
#include "model/networks/transformer_classifier.h"
#include "model/networks/transformer_encoder.h"
#include "model/networks/transformer_language_model.h"

namespace gloss {
namespace {

/// Fields of the transformer's that are those of NetworkSizes.
const std::set<std::string> kSizes{"encoder_layers", "decoder_layers",  "width",   "heads",
                                   "max_positions",  "tied_embeddings", "dropout", "embedding_dropout"};

void check_heads(const NetworkSizes& sizes) {
  if (sizes.width % sizes.heads == 0) return;
  throw UsageError(concat("width ", sizes.width, " is not divisible by heads ", sizes.heads,
                          "; choose heads that divide it"));
}

void check(const TransformerSettings& t) {
  if (t.positions == Positions::sinusoidal && t.width % 2 != 0) {
    throw UsageError(concat("sinusoidal positions need an even width, not ", t.width));
  }
  if (t.positions == Positions::rotary && t.width / t.heads % 2 != 0) {
    throw UsageError(concat("rotary positions need heads of an even width, not ", t.width / t.heads,
                            " (width ", t.width, ", heads ", t.heads, ")"));
  }
  constexpr std::int64_t kMostPositionNumbers = 1 << 24;  // a table is made before the weights are checked
  if (std::int64_t{t.max_positions} * t.width > kMostPositionNumbers) {
    throw UsageError(concat("max_positions ", t.max_positions, " times width ", t.width, " is more than ",
                            kMostPositionNumbers, " numbers; choose fewer positions"));
  }
  if (std::int64_t{t.relative_reach} * t.heads > kMostPositionNumbers / 4) {
    throw UsageError(concat("relative_reach ", t.relative_reach, " for each of ", t.heads,
                            " heads is too far; choose less"));
  }
}

void check(const RecurrentSettings& r, Form form) {
  if (form == Form::classifier) {
    if (r.attention != AttentionScore::none) {
      throw UsageError("a classifier writes no text that attends to it; its attention must be 'none'");
    }
    if (r.reverse_source) throw UsageError("a classifier reads text from its start; do not reverse it");
    return;
  }
  if (form == Form::encoder) {
    throw UsageError(
        "a recurrent network without decoder layers tells classes; masked models are transformers");
  }
  if (form == Form::decoder) {
    if (r.attention == AttentionScore::none) return;
    throw UsageError("a recurrent language model has no source to attend to; its attention must be 'none'");
  }
  if (r.input_feeding && r.attention == AttentionScore::none) {
    throw UsageError("input feeding feeds what attention found, but the attention is 'none'; choose a score");
  }
  if (r.input_feeding && r.query != QueryPlacement::after) {
    throw UsageError(
        "input feeding is for queries 'after' the step; with 'before' and 'between' the step reads what it "
        "found");
  }
  if (r.selection == AttentionSelection::hard &&
      (r.input_feeding || r.coverage || r.query != QueryPlacement::after)) {
    throw UsageError(
        "hard attention is for queries 'after' the step, without input feeding and coverage: a position "
        "drawn is judged by its own token, and must not change what later ones are made of");
  }
  if (r.window == AttentionWindow::monotonic && r.reverse_source) {
    throw UsageError(
        "a monotonic window follows the source from its start, but the source is reversed; choose the window "
        "'predictive'");
  }
  if (r.attention == AttentionScore::none && r.context == SourceContext::first &&
      r.first_state == FirstState::zero) {
    throw UsageError(
        "without attention, with the context 'first' and the first state 'zero' the decoder knows "
        "nothing of the source; choose another first state or the context 'every'");
  }
}

/// Of a network that has an encoder or a decoder alone.
void check_one_side(const NetworkSettings& s) {
  const bool encodes = s.transformer.encoder_layers > 0, decodes = s.transformer.decoder_layers > 0;
  if (encodes && decodes) throw UsageError("a classifier has encoder or decoder layers, not both");
  if (s.architecture == Architecture::recurrent && form_of(s) == Form::classifier && decodes) {
    throw UsageError("a recurrent classifier needs encoder layers; found 0");
  }
  if (!encodes && !decodes) {
    throw UsageError("a network needs encoder or decoder layers; found 0 of both");
  }
  if (s.source_vocabulary != s.target_vocabulary) {
    throw UsageError(concat("a network without encoder or decoder layers has one vocabulary, not one of ",
                            s.source_vocabulary, " and one of ", s.target_vocabulary, " pieces"));
  }
  if (s.classifier.classes == 1) throw UsageError("a classifier needs at least 2 classes; found 1");
  if (s.transformer.decoder_layers == 0 && s.transformer.tied_embeddings == TiedEmbeddings::target) {
    throw UsageError(
        "a network without decoder layers has no target; choose tied embeddings 'all' or 'none'");
  }
}

/// Why a setting of this name has no effect; empty if it has one.
std::string reason_unused(const NetworkSettings& s, const std::string& name, bool of_transformer) {
  const RecurrentSettings& r = s.recurrent;
  if (name == "architecture" || (of_transformer && kSizes.contains(name) && name != "heads")) return "";
  const bool recurrent = s.architecture == Architecture::recurrent;
  if (name != "heads" && of_transformer == recurrent) {
    return of_transformer ? "it is for transformers, and the architecture is 'recurrent'"
                          : "it is for recurrent networks, and the architecture is 'transformer'";
  }
  if (name == "relative_reach" && s.transformer.positions != Positions::relative) {
    return "it is for relative positions (--positions relative)";
  }
  if (!recurrent) return "";
  const bool attends = r.attention != AttentionScore::none;
  if (name == "context" && attends) {
    return "it is for networks without attention; without --attention none there is one";
  }
  const std::set<std::string> of_attention{"query",        "heads",     "window",
                                           "window_reach", "selection", "coverage"};
  if (of_attention.contains(name) && !attends) return "the attention is 'none'";
  if (name == "window_reach" && r.window == AttentionWindow::none) return "the window is 'none'";
  if (name == "dropout_layers" && form_of(s) == Form::decoder) return "a language model reads no source";
  return "";
}

}  // namespace

Field architecture_field(NetworkSettings& s) {
  return {"architecture", choice(s.architecture, {"transformer", "recurrent"}), "kind of network"};
}

Fields fields_of(NetworkSettings& s) {
  Fields fields{architecture_field(s)};
  for (Field& field : fields_of(s.transformer)) fields.push_back(std::move(field));
  for (Field& field : fields_of(s.recurrent)) fields.push_back(std::move(field));
  return fields;
}

void apply_defaults(Architecture architecture, NetworkSizes& sizes) {
  sizes = NetworkSizes();
  if (architecture == Architecture::recurrent) sizes.encoder_layers = sizes.decoder_layers = sizes.heads = 1;
}

Field classes_field(NetworkSettings& s) {
  return {"classes", &s.classifier.classes, "classes that it tells", {2, 1 << 20}};
}

Fields all_fields_of(NetworkSettings& s) {
  constexpr double kMostPieces = 1 << 24;
  Fields fields{architecture_field(s)};
  for (Field& field : fields_of(s.transformer)) {
    if (s.architecture == Architecture::transformer || kSizes.contains(field.name)) fields.push_back(field);
  }
  if (s.architecture == Architecture::recurrent) {
    for (Field& field : fields_of(s.recurrent)) fields.push_back(field);
  }
  if (s.classifier.classes > 0) {
    fields.push_back(classes_field(s));
    fields.push_back(pooling_field(s.classifier));
  }
  fields.push_back({"source_vocabulary", &s.source_vocabulary, "source pieces", {3, kMostPieces}});
  fields.push_back({"target_vocabulary", &s.target_vocabulary, "target pieces", {3, kMostPieces}});
  fields.push_back({"begin_token", &s.begin_token, "id that starts a target", {0, kMostPieces}});
  fields.push_back({"end_token", &s.end_token, "id that ends sources and targets", {0, kMostPieces}});
  return fields;
}

std::vector<std::string> newer_fields() {
  return {"relative_reach", "window",         "window_reach",    "selection",
          "coverage",       "dropout_layers", "scale_embeddings"};
}

void refuse_unused(const NetworkSettings& settings,
                   const std::function<bool(const std::string& name)>& given) {
  NetworkSettings s = settings;
  const auto refuse = [&](const Fields& fields, bool of_transformer) {
    for (const Field& field : fields) {
      if (!given(field.name)) continue;
      const std::string reason = reason_unused(s, field.name, of_transformer);
      if (reason.empty()) continue;
      throw UsageError(concat("--", option_name(field.name), " has no effect: ", reason, "; leave it out"));
    }
  };
  refuse(fields_of(s.transformer), true);
  refuse(fields_of(s.recurrent), false);
}

void check_chosen(const NetworkSettings& s) {
  check_heads(s.transformer);
  if (s.architecture == Architecture::transformer) return check(s.transformer);
  check(s.recurrent, form_of(s));
  if (form_of(s) == Form::classifier && !s.recurrent.bidirectional &&
      s.classifier.pooling == Pooling::first) {
    throw UsageError(
        "the first state of a network that reads in one direction has seen nothing of the text; choose "
        "another pooling, such as 'last'");
  }
}

void check(const NetworkSettings& s) {
  check_chosen(s);
  const NetworkSizes& sizes = s.transformer;
  if (sizes.tied_embeddings == TiedEmbeddings::all && s.source_vocabulary != s.target_vocabulary) {
    throw UsageError(concat("tied embeddings 'all' need one vocabulary, but the source has ",
                            s.source_vocabulary, " pieces and the target ", s.target_vocabulary,
                            "; choose 'target' or 'none'"));
  }
  if (form_of(s) != Form::encoder_decoder) check_one_side(s);
  if (s.begin_token >= s.target_vocabulary || s.end_token >= s.target_vocabulary ||
      s.end_token >= s.source_vocabulary) {
    throw UsageError(concat("begin token ", s.begin_token, " or end token ", s.end_token,
                            " is outside the vocabularies of ", s.source_vocabulary, " and ",
                            s.target_vocabulary, " pieces"));
  }
}

Form form_of(const NetworkSettings& s) {
  if (s.classifier.classes > 0) return Form::classifier;
  if (s.transformer.encoder_layers == 0) return Form::decoder;
  return s.transformer.decoder_layers == 0 ? Form::encoder : Form::encoder_decoder;
}

namespace {

std::unique_ptr<Network> make_transformer(const NetworkSettings& s, const VocabularySettings& vocabulary,
                                          Parameters& parameters) {
  switch (form_of(s)) {
    case Form::encoder_decoder:
      return std::make_unique<Transformer>(s.transformer, vocabulary, parameters);
    case Form::decoder:
      return std::make_unique<TransformerLanguageModel>(s.transformer, vocabulary, parameters);
    case Form::encoder:
      return std::make_unique<TransformerEncoder>(s.transformer, vocabulary, parameters);
    case Form::classifier:
      return std::make_unique<TransformerClassifier>(s.transformer, s.classifier, vocabulary, parameters);
  }
  throw BrokenPromise("a form without a network");
}

std::unique_ptr<Network> make_recurrent(const NetworkSettings& s, const VocabularySettings& vocabulary,
                                        Parameters& parameters) {
  switch (form_of(s)) {
    case Form::encoder_decoder:
      return std::make_unique<Recurrent>(s.transformer, s.recurrent, vocabulary, parameters);
    case Form::decoder:
      return std::make_unique<RecurrentLanguageModel>(s.transformer, s.recurrent, vocabulary, parameters);
    case Form::classifier:
      return std::make_unique<RecurrentClassifier>(s.transformer, s.recurrent, s.classifier, vocabulary,
                                                   parameters);
    case Form::encoder:
      break;  // was refused
  }
  throw BrokenPromise("a form without a network");
}

}  // namespace

std::unique_ptr<Network> make_network(const NetworkSettings& s, Parameters& parameters) {
  check(s);
  const VocabularySettings vocabulary{s.source_vocabulary, s.target_vocabulary, s.begin_token, s.end_token};
  switch (s.architecture) {
    case Architecture::transformer:
      return make_transformer(s, vocabulary, parameters);
    case Architecture::recurrent:
      return make_recurrent(s, vocabulary, parameters);
  }
  throw BrokenPromise("an architecture without a network");
}

}  // namespace gloss
