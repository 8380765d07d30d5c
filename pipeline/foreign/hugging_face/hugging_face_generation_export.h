// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>

#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// The padding token, which gloss does not need: by its usual names, or else a token that is never generated,
/// or the end token.
int padding_of(const ModelToExport&);

/// The tokens that begin, end and fill texts: members of config.json and generation_config.json.
nlohmann::json token_settings(const ModelToExport&);

/// generation_config.json: these tokens, the first token of every target, tokens that are never chosen, and
/// the defaults of the search.
nlohmann::json generation_settings(const ModelToExport&);

}  // namespace gloss
