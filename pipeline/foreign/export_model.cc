// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/export_model.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "model/output_directory.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_export.h"
#include "pipeline/foreign/hugging_face/hugging_face_export.h"
#include "pipeline/foreign/marian/marian_export.h"
#include "pipeline/foreign/readable_model.h"

namespace gloss {
namespace {

std::shared_ptr<const Subwords> load(const std::string& path) {
  return std::make_shared<const Subwords>(Subwords::load(path));
}

ModelToExport read_model_to_export(const std::string& directory, const std::string& program) {
  Model network = read_model(directory, Weights::in_place);
  if (!network.settings.source.is_text())
    refuse_setting(network.settings, "source_type", program, "it reads text; export a model of text");
  const TokenizerPaths paths = tokenizer_paths(directory);
  ModelToExport model{std::move(network), {load(paths.source), nullptr}, read_text_format(directory)};
  model.tokenizers.target = paths.shared() ? model.tokenizers.source : load(paths.target);
  expect_sums(directory, paths, *model.tokenizers.source, *model.tokenizers.target);
  return model;
}

}  // namespace

std::span<const ExportFormat> export_formats() {
  static const std::array formats{ctranslate2_export(), hugging_face_export(), marian_export()};
  return formats;
}

std::vector<std::string> exported_files() {
  std::vector<std::string> files;
  for (const ExportFormat& one : export_formats())
    files.insert(files.end(), one.files.begin(), one.files.end());
  return files;
}

void export_model(const std::string& from, const std::string& to, const ExportFormat& format, bool overwrite,
                  Listener& listener) {
  // Before a model of another program is converted, which takes time.
  OutputDirectory output(to, overwrite, exported_files());
  const ReadableModel readable(from, listener);
  const ModelToExport model = read_model_to_export(readable.directory(), format.program);
  if (model.format.target_order == TargetOrder::right_to_left) {
    refuse_export(
        format.program, "target_order", "right-to-left",
        "its translations would come out reversed; export a model that was trained from left to right");
  }
  format.write(model, output.path(), listener);
  output.commit();
}

}  // namespace gloss
