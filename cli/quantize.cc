#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "pipeline/quantisation.h"
#include "pipeline/training_directory.h"

namespace gloss {
namespace {

std::string mebibytes(std::uintmax_t bytes) {
  return fixed_text(static_cast<double>(bytes) / (1 << 20), 1) + " MiB";
}

}  // namespace

int run_quantize(std::span<const std::string> arguments) {
  enum class Type { int8, bf16 };
  std::string model, output;
  Type type = Type::int8;
  Options options("quantize", "-m DIR --output DIR [--type TYPE]", "store a model in fewer bits");
  options.add("Options",
              {{"model", &model, "model directory, or a training directory for its best", {}, 'm'},
               {"output", &output, "model directory to write", {}, 'o'},
               {"type", choice(type, {"int8", "bf16"}), "what matrices and embeddings are stored as"}});
  options.epilogue(
      "int8 has a scale for each row of a matrix and takes a quarter of the memory of\n"
      "f32, bf16 half of it. 'gloss translate' computes with what it finds; with its\n"
      "--precision it rounds a model when it loads it, to the same result.\n");
  if (!options.parse(arguments)) return 0;
  if (model.empty()) throw UsageError("which model? Give its directory with -m DIR");
  if (output.empty()) throw UsageError("where shall the model go? Give a directory with --output DIR");
  Terminal terminal("quantize", options.quiet());
  const QuantisedSizes sizes =
      quantise_model(model_directory_of(model), output, type == Type::int8 ? DType::int8 : DType::bf16);
  terminal.note(concat("wrote ", output, ": weights of ", mebibytes(sizes.after), " instead of ",
                       mebibytes(sizes.before)));
  return 0;
}

}  // namespace gloss
