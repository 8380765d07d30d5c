// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/text_models/quantisation.h"

namespace gloss {
namespace {

/// Both sizes in the same unit: "1.9 MiB instead of 7.4 MiB", or that they are equal.
std::string sizes_text(std::uintmax_t now, std::uintmax_t before) {
  constexpr double kMebibyte = 1 << 20, kKibibyte = 1 << 10;
  const bool large = static_cast<double>(std::max(now, before)) >= kMebibyte;
  const auto text = [&](std::uintmax_t bytes) {
    const double size = static_cast<double>(bytes) / (large ? kMebibyte : kKibibyte);
    return fixed_text(size, 1) + (large ? " MiB" : " KiB");
  };
  return text(now) == text(before) ? concat(text(now), ", as before")
                                   : concat(text(now), " instead of ", text(before));
}

/// Says if the model was not one of f32.
void note_stored_type(const std::string& model, DType stored, DType wanted, Listener& listener) {
  if (stored == wanted) {
    listener.note(concat(model, " is already stored in ", name_of(stored), ": its weights are unchanged"));
  } else if (wanted == DType::int4 && stored == DType::int8) {
    listener.note(concat(model,
                         " is stored in int8: its weights are rounded a second time; quantize the model as "
                         "it was trained"));
  } else if (stored == DType::int8 || stored == DType::int4) {
    listener.note(concat(model, " is stored in ", name_of(stored), ": ", name_of(wanted),
                         " takes more memory, but does not bring back the lost precision; quantize the model "
                         "as it was trained"));
  }
}

enum class QuantizedType { int8, bf16, int4 };

struct QuantizeRequest {
  std::string model, output;
  QuantizedType type = QuantizedType::int8;
  bool overwrite = false;
};

void add_options(Options& options, QuantizeRequest& request) {
  options.usage("-m DIR --output DIR [--type TYPE]",
                "store a model in bf16, int8 or int4, for faster translation");
  options.add("Options",
              {{"model", &request.model, kModelHelp, {}, 'm', "DIR", kModelDirectory},
               {"output", &request.output, "model directory to write", {}, 'o', "DIR", kWritten},
               {"type", choice(request.type, {"int8", "bf16", "int4"}),
                "number type of the stored matrices and embeddings"},
               {"overwrite", &request.overwrite, "replace the model in a directory that is not empty"}});
  options.common({&request.model, &request.output, &request.type});
  options.example("Store a model in 8-bit integers", "gloss quantize -m model --output small");
  options.example("Store it in 4-bit integers", "gloss quantize -m model --type int4 --output tiny");
  options.example("Store it in bf16", "gloss quantize -m model --type bf16 --output half");
  options.epilogue(
      "int8 has one scale per matrix row and takes a quarter of the memory of f32, bf16\n"
      "half of it. 'gloss translate' computes in the stored type; with --precision it\n"
      "rounds a model while loading it, with the same result. int4 has one scale per 32\n"
      "numbers and takes a seventh; it is for small files: gloss computes with it in\n"
      "int8, or in another type with --precision.\n");
}

int run_quantize(const Options& options, QuantizeRequest& request) {
  if (request.model.empty()) throw UsageError("-m DIR is required: the model to store");
  if (request.output.empty()) throw UsageError("--output DIR is required: the model directory to write");
  Terminal terminal("quantize", options.quiet());
  const DType wanted = request.type == QuantizedType::int8   ? DType::int8
                       : request.type == QuantizedType::bf16 ? DType::bf16
                                                             : DType::int4;
  const Quantised done = quantise_model(request.model, request.output, wanted, request.overwrite, terminal);
  note_stored_type(request.model, done.from, wanted, terminal);
  terminal.note(
      concat("wrote ", request.output, ": weights of ", sizes_text(done.size_after, done.size_before)));
  return 0;
}

}  // namespace

Work declare_quantize(Options& options) {
  return work_on<QuantizeRequest>(options, add_options, run_quantize);
}

}  // namespace gloss
