// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/listener.h"
#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// All formats.
std::span<const ExportFormat> export_formats();

/// The names of all files that exports may have.
std::vector<std::string> exported_files();

/// Writes the model in directory `from` to the directory `to`, one tensor after another. Throws what the
/// format and OutputDirectory throw.
void export_model(const std::string& from, const std::string& to, const ExportFormat&, bool overwrite,
                  Listener&);

}  // namespace gloss
