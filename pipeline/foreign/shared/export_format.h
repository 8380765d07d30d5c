// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/listener.h"
#include "model/model_directory.h"
#include "pipeline/examples/text_format.h"
#include "pipeline/examples/tokenizer_pair.h"

namespace gloss {

/// A model to be written in the form of another program.
struct ModelToExport {
  Model model;  ///< its weights are still in their file
  Tokenizers tokenizers;
  TextFormat format;  ///< the member "text" of config.json
};

/// A form in which models are written: a row of the table of formats.
struct ExportFormat {
  std::string name;                ///< of the option, such as "ctranslate2"
  std::string program;             ///< for messages, such as "CTranslate2"
  std::vector<std::string> files;  ///< all that may be written
  /// Writes the files to an existing directory. Throws UsageError, naming the setting, for what the program
  /// cannot represent.
  void (*write)(const ModelToExport&, const std::string& directory, Listener&);
};

/// Throws UsageError, naming program and setting, if a setting of the network that is not in `known` has
/// another value than the default one. Numbers of layers, heads and positions, the width, vocabularies, begin
/// and end, which networks of every program have, and settings of training are not checked.
void expect_known_settings(const NetworkSettings&, const std::set<std::string>& known,
                           const std::string& program);
/// Throws UsageError that the program cannot represent a setting with this value, and what to do.
[[noreturn]] void refuse_export(const std::string& program, const std::string& setting,
                                const std::string& value, const std::string& advice);
/// The same for a setting of the network, with its value.
[[noreturn]] void refuse_setting(const NetworkSettings&, const std::string& setting,
                                 const std::string& program, const std::string& advice);

}  // namespace gloss
