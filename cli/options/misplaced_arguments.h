// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// A command whose options have been read.
struct ReadCommand {
  std::string name;                  ///< as typed after `gloss`
  std::vector<const Field*> fields;  ///< of its options
  Given given;
};

/// The message about plain arguments of a command that takes none; it names the options they may be meant
/// for.
std::string unexpected_arguments(const ReadCommand&, const std::vector<std::string>& arguments);

/// The message about a model directory among the plain arguments, while --model is missing; empty if there is
/// none.
std::string missing_model_option(const ReadCommand&, const std::vector<std::string>& arguments);

/// The values of a list of model directories that are files: arguments that the option has collected.
std::vector<std::string> files_among_models(const ReadCommand&);

}  // namespace gloss
