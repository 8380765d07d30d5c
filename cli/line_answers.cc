#include "cli/line_answers.h"

#include "pipeline/training_directory.h"

namespace gloss {

Fields speed_fields(SearchBatchSettings& batches, Precision& precision, int& threads,
                    const std::string& done) {
  Fields fields = fields_of(batches);
  for (Field& field : fields) {
    field.help = field.name == "batch_size"
                     ? concat("lines ", done, " together, at most")
                     : "their tokens together, at most; the output does not depend on either";
  }
  fields.push_back({"precision", translation_precision_choice(precision),
                    "what is computed with; auto: as the model is stored (gloss quantize)"});
  fields.push_back({"threads", &threads, concat("lines are ", done, " on so many threads"), {1, 1024}, 'j'});
  return fields;
}

Fields file_fields(LineAnswerSettings& settings, const std::string& lines, const std::string& answers) {
  return {{"model", &settings.model, "model directory, or a training directory for its best", {}, 'm'},
          {"input", &settings.input, lines + "; '-' is standard input", {}, 'i'},
          {"output", &settings.output, concat("where ", answers, "; '-' is standard output"), {}, 'o'}};
}

TextModel answering_model(const LineAnswerSettings& settings, std::optional<Form> form) {
  if (settings.model.empty()) throw UsageError("which model? Give its directory with -m DIR");
  TextModel model = read_text_model(model_directory_of(settings.model), Weights::mapped);
  if (form) expect_form(model, *form, settings.model);
  pack(model, settings.precision, settings.threads);
  return model;
}

Field format_field(TextOrJson& settings) {
  return {"format", choice(settings.format, {"text", "json"}), "lines of text, or of JSON"};
}

void check(const TextOrJson& settings) {
  if (settings.scores && settings.format == OutputFormat::json) {
    throw UsageError("--scores adds to plain text; --format json has probabilities anyway");
  }
}

}  // namespace gloss
