#pragma once

#include <span>
#include <string>

namespace gloss {

// One function per subcommand, each in the file of its name.
int run_vocab(std::span<const std::string> arguments);
int run_encode(std::span<const std::string> arguments);
int run_decode(std::span<const std::string> arguments);
int run_train(std::span<const std::string> arguments);
int run_pretrain(std::span<const std::string> arguments);
int run_finetune(std::span<const std::string> arguments);
int run_embed(std::span<const std::string> arguments);
int run_average(std::span<const std::string> arguments);
int run_plot(std::span<const std::string> arguments);
int run_quantize(std::span<const std::string> arguments);
int run_shortlist(std::span<const std::string> arguments);
int run_info(std::span<const std::string> arguments);
int run_translate(std::span<const std::string> arguments);
int run_classify(std::span<const std::string> arguments);
int run_fill(std::span<const std::string> arguments);
int run_generate(std::span<const std::string> arguments);
int run_align(std::span<const std::string> arguments);
int run_score(std::span<const std::string> arguments);
int run_compare(std::span<const std::string> arguments);
int run_evaluate(std::span<const std::string> arguments);

}  // namespace gloss
