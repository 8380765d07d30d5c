// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/foreign/export_model.h"

namespace gloss {
namespace {

struct ExportRequest {
  std::string model, output;
  std::size_t chosen = 0;
  bool overwrite = false;
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) names.push_back(format.name);
  return names;
}

void add_options(Options& options, ExportRequest& request) {
  std::size_t* const chosen = &request.chosen;
  const Choice format{format_names(), [chosen] { return static_cast<int>(*chosen); },
                      [chosen](int number) { *chosen = static_cast<std::size_t>(number); }, chosen};
  options.usage("-m DIR --format FORMAT --output DIR", "write a model in the form of another program");
  options.add("Options",
              {{"model", &request.model, kModelHelp, {}, 'm', "DIR", kModelDirectory},
               {"format", format, "form to write; one of"},
               {"output", &request.output, "directory to write", {}, 'o', "DIR", kWritten},
               {"overwrite", &request.overwrite, "replace a model in a directory that is not empty"}},
              Options::Defaults::hidden);
  options.common({&request.model, &request.chosen, &request.output});
  options.example("Write a directory of CTranslate2",
                  "gloss export -m model --format ctranslate2 --output ct2");
  options.example("The same for a model that is stored in int8",
                  "gloss export -m small --format ctranslate2 --output ct2.int8");
  options.example("Write a directory of transformers, of the best model of a training directory",
                  "gloss export -m run --format huggingface --output transformers");
  options.example("Write the files of Marian", "gloss export -m model --format marian --output marian");
  options.epilogue(
      "ctranslate2 is a directory of CTranslate2, huggingface one of Hugging Face transformers:\n"
      "Marian, BART, mBART, M2M-100, NLLB, Pegasus, T5, BERT, RoBERTa, XLM-R or GPT-2, by what\n"
      "the network and its tokenizer are; marian has the files of Marian itself. Weights keep\n"
      "their values; only ctranslate2 has int8. What a program cannot represent is an error\n"
      "that names the setting.\n");
}

int run_export(const Options& options, ExportRequest& request) {
  if (request.model.empty()) throw UsageError("-m DIR is required: the model to export");
  if (request.output.empty()) throw UsageError("--output DIR is required: the directory to write");
  if (!options.given(request.chosen))
    throw UsageError(concat("--format is required: one of ", join(format_names(), ", ")));
  Terminal terminal("export", options.quiet());
  const ExportFormat& wanted = export_formats()[request.chosen];
  export_model(request.model, request.output, wanted, request.overwrite, terminal);
  terminal.note(concat("wrote ", request.output, ", a model of ", wanted.program));
  return 0;
}

}  // namespace

Work declare_export(Options& options) { return work_on<ExportRequest>(options, add_options, run_export); }

}  // namespace gloss
