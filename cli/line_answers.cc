#include "cli/line_answers.h"

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

}  // namespace gloss
