#include "base/error.h"
#include "cli/commands.h"
#include "cli/training_command.h"
#include "cli/with_ranks.h"
#include "pipeline/pretraining.h"

namespace gloss {
namespace {

constexpr const char* kText =
    "A language model (lm) learns to continue text; 'gloss generate' does so with it\n"
    "and 'gloss score --input' tells how probable it finds text. A masked model (mlm)\n"
    "learns to tell tokens that are hidden; 'gloss fill' does so. A denoising model\n"
    "(denoise) restores text that words were hidden in; 'gloss finetune' goes on to\n"
    "translation from it. Every line ends with the end token </s>; what a model sees\n"
    "is text of the same document (--document) and block (--block-length), never of\n"
    "another document.\n"
    "\n";
constexpr const char* kRanks =
    "\n"
    "'mpirun -n N gloss pretrain ...' trains on N processes, as 'gloss train' does.\n";

/// What is for one objective has no effect with another.
void refuse_others(PretrainingSettings& settings, const Options& options) {
  const auto refuse = [&](const Fields& fields, Objective objective, const char* name) {
    for (const Field& field : fields) {
      if (settings.objective == objective || !options.given(field.name)) continue;
      std::vector<std::string> names;
      for (const Field& one : fields) names.push_back("--" + option_name(one.name));
      throw UsageError(
          concat(join(names, ", "), " have no effect: they are for --objective ", name, "; leave them out"));
    }
  };
  refuse(fields_of(settings.mask), Objective::mlm, "mlm");
  refuse(fields_of(settings.noise), Objective::denoise, "denoise");
}

int pretrain(std::span<const std::string> arguments, Ranks& ranks) {
  PretrainingSettings settings;
  TrainingCommand command;
  int layers = 0;
  Options options("pretrain", "--input FILE --output DIR [OPTION...]", "train a model on plain text");
  Fields data{objective_field(settings.objective)};
  for (Field& field : data_fields_of(settings)) data.push_back(field);
  options.add("Data", data);
  options.add("Vocabulary", plain_fields_of(settings.tokenizers));
  Fields network = command.stack_fields(settings.network, layers, {"bidirectional"});
  for (Field& field : network) {
    if (field.name == "max_positions") field.help = "longest text in tokens; default: --block-length";
  }
  options.add("Network", network);
  TrainingCommand::add_loop_options(options, settings.loop);
  command.add_run_options(options);
  options.epilogue(std::string(kText) + kTrainingDirectoryHelp + kRanks);
  if (!command.parse(options, arguments, ranks)) return 0;
  together(ranks, [&] {
    settings.network = command.with_sizes(options, settings.network);
    TransformerSettings& transformer = settings.network.transformer;
    if (layers > 0) transformer.encoder_layers = transformer.decoder_layers = layers;
    apply_objective(settings);
    if (!options.given("max_positions")) transformer.max_positions = settings.plain.block_length;
    refuse_others(settings, options);
  });
  command.train(
      options, ranks, settings.loop.batches.gradient_shards,
      [&](const TrainingRun& run, Listener& listener) { pretrain(settings, run, listener, ranks); });
  return 0;
}

}  // namespace

int run_pretrain(std::span<const std::string> arguments) {
  return with_ranks([&](Ranks& ranks) { return pretrain(arguments, ranks); });
}

}  // namespace gloss
