#pragma once

#include <span>
#include <string>

namespace gloss {

// One function per subcommand, each in the file of its name.
int run_average(std::span<const std::string> arguments);
int run_info(std::span<const std::string> arguments);
int run_train(std::span<const std::string> arguments);

}  // namespace gloss
