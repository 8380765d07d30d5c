// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "cli/commands/training_command.h"
#include "cli/process/with_ranks.h"
#include "cli/table/commands.h"
#include "pipeline/training/pretraining.h"

namespace gloss {
namespace {

constexpr const char* kText =
    "A language model (lm) learns to continue text, for 'gloss generate' and 'gloss\n"
    "score --input'. A masked model (mlm) learns to predict hidden tokens, for 'gloss\n"
    "fill'. A denoising model (denoise) learns to restore text with hidden words;\n"
    "'gloss finetune' turns it into a translation model. Every line ends with the end\n"
    "token </s>. A model sees text of one document (--document) and block\n"
    "(--block-length), never of two documents.\n"
    "\n";
constexpr const char* kPretrainRanks =
    "\n"
    "'mpirun -n N gloss pretrain ...' trains on N processes, as for 'gloss train'.\n";

/// Throws UsageError for options of other objectives, which have no effect.
void refuse_others(PretrainingSettings& settings, const Options& options) {
  const Given given = options.given();
  const auto refuse = [&](const Fields& fields, Objective objective, const char* name) {
    for (const Field& field : fields) {
      if (settings.objective == objective || !given(address_of(field))) continue;
      std::vector<std::string> names;
      for (const Field& one : fields) names.push_back("--" + option_name(one.name));
      throw UsageError(
          concat(join(names, ", "), " have no effect: they are for --objective ", name, "; leave them out"));
    }
  };
  refuse(fields_of(settings.mask), Objective::mlm, "mlm");
  refuse(fields_of(settings.noise), Objective::denoise, "denoise");
}

struct PretrainRequest {
  PretrainingSettings settings;
  TrainingCommand command;
  int layers = 0;
};

void add_options(Options& options, PretrainRequest& request) {
  auto& [settings, command, layers] = request;
  options.usage("--input FILE --output DIR [OPTION...]",
                "train a language, masked or denoising model on plain text");
  Fields data{objective_field(settings.objective)};
  append(data, data_fields_of(settings));
  options.add("Data", data);
  options.add("Vocabulary", plain_fields_of(settings.tokenizers));
  Fields network = command.stack_fields(settings.network, layers, Purpose::plain_text);
  field_of(network, settings.network.sizes.max_positions).help =
      "longest text in tokens; by default --block-length";
  options.add("Network", network);
  TrainingCommand::add_loop_options(options, settings.loop, {StopOn::cross_entropy});
  command.add_run_options(options);
  TrainingCommand::show_planned(options, settings, true);
  options.common({&settings.objective, &settings.text.plain, &settings.tokenizers.vocab_size,
                  &settings.plain.block_length, command.preset(), &settings.loop.training.max_updates,
                  &settings.loop.batches.batch_tokens});
  options.example("Train a language model", "gloss pretrain --input text.txt --preset small --output run");
  options.example("Train a masked model with a given vocabulary",
                  "gloss pretrain --objective mlm --input text.txt -t bpe.model --output run");
  options.epilogue(std::string(kText) + kTrainingDirectoryHelp + kPretrainRanks);
}

int pretrain(const Options& options, PretrainRequest& request, Ranks& ranks) {
  PretrainingSettings& settings = request.settings;
  TrainingCommand& command = request.command;
  const int layers = request.layers;
  command.check(options, ranks, settings.loop);
  together(ranks, [&] {
    const bool positions_given = options.given(settings.network.sizes.max_positions);
    command.choose_sizes(options, settings, [&settings, layers, positions_given](NetworkSettings& sized) {
      NetworkSizes& sizes = sized.sizes;
      if (layers > 0) sizes.encoder_layers = sizes.decoder_layers = layers;
      apply_objective(settings.objective, sized);
      if (!positions_given) sizes.max_positions = settings.plain.block_length;
    });
    TrainingCommand::plan(options, ranks, settings, all_fields_of(settings));
    fit_length(options, settings.plain.block_length, settings.network.sizes.max_positions);
    refuse_others(settings, options);
  });
  command.train(options, ranks, settings.loop, [&](const TrainingRun& run, Listener& listener) {
    pretrain(settings, run, listener, ranks);
  });
  return 0;
}

int run_pretrain(const Options& options, PretrainRequest& request) {
  return with_ranks([&](Ranks& ranks) { return pretrain(options, request, ranks); });
}

}  // namespace

Work declare_pretrain(Options& options) {
  return work_on<PretrainRequest>(options, add_options, run_pretrain);
}

}  // namespace gloss
