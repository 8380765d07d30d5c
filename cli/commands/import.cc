// SPDX-License-Identifier: Apache-2.0

#include "base/counted.h"
#include "base/error.h"
#include "base/paths.h"
#include "cli/options/options.h"
#include "cli/options/shell_word.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "model/output_directory.h"
#include "pipeline/foreign/export_model.h"
#include "pipeline/foreign/import_model.h"

namespace gloss {

namespace {

std::string expected_one_model(const std::vector<std::string>& paths, const std::string& output) {
  if (paths.empty()) return "expected one MODEL to convert; found none";
  const bool meant = paths.size() == 2 && output.empty();
  return concat("expected one MODEL to convert; found ", counted(std::ssize(paths), "argument"),
                meant ? concat("; did you mean 'gloss import ", shell_word(paths[0]), " --output ",
                               shell_word(paths[1]), "'?")
                      : "");
}

struct ImportRequest {
  std::vector<std::string> paths;
  std::string output;
  bool overwrite = false, as_trained = false;
};

void add_options(Options& options, ImportRequest& request) {
  options.usage("MODEL --output DIR", "convert a model of another program");
  options.positional("MODEL", request.paths);
  options.add("Options",
              {{"output", &request.output, "model directory to write", {}, 'o', "DIR", kWritten},
               {"overwrite", &request.overwrite, "replace the model in a directory that is not empty"},
               {"search_as_trained", &request.as_trained,
                "translate with the network that was trained: Marian's search leaves out some norms of "
                "models with norms before branches"}});
  options.common({&request.output, &request.overwrite, &request.as_trained});
  options.example("Convert a directory of transformers", "gloss import opus-mt-en-de --output en-de");
  options.example("Convert a model of Marian", "gloss import model.npz --output en-de");
  options.example("The same with norms before branches, for better translations than Marian's",
                  "gloss import model.npz --search-as-trained --output en-de");
  options.example("Translate with it", "gloss translate -m en-de < text.en");
  options.epilogue(
      "MODEL is a directory of Hugging Face transformers whose model_type is marian, bart,\n"
      "mbart, m2m_100, pegasus, t5, mt5, bert, roberta, xlm-roberta or gpt2; a directory of\n"
      "CTranslate2; a model of Marian (transformer, recurrent, or language model): a directory,\n"
      "or the path of its .npz or .bin file or decoder.yml; or a checkpoint of fairseq with\n"
      "its dictionaries. Weights in other types become f32.\n");
}

int run_import(const Options& options, ImportRequest& request) {
  if (request.paths.size() != 1) throw UsageError(expected_one_model(request.paths, request.output));
  if (request.output.empty()) throw UsageError("--output DIR is required: the model directory to write");
  Terminal terminal("import", options.quiet());
  const std::string path = without_last_slashes(request.paths.front());
  OutputDirectory directory(request.output, request.overwrite, exported_files());
  const ForeignModel model =
      read_foreign_model(path, request.as_trained ? ImportedSearch::as_trained : ImportedSearch::as_there);
  write_foreign_model(model, directory.path(), terminal);
  directory.commit();
  for (const std::string& note : model.notes) terminal.note(note);
  terminal.note(concat("wrote ", request.output, ", converted from ", path, ": ", model.description));
  return 0;
}

}  // namespace

Work declare_import(Options& options) { return work_on<ImportRequest>(options, add_options, run_import); }

}  // namespace gloss
