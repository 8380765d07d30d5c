// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/answer_options.h"

#include "base/error.h"
#include "cli/lines/run_output.h"
#include "cli/options/compute_options.h"
#include "pipeline/foreign/readable_model.h"

namespace gloss {

Fields speed_fields(SearchBatchSettings& batches, Precision& precision, int& threads,
                    const std::string& done) {
  Fields fields = fields_of(batches);
  for (Field& field : fields) {
    field.help = refers_to(field, batches.batch_size)
                     ? concat("most lines ", done, " together")
                     : "most tokens in a batch; the output does not depend on batches";
  }
  fields.push_back(precision_field(precision));
  fields.push_back(threads_field(threads));
  return fields;
}

Fields ensemble_fields(std::vector<std::string>& models, std::vector<std::string>& weights) {
  return {
      {"model", &models, concat(kModelHelp, "; several form an ensemble"), {}, 'm', "DIR", kModelDirectory},
      {"ensemble_weights",
       &weights,
       "weight of each model of an ensemble; by default they are equal",
       {1e-9, 1e9},
       0,
       "X"}};
}

Fields file_fields(AnswerSettings& settings, Options& options, const std::string& lines,
                   const std::string& answers) {
  return {{"model", &settings.model, kModelHelp, {}, 'm', "DIR", kModelDirectory},
          input_field(settings.input, options, lines),
          {"output",
           &settings.output,
           concat("file for the ", answers, "; '-' is standard output"),
           {},
           'o',
           "FILE",
           kWritten},
          resume_field(settings.resume),
          shard_field(settings.input.shard),
          line_limit_field(settings.input)};
}

TextModel answering_model(const AnswerSettings& settings, std::optional<Form> form, Listener& listener) {
  if (settings.model.empty()) throw UsageError("-m DIR is required");
  const auto check = [&](const NetworkSettings& network) {
    if (form) expect_form(network, *form, settings.model);
  };
  const ReadableModel readable(settings.model, listener,
                               [&](const ForeignModel& foreign) { check(foreign.network); });
  TextModel model = read_text_model(readable.directory(), Weights::in_place);
  check(model.model.settings);
  pack(model, settings.precision, settings.threads, listener);
  return model;
}

Field format_field(TextOrJson& settings) {
  return {"format", choice(settings.format, {"text", "json"}), "output lines of text or of JSON"};
}

void check(const TextOrJson& settings) {
  if (settings.scores && settings.format == OutputFormat::json) {
    throw UsageError("--scores is for plain text; --format json always has the probabilities");
  }
}

}  // namespace gloss
