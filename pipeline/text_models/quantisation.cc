// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/quantisation.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/model_paths.h"
#include "model/output_directory.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/foreign/export_model.h"
#include "pipeline/foreign/readable_model.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

Quantised quantise_model(const std::string& from, const std::string& to, DType type, bool overwrite,
                         Listener& listener) {
  namespace fs = std::filesystem;
  // Before a model of another program is converted, which takes time.
  OutputDirectory output(to, overwrite, exported_files());
  const ReadableModel readable(from, listener);
  const std::string& directory = readable.directory();
  const TextModel model = read_text_model(directory, Weights::in_place);
  write_model(output.path(), model.model.settings, *model.model.parameters, read_model_config(directory),
              model.source ? tokenizer_files(*model.source, *model.target) : no_tokenizer_files(), type);
  output.commit();
  const std::string weights = concat("/", kWeightsFile);
  std::error_code unknown;
  return {model.model.parameters->stored_type(), fs::file_size(directory + weights, unknown),
          fs::file_size(to + weights, unknown)};
}

}  // namespace gloss
